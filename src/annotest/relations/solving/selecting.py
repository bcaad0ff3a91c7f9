"""Terms that are one of others: the smallest, the largest, that at a place; or one without sign."""

from __future__ import annotations

from annotest.records import record
from annotest.relations.solving.boxes import INF, Box, Empty, hull
from annotest.relations.solving.terms import Bounds, Compound, Many, Namer, Term, Variable


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


@record
class Selected(Many):
    """One of several terms, by its place: `sides[axis]`."""

    place: Variable

    def parts(self) -> tuple[Term, ...]:
        return (self.place, *self.terms)

    @property
    def is_whole(self) -> bool:
        return all(term.is_whole for term in self.terms)

    def bounds(self, box: Box) -> Bounds:
        able = self._able(box)
        if not able:
            return -INF, INF  # it raises, which is not for us to tell
        return hull([end for term in able for end in term.bounds(box)])

    def narrow(self, box: Box, low: float, high: float) -> None:
        able = self._able(box)
        if len(able) == 1:
            able[0].narrow(box, low, high)

    def _able(self, box: Box) -> tuple[Term, ...]:
        """Return the terms that may still be selected."""
        low, high = self.place.bounds(box)
        count = len(self.terms)
        if low < 0 <= high:
            return self.terms
        if low < 0:
            low, high = low + count, high + count
        least, most = max(low, 0), min(high, count - 1)
        return self.terms[int(least) : int(most) + 1] if least <= most else ()

    def text(self, name: Namer) -> str:
        return f"({self.listed(name)},)[{self.place.text(name)}]"
