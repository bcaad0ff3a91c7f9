"""What is promised of the calls of a function: from annotations to what oracles hold them to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from annotest.errors import InvalidAnnotation, Mistake
from annotest.plan.postconditions import (
    SELF,
    Postcondition,
    compile_postcondition,
    invariants_of,
)
from annotest.plan.preconditions import Precondition
from annotest.plan.promised import refuse_word
from annotest.plan.raising import Raising, compile_raises
from annotest.plan.relating import dimension_names, mistake_of, starred_dimensions
from annotest.plan.returning import Returning
from annotest.plan.steps import Promise
from annotest.promises import OracleWord
from annotest.signature import Signature
from annotest.spec import Annotation, Ensure, Raises, ReturnsCalls

Compiling = tuple[Annotation, Callable[[], Promise]]


def promises_of(
    signature: Signature,
    names: Sequence[str],
    of_instance: Sequence[str],
    function: Any,
    cls: type | None,
    wrong: list[Mistake],
) -> tuple[Promise, ...]:
    """Return what calls of a function are held to; what is said wrongly becomes a mistake.

    `of_instance` is the name of what a constructor makes, which there is after the call only.
    """
    promises: list[Promise] = []
    for note, compiled in (
        *_raises(signature, names, function),
        *_returns(signature),
        *_ensures(signature, [*of_instance, *names], function, cls),
    ):
        try:
            promises.append(compiled())
        except InvalidAnnotation as error:
            wrong.append(mistake_of(signature, note, error))
    return tuple(promises)


def conditions_in(promises: Iterable[Promise]) -> Iterator[Postcondition | Precondition]:
    """Yield the conditions that promises are made of."""
    for promise in promises:
        if isinstance(promise, Postcondition):
            yield promise
        elif isinstance(promise, Raising) and promise.when is not None:
            yield promise.when


def _raises(signature: Signature, names: Sequence[str], function: Any) -> Iterator[Compiling]:
    starred, dimensions = starred_dimensions(signature), dimension_names(signature)
    known = [*names, *dimensions], function, signature.function, starred, dimensions
    for note in signature.of_kind(Raises):
        if not note.is_plain:
            yield note, partial(compile_raises, note, *known)


def _returns(signature: Signature) -> Iterator[Compiling]:
    arguments = {p.name: p.constraint for p in signature.parameters if p.constraint is not None}
    for note in signature.returns:
        yield note, partial(Returning, note, arguments)
    for callable_ in signature.of_kind(ReturnsCalls):
        yield callable_, partial(_unchanged, callable_)


def _unchanged(note: Promise) -> Promise:
    return note


def _ensures(
    signature: Signature, names: Sequence[str], function: Any, cls: type | None
) -> Iterator[Compiling]:
    where = getattr(function, "__qualname__", signature.function)
    known = [*names, *dimension_names(signature)], function, where
    for note in signature.of_kind(Ensure):
        if isinstance(note.condition, OracleWord):
            yield note, partial(_by_name, note, signature, cls)
        else:
            yield note, partial(compile_postcondition, note, *known)
    if cls is None:
        return
    for note in invariants_of(cls):
        if isinstance(note.condition, OracleWord):  # it may judge some methods, and not others
            yield note, partial(_unchanged, note)
        else:
            of_class = [SELF], cls, cls.__qualname__, True
            yield note, partial(compile_postcondition, note, *of_class)


def _by_name(note: Ensure, signature: Signature, cls: type | None) -> Promise:
    refuse_word(note, signature, cls)
    return note
