"""Related floats: each is drawn between bounds that depend on those drawn before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Expr, Local, Ref, st
from annotest.frozen import frozen
from annotest.relations.boxes import INF
from annotest.relations.conditions import Compare, Condition
from annotest.relations.nodes import LARGEST
from annotest.relations.problems import Problem
from annotest.relations.terms import Negative, Number, Sum, Term, Variable
from annotest.source import Names

Bounds = dict[str, tuple[float, float]]
EXACT = 2.0**53  # below it every whole number is a float


@frozen
class Total:
    """A sum of variables and a constant, in the order in which it is written and added up."""

    plus: tuple[str, ...]
    minus: tuple[str, ...]
    constant: float

    @property
    def text(self) -> str:
        """The sum as it is written by hand: `1.0 - (a + b)`."""
        text = " + ".join(self.plus)
        if not text:
            text = _number(self.constant)
        elif self.constant:
            text += f" {'+' if self.constant > 0 else '-'} {_number(abs(self.constant))}"
        if not self.minus:
            return text
        taken = " + ".join(self.minus)
        return f"{text} - ({taken})" if len(self.minus) > 1 else f"{text} - {taken}"

    def ends(self, bounds: Bounds) -> tuple[float, float]:
        """Return the least and the most that it can be, rounded as the program rounds."""
        return self._at(bounds, 0), self._at(bounds, 1)

    def _at(self, bounds: Bounds, end: int) -> float:
        given = sum(bounds[name][end] for name in self.plus) + self.constant
        return given - sum(bounds[name][1 - end] for name in self.minus)


@frozen
class End:
    """One end of what a float may be: a number or a sum; `is_left_out` if it is not included."""

    total: Total
    is_left_out: bool = False

    @property
    def depends(self) -> bool:
        """Whether it depends on other values."""
        return bool(self.total.plus or self.total.minus)


class RealWriter:
    """Writes the draw of a float.

    `known` are the variables drawn before it, `bounds` what each of all variables can be.
    """

    def __init__(self, names: Names, problem: Problem, bounds: Bounds, known: set[str]) -> None:
        self._names = names
        self._problem = problem
        self._bounds = bounds
        self._known = known
        self._name = ""

    def solution(self, name: str, conditions: Sequence[Condition]) -> str | None:
        """Return the only value that an equation leaves, or None where there is no equation."""
        self._name = name
        equations = [one for one in conditions if isinstance(one, Compare) and one.sign == "=="]
        if not equations:
            return None
        total = next(self._ends(equations[0], upper=True)).total
        low, high = self._declared(upper=False), self._declared(upper=True)
        least, most = total.ends(self._bounds)
        text = total.text if self._is_real(total) else f"{self._called('float')}({total.text})"
        if least < low.total.constant:
            text = self._clamped(text, low, "max")
        return text if most <= high.total.constant else self._clamped(text, high, "min")

    def strategy(self, name: str, conditions: Sequence[Condition]) -> Expr:
        """Return the floats that leave all conditions possible; its bounds are noted."""
        self._name = name
        low, low_sums = self._nearest(conditions, upper=False)
        high, high_sums = self._nearest(conditions, upper=True)
        if len(low_sums) + len(high_sums) > 1:
            raise UnwritableValue("several floats bound another, and may leave nothing")
        options: dict[str, Any] = {}
        for word, own, sums, far in (("min", low, low_sums, high), ("max", high, high_sums, low)):
            end = sums[0] if sums else own
            if sums:
                options[f"{word}_value"] = self._kept(end, own, far, upper=word == "max")
            elif end.is_left_out or abs(own.total.constant) < LARGEST:
                options[f"{word}_value"] = Local(own.total.text)
            else:
                options |= {"allow_nan": False, "allow_infinity": False}
            if end.is_left_out:
                options[f"exclude_{word}"] = True
        self._bounds[name] = (-_inner(low, upper=False), _inner(high, upper=True))
        return st.floats(**dict(sorted(options.items(), key=lambda one: "value" not in one[0])))

    def _is_real(self, total: Total) -> bool:
        names = (*total.plus, *total.minus)
        return bool(total.constant) or any(
            self._problem.domains[name].values is None for name in names
        )

    def _nearest(self, conditions: Sequence[Condition], *, upper: bool) -> tuple[End, list[End]]:
        """Return the nearest end that is a number, and those nearer that are sums."""
        ends = [end for one in conditions for end in self._ends(one, upper=upper)]
        own = self._declared(upper=upper)
        for end in ends:
            if not end.depends and _inner(end, upper=upper) < _inner(own, upper=upper):
                own = end
        reached = End(Total((), (), self._bounds[self._name][upper]))
        if _inner(reached, upper=upper) < _inner(own, upper=upper):
            own = reached
        return own, [end for end in ends if end.depends and self._matters(end, own, upper=upper)]

    def _declared(self, *, upper: bool) -> End:
        domain = self._problem.domains[self._name]
        return End(Total((), (), domain.high if upper else domain.low))

    def _matters(self, end: End, own: End, *, upper: bool) -> bool:
        nearest = End(Total((), (), end.total.ends(self._bounds)[not upper]), end.is_left_out)
        return _inner(nearest, upper=upper) < _inner(own, upper=upper)

    def _kept(self, end: End, own: End, far: End, *, upper: bool) -> Expr:
        """Return an end as text, kept between the two numbers that must not be passed."""
        ends = end.total.ends(self._bounds)
        farthest = End(Total((), (), ends[upper]), end.is_left_out)
        nearest = End(Total((), (), ends[not upper]), end.is_left_out)
        passes_own = _inner(farthest, upper=upper) > _inner(own, upper=upper)
        passes_far = _inner(nearest, upper=upper) < -_inner(far, upper=not upper)
        if not all(abs(one) < EXACT for one in ends) and not self._is_real(end.total):
            raise UnwritableValue("a whole number that no float equals")
        is_edge_out = end.is_left_out and (passes_own or passes_far)
        if is_edge_out or not all(map(math.isfinite, ends)):
            raise UnwritableValue("a float that another may leave no value")
        text = end.total.text
        if passes_own:
            text = self._clamped(text, own, "min" if upper else "max")
        if passes_far:
            text = self._clamped(text, far, "max" if upper else "min")
        return Local(text)

    def _clamped(self, text: str, end: End, word: str) -> str:
        if end.is_left_out:
            raise UnwritableValue("one end is left out, and another is not")
        return f"{self._called(word)}({end.total.text}, {text})"

    def _called(self, word: str) -> str:
        return self._names.of(Ref("builtins", word))

    def _ends(self, condition: Condition, *, upper: bool) -> Iterator[End]:
        """Yield what a comparison says of this float, whatever is drawn after it."""
        if not isinstance(condition, Compare) or condition.sign == "!=":
            raise UnwritableValue("a float in a relation that is no comparison")
        turned = condition.sign in (">", ">=")
        left, right = condition.left, condition.right
        parts = [*_signed(left, -1 if turned else 1), *_signed(right, 1 if turned else -1)]
        for sign in (1, -1) if condition.sign == "==" else (1,):
            own = [sign * one for one, term in parts if self._name in term.variables()]
            if len(own) != 1:
                raise UnwritableValue("a float that stands in a relation twice")
            if (own[0] > 0) == upper:
                others = [(-own[0] * sign * one, t) for one, t in parts if not self._is_own(t)]
                yield End(self._total(others, upper=upper), condition.sign in ("<", ">"))

    def _is_own(self, term: Term) -> bool:
        return isinstance(term, Variable) and term.name == self._name

    def _total(self, parts: list[tuple[int, Term]], *, upper: bool) -> Total:
        """Return a sum; of what is not yet drawn, the value that leaves most."""
        plus: list[str] = []
        minus: list[str] = []
        constant = 0.0
        for sign, term in parts:
            if isinstance(term, Number):
                constant += sign * term.value
            elif not isinstance(term, Variable):
                raise UnwritableValue("a float in a relation that is no sum")
            elif term.name in self._known:
                (plus if sign > 0 else minus).append(term.name)
            else:
                constant += sign * self._bounds[term.name][(sign > 0) == upper]
        return Total(tuple(plus), tuple(minus), constant)


def is_order(condition: Condition) -> bool:
    """Say whether a condition only compares two variables: rounding cannot break it."""
    return (
        isinstance(condition, Compare)
        and condition.sign != "=="
        and isinstance(condition.left, Variable)
        and isinstance(condition.right, Variable)
    )


def _number(value: float) -> str:
    # no negative zero, and exponents as formatters write them
    return repr(value + 0.0).replace("e+", "e")


def _inner(end: End, *, upper: bool) -> float:
    """Return the last float within an end, so that a smaller number is always the nearer end."""
    value = end.total.constant if upper else -end.total.constant
    return math.nextafter(value, -INF) if end.is_left_out else value


def _signed(term: Term, sign: int) -> Iterator[tuple[int, Term]]:
    """Yield the parts of a sum, each with its sign."""
    if isinstance(term, Sum):
        for one in term.terms:
            yield from _signed(one, sign)
    elif isinstance(term, Negative):
        yield from _signed(term.term, -sign)
    else:
        yield sign, term
