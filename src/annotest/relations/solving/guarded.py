"""Numbers that are there only where a condition holds: the items of a loop with `if`."""

from __future__ import annotations

from collections.abc import Iterator

from annotest.records import record
from annotest.relations.solving.boxes import Box, Empty
from annotest.relations.solving.conditions import (
    Always,
    Compare,
    Condition,
    Either,
    together,
)
from annotest.relations.solving.terms import Bounds, Compound, Namer, Number, Term
from annotest.relations.solving.variables import Name


@record
class Guarded(Compound):
    """A term where a condition holds, and where it does not, a constant."""

    guard: Condition
    term: Term
    otherwise: int

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def variables(self) -> Iterator[Name]:
        yield from self.guard.variables()
        yield from self.term.variables()

    def bounds(self, box: Box) -> Bounds:
        if self.guard.state(box):
            return self.term.bounds(box)
        names = {name for name in self.variables() if name in box.bounds}
        inside = Box({name: box.bounds[name] for name in names}, box.values)
        try:
            self.guard.narrow(inside)
        except Empty:
            return self.otherwise, self.otherwise
        low, high = self.term.bounds(inside)
        return min(low, self.otherwise), max(high, self.otherwise)

    def narrow(self, box: Box, low: float, high: float) -> None:
        above, below = Compare(Number(low), "<=", self.term), Compare(self.term, "<=", Number(high))
        is_there = together([self.guard, above, below])
        may_miss = low <= self.otherwise <= high
        Either((is_there, self.guard.negated() if may_miss else Always(False))).narrow(box)

    def text(self, name: Namer) -> str:
        return f"({self.term.text(name)} if {self.guard.text(name)} else {self.otherwise})"
