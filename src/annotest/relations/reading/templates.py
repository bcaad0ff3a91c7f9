"""Conditions that are not understood, as source text with variables in it."""

from __future__ import annotations

import ast
from typing import Any

from annotest import frameworks
from annotest.relations.reading.symbols import (
    Choice,
    DtypeSymbol,
    Known,
    Listed,
    NotUnderstood,
    Reads,
    RecordSymbol,
    Symbol,
)
from annotest.relations.solving.checked import Checked, ConstantPiece, Hole
from annotest.relations.solving.conditions import Always, Condition
from annotest.relations.solving.terms import Term
from annotest.relations.solving.variables import StandIn


def checked(reader: Reads, node: ast.expr) -> Condition:
    """Return an expression as a condition that is checked when all values are there."""
    condition = Checked(tuple(Template(reader).of(node)))
    if any(True for _ in condition.variables()):
        return condition
    return _decided(condition, reader.scope)


def _decided(condition: Checked, scope: dict[str, Any]) -> Condition:
    """Decide a condition in which no variables are left."""
    constants: dict[str, Any] = {}

    def called(constant: Any) -> str:
        constants[f"_c{len(constants)}"] = constant.value
        return f"_c{len(constants) - 1}"

    text = condition.text(called)
    try:
        return Always(bool(eval(text, {**scope, **constants})))
    except Exception:
        raise NotUnderstood from None


class Template(ast.NodeTransformer):
    """Puts variables in the place of what they stand for, and leaves the rest as it is."""

    def __init__(self, reader: Reads) -> None:
        self._reader = reader
        self._found: list[Symbol] = []

    def of(self, node: ast.expr) -> list[Any]:
        copied = ast.parse(ast.unparse(node), mode="eval").body
        text = ast.unparse(self.visit(copied))
        pieces: list[Any] = []
        for number, part in enumerate(text.split("__hole__")):
            if number:
                place, _, part = part.partition("__end__")
                pieces += ["(", *pieces_of(self._found[int(place)]), ")"]
            pieces.append(part)
        return pieces

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, ast.expr):
            return super().visit(node)
        names = names_in(node)
        symbols = self._reader.symbols.keys() | self._reader.local.keys()
        if not names & symbols:
            return node
        if isinstance(node, ast.Compare | ast.BoolOp | ast.IfExp):
            return super().visit(node)  # it would be read as a condition, and that come back here
        if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
            if symbols & {name for loop in node.generators for name in names_in(loop.target)}:
                raise NotUnderstood  # a loop variable that hides an argument
        try:
            symbol = self._reader.read(node)
            pieces_of(symbol)
        except NotUnderstood:
            if isinstance(node, ast.Name):
                raise
            return super().visit(node)
        self._found.append(symbol)
        return ast.Name(f"__hole__{len(self._found) - 1}__end__", ast.Load())


def pieces_of(symbol: Symbol) -> list[Any]:
    """Return a symbol as pieces of source."""
    if isinstance(symbol, Known):
        return [ConstantPiece(symbol.value)]
    if isinstance(symbol, Choice):
        return [Hole(symbol.name)]
    if isinstance(symbol, DtypeSymbol):
        return [ConstantPiece(dtype_type(symbol.framework)), "(", *pieces_of(symbol.symbol), ")"]
    if isinstance(symbol, Listed):
        start, end = ("[", "]") if symbol.kind is list else ("(", ")")
        inside = [piece for item in symbol.items for piece in (*pieces_of(item), ", ")]
        return [start, *inside, end]
    if isinstance(symbol, RecordSymbol):
        pairs = [
            (ConstantPiece(key), ": ", *pieces_of(item), ", ") for key, item in symbol.items.items()
        ]
        return ["{", *(piece for pair in pairs for piece in pair), "}"]
    if isinstance(symbol, Term):
        return _term_pieces(symbol)
    raise NotUnderstood


def dtype_type(framework: str = "numpy") -> Any:
    """Return the function of a framework by which the name of a dtype becomes one."""
    return frameworks.load(framework).dtype


def _term_pieces(term: Term) -> list[Any]:
    names = list(dict.fromkeys(term.variables()))
    if any(isinstance(name, StandIn) for name in names):
        raise NotUnderstood  # it stands for something that has no value
    text = term.text(lambda name: f"\0{names.index(name)}\0")
    pieces = text.split("\0")
    return [Hole(names[int(piece)]) if number % 2 else piece for number, piece in enumerate(pieces)]


def names_in(node: ast.AST) -> set[str]:
    """Return the names that an expression mentions."""
    if isinstance(node, ast.Name | ast.Constant):  # what most are that are asked about
        return {node.id} if isinstance(node, ast.Name) else set()
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
