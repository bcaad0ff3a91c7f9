"""Terms that are one of others: the smallest, the largest, or one without its sign."""

from __future__ import annotations

from annotest.records import record
from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.terms import Bounds, Compound, Many, Namer, Term


@record
class Absolute(Compound):
    """A term without its sign."""

    term: Term

    def parts(self) -> tuple[Term, ...]:
        return (self.term,)

    def bounds(self, box: Box) -> Bounds:
        low, high = self.term.bounds(box)
        if low >= 0:
            return low, high
        return (-high, -low) if high <= 0 else (0, max(-low, high))

    def narrow(self, box: Box, low: float, high: float) -> None:
        if high < 0:
            raise Empty
        least, _ = self.term.bounds(box)
        self.term.narrow(box, low if least > -low else -high, high)

    def text(self, name: Namer) -> str:
        return f"abs({self.term.text(name)})"


@record
class Extreme(Many):
    """The smallest or the largest of terms."""

    largest: bool

    def bounds(self, box: Box) -> Bounds:
        choose = max if self.largest else min
        bounds = [term.bounds(box) for term in self.terms]
        return choose(low for low, _ in bounds), choose(high for _, high in bounds)

    def narrow(self, box: Box, low: float, high: float) -> None:
        least, most = self.bounds(box)
        if least > high or most < low:
            raise Empty
        for term in self.terms:
            if self.largest:
                term.narrow(box, -INF, high)
            else:
                term.narrow(box, low, INF)
        able = [term for term in self.terms if self._can_reach(term.bounds(box), low, high)]
        if not able:
            raise Empty
        if len(able) == 1:
            able[0].narrow(box, low, high)

    def _can_reach(self, own: Bounds, low: float, high: float) -> bool:
        return own[1] >= low if self.largest else own[0] <= high

    def text(self, name: Namer) -> str:
        return f"{'max' if self.largest else 'min'}([{self.listed(name)}])"
