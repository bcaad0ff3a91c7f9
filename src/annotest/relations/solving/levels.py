"""Levels: one variable each, with the conditions that are complete when it has its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import CodeType
from typing import Any, NamedTuple

from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.checked import ConstantPiece
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.variables import Name

# so many values of a variable are looked at one by one
ENUMERATED = 1024
WINDOWS = (64, 512, 4096, 32768)
KEPT = 4096

MOST_STEPS = 3000
MOST_LOOKS = 48_000

Filter = Callable[..., list[Any]]


@dataclass
class Allowance:
    """How many values may still be tried, and how many looked at to know which to try."""

    steps: int = MOST_STEPS
    looks: int = MOST_LOOKS

    @classmethod
    def of_attempt(cls, number: int) -> Allowance:
        """Return half of all for the first attempt, half of that for the next, and so on."""
        return cls(MOST_STEPS >> (number + 1), MOST_LOOKS >> (number + 1))

    @property
    def is_spent(self) -> bool:
        """Whether there is nothing left."""
        return self.steps <= 0 or self.looks <= 0

    def look_at(self, values: Sequence[Any]) -> None:
        """Pay for looking at values, as much for a result that was kept as for a new one.

        If kept results were free, the same draws could end at other values in another search.
        """
        self.looks -= len(values)


class Stated(NamedTuple):
    """A condition, what its other names mean, how the user said it, and as which statement."""

    condition: Condition
    scope: dict[str, Any]
    text: str = ""
    place: int | None = None

    def variables(self) -> Iterator[Name]:
        """Yield the variables, some perhaps twice."""
        return self.condition.variables()


@dataclass
class Level:
    """A variable and the conditions that are complete when it has a value."""

    name: Name
    domain: Domain
    stated: tuple[Stated, ...] = ()
    touching: tuple[Condition, ...] = ()
    kept: dict[tuple[Any, ...], Sequence[Any]] = field(default_factory=dict)

    @cached_property
    def _compiled(self) -> tuple[Filter | None, tuple[Name, ...]]:
        # not before it is needed: many plans are made, and only looked at
        return filter_of(self.name, self.stated) if self.stated else (None, ())

    @property
    def closing(self) -> Filter | None:
        """The pass that keeps, of some values, those that satisfy the conditions."""
        return self._compiled[0]

    @property
    def inputs(self) -> tuple[Name, ...]:
        """The variables before it whose values that pass needs."""
        return self._compiled[1]

    def candidates(self, box: Box, budget: Allowance) -> Sequence[Any]:
        """Return the values left, where they are few enough to be looked at."""
        values = self.within(box)
        closing, names = self._compiled
        if closing is None or len(values) > ENUMERATED:
            return values
        budget.look_at(values)
        inputs = [box.values[name] for name in names]
        # 1, True and 1.0 are equal, and not the same
        key = (*map(type, inputs), *inputs, *box.bounds.get(self.name, ()))
        try:
            left = self.kept.get(key)
        except TypeError:  # a value that cannot be hashed
            return self.passing(values, box)
        if left is None:
            left = self.passing(values, box)
            if len(self.kept) < KEPT:
                self.kept[key] = left
        return left

    def within(self, box: Box) -> Sequence[Any]:
        """Return the values within the bounds."""
        values = self.domain.values
        assert values is not None
        if not self.domain.is_number:
            return values
        low, high = box.bounds[self.name]
        if low <= self.domain.low and high >= self.domain.high:
            return values
        if isinstance(values, range) and values.step > 0:
            start = max(0, -((values.start - int(low)) // values.step)) if low > -INF else 0
            stop = (int(high) - values.start) // values.step + 1 if high < INF else len(values)
            return values[start : max(start, stop)]
        return [value for value in values if low <= value <= high]

    def passing(self, values: Sequence[Any], box: Box) -> list[Any]:
        """Return those of some values that satisfy the conditions now complete."""
        if self.closing is None:
            return list(values)
        inputs = [box.values[name] for name in self.inputs]
        try:
            return self.closing(values, *inputs)
        except Exception:
            return [value for value in values if self._passes(value, inputs)]

    def _passes(self, value: Any, inputs: list[Any]) -> bool:
        assert self.closing is not None
        try:
            return bool(self.closing((value,), *inputs))
        except Exception:
            return True  # it raises for this value: an error of the annotation, to be told as such

    def first_passing(self, values: Sequence[Any], start: int, box: Box, budget: Allowance) -> Any:
        """Return the first value from a place on that satisfies the conditions now complete."""
        if self.closing is None:
            return values[start]
        place = start
        for size in WINDOWS:
            window = values[place : place + size]
            budget.look_at(window)
            left = self.passing(window, box)
            if left:
                return left[0]
            place += size
            if place >= len(values):
                place = 0
        raise Empty


def filter_of(name: Name, stated: Sequence[Stated]) -> tuple[Filter, tuple[Name, ...]]:
    """Compile the conditions that a variable completes into one pass over its values."""
    groups: dict[int, list[Stated]] = {}
    for part in stated:
        groups.setdefault(id(part.scope) if part.scope else 0, []).append(part)
    passes = [_one_pass(name, group) for group in groups.values()]
    if len(passes) == 1:
        return passes[0]
    inputs = tuple(dict.fromkeys(needed for _, names in passes for needed in names))
    places = [[inputs.index(needed) for needed in names] for _, names in passes]

    def all_passes(values: Any, *given: Any) -> list[Any]:
        for (check, _), needed in zip(passes, places, strict=True):
            values = check(values, *(given[place] for place in needed))
        return list(values)

    return all_passes, inputs


def _one_pass(name: Name, stated: list[Stated]) -> tuple[Filter, tuple[Name, ...]]:
    """Compile conditions whose other names mean the same."""
    identifiers: dict[Name, str] = {}
    constants: dict[str, Any] = {}

    def called(thing: Any) -> str:
        if isinstance(thing, ConstantPiece):
            key = f"_c{len(constants)}"
            constants[key] = thing.value
            return key
        return identifiers.setdefault(thing, f"_v{len(identifiers)}")

    own = called(name)
    text = " and ".join(part.condition.text(called) for part in stated)
    inputs = tuple(other for other in identifiers if other != name)
    parameters = ", ".join(["_values", *(identifiers[other] for other in inputs)])
    scope = {**stated[0].scope, **constants}
    code = _code(f"lambda {parameters}: [{own} for {own} in _values if {text}]")
    made: Filter = eval(code, scope)
    return made, inputs


@lru_cache(maxsize=KEPT)
def _code(text: str) -> CodeType:
    """Compile a pass; variables are named by their places, so many have the same text."""
    return compile(text, "<string>", "eval")
