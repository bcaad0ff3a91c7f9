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


def hint_constraints(function: Any) -> dict[str, Hinted]:
    """Return what the hints of a function, or of the fields of a named tuple, say."""
    with recording():  # a wrong constraint in a hint given as text is kept, and told, as any other
        hints = _hints_of(function)
    return {name: _hinted(name, hint) for name, hint in hints.items() if name != "return"}


def _hinted(name: str, hint: Any) -> Hinted:
    try:
        return Hinted(_constraint_of(hint), _has_constraint(hint))
    except NotPrecise as error:
        return Hinted(None, unread=str(error))
    except InvalidAnnotation as error:
        raise InvalidAnnotation(f"{name!r}: {error.reason}", error.remedy) from None


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


def _constraint_of(hint: Any) -> Constraint:
    """Return the constraint that a hint means; NotPrecise where it means none."""
    read = _BY_ORIGIN.get(typing.get_origin(hint))
    if read is not None:
        return read(*typing.get_args(hint))
    if hint is None or hint is type(None):
        return froms([None])
    if hint is bool:
        return bools()
    if isinstance(hint, str):
        raise NotPrecise("it is known to type checkers only")
    if isinstance(hint, type):
        return _of_class(hint)
    raise NotPrecise


def _of_class(hint: type) -> Constraint:
    if is_array_hint(hint):
        return array_constraint(hint)
    if issubclass(hint, enum.Enum) and list(hint):
        return froms(list(hint))
    if is_record(hint):
        return _record(hint)
    raise NotPrecise


def _annotated(base: Any, *extras: Any) -> Constraint:
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
        return dataclasses.replace(_list(*typing.get_args(base)), **lengths)
    return bounded(base, bounds) if bounds else _constraint_of(base)


def _literal(*values: Any) -> Constraint:
    return froms(list(values))


def _union(*hints: Any) -> Constraint:
    return anys(*map(_constraint_of, hints))


def _list(element: Any) -> lists:
    return lists(_constraint_of(element))


def _tuple(*elements: Any) -> Constraint:
    if elements[1:] == (...,):
        return tuples(_constraint_of(elements[0]), min_len=0)
    return tuples(*map(_constraint_of, elements))


def _dict(key: Any, value: Any) -> Constraint:
    # the names of a record that is not spelt out
    keys = strs() if key is str else _constraint_of(key)
    return dicts(keys, _constraint_of(value))


_BY_ORIGIN: dict[Any, Callable[..., Constraint]] = {
    Annotated: _annotated,
    Literal: _literal,
    Union: _union,
    types.UnionType: _union,
    list: _list,
    collections.abc.Sequence: _list,
    tuple: _tuple,
    dict: _dict,
    collections.abc.Mapping: _dict,
}
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
