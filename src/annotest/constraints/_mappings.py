"""Dictionaries: maps from keys to values, and records with named keys."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch, source_repr
from annotest.constraints._checking import checked, checked_lengths
from annotest.constraints._choices import sized_if_able
from annotest.constraints._containers import distinct_size, refuse_late, wrong_length
from annotest.constraints._sizes import Meanings
from annotest.constraints._structure import Fields, Maps, Structure
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, st

SPAN = 5


@dataclass(frozen=True, eq=False, repr=False)
class Dicts(Constraint, name="dicts"):
    """Maps `dicts(keys, values)`, or records `dicts({"key": T, "optional?": U})`."""

    hashable: ClassVar[bool] = False
    kind: ClassVar[type | None] = dict
    positional: ClassVar[tuple[str, ...]] = ("keys", "values")
    keys: Any
    values: Constraint | None = None
    _: KW_ONLY
    min_size: int = 0
    max_size: int | None = None

    open_ends: ClassVar[Mapping[str, Any]] = {"max_size": sys.maxsize}

    def __post_init__(self) -> None:
        if isinstance(self.keys, dict):
            self._check_record()
            return
        checked("dicts", self.keys)
        if not self.keys.fits_sets():
            raise InvalidAnnotation(
                f"dicts({self.keys!r}, …) has keys that cannot be in a dict",
                "use tuples for the keys",
            )
        if self.values is None:
            raise InvalidAnnotation(
                f"dicts({self.keys!r}) says nothing about the values",
                f"write dicts({self.keys!r}, values)",
            )
        checked("dicts", self.values)
        checked_lengths(self, self.min_size, self.max_size, ("min_size", "max_size"))
        if self.min_size > 1:
            refuse_late(self, self.keys)
        count = self.keys.count()
        if count is not None and self.min_size > count:
            raise self.refuse(
                f"allows nothing: {self.min_size} keys are wanted and {self.keys!r} has {count}",
                "lower min_size or widen the keys",
            )

    def _check_record(self) -> None:
        if self.values is not None or self.min_size or self.max_size is not None:
            raise InvalidAnnotation(
                f"dicts({source_repr(self.keys)}, …) is a record, which takes nothing else",
                "drop the other arguments",
            )
        for key, value in self.keys.items():
            checked(f"dicts({{{key!r}: …}})", value)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def record(self) -> dict[Any, tuple[Constraint, bool]]:
        """The keys of a record, each with its constraint and whether it may be left out."""
        record = {}
        for key, value in self.keys.items():
            optional = isinstance(key, str) and key.endswith("?")
            record[key[:-1] if optional else key] = (value, optional)
        return record

    def sized(self, names: Meanings) -> Constraint:
        if not isinstance(self.keys, dict):
            return super().sized(names)
        able = {}
        for written, (key, (value, optional)) in zip(self.keys, self.record.items(), strict=True):
            if not optional:
                able[key] = value.sized(names)
                continue
            for sized in sized_if_able((value,), names):
                able[written] = sized
        return Dicts(able)

    def needed_parts(self) -> Iterator[Constraint]:
        if not isinstance(self.keys, dict):
            yield from super().needed_parts()
            return
        yield self
        for value, optional in self.record.values():
            yield from () if optional else value.needed_parts()

    def listed_keys(self) -> list[Any]:
        # a constraint of what is no text stands for its own
        if isinstance(self.keys, dict):
            return list(self.record)
        return self.keys.listed() if self.keys.kind in (object, str) else [self.keys]

    @cached_property
    def structure(self) -> Structure:
        if isinstance(self.keys, dict):
            return Fields(self.record)
        assert self.values is not None
        return Maps(self.keys, self.values, self.lengths)

    @property
    def lengths(self) -> tuple[int, int]:
        """The smallest and the largest number of keys of a map."""
        high = self.min_size + SPAN if self.max_size is None else self.max_size
        return self.min_size, high

    def of_length(self, length: int) -> Constraint | None:
        count = None if isinstance(self.keys, dict) else self.keys.count()
        if isinstance(self.keys, dict) or (count is not None and count < length):
            return None
        return dataclasses.replace(self, min_size=length, max_size=length)

    def strategy(self) -> Expr:
        if not isinstance(self.keys, dict):
            assert self.values is not None
            low, high = self.lengths
            return st.dictionaries(
                self.keys.strategy(),
                self.values.strategy(),
                min_size=low,
                max_size=distinct_size(self.keys, high),
            )
        wanted = {k: v.strategy() for k, (v, optional) in self.record.items() if not optional}
        optional = {k: v.strategy() for k, (v, may) in self.record.items() if may}
        if not optional:
            return st.fixed_dictionaries(wanted)
        return st.fixed_dictionaries(wanted, optional=optional)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, dict):
            yield Mismatch(at, "a dict", value)
        elif isinstance(self.keys, dict):
            yield from self._record_mismatches(value, at)
        else:
            yield from self._map_mismatches(value, at)

    def _record_mismatches(self, value: dict[Any, Any], at: str) -> Iterator[Mismatch]:
        for key, (constraint, optional) in self.record.items():
            if key in value:
                yield from constraint.mismatches(value[key], f"{at}[{key!r}]")
            elif not optional:
                yield Mismatch(at, f"a dict with the key {key!r}", value)
        for key in value:
            if key not in self.record:
                yield Mismatch(at, f"a dict without the key {key!r}", value)

    def _map_mismatches(self, value: dict[Any, Any], at: str) -> Iterator[Mismatch]:
        assert self.values is not None
        yield from wrong_length(value, *self.lengths, at)
        for key, item in value.items():
            yield from self.keys.mismatches(key, f"a key of {at}")
            yield from self.values.mismatches(item, f"{at}[{key!r}]")
