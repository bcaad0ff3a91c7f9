"""Preconditions in parts, and what some of these parts say of a list as a whole."""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from annotest.frozen import frozen
from annotest.relations.reading.functions import NEAR
from annotest.relations.reading.statements import Statement
from annotest.writer.conditions import unparsed

_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}


@frozen
class Clause:
    """One of the parts of a precondition that must all hold.

    `tree` is read, with the names of the module; `said` is written, with those of the file.
    """

    place: int
    tree: ast.expr
    said: ast.expr
    statement: Statement

    @property
    def text(self) -> str:
        """The clause as it is written."""
        return unparsed(self.said)


def clauses_of(place: int, statement: Statement, text: str) -> list[Clause]:
    """Return the parts of a precondition; it is one part where file and module differ in form."""
    said = ast.parse(text, mode="eval").body
    trees, texts = list(_parts(statement.tree)), list(_parts(said))
    if len(trees) != len(texts):
        return [Clause(place, statement.tree, said, statement)]
    pairs = zip(trees, texts, strict=True)
    return [Clause(place, tree, one, statement) for tree, one in pairs]


def _parts(tree: ast.expr) -> Iterator[ast.expr]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        for one in tree.values:
            yield from _parts(one)
    elif isinstance(tree, ast.Compare):
        sides = [tree.left, *tree.comparators]
        for left, sign, right in zip(sides, tree.ops, sides[1:], strict=False):
            yield ast.Compare(left, [sign], [right])
    else:
        yield tree


@frozen
class Each:
    """Every item satisfies a condition, in which it is called `item`."""

    series: str
    item: str
    tree: ast.expr
    said: ast.expr


@frozen
class Ordered:
    """The items are in order; if `strict`, no two are equal."""

    series: str
    reverse: bool
    strict: bool


@frozen
class Differing:
    """No two items are equal."""

    series: str


@frozen
class Total:
    """The sum of the items compares with something in this way."""

    series: str
    sign: str
    tree: ast.expr


@frozen
class Product:
    """The product of the items is something."""

    series: str
    tree: ast.expr


@frozen
class Permuted:
    """The items are the numbers below one, in any order."""

    series: str
    tree: ast.expr


@frozen
class Tip:
    """The first or the last item satisfies a condition."""

    each: Each
    is_last: bool
    sign: str

    @property
    def series(self) -> str:
        """The list."""
        return self.each.series


Fact = Each | Ordered | Differing | Total | Product | Permuted | Tip

_PAIRED = r"all\(+(?P<a>\w+) (?P<sign><=?|>=?) (?P<b>\w+) for \(?(?P<c>\w+), (?P<d>\w+)\)? in "
_PAIRED += r"(?:zip\((?P<x>\w+), (?P=x)\[1:\]\)|(?:itertools\.)?pairwise\((?P<y>\w+)\))\)+"
_INDEXED = r"all\(+(?P<x>\w+)\[(?P<i>\w+)\] (?P<sign><=?|>=?) (?P=x)\[(?P=i) \+ 1\] "
_INDEXED += r"for (?P=i) in range\(len\((?P=x)\) - 1\)\)+"
_BEFORE = r"all\(+(?P<x>\w+)\[(?P<i>\w+) - 1\] (?P<sign><=?|>=?) (?P=x)\[(?P=i)\] "
_BEFORE += r"for (?P=i) in range\(1, len\((?P=x)\)\)\)+"
_SORTED = r"(?P<x>\w+) == sorted\((?P<set>set\()?(?P=x)\)?(?P<reverse>, reverse=True)?\)"
_TURNED = r"sorted\((?P<set>set\()?(?P<x>\w+)\)?(?P<reverse>, reverse=True)?\) == (?P=x)"
_DISTINCT = r"len\(set\((?P<x>\w+)\)\) == len\((?P=x)\)|len\((?P<y>\w+)\) == len\(set\((?P=y)\)\)"
_NEAR = r"abs\(sum\((?P<x>\w+)\) - (?P<n>[\w.]+)\) (?P<sign><=?) (?P<e>[\w.]+(?:e-?\d+)?)"
_NUMBER = r"\d+(?:\.\d*)?(?:e-?\d+)?"
_CLOSE = rf"(?P<module>\w+)\.isclose\(sum\((?P<x>\w+)\), (?P<n>{_NUMBER})"
_CLOSE += rf"(?:, (?P<word>\w+)=(?P<e>{_NUMBER}))?\)"
_PERMUTED = r"sorted\((?P<x>\w+)\) == list\(range\((?P<n>.+)\)\)"


