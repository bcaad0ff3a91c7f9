"""Generators given by name: looked up late, in the module of the annotated function."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.expr import Expr, Generated, Literal, Opaque, Ref, walk
from annotest.spec import underlying


def with_factories(tree: Expr, function: Any) -> Expr:
    """Return the tree with generators given by name replaced by the functions they name."""
    generators = (node.factory for node in walk(tree) if isinstance(node, Generated))
    if not any(isinstance(factory, str) for factory in generators):
        return tree
    resolved: Expr = _resolved(tree, function)
    return resolved


def _resolved(tree: Any, function: Any) -> Any:
    if isinstance(tree, Generated):
        named = isinstance(tree.factory, str)
        return Generated(_look_up(tree.factory, function)) if named else tree
    if isinstance(tree, tuple):
        return tuple(_resolved(item, function) for item in tree)
    if isinstance(tree, Expr) and not isinstance(tree, (Ref, Opaque, Literal)):
        parts = {name: _resolved(value, function) for name, value in vars(tree).items()}
        return type(tree)(**parts)
    return tree


def _look_up(name: str, function: Any) -> Any:
    code = inspect.unwrap(underlying(function))
    scope: dict[str, Any] = getattr(code, "__globals__", {})
    module, colon, qualname = name.partition(":")
    if colon:
        try:
            scope, name = vars(importlib.import_module(module)), qualname
        except ImportError as error:
            raise InvalidAnnotation(
                f"objs({name!r}): module {module} cannot be imported: {error}",
                "correct the name: module:function",
            ) from None
    factory = scope.get(name)
    if not callable(factory):
        known = [other for other, value in scope.items() if callable(value)]
        raise InvalidAnnotation(
            f"objs({name!r}): there is no generator {name!r}.{did_you_mean(name, known)}",
            "name a function marked @generator, visible where the annotation stands",
        )
    return factory
