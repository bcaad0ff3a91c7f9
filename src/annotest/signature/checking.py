"""Annotations that do not fit the function they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.constraints import Constraint
from annotest.errors import InvalidAnnotation
from annotest.signature.parts import (
    KEYWORD_ONLY,
    POSITIONAL_OR_KEYWORD,
    STARRED,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    bind_example,
)
from annotest.source import shown
from annotest.spec import (
    Annotation,
    Budget,
    CcExample,
    Example,
    Modes,
    Returns,
    ReturnsCalls,
    Timeout,
)

Problem = tuple[Annotation, InvalidAnnotation]
Parameters = tuple[Parameter, ...]
Annotations = tuple[Annotation, ...]


def misfits(
    name: str, annotations: Annotations, parameters: Parameters, is_constructor: bool
) -> Iterator[Problem]:
    """Yield the annotations that do not fit a function, each with what is wrong."""
    yield from _wrong_kinds(annotations, parameters)
    yield from _repeated(name, annotations)
    yield from _wrong_results(name, annotations, parameters, is_constructor)
    if not is_constructor:
        yield from _examples_out_of_place(name, annotations)
    yield from _wrong_calls(name, annotations, parameters)


def _wrong_kinds(annotations: Annotations, parameters: Parameters) -> Iterator[Problem]:
    """Yield what gives *args no list or **kwargs no dict."""
    for p in parameters:
        if p.kind not in STARRED or p.constraint is None:
            continue
        note = next(a for a in annotations if p.name in getattr(a, "names", ()))
        for reason in _wrong_keys(p, parameters) if p.kind is VAR_KEYWORD else ():
            yield note, InvalidAnnotation(reason, "take another key")
        wanted = (dict,) if p.kind is VAR_KEYWORD else (list, tuple)
        if p.constraint.kind not in (object, *wanted):
            stars, kind, say = (
                ("**", "a dict", 'dicts({"name": …})')
                if p.kind is VAR_KEYWORD
                else ("*", "a list or tuple", "lists(…)")
            )
            reason = f"{stars}{p.name} takes {kind}, and {p.constraint!r} gives none"
            yield note, InvalidAnnotation(reason, f"write {say}")


def _wrong_keys(kwargs: Parameter, parameters: Parameters) -> Iterator[str]:
    """Yield why keys cannot be keywords: no text, or the name of another argument."""
    assert kwargs.constraint is not None
    others = {p.name for p in parameters if p.kind in (POSITIONAL_OR_KEYWORD, KEYWORD_ONLY)}
    for key in kwargs.constraint.listed_keys():
        if not isinstance(key, str):
            yield f"the key {shown(key)} of **{kwargs.name} is not text"
        elif key in others:
            yield f"the key {key!r} of **{kwargs.name} is an argument of its own"


def _repeated(name: str, annotations: Annotations) -> Iterator[Problem]:
    for kind in (Timeout, Budget, Modes, ReturnsCalls):
        for again in [a for a in annotations if type(a) is kind][1:]:
            word = again.text().partition("(")[0]
            reason = f"{name} has two {word} annotations"
            yield again, InvalidAnnotation(reason, "keep one")


def _wrong_results(
    name: str, annotations: Annotations, parameters: Parameters, is_constructor: bool
) -> Iterator[Problem]:
    """Yield what is said of the result where there is none, and names that mean two arguments."""
    own = {p.name for p in parameters if not p.is_of_result}
    for note in annotations:
        if isinstance(note, Returns | ReturnsCalls) and is_constructor:
            reason = "a constructor returns nothing"
            remedy = f'say what holds of the instance: @ensure("…") on {name}, or on the class'
            yield note, InvalidAnnotation(reason, remedy)
        named = note.calls.constraints if isinstance(note, ReturnsCalls) else ()
        for taken in sorted(own.intersection(named)):
            reason = f"{taken!r} is an argument of {name} itself"
            remedy = "annotate a small function that makes both calls, with a name for each"
            yield note, InvalidAnnotation(reason, remedy)


def _examples_out_of_place(name: str, annotations: Annotations) -> Iterator[Problem]:
    for note in annotations:
        if isinstance(note, CcExample):
            reason = f"{name} is not a constructor"
            yield note, InvalidAnnotation(reason, "put it on the __init__ of a class")


def _wrong_calls(name: str, annotations: Annotations, parameters: Parameters) -> Iterator[Problem]:
    for note in annotations:
        if not isinstance(note, (Example, CcExample)):
            continue
        try:
            values = bind_example(parameters, note)
        except TypeError as error:
            remedy = f"{name} takes: {', '.join(p.name for p in parameters) or 'nothing'}"
            yield note, InvalidAnnotation(f"{error}", remedy)
            continue
        if isinstance(note, Example):
            for reason in _wrong_values(parameters, values):
                remedy = "correct the example or the constraint"
                yield note, InvalidAnnotation(f"not a valid call: {reason}", remedy)


def _wrong_values(parameters: Parameters, values: dict[str, Any]) -> Iterator[str]:
    """Yield the first reason why each argument of an example is not valid."""
    for p in parameters:
        if p.name not in values or p.constraint is None or not p.constraint.decides():
            continue
        if p.takes_default and values[p.name] is p.default:
            continue
        value = values[p.name]
        if p.kind is VAR_POSITIONAL and not why_outside(p.constraint, tuple(value), p.name):
            continue
        if reason := why_outside(p.constraint, value, p.name):
            yield reason


def why_outside(constraint: Constraint, value: Any, at: str) -> str:
    """Return the first reason why a value is outside; none where the user's functions raise.

    That is told when values are drawn.
    """
    try:
        reason = next(iter(constraint.mismatches(value, at)), None)
    except Exception:
        return ""
    return "" if reason is None else str(reason)
