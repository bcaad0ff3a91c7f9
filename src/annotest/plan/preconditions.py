"""Preconditions: from text or a callable to a function of named values."""

from __future__ import annotations

import ast
import builtins
import inspect
import symtable
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from types import MappingProxyType
from typing import Any, ClassVar

from annotest.constraints._calls import truth
from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.relations.reading.statements import (
    Statement,
    statement_of_call,
    statement_of_function,
    statement_of_text,
)
from annotest.spec import Ensure, Raises, Require, underlying


class PreconditionFailed(Exception):
    """A precondition raised instead of being true or false."""

    def __init__(self, precondition: Precondition, error: BaseException) -> None:
        super().__init__(precondition, error)
        self.precondition = precondition
        self.annotation = precondition.annotation
        self.error = error
        condition = self.annotation.condition
        self.source = condition if isinstance(condition, str) else ""


@dataclass(frozen=True, eq=False)
class Precondition:
    """A condition on named values.

    `make` makes the function of them that decides of its `text`, or of a part of it; a callable
    has none.
    """

    annotation: Require | Raises
    needs: tuple[str, ...]
    make: Callable[[str], Any]
    statement: Statement
    text: str = ""

    words: ClassVar[tuple[str, ...]] = ()  # it asks no oracles

    @cached_property
    def function(self) -> Any:
        """The function that decides; not compiled before it is asked, as most plans are not run."""
        return self.make(self.text)

    def holds(self, values: dict[str, Any]) -> bool:
        """Say whether the condition is true of these values."""
        try:
            return truth(self.function(**{name: values[name] for name in self.needs}))
        except BaseException as error:  # it may leave, too
            raise PreconditionFailed(self, error) from error

    def value_of(self, part: ast.expr, names: Mapping[str, Any]) -> Any:
        """Return what a part of the expression is."""
        return self.make(ast.unparse(part))(**{name: names[name] for name in self.needs})


def compile_precondition(
    annotation: Require | Raises,
    names: Collection[str],
    function: Any,
    where: str,
    starred: Mapping[str, str] = MappingProxyType({}),
    dimensions: Collection[str] = (),
) -> Precondition:
    """Return a precondition of `function`, whose values have these names.

    `starred` says, of dimensions such as *batch, what to write instead of them. `dimensions` are
    those among the names.
    """
    try:
        if isinstance(annotation.condition, str):
            text = annotation.condition
            return _from_text(annotation, text, names, function, where, dimensions)
        return _from_callable(annotation, annotation.condition, names, where)
    except _UnknownName as error:
        if error.name not in starred:
            raise
        raise InvalidAnnotation(
            f"*{error.name} stands for any number of sides, and has no value in a precondition",
            starred[error.name],
        ) from None


class _UnknownName(InvalidAnnotation):
    """A precondition uses a name that means nothing."""

    def __init__(self, name: str, reason: str, remedy: str) -> None:
        super().__init__(reason, remedy)
        self.name = name


def is_left_out(annotation: Require, error: InvalidAnnotation) -> bool:
    """Say whether a function does without a precondition with which this is wrong."""
    return annotation.is_published and isinstance(error, _UnknownName)


def _from_text(
    annotation: Require | Raises,
    text: str,
    names: Collection[str],
    function: Any,
    where: str,
    dimensions: Collection[str],
) -> Precondition:
    scope, closure = names_around(annotation, function)
    for name in sorted(assigned_names(text) & set(names)):
        raise InvalidAnnotation(
            f"it assigns to {name!r}, and must leave the arguments as they are",
            f"compare with {name} ==, or assign to another name",
        )
    used = free_names(text)
    sizes = f"the dimensions ({', '.join(dimensions)}), " if dimensions else ""
    for name in sorted(used):
        if not (name in names or name in closure or name in scope or hasattr(builtins, name)):
            raise _UnknownName(
                name,
                f"{where} knows no name {name!r}.{did_you_mean(name, [*names, *closure, *scope])}",
                f"use the arguments, {sizes}the names of the module, or builtins",
            )
    needs = tuple(name for name in names if name in used)
    captured = {name: value for name, value in closure.items() if name in used - set(needs)}
    statement = statement_of_text(text, {**scope, **captured} if captured else scope)
    make = partial(compiled, needs=needs, captured=captured, scope=scope)
    return Precondition(annotation, needs, make, statement, text)


def names_around(
    annotation: Require | Ensure | Raises, function: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the names of the module that a condition uses, and those of functions around it."""
    if annotation.module in sys.modules:
        return vars(sys.modules[annotation.module]), {}
    code = inspect.unwrap(underlying(function))
    scope = getattr(code, "__globals__", None)
    if scope is None:
        scope = getattr(inspect.getmodule(code), "__dict__", {})
    return scope, closure_of(code)


def compiled(
    text: str, needs: tuple[str, ...], captured: dict[str, Any], scope: dict[str, Any]
) -> Any:
    """Return the function that evaluates an expression."""
    parameters = ", ".join([*captured, *needs])
    return partial(eval(f"lambda {parameters}: (\n{text}\n)", scope), **captured)


def _from_callable(
    annotation: Require | Raises, condition: Any, names: Collection[str], where: str
) -> Precondition:
    needs = needed_by(condition, names, where)
    statement = statement_of_function(condition) or statement_of_call(condition, needs)
    return Precondition(annotation, needs, lambda _: condition, statement)


def needed_by(condition: Any, names: Collection[str], where: str) -> tuple[str, ...]:
    """Return the names that a callable asks for; InvalidAnnotation where there is no such one."""
    needs = []
    try:
        parameters = inspect.signature(condition).parameters.values()
    except (ValueError, TypeError):
        raise InvalidAnnotation(
            "the condition does not say which arguments it needs", "write a lambda around it"
        ) from None
    for p in parameters:
        if p.name in names:
            needs.append(p.name)
        elif p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise _UnknownName(
                p.name,
                f"the condition asks for {p.name!r}, which {where} does not have."
                f"{did_you_mean(p.name, names)}",
                f"name its parameters after: {', '.join(names)}",
            )
    return tuple(needs)


def closure_of(function: Any) -> dict[str, Any]:
    """Return the names that a function takes from the functions around it."""
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None) or ()
    if code is None:
        return {}
    captured = {}
    for name, cell in zip(code.co_freevars, cells, strict=False):
        try:
            captured[name] = cell.cell_contents
        except ValueError:
            continue  # not yet assigned
    return captured


@lru_cache(maxsize=1024)
def free_names(text: str) -> frozenset[str]:
    """Return the names an expression uses and does not itself bind."""
    table = symtable.symtable(f"(\n{text}\n)", "<precondition>", "eval")
    return frozenset(_global_names(table) - assigned_names(text))


def assigned_names(text: str) -> frozenset[str]:
    """Return the names to which an expression assigns with :=."""
    nodes = ast.walk(ast.parse(f"(\n{text}\n)", mode="eval"))
    return frozenset(node.target.id for node in nodes if isinstance(node, ast.NamedExpr))


def _global_names(table: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope and those inside it look up outside themselves."""
    top = table.get_type() == "module"
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (top or symbol.is_global())
    }
    for inner in table.get_children():
        names |= _global_names(inner)
    return names
