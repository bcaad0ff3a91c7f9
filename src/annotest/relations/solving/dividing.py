"""Terms of division: quotients and remainders; and powers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

from annotest.records import record
from annotest.relations.solving.boxes import INF, Box, Empty, hull, product
from annotest.relations.solving.conditions import Compare, Condition
from annotest.relations.solving.terms import Bounds, Compound, Number, Operation, Term


@record
class Quotient(Operation):
    """A term divided by another, rounded down."""

    sign = "//"
    floors: ClassVar[bool] = True

    @property
    def is_whole(self) -> bool:
        return self.floors and self.left.is_whole and self.right.is_whole

    def bounds(self, box: Box) -> Bounds:
        c, d = self.right.bounds(box)
        if c <= 0 <= d:
            return -INF, INF
        ends = [self._ends(end, part) for end in self.left.bounds(box) for part in (c, d)]
        return hull(ends)

    def _ends(self, end: float, part: float) -> float:
        if math.isinf(end) and math.isinf(part):
            return end
        if math.isinf(end) or math.isinf(part):
            return end * math.copysign(1, part) if math.isinf(end) else (-1 if end < 0 else 0)
        return end // part if self.floors else end / part

    def narrow(self, box: Box, low: float, high: float) -> None:
        c, d = self.right.bounds(box)
        if c <= 0:
            return
        most = high + 1 if self.floors else high
        ends = [product(end, part) for end in (low, most) for part in (c, d)]
        least, greatest = hull(ends)
        self.left.narrow(box, least, greatest - 1 if self.is_whole else greatest)


@record
class Ratio(Quotient):
    """A term divided by another, not rounded."""

    sign = "/"
    floors = False


@record
class Remainder(Operation):
    """What is left of a term when it is divided by another."""

    sign = "%"

    def bounds(self, box: Box) -> Bounds:
        low, high = self.right.bounds(box)
        if low <= 0:
            return -INF, INF
        least, most = self.left.bounds(box)
        if least >= 0 and most < low:
            return least, most
        return 0, high - 1 if self.is_whole else high

    def narrow(self, box: Box, low: float, high: float) -> None:
        least, divisor = self.right.bounds(box)
        if least <= 0:
            return
        if low > divisor:
            raise Empty
        if low > 0:  # the divisor is larger than what is left
            self.right.narrow(box, low + 1 if self.is_whole else low, INF)
        if least == divisor and low == high and self.is_whole:
            self._align(box, int(divisor), int(low))

    def _align(self, box: Box, divisor: int, left_over: int) -> None:
        """Move the bounds of the dividend to numbers that leave just this."""
        least, most = self.left.bounds(box)
        if math.isfinite(least) and math.isfinite(most):
            up = int(least) + (left_over - int(least)) % divisor
            down = int(most) - (int(most) - left_over) % divisor
            self.left.narrow(box, up, down)


@record
class Power(Operation):
    """A term to the power of another."""

    sign = "**"

    def bounds(self, box: Box) -> Bounds:
        (a, b), (c, d) = self.left.bounds(box), self.right.bounds(box)
        if c == d == 0:
            return 1, 1  # of whatever
        if a < 0 or c < 0 or b > 1e6 or d > 64:
            return -INF, INF
        try:
            return a**c, b**d
        except OverflowError:
            return a**c, INF

    def narrow(self, box: Box, low: float, high: float) -> None:
        (a, b), (c, d) = self.left.bounds(box), self.right.bounds(box)
        least, most = self.bounds(box)
        if most < low or least > high:
            raise Empty
        if a < 1 or not math.isfinite(high):
            return
        if c == d and c > 0:
            self.left.narrow(box, a, math.floor(high ** (1 / c)) + 1 if high >= 0 else -1)
        elif a == b and a > 1:
            self.right.narrow(box, c, math.floor(math.log(max(high, 1), a)) + 1)


def defined(term: Term) -> Iterator[Condition]:
    """Yield what must hold for a whole number to come out: nothing is divided by zero."""
    if not isinstance(term, Compound):
        return
    for part in term.parts():
        yield from defined(part)
    if isinstance(term, Quotient | Remainder):
        yield Compare(term.right, "!=", Number(0))
    elif isinstance(term, Power):
        yield Compare(Number(0), "<=", term.right)