def fact_of(clause: Clause, series: set[str]) -> Fact | None:
    """Return what a clause says of the items of one list; None if it is something else."""
    text = ast.unparse(clause.tree)
    if not means_builtins(clause):
        return None
    found = _in_words(text) or _each(clause) or _bounded(clause) or _product(clause)
    return found if found is not None and found.series in series else None


def is_strict(fact: Fact) -> bool:
    """Say whether items are in an order in which no two are equal."""
    return isinstance(fact, Ordered) and fact.strict


def names_said(facts: list[Fact]) -> set[str]:
    """Return the names that what is said of items mentions."""
    trees = [one.each.tree if isinstance(one, Tip) else getattr(one, "tree", None) for one in facts]
    return {name for tree in trees if tree is not None for name in _names(tree)}


def means_builtins(clause: Clause) -> bool:
    """Say whether `sum`, `max` and the like are Python's own in a clause."""
    scope = clause.statement.scope
    called = [one.func for one in ast.walk(clause.tree) if isinstance(one, ast.Call)]
    names = [one.id for one in called if isinstance(one, ast.Name)]
    return all(
        scope.get(one) in (None, getattr(builtins, one, None)) or one == "pairwise" for one in names
    )


def _in_words(text: str) -> Fact | None:
    """Recognise the usual ways to say that a list is in order, or that its items differ."""
    if (found := re.fullmatch(_PAIRED, text)) and {found["a"], found["b"]} == {
        found["c"],
        found["d"],
    }:
        sign = found["sign"]
        rising = (found["a"] == found["c"]) == (sign[0] == "<")
        return Ordered(found["x"] or found["y"], not rising, len(sign) == 1)
    if found := re.fullmatch(_INDEXED, text) or re.fullmatch(_BEFORE, text):
        return Ordered(found["x"], found["sign"][0] == ">", len(found["sign"]) == 1)
    if found := re.fullmatch(_SORTED, text) or re.fullmatch(_TURNED, text):
        return Ordered(found["x"], bool(found["reverse"]), bool(found["set"]))
    if found := re.fullmatch(_DISTINCT, text):
        return Differing(found["x"] or found["y"])
    if (found := re.fullmatch(_PERMUTED, text)) and "," not in found["n"]:
        return Permuted(found["x"], ast.parse(found["n"], mode="eval").body)
    return None


def near_total(clause: Clause) -> list[Total] | None:
    """Recognise `abs(sum(series) - n) < e`: the sum lies between two numbers."""
    text = ast.unparse(clause.tree)
    found = re.fullmatch(_NEAR, text)
    if found is None or not means_builtins(clause):
        return _close_total(clause, text)
    pairs = zip((">=", "<="), _ends_around(found["n"], found["e"], found["sign"]), strict=True)
    return [Total(found["x"], sign, end) for sign, end in pairs]


def _close_total(clause: Clause, text: str) -> list[Total] | None:
    """Recognise `math.isclose(sum(series), n)`."""
    found = re.fullmatch(_CLOSE, text)
    module = clause.statement.scope.get(found["module"]) if found else None
    key = (getattr(module, "__name__", ""), "isclose")
    if found is None or key not in NEAR or not means_builtins(clause):
        return None
    words = NEAR[key] | ({found["word"]: float(found["e"])} if found["word"] else {})
    if len(words) > 2:
        return None
    relative, absolute = words.values()
    size = str(max(relative * abs(float(found["n"])), absolute))
    pairs = zip((">=", "<="), _ends_around(found["n"], size, "<="), strict=True)
    return [Total(found["x"], sign, end) for sign, end in pairs]


def _ends_around(middle: str, size: str, sign: str) -> Iterator[ast.expr]:
    """Yield the two ends of what is so near to a number; of plain numbers, as they are rounded."""
    for way, end in ((-1, f"{middle} - {size}"), (1, f"{middle} + {size}")):
        try:
            n, e = float(middle), float(size)
        except ValueError:
            yield ast.parse(end, mode="eval").body
            continue
        found = n + way * e
        while not (abs(found - n) < e or (sign == "<=" and abs(found - n) == e)) and found != n:
            found = math.nextafter(found, n)
        yield ast.Constant(found)


