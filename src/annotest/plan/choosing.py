"""Choosing with Hypothesis: the values of variables, and what is drawn beside them."""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import hypothesis.strategies as st

from annotest.constraints import Constraint
from annotest.expr import Expr
from annotest.frameworks import Framed
from annotest.plan.framing import ways_of
from annotest.plan.recipe import Applied
from annotest.relations.arguments.model import Chosen, Model, Unsolvable
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.variables import Name

# below that, every value is drawn often enough by itself
FEW = 8
KEPT = 1024
MOST_SHARES = 256
# of an argument that may be left out: as often as it is given, against once left out
GIVEN = 3


class Strategies:
    """The strategies that a model needs, each made once."""

    def __init__(self, evaluate: Callable[[Expr], Any]) -> None:
        self._evaluate = evaluate
        self._made: dict[Any, Any] = {}

    def made(self, constraint: Constraint) -> Any:
        """Return the strategy of a constraint, and keep nothing."""
        return self._evaluate(constraint.strategy())

    def of(self, constraint: Constraint) -> Any:
        """Return the strategy of a constraint."""
        return self._kept((id(constraint),), lambda: self.made(constraint))

    def of_arrays(self, constraint: Any, changed: dict[str, Any]) -> tuple[Any, tuple[Framed, ...]]:
        """Return the strategy of what arrays of one shape and dtype are made of, and how.

        A strategy around another one would take as long as two.
        """

        def made() -> tuple[Any, tuple[Framed, ...]]:
            wanted = dataclasses.replace(constraint, **changed)
            (dtype,) = wanted.dtypes
            return self._evaluate(wanted.elements_strategy((dtype,))), ways_of(wanted, dtype)

        of_arrays: tuple[Any, tuple[Framed, ...]]
        of_arrays = self._kept((id(constraint), *changed.items()), made)
        return of_arrays

    def _kept(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        made = self._made.get(key)
        if made is None:
            if len(self._made) >= KEPT:
                self._made.clear()
            made = self._made[key] = make()
        return made


@cache
def below(count: int) -> st.SearchStrategy[int]:
    """Numbers from 0 up, below another; made once."""
    return st.integers(0, count - 1)


class Choosing:
    """One call's choices, made by Hypothesis."""

    def __init__(self, draw: Any, strategies: Strategies) -> None:
        self._draw = draw
        self._strategies = strategies

    def place(
        self, all_values: Sequence[Any], values: Sequence[Any], chosen: dict[Name, Any]
    ) -> int:
        """Choose one of the values left; boundaries, equal sizes and powers of two more often.

        What is drawn is a place among all values, which means the same value whatever was chosen
        before: so it keeps its value while others are made smaller.
        """
        count = len(all_values)
        extra = 0 if count <= FEW else count // 3
        number: int = self._draw(below(count + extra))
        if number >= count:
            special = _special_places(values, chosen)
            # from the end: Hypothesis likes the largest number, which is to be the largest value
            return special[(count + extra - 1 - number) % len(special)]
        if values is all_values:
            return simplest_first(values, number)
        place = _place_of(all_values[simplest_first(all_values, number)], values)
        if place is not None:
            return place
        return simplest_first(values, _instead(all_values, values, number))

    def real(self, domain: Domain, low: float, high: float) -> float:
        """Choose a number between bounds.

        What is drawn lies between bounds that are always the same, for the reason given above.
        """
        ends = domain.low, domain.high
        drawn: float = self._draw(st.floats(*ends, allow_nan=False, allow_infinity=False))
        if 0 < abs(drawn) < domain.apart:  # its digits, in a size that it may have
            drawn = 2 * domain.apart * math.frexp(drawn)[0]
        if low <= drawn <= high:
            return drawn
        if low == high or not math.isfinite(high - low):
            return min(max(drawn, low), high)
        # of a number that does not fit, the digits are taken, and not the size
        share = max(0.0, 2 * abs(math.frexp(drawn)[0]) - 1)
        return min(max(low + share * (high - low), low), high)

    def value(self, constraint: Constraint) -> Any:
        """Draw a value of a constraint."""
        return self._draw(self._strategies.of(constraint))

    def once(self, constraint: Constraint) -> Any:
        """Draw a value of a constraint that was made for this call only."""
        return self._draw(self._strategies.made(constraint))

    def array(self, constraint: Constraint, changed: dict[str, Any]) -> Any:
        """Draw an array whose shape, dtype and bounds are chosen already."""
        elements, ways = self._strategies.of_arrays(constraint, changed)
        drawn = self._draw(elements)
        if not ways:
            return drawn
        return Applied(ways[self._draw(below(len(ways))) if len(ways) > 1 else 0], drawn)


def _instead(all_values: Sequence[Any], values: Sequence[Any], number: int) -> int:
    """Return the number of another value, where the one with this number is not left.

    Where few values are left, as of divisors, 1 would be taken far too often. So the simplest value
    of all is not taken instead of another: it has a number of its own.
    """
    if not _has_gaps(values) or _simplest(values) != _simplest(all_values):
        return number % len(values)
    return 1 + (number - 1) % (len(values) - 1)


def _has_gaps(values: Sequence[Any]) -> bool:
    whole = type(values[0]) is int and not isinstance(values, range)
    return whole and values[-1] - values[0] >= len(values) > 1


def _simplest(values: Sequence[Any]) -> Any:
    return values[simplest_first(values, 0)]


def _place_of(value: Any, values: Sequence[Any]) -> int | None:
    """Return the place of a value, or None where it is not among those left."""
    if type(value) is int and type(values[0]) is int:
        if isinstance(values, range):
            return values.index(value) if value in values else None
        place = bisect_left(values, value)
        if place < len(values) and values[place] == value:
            return place
        return None
    return next((place for place, other in enumerate(values) if other is value), None)


def simplest_first(values: Sequence[Any], number: int) -> int:
    """Return the place of a value, counted from the simplest one: that nearest to zero."""
    if type(values[0]) is not int or values[0] >= 0:
        return number
    if values[-1] <= 0:
        return len(values) - 1 - number
    middle = bisect_left(values, 0)
    above, below = len(values) - middle, middle
    paired = 2 * min(above - 1, below)
    if number <= paired:
        return middle + number // 2 if number % 2 == 0 else middle - (number + 1) // 2
    rest = number - paired
    return middle + paired // 2 + rest if above - 1 > below else middle - paired // 2 - rest


def _special_places(values: Sequence[Any], chosen: dict[Name, Any]) -> list[int]:
    """Return the places of boundaries, of values chosen before, and of powers of two."""
    places = [len(values) - 1, 0]
    if type(values[0]) is not int:
        return places
    wanted = {value for value in list(chosen.values())[-4:] if type(value) is int}
    wanted |= {1 << power for power in range(1, max(0, values[-1]).bit_length())}
    wanted -= {values[0], values[-1]}
    for value in sorted(wanted):
        place = bisect_left(values, value)
        if place < len(values) and values[place] == value:
            places.append(place)
    return places


class Ways:
    """The ways to make a call, the shortest first, each as often as it should be."""

    def __init__(self, model: Model) -> None:
        hopeful = (way for way in model.ways if not way.is_hopeless)
        self.ways = sorted(hopeful, key=lambda way: -len(way.left_out))
        most = max((len(way.left_out) for way in self.ways), default=0)
        shares = [GIVEN ** (most - len(way.left_out)) for way in self.ways]
        scale = max(1, sum(shares) // MOST_SHARES)
        self._shares = [
            way
            for way, share in zip(self.ways, shares, strict=True)
            for _ in range(max(1, share // scale))
        ]

    def choose(self, draw: Any, strategies: Strategies, values: dict[str, Any]) -> Chosen:
        """Choose a call; Unsolvable where none was found."""
        if not self._shares:
            raise Unsolvable
        place = draw(below(len(self._shares))) if len(self._shares) > 1 else 0
        choosing = Choosing(draw, strategies)
        return self._shares[place].choose(choosing, choosing, values)
