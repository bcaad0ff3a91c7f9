"""Conditions: what must hold between variables. They narrow bounds, and check values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from annotest.records import record
from annotest.relations.solving.boxes import INF, Box, Empty
from annotest.relations.solving.terms import Namer, Term, Variable
from annotest.relations.solving.variables import Name

_NEGATIONS = {"<=": ">", "<": ">=", "==": "!=", "!=": "==", ">": "<=", ">=": "<"}


class Condition:
    """Something that holds or not, depending on variables."""

    __slots__ = ()

    def inside(self) -> tuple[Condition, ...]:
        """Return the conditions it is made of."""
        return ()

    def variables(self) -> Iterator[Name]:
        """Yield the variables, some perhaps twice."""
        for part in self.inside():
            yield from part.variables()

    def state(self, box: Box) -> bool | None:
        """Say whether it holds for all values left, or for none; None if that is open."""
        raise NotImplementedError(type(self).__name__)  # each condition has its own

    def narrow(self, box: Box) -> None:
        """Narrow the variables to values for which it can hold; Empty if there are none."""
        raise NotImplementedError(type(self).__name__)  # each condition has its own

    def text(self, name: Namer) -> str:
        """Return the condition as Python, given what variables and constants are called there."""
        raise NotImplementedError(type(self).__name__)  # each condition has its own

    def negated(self) -> Condition:
        """Return the condition that holds where this one does not."""
        return Not(self)


@record
class Always(Condition):
    """A condition without variables."""

    holds: bool

    def state(self, box: Box) -> bool | None:
        return self.holds

    def narrow(self, box: Box) -> None:
        if not self.holds:
            raise Empty

    def text(self, name: Namer) -> str:
        return str(self.holds)

    def negated(self) -> Condition:
        return Always(not self.holds)


@record
class Compare(Condition):
    """A comparison of two numbers."""

    left: Term
    sign: str
    right: Term

    def variables(self) -> Iterator[Name]:
        yield from self.left.variables()
        yield from self.right.variables()

    def state(self, box: Box) -> bool | None:
        (a, b), (c, d) = self.left.bounds(box), self.right.bounds(box)
        if self.sign in (">", ">="):
            a, b, c, d = c, d, a, b
        if self.sign in ("==", "!="):
            same = True if a == b == c == d else False if b < c or d < a else None
            return same if same is None or self.sign == "==" else not same
        if self.sign in ("<", ">"):
            return True if b < c else False if a >= d else None
        return True if b <= c else False if a > d else None

    def narrow(self, box: Box) -> None:
        left, right, sign = self.left, self.right, self.sign
        if sign in (">", ">="):
            left, right, sign = right, left, "<" if sign == ">" else "<="
        if sign == "==":
            (a, b), (c, d) = left.bounds(box), right.bounds(box)
            low, high = max(a, c), min(b, d)
            if low > high:
                raise Empty
            left.narrow(box, low, high)
            right.narrow(box, low, high)
        elif sign == "!=":
            self._keep_apart(box)
        else:
            strict = sign == "<"
            most, beyond = right.bounds(box)[1], -INF
            left.narrow(box, beyond, _next(most, left, right, beyond) if strict else most)
            least, beyond = left.bounds(box)[0], INF
            right.narrow(box, _next(least, right, left, beyond) if strict else least, beyond)

    def _keep_apart(self, box: Box) -> None:
        for side, other in ((self.left, self.right), (self.right, self.left)):
            low, high = other.bounds(box)
            if low == high and isinstance(side, Variable) and side.is_whole:
                least, most = side.bounds(box)
                if least == low:
                    side.narrow(box, least + 1, INF)
                elif most == low:
                    side.narrow(box, -INF, most - 1)

    def text(self, name: Namer) -> str:
        return f"({self.left.text(name)} {self.sign} {self.right.text(name)})"

    def negated(self) -> Condition:
        return Compare(self.left, _NEGATIONS[self.sign], self.right)


def _next(end: float, term: Term, other: Term, beyond: float) -> float:
    """Return the first number beyond an end, where numbers have a next one."""
    if not math.isfinite(end):
        return end
    if term.is_whole and other.is_whole:
        return end + (1 if beyond > 0 else -1)
    is_float = isinstance(term, Variable) and not term.is_whole
    return math.nextafter(end, beyond) if is_float else end


@record
class Joined(Condition):
    """A condition made of others."""

    parts: tuple[Condition, ...]

    def inside(self) -> tuple[Condition, ...]:
        return self.parts


@record
class All(Joined):
    """Conditions that must hold together."""

    def state(self, box: Box) -> bool | None:
        states = [part.state(box) for part in self.parts]
        if any(state is False for state in states):
            return False
        return True if all(states) else None

    def narrow(self, box: Box) -> None:
        for part in self.parts:
            part.narrow(box)

    def text(self, name: Namer) -> str:
        return f"({' and '.join(part.text(name) for part in self.parts)})"

    def negated(self) -> Condition:
        return either(part.negated() for part in self.parts)


@record
class Either(Joined):
    """Conditions of which one must hold."""

    def state(self, box: Box) -> bool | None:
        states = [part.state(box) for part in self.parts]
        if any(states):
            return True
        return False if all(state is False for state in states) else None

    def narrow(self, box: Box) -> None:
        open_ = []
        for part in self.parts:
            state = part.state(box)
            if state:
                return
            if state is None:
                open_.append(part)
        if not open_:
            raise Empty
        if len(open_) == 1:
            open_[0].narrow(box)
        else:
            _narrow_to_any(open_, box)

    def text(self, name: Namer) -> str:
        return f"({' or '.join(part.text(name) for part in self.parts)})"

    def negated(self) -> Condition:
        return together(part.negated() for part in self.parts)


def _narrow_to_any(parts: list[Condition], box: Box) -> None:
    """Narrow a box to what is left of it under one condition or another."""
    left = []
    for part in parts:
        own = Box(box.bounds.copy(), box.values)
        try:
            part.narrow(own)
        except Empty:
            continue
        if not own.changed:
            return
        left.append(own)
    if not left:
        raise Empty
    for name in [name for name in left[0].changed if all(name in own.changed for own in left)]:
        low = min(own.bounds[name][0] for own in left)
        high = max(own.bounds[name][1] for own in left)
        box.narrow(name, low, high, False)


@record
class Wrapped(Condition):
    """A condition that says something of another."""

    part: Condition

    def inside(self) -> tuple[Condition, ...]:
        return (self.part,)


@record
class Not(Wrapped):
    """A condition that must not hold."""

    def state(self, box: Box) -> bool | None:
        state = self.part.state(box)
        return None if state is None else not state

    def narrow(self, box: Box) -> None:
        if self.part.state(box):
            raise Empty

    def text(self, name: Namer) -> str:
        return f"(not {self.part.text(name)})"

    def negated(self) -> Condition:
        return self.part


@record
class Needed(Wrapped):
    """A condition of which only something is known that it needs."""

    def state(self, box: Box) -> bool | None:
        return False if self.part.state(box) is False else None

    def narrow(self, box: Box) -> None:
        self.part.narrow(box)

    def text(self, name: Namer) -> str:
        return self.part.text(name)

    def negated(self) -> Condition:
        return UNDECIDED


UNDECIDED = Needed(Always(True))  # a condition of which nothing is known


def is_exact(condition: Condition) -> bool:
    """Say whether all of a condition is known, and not only what it needs."""
    return not isinstance(condition, Needed) and all(map(is_exact, condition.inside()))


def together(parts: Iterable[Condition]) -> Condition:
    """Return the condition that all of some hold, without those that always do."""
    return _joined(All, parts, True)


def either(parts: Iterable[Condition]) -> Condition:
    """Return the condition that one of some holds, without those that never do."""
    return _joined(Either, parts, False)


def _joined(kind: type[Joined], parts: Iterable[Condition], nothing: bool) -> Condition:
    """Join conditions to one; `nothing` is what it says when there are none."""
    flat: list[Condition] = []
    for part in parts:
        if part == Always(not nothing):
            return part
        if part != Always(nothing):
            flat += part.inside() if isinstance(part, kind) else (part,)
    if not flat:
        return Always(nothing)
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    """Return the conditions that must all hold."""
    return condition.parts if isinstance(condition, All) else (condition,)
