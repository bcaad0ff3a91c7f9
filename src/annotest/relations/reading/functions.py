"""The functions that conditions may call, and what is understood of them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from annotest.relations.reading.sequences import (
    as_term,
    is_given,
    is_sequence,
    length_of,
    listed,
    whole_number,
)
from annotest.relations.reading.symbols import (
    Choice,
    Counting,
    Distinct,
    Filtered,
    Known,
    Listed,
    NotUnderstood,
    RecordSymbol,
    Sorted,
    Symbol,
    Unsized,
)
from annotest.relations.solving.conditions import Always, Checked, Compare, Constant, Hole
from annotest.relations.solving.terms import Number, Size, Term, added

if TYPE_CHECKING:
    from annotest.relations.reading.reader import Reader


def key_of(function: Any) -> tuple[str, str]:
    """Return where a function comes from: its package and its name."""
    home = getattr(function, "__module__", "") or ""
    name = getattr(function, "__name__", "")
    return (home.partition(".")[0], name)


def _len(reader: Reader, one: Symbol) -> Any:
    if isinstance(one, Distinct):
        return one
    if isinstance(one, Filtered):
        return reader.total(Filtered(tuple((guard, Number(1)) for guard, _ in one.items)))
    return length_of(one)


def _range(reader: Reader, *ends: Symbol) -> Symbol:
    numbers = [whole_number(one) for one in ends]
    if len(ends) == 1 and isinstance(ends[0], Term) and numbers == [None]:
        return Counting(ends[0])
    known = [one for one in numbers if one is not None]
    if len(known) < len(ends) or 0 in known[2:]:
        raise NotUnderstood
    return Known(range(*known))


def _zip(reader: Reader, *found: Symbol) -> Symbol:
    if any(isinstance(one, Unsized) for one in found):
        raise NotUnderstood
    rows = zip(*(listed(one).items for one in found), strict=False)
    return Listed(tuple(Listed(row) for row in rows), list)


def _enumerate(reader: Reader, one: Symbol) -> Symbol:
    rows = enumerate(listed(one).items)
    return Listed(tuple(Listed((Known(place), item)) for place, item in rows), list)


def _reversed(reader: Reader, one: Symbol) -> Symbol:
    return one if isinstance(one, Unsized) else Listed(listed(one).items[::-1], list)


def _as(kind: type) -> Callable[..., Symbol]:
    def convert(reader: Reader, one: Symbol) -> Symbol:
        if isinstance(one, Counting) and kind is list:
            return one
        if isinstance(one, Unsized):
            return Unsized(one.length, one.low, one.high, kind, one.is_whole)
        return Listed(listed(one).items, kind)

    return convert


def _abs(reader: Reader, one: Symbol) -> Symbol:
    return Size(as_term(one))


def _sorted(reader: Reader, node: ast.Call) -> Symbol:
    reverse = False
    for one in node.keywords:
        value = reader.read(one.value)
        if one.arg != "reverse" or not isinstance(value, Known):
            raise NotUnderstood
        reverse = bool(value.value)
    of = reader.read(node.args[0])
    if isinstance(of, Distinct):
        return Sorted(of.of, reverse, True)
    return Sorted(of, reverse)


def _distinct(reader: Reader, node: ast.Call) -> Symbol:
    if len(node.args) != 1 or not is_sequence(of := reader.read(node.args[0])):
        raise NotUnderstood
    return Distinct(of)


def _map(reader: Reader, node: ast.Call) -> Symbol:
    """Read `map(len, rows)`, of functions that are understood."""
    if len(node.args) != 2:
        raise NotUnderstood
    function, over = (reader.read(part) for part in node.args)
    known = FUNCTIONS.get(key_of(function.value)) if isinstance(function, Known) else None
    if known is None:
        raise NotUnderstood
    return Listed(tuple(known(reader, item) for item in listed(over).items), list)


def _type(reader: Reader, node: ast.Call) -> Symbol:
    if len(node.args) != 1:
        raise NotUnderstood
    return Known(_type_of(reader.read(node.args[0])))


def _isinstance(reader: Reader, node: ast.Call) -> Symbol:
    if len(node.args) != 2:
        raise NotUnderstood
    one, kind = (reader.read(part) for part in node.args)
    if isinstance(one, Choice):
        return Checked(("isinstance(", Hole(one.name), ", ", Constant(_value(kind)), ")"))
    return Always(issubclass(_type_of(one), _value(kind)))


def _value(symbol: Symbol) -> Any:
    if isinstance(symbol, Known):
        return symbol.value
    if isinstance(symbol, Listed):
        return tuple(_value(item) for item in symbol.items)
    raise NotUnderstood


def _type_of(symbol: Symbol) -> type:
    if isinstance(symbol, Known):
        return type(symbol.value)
    if isinstance(symbol, Term):
        if is_given(symbol):
            raise NotUnderstood
        return int if symbol.is_whole else float
    if isinstance(symbol, Listed | Unsized):
        return symbol.kind
    if isinstance(symbol, RecordSymbol):
        return dict
    raise NotUnderstood


# what is near enough: by default, and by which words it is said
NEAR = {
    ("math", "isclose"): {"rel_tol": 1e-9, "abs_tol": 0.0},
    ("numpy", "isclose"): {"rtol": 1e-5, "atol": 1e-8},
    ("numpy", "allclose"): {"rtol": 1e-5, "atol": 1e-8},
}


def near(reader: Reader, key: tuple[str, str], node: ast.Call) -> Symbol:
    """Read that something is near to a number that is known."""
    values = [reader.read(one) for one in node.args]
    words = {one.arg: reader.read(one.value) for one in node.keywords}
    known = [one for one in (*values[1:], *words.values()) if isinstance(one, Known)]
    if len(values) != 2 or len(known) <= len(words) or not words.keys() <= NEAR[key].keys():
        raise NotUnderstood
    relative, absolute = (NEAR[key] | {word: one.value for word, one in words.items()}).values()
    share = relative * abs(known[0].value)
    size = share + absolute if key[0] == "numpy" else max(share, absolute)
    return Compare(Size(added(as_term(values[0]), Number(-known[0].value))), "<=", Number(size))


FUNCTIONS: dict[Any, Callable[..., Symbol]] = {
    ("builtins", "len"): _len,
    ("builtins", "sum"): lambda reader, one: reader.total(one),
    ("math", "prod"): lambda reader, one: reader.product(one),
    ("numpy", "prod"): lambda reader, one: reader.product(one),
    ("numpy", "sum"): lambda reader, one: reader.total(one),
    ("builtins", "max"): lambda reader, *found: reader.extreme(True, *found),
    ("builtins", "min"): lambda reader, *found: reader.extreme(False, *found),
    ("numpy", "max"): lambda reader, *found: reader.extreme(True, *found),
    ("numpy", "min"): lambda reader, *found: reader.extreme(False, *found),
    ("numpy", "all"): lambda reader, one: reader.of_all(one, True),
    ("builtins", "abs"): _abs,
    ("builtins", "range"): _range,
    ("builtins", "zip"): _zip,
    ("builtins", "enumerate"): _enumerate,
    ("builtins", "reversed"): _reversed,
    ("builtins", "list"): _as(list),
    ("builtins", "tuple"): _as(tuple),
    ("builtins", "bool"): lambda reader, one: reader.truth(one),
}
SPECIAL: dict[Any, Callable[[Reader, ast.Call], Symbol]] = {
    sorted: _sorted,
    set: _distinct,
    frozenset: _distinct,
    map: _map,
    type: _type,
    isinstance: _isinstance,
}
