"""How one variable is drawn: plainly, as what it equals, between two ends, or from a listing."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from annotest.expr import Expr, Local, Ref, st
from annotest.relations.reading.statements import joinable
from annotest.relations.solving.boxes import INF
from annotest.relations.solving.domains import LARGEST
from annotest.relations.solving.levels import ENUMERATED
from annotest.source import Names, is_writable, source_tree
from annotest.writer.conditions import formatted
from annotest.writer.words import Unprintable, free_in

_SIGNS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


class Span(NamedTuple):
    """What a number lies between, and whether it is a whole one."""

    low: float
    high: float
    is_whole: bool


Bounds = Callable[[ast.expr], Span | None]


class Room(NamedTuple):
    """A variable, with the values that are possible at all; None for floats between the ends."""

    name: str
    values: Sequence[Any] | None
    low: float
    high: float


class PrintedDraw(NamedTuple):
    """A strategy, perhaps of values listed before: their name, all values, the conditions."""

    source: Expr
    listing: tuple[str, Expr, tuple[str, ...]] | None = None
    is_value: bool = False  # it is what the variable equals, and no strategy


class _End(NamedTuple):
    """What a comparison says of a variable: the sign, the other side, and where that lies."""

    sign: str
    side: ast.expr
    span: Span


def drawn(room: Room, conditions: list[ast.expr], bounds: Bounds, names: Names) -> PrintedDraw:
    """Return how a variable is drawn so that these conditions hold."""
    if not conditions and room.values is not None and len(room.values) == 1:
        return PrintedDraw(_listed(room.values).items[0], is_value=True)  # type: ignore[attr-defined]
    ends = [_end(room.name, condition, bounds) for condition in conditions]
    known = [end for end in ends if end is not None]
    is_plain = room.values is None or (isinstance(room.values, range) and room.values.step == 1)
    compared = _compared(room, known) if is_plain and len(known) == len(ends) else None
    if compared is not None:
        return compared
    if room.values is None or len(room.values) > ENUMERATED:
        raise Unprintable
    values = _listed(room.values)
    if not conditions:
        is_bool = [*room.values] == [False, True] and type(room.values[0]) is bool
        return PrintedDraw(st.booleans() if is_bool else st.sampled_from(values))
    fitting = Local(f"fitting or {names.of(Ref('hypothesis', 'reject'))}()")
    texts = joinable(map(formatted, conditions))
    texts = [f"({texts[0]})"] if [*map(type, conditions)] == [ast.IfExp] else texts
    return PrintedDraw(st.sampled_from(fitting), (room.name, values, tuple(texts)))


def _listed(values: Sequence[Any]) -> Expr:
    """Return the source of values to choose from: of those that no call can change."""
    if isinstance(values, range) and len(values) > 1:
        text = repr(values)
        return Local(text.replace("(0, ", "(") if values.step == 1 else text)
    listed = source_tree(list(values))
    if not is_writable(listed) or not all(isinstance(value, Hashable) for value in values):
        raise Unprintable
    return listed


def _end(name: str, condition: ast.expr, bounds: Bounds) -> _End | None:
    """Return what a comparison says of a variable that stands alone on one side of it."""
    match condition:
        case ast.Compare(left, [sign_], [right]) if type(sign_) in _SIGNS:
            sign = _SIGNS[type(sign_)]
        case _:
            return None
    if isinstance(right, ast.Name) and right.id == name:
        sign, left, right = _TURNED[sign], right, left
    span = bounds(right)
    alone = isinstance(left, ast.Name) and left.id == name and name not in free_in(right)
    return _End(sign, right, span) if alone and span is not None else None


def _compared(room: Room, ends: list[_End]) -> PrintedDraw | None:
    """Return the number that equals something, or lies between ends, where there always is one.

    Of floats the ends are names only: rounding would spoil what is computed.
    """
    whole = room.values is not None
    if not all(end.span.is_whole if whole else isinstance(end.side, ast.Name) for end in ends):
        return None
    if any(end.sign == "==" for end in ends):
        span = ends[0].span
        always = whole and len(ends) == 1 and room.low <= span.low and span.high <= room.high
        return PrintedDraw(Local(formatted(ends[0].side)), is_value=True) if always else None
    sides = {end.sign[0]: _next(end, whole) for end in ends}
    low, high = sides.get(">"), sides.get("<")
    most = room.low if low is None else max(room.low, low.span.high)
    least = room.high if high is None else min(room.high, high.span.low)
    if len(sides) < len(ends) or most > least:
        return None
    first, last = _cut(room.low, low, "max"), _cut(room.high, high, "min")
    integers = st.integers(min_value=first, max_value=last)
    return PrintedDraw(integers if whole else _floats(first, last, sides))


def _next(end: _End, whole: bool) -> _End:
    """Return an end that a comparison excludes as the next number."""
    if end.sign in ("<=", ">="):
        return end
    low, high, _ = end.span
    if not whole:
        beyond = INF if end.sign == ">" else -INF
        low, high = math.nextafter(low, beyond), math.nextafter(high, beyond)
        return end._replace(span=Span(low, high, False))
    step, operator = (1, ast.Add()) if end.sign == ">" else (-1, ast.Sub())
    side = ast.BinOp(end.side, operator, ast.Constant(1))
    return end._replace(side=side, span=Span(low + step, high + step, True))


def _cut(own: float, end: _End | None, function: str) -> Any:
    """Return the end that counts: that of the values, or what a comparison says."""
    if end is None or (end.span.high <= own if function == "max" else end.span.low >= own):
        return own
    inside = end.span.low >= own if function == "max" else end.span.high <= own
    return Local(formatted(end.side) if inside else f"{function}({own}, {formatted(end.side)})")


def _floats(low: Any, high: Any, sides: dict[str, _End]) -> Expr:
    """Return a float between two ends; 0.49999999999999994 is said as below 0.5."""
    low, above = (low, sides[">"].sign == ">") if isinstance(low, Local) else _said(low, -INF)
    high, below = (high, sides["<"].sign == "<") if isinstance(high, Local) else _said(high, INF)
    options: dict[str, Any] = {} if low == -LARGEST else {"min_value": low}
    options |= {} if high == LARGEST else {"max_value": high}
    options |= {"allow_nan": False, "allow_infinity": False} if len(options) < 2 else {}
    options |= {"exclude_min": True} if above else {}
    return st.floats(**options, **({"exclude_max": True} if below else {}))


def _said(end: float, beyond: float) -> tuple[float, bool]:
    """Return an end, or the number just beyond it where that is said much shorter."""
    other = math.nextafter(end, beyond)
    is_next = math.isfinite(other) and len(repr(other)) + 6 < len(repr(end))
    return (other, True) if is_next else (end, False)