def _each(clause: Clause) -> Fact | None:
    """Recognise `all(… for item in series)` and `value not in series`."""
    tree, said = clause.tree, clause.said
    if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.NotIn):
        right = tree.comparators[0]
        if isinstance(right, ast.Name) and isinstance(said, ast.Compare):
            item = _item_name(right.id)
            name = ast.Name(item, ast.Load())
            apart = [ast.Compare(name, [ast.NotEq()], [one.left]) for one in (tree, said)]
            return Each(right.id, item, *apart)
    if not (isinstance(tree, ast.Call) and isinstance(said, ast.Call)):
        return None
    if not isinstance(tree.func, ast.Name) or tree.func.id != "all" or len(tree.args) != 1:
        return None
    loop, words = tree.args[0], said.args[0]
    if not isinstance(loop, ast.GeneratorExp | ast.ListComp) or len(loop.generators) != 1:
        return None
    one = loop.generators[0]
    if not isinstance(one.iter, ast.Name) or not isinstance(one.target, ast.Name) or one.ifs:
        return None
    return Each(one.iter.id, one.target.id, loop.elt, words.elt)  # type: ignore[attr-defined]


def _bounded(clause: Clause) -> Fact | None:
    """Recognise `max(series) < n`, `min(series) > n`, `sum(series) == n`, `series[-1] < n`."""
    tree, said = clause.tree, clause.said
    if not isinstance(tree, ast.Compare) or not isinstance(said, ast.Compare):
        return None
    sides = [(tree.left, tree.comparators[0]), (said.left, said.comparators[0])]
    sign = type(tree.ops[0])
    if asked_of(sides[0][0]) is None:
        sides = [(right, left) for left, right in sides]
        sign = _MIRRORED.get(sign, sign)
    found = asked_of(sides[0][0])
    if found is None or sign not in _SIGNS or found[1] in _names(sides[0][1]):
        return None
    function, series = found
    if function == "sum":
        return Total(series, _SIGNS[sign], sides[0][1])
    item = _item_name(series)
    name = ast.Name(item, ast.Load())
    each = Each(series, item, *(ast.Compare(name, [sign()], [right]) for _, right in sides))
    if function in ("first", "last"):
        return Tip(each, function == "last", _SIGNS[sign])
    return each if (function, _SIGNS[sign][0]) in (("max", "<"), ("min", ">")) else None


def _product(clause: Clause) -> Fact | None:
    """Recognise `math.prod(series) == n`."""
    tree = clause.tree
    if not isinstance(tree, ast.Compare) or not isinstance(tree.ops[0], ast.Eq):
        return None
    for one, other in ((tree.left, tree.comparators[0]), (tree.comparators[0], tree.left)):
        series = _multiplied(one, clause.statement.scope)
        if series and series not in _names(other):
            return Product(series, other)
    return None


def _multiplied(node: ast.expr, scope: Mapping[str, Any]) -> str:
    """Return the list whose items are multiplied; nothing if that is not what a node says."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return ""
    called, items = node.func, node.args[0]
    if not isinstance(called, ast.Attribute) or called.attr != "prod":
        return ""
    if not isinstance(called.value, ast.Name) or not isinstance(items, ast.Name):
        return ""
    module = scope.get(called.value.id)
    return items.id if getattr(module, "__name__", "") in ("math", "numpy") else ""


def _item_name(series: str) -> str:
    """Return what one item of a list is called."""
    return (
        series[:-1] if series.endswith("s") and not series.endswith("ss") and series[1:] else "item"
    )


def asked_of(node: ast.expr) -> tuple[str, str] | None:
    """Return what is asked of a list as a whole, and of which."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        tip = {"0": "first", "-1": "last"}.get(ast.unparse(node.slice))
        return (tip, node.value.id) if tip else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        if node.func.id in ("max", "min", "sum") and isinstance(node.args[0], ast.Name):
            return (node.func.id, node.args[0].id) if not node.keywords else None
    return None


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
