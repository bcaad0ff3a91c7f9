"""The hints of a function → a constraint for each argument whose hint is precise."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

from annotest.constraints import Constraint, anys, bools, dicts, froms, lists, objs, strs, tuples
from annotest.errors import InvalidAnnotation, recording
from annotest.hints.arrays import array_constraint, is_array_hint
from annotest.hints.bounds import bounded, bounds_in, lengths_in
from annotest.hints.precise import Hinted, NotPrecise
from annotest.hints.records import is_record, needed_fields, where_hints_are
from annotest.records import record

RESULT = "return"


def hint_constraints(function: Any) -> dict[str, Hinted]:
    """Return what the hints of a function, or of the fields of a named tuple, say."""
    with recording():  # a wrong constraint in a hint given as text is kept, and told, as any other
        hints = _hints_of(function)
    reading = _Reading()
    return {name: _hinted(name, hint, reading) for name, hint in hints.items() if name != RESULT}


def result_hint(function: Any) -> Hinted:
    """Return what the hint of a result says; of a generator function, of each of its items.

    What it leaves open counts for nothing there: the length of a list, or the dtype of a `Float`.
    """
    function = inspect.unwrap(function)
    if (getattr(function, "__annotations__", None) or {}).get(RESULT) is None:
        return Hinted(None)  # `-> None` is no promise that anybody relies on
    with recording():
        hint = _hints_of(function)[RESULT]
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        hint = next(iter(typing.get_args(hint)), Any) if _is_of_items(hint) else Any
    if _has(hint, lambda part: part is bool):
        return Hinted(None)  # NumPy's Booleans do as well
    return _hinted(RESULT, hint, _Reading(is_of_result=True))


def _is_of_items(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    kinds = collections.abc.Iterable, collections.abc.AsyncIterable
    return isinstance(origin, type) and issubclass(origin, kinds)


def _hinted(name: str, hint: Any, reading: _Reading) -> Hinted:
    try:
        constraint = reading.constraint_of(hint)
    except NotPrecise as error:
        return Hinted(None, unread=str(error))
    except InvalidAnnotation as error:
        raise InvalidAnnotation(f"{name!r}: {error.reason}", error.remedy) from None
    is_ours = _has(hint, lambda part: isinstance(part, Constraint))
    return Hinted(constraint, is_ours, is_of_array=_has(hint, _is_of_array))


def _is_of_array(hint: Any) -> bool:
    return typing.get_origin(hint) is None and isinstance(hint, type) and is_array_hint(hint)


def _hints_of(function: Any) -> dict[str, Any]:
    function = inspect.unwrap(function)
    if not getattr(function, "__annotations__", None):
        return {}
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # one name only known to type checkers spoils them all: take them singly
        raw = getattr(function, "__annotations__", {})
        return {name: _evaluated(function, hint) for name, hint in raw.items()}


def _evaluated(function: Any, hint: Any) -> Any:
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, getattr(function, "__globals__", {}))
    except Exception:
        return hint


def _has_constraint(hint: Any) -> bool:
    parts = typing.get_args(hint)
    return any(isinstance(part, Constraint) or _has_constraint(part) for part in parts)


def _has(hint: Any, is_such: Callable[[Any], bool]) -> bool:
    """Say whether a hint, or a part of it that is no value, is such a one."""
    if is_such(hint):
        return True
    parts = () if typing.get_origin(hint) is Literal else typing.get_args(hint)
    return any(_has(part, is_such) for part in parts)


@record
class _Reading:
    """Reads hints: those of arguments, or of results, where any value of a kind will do."""

    is_of_result: bool = False

    def constraint_of(self, hint: Any) -> Constraint:
        """Return the constraint that a hint means; NotPrecise where it means none."""
        origin = typing.get_origin(hint)
        if self.is_of_result and origin in _NOT_OF_RESULTS:
            raise NotPrecise
        read = _BY_ORIGIN.get(origin)
        if read is not None:
            return read(self, *typing.get_args(hint))
        if hint is None or hint is type(None):
            return froms([None])
        if hint is bool:
            return bools()
        if isinstance(hint, str):
            raise NotPrecise("it is known to type checkers only")
        if isinstance(hint, type):
            return self._of_class(hint)
        raise NotPrecise

    def _of_class(self, hint: type) -> Constraint:
        if is_array_hint(hint):
            return array_constraint(hint, self.is_of_result)
        if issubclass(hint, enum.Enum) and list(hint):
            return froms(list(hint))
        if is_record(hint):
            return _record(hint)
        raise NotPrecise

    def annotated(self, base: Any, *extras: Any) -> Constraint:
        """Read `Annotated[base, …]`."""
        ours = [extra for extra in extras if isinstance(extra, Constraint)]
        if len(ours) > 1:
            raise InvalidAnnotation(
                f"Annotated[…] holds two constraints, {ours[0]!r} and {ours[1]!r}",
                "keep one; anys(…) says a union",
            )
        if ours:
            return ours[0]
        bounds = bounds_in(extras)
        lengths = lengths_in(bounds)
        if lengths and typing.get_origin(base) is list:
            return dataclasses.replace(self.list(*typing.get_args(base)), **lengths)
        return bounded(base, bounds) if bounds else self.constraint_of(base)

    def literal(self, *values: Any) -> Constraint:
        """Read `Literal[…]`."""
        return froms(list(values))

    def union(self, *hints: Any) -> Constraint:
        """Read `A | B`."""
        return anys(*map(self.constraint_of, hints))

    def list(self, element: Any) -> lists:
        """Read `list[…]`."""
        return lists(self.constraint_of(element))

    def tuple(self, *elements: Any) -> Constraint:
        """Read `tuple[A, B]` and `tuple[A, ...]`."""
        if elements[1:] == (...,):
            return tuples(self.constraint_of(elements[0]), min_len=0)
        return tuples(*map(self.constraint_of, elements))

    def dict(self, key: Any, value: Any) -> Constraint:
        """Read `dict[…]`."""
        # the names of a record that is not spelt out
        keys = strs() if key is str else self.constraint_of(key)
        return dicts(keys, self.constraint_of(value))


_BY_ORIGIN: dict[Any, Callable[..., Constraint]] = {
    Annotated: _Reading.annotated,
    Literal: _Reading.literal,
    Union: _Reading.union,
    types.UnionType: _Reading.union,
    list: _Reading.list,
    collections.abc.Sequence: _Reading.list,
    tuple: _Reading.tuple,
    dict: _Reading.dict,
    collections.abc.Mapping: _Reading.dict,
}
# what is returned may be another kind of sequence than the one that is made for an argument
_NOT_OF_RESULTS = collections.abc.Sequence, collections.abc.Mapping
_under_way: list[type] = []  # records that are being read: one may hold others of its kind


def _record(cls: type) -> Constraint:
    if cls not in _under_way:
        _under_way.append(cls)
        try:
            hints = hint_constraints(where_hints_are(cls))
        finally:
            _under_way.pop()
        for name in needed_fields(cls):
            if name not in hints or hints[name].constraint is None:
                raise NotPrecise(f"nothing says which {cls.__qualname__}.{name} is valid")
    return objs(cls)
