"""The functions that conditions may call, and what is understood of them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from annotest.relations.reading.comparing import truth
from annotest.relations.reading.reducing import extreme, of_all, product, total
from annotest.relations.reading.sequences import (
    as_term,
    is_given,
    is_sequence,
    length_of,
    listed,
    whole_number,
)
from annotest.relations.reading.symbols import (
    ArraySymbol,
    Choice,
    Counting,
    Distinct,
    ElementBound,
    Elements,
    FilteredItems,
    Known,
    Listed,
    NotUnderstood,
    Reads,
    RecordSymbol,
    Sorted,
    Symbol,
    Unsized,
)
from annotest.relations.solving.checked import Checked, ConstantPiece, Hole
from annotest.relations.solving.conditions import Always, Compare
from annotest.relations.solving.selecting import Absolute
from annotest.relations.solving.terms import Number, Term, added


def key_of(function: Any) -> tuple[str, str]:
    """Return where a function comes from: its package and its name."""
    home = getattr(function, "__module__", "") or ""
    name = getattr(function, "__name__", "")
    return (home.partition(".")[0], name)


def _len(reader: Reads, items: Symbol) -> Symbol:
    if isinstance(items, Distinct):
        return items
    if isinstance(items, FilteredItems):
        return total(reader, FilteredItems(tuple((guard, Number(1)) for guard, _ in items.items)))
    return length_of(items)


def _range(reader: Reads, *ends: Symbol) -> Symbol:
    numbers = [whole_number(end) for end in ends]
    if len(ends) == 1 and isinstance(ends[0], Term) and numbers == [None]:
        return Counting(ends[0])
    known = [number for number in numbers if number is not None]
    if len(known) < len(ends) or 0 in known[2:]:
        raise NotUnderstood
    return Known(range(*known))


def _zip(reader: Reads, *lists: Symbol) -> Symbol:
    if any(isinstance(items, Unsized) for items in lists):
        raise NotUnderstood
    rows = zip(*(listed(items).items for items in lists), strict=False)
    return Listed(tuple(Listed(row) for row in rows), list)


def _enumerate(reader: Reads, items: Symbol) -> Symbol:
    rows = enumerate(listed(items).items)
    return Listed(tuple(Listed((Known(place), item)) for place, item in rows), list)


def _reversed(reader: Reads, items: Symbol) -> Symbol:
    return items if isinstance(items, Unsized) else Listed(listed(items).items[::-1], list)


def _as(kind: type) -> Callable[..., Symbol]:
    def convert(reader: Reads, items: Symbol) -> Symbol:
        if isinstance(items, Counting) and kind is list:
            return items
        if isinstance(items, Unsized):
            return Unsized(items.length, items.low, items.high, kind, items.is_whole)
        return Listed(listed(items).items, kind)

    return convert


def _abs(reader: Reads, number: Symbol) -> Symbol:
    return Absolute(as_term(number))


def _sorted(reader: Reads, node: ast.Call) -> Symbol:
    reverse = False
    for word in node.keywords:
        value = reader.read(word.value)
        if word.arg != "reverse" or not isinstance(value, Known):
            raise NotUnderstood
        reverse = bool(value.value)
    of = reader.read(node.args[0])
    if isinstance(of, Distinct):
        return Sorted(of.of, reverse, True)
    return Sorted(of, reverse)


def _distinct(reader: Reads, node: ast.Call) -> Symbol:
    if len(node.args) != 1 or not is_sequence(of := reader.read(node.args[0])):
        raise NotUnderstood
    return Distinct(of)


def _map(reader: Reads, node: ast.Call) -> Symbol:
    """Read `map(len, rows)`, of functions that are understood."""
    if len(node.args) != 2:
        raise NotUnderstood
    function, over = (reader.read(part) for part in node.args)
    known = FUNCTIONS.get(key_of(function.value)) if isinstance(function, Known) else None
    if known is None:
        raise NotUnderstood
    return Listed(tuple(known(reader, item) for item in listed(over).items), list)


def _type(reader: Reads, node: ast.Call) -> Symbol:
    if len(node.args) != 1:
        raise NotUnderstood
    return Known(_type_of(reader.read(node.args[0])))


def _isinstance(reader: Reads, node: ast.Call) -> Symbol:
    if len(node.args) != 2:
        raise NotUnderstood
    value, kind = (reader.read(part) for part in node.args)
    if isinstance(value, Choice):
        return Checked(("isinstance(", Hole(value.name), ", ", ConstantPiece(_value(kind)), ")"))
    return Always(issubclass(_type_of(value), _value(kind)))


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


def method_of(reader: Reads, base: Symbol, name: str, node: ast.Call) -> Symbol:
    """Read a call of a method of an array or a dict."""
    if isinstance(base, Elements) and name in ("all", "any") and not node.args:
        return of_all(base, name == "all")
    if isinstance(base, ArraySymbol) and name in ("max", "min") and not node.args:
        return ElementBound(base.element, name == "max")
    if isinstance(base, ArraySymbol) and name in _OF_SHAPE:
        return _of_shape(reader, name, node)
    if isinstance(base, RecordSymbol) and name == "keys":
        return Known(list(base.items))
    if isinstance(base, RecordSymbol) and name == "get" and node.args:
        key, *missing = (reader.read(argument) for argument in node.args)
        if isinstance(key, Known):
            return base.items.get(key.value, missing[0] if missing else Known(None))
    raise NotUnderstood


# what torch's methods tell of a shape, by the attribute that tells it of any array
_OF_SHAPE = {"size": "shape", "dim": "ndim", "numel": "size"}


def _of_shape(reader: Reads, name: str, node: ast.Call) -> Symbol:
    assert isinstance(node.func, ast.Attribute)
    told: ast.expr = ast.Attribute(node.func.value, _OF_SHAPE[name], ast.Load())
    for side in (*node.args, *(word.value for word in node.keywords)):
        told = ast.Subscript(told, side, ast.Load())
    return reader.read(told)


# what is near enough: by default, and by which words it is said
NEAR = {
    ("math", "isclose"): {"rel_tol": 1e-9, "abs_tol": 0.0},
    ("numpy", "isclose"): {"rtol": 1e-5, "atol": 1e-8},
    ("numpy", "allclose"): {"rtol": 1e-5, "atol": 1e-8},
}


def near(reader: Reads, key: tuple[str, str], node: ast.Call) -> Symbol:
    """Read that something is near to a number that is known."""
    values = [reader.read(argument) for argument in node.args]
    words = {str(word.arg): _value(reader.read(word.value)) for word in node.keywords}
    if len(values) != 2 or not words.keys() <= NEAR[key].keys():
        raise NotUnderstood
    term, number = as_term(values[0]), _value(values[1])
    relative, absolute = (NEAR[key] | words).values()
    share = relative * abs(number)
    size = share + absolute if key[0] == "numpy" else max(share, absolute)
    return Compare(Absolute(added(term, Number(-number))), "<=", Number(size))


FUNCTIONS: dict[Any, Callable[..., Symbol]] = {
    ("builtins", "len"): _len,
    ("builtins", "sum"): total,
    ("math", "prod"): product,
    ("numpy", "prod"): product,
    ("numpy", "sum"): total,
    ("builtins", "max"): lambda reader, *items: extreme(reader, True, *items),
    ("builtins", "min"): lambda reader, *items: extreme(reader, False, *items),
    ("numpy", "max"): lambda reader, *items: extreme(reader, True, *items),
    ("numpy", "min"): lambda reader, *items: extreme(reader, False, *items),
    ("numpy", "all"): lambda reader, elements: of_all(elements, True),
    ("torch", "max"): lambda reader, *items: extreme(reader, True, *items),
    ("torch", "min"): lambda reader, *items: extreme(reader, False, *items),
    ("torch", "all"): lambda reader, elements: of_all(elements, True),
    ("builtins", "abs"): _abs,
    ("builtins", "range"): _range,
    ("builtins", "zip"): _zip,
    ("builtins", "enumerate"): _enumerate,
    ("builtins", "reversed"): _reversed,
    ("builtins", "list"): _as(list),
    ("builtins", "tuple"): _as(tuple),
    ("builtins", "bool"): lambda reader, symbol: truth(symbol),
}
SPECIAL: dict[Any, Callable[[Reads, ast.Call], Symbol]] = {
    sorted: _sorted,
    set: _distinct,
    frozenset: _distinct,
    map: _map,
    type: _type,
    isinstance: _isinstance,
}
