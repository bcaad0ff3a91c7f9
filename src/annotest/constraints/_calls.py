"""Calls with arguments that a constraint or a decorator does not take."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from annotest.errors import AnnotestError, InvalidAnnotation, did_you_mean

T = TypeVar("T")
P = ParamSpec("P")
_NEVER_FALSE = (
    types.CoroutineType,
    types.GeneratorType,
    types.AsyncGeneratorType,
    types.FunctionType,
)
# what comes of values that nobody expected; all else is not about the annotation
WRONG_VALUES = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError)
PLAIN = "make it a plain function that returns True or False"


def checked_calls(
    refused: Callable[[str, InvalidAnnotation], Any],
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Have `refused` answer where a function is called with arguments that it cannot take."""

    def checked(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return function(*args, **kwargs)
            except AnnotestError:
                raise
            except WRONG_VALUES as error:
                wrong = wrong_call(function, args, kwargs, error)
            return refused(function.__name__, wrong)  # type: ignore[no-any-return]

        return called

    return checked


def wrong_call(callee: Any, args: Any, kwargs: Any, error: Exception) -> InvalidAnnotation:
    """Return the error for a call with arguments that the callee cannot take."""
    name = getattr(callee, "name", callee.__name__)
    parameters = inspect.signature(callee).parameters
    for given in kwargs:
        if given not in parameters:
            return InvalidAnnotation(
                f"{name}() has no argument {given!r}.{did_you_mean(given, parameters)}",
                f"its arguments are: {', '.join(parameters)}",
            )
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    by_place = [p.name for p in parameters.values() if p.kind in placed]
    more = len(parameters) > len(by_place)
    if len(args) > len(by_place) and not any(
        p.kind is p.VAR_POSITIONAL for p in parameters.values()
    ):
        takes = f"{len(by_place)} ({', '.join(by_place)})" if by_place else "none"
        return InvalidAnnotation(
            f"{name}() got {len(args)} arguments by position and takes {takes}",
            "give the others by name" if more else "leave the others out",
        )
    needed = [name for name in by_place if parameters[name].default is inspect.Parameter.empty]
    for missing in needed[len(args) :]:
        if missing not in kwargs:
            listed = ", ".join([*needed, "…"] if len(parameters) > len(needed) else needed)
            return InvalidAnnotation(
                f"{name}() lacks its argument {missing!r}", f"write {name}({listed})"
            )
    return InvalidAnnotation(
        f"{name}() cannot be made of what it is given: {type(error).__name__}: {error}",
        "correct its arguments",
    )


def never_false(function: Any) -> str:
    """Say why a predicate gives no answer: it is an async or a generator function; else nothing."""
    called = type(function).__call__ if not inspect.isroutine(function) else function
    for asked in (function, called):
        if inspect.iscoroutinefunction(asked):
            return "is an async function: what it returns must be awaited, and is always true"
        if inspect.isgeneratorfunction(asked) or inspect.isasyncgenfunction(asked):
            return "is a generator function: what it returns is a generator, and always true"
    return ""


def truth(answer: Any) -> bool:
    """Return whether a predicate's answer is true; TypeError where it is none and always true."""
    if isinstance(answer, _NEVER_FALSE):
        name = type(answer).__name__
        if isinstance(answer, types.CoroutineType):
            answer.close()  # nobody awaits it
        raise TypeError(f"it gives a {name}, which is always true")
    return bool(answer)
