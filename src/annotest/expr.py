"""Expression trees: a strategy said once, then evaluated or rendered as source text.

A constraint writes `st.integers(min_value=1)` with the tree-building `st` below. The tree is
*evaluated* by `annotest run` and *rendered* by `annotest generate`, so the two cannot drift apart.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from annotest.records import record


class Expr:
    """A node of an expression tree."""

    def map(self, function: Any) -> Expr:
        """Transform drawn values by a named function that is safe on recipes (tuple, deepcopy)."""
        return Method(self, "map", (tree(function),))

    def children(self) -> Iterator[Expr]:
        """Yield the nodes directly below this one."""
        return _nodes_in(vars(self).values())


def _nodes_in(fields: Iterable[Any]) -> Iterator[Expr]:
    for field in fields:
        if isinstance(field, Expr):
            yield field
        elif type(field) is tuple:
            yield from _nodes_in(field)


@record
class Literal(Expr):
    """A plain value whose repr is its source: a number, text, None, a range."""

    value: Any


@record
class Ref(Expr):
    """A name in a module; `alias` asks for `import module as alias` and `alias.name`."""

    module: str
    qualname: str
    alias: str = ""

    def __call__(self, *args: Any, **kwargs: Any) -> Call:
        return Call(
            self,
            tuple(tree(arg) for arg in args),
            tuple((name, tree(value)) for name, value in kwargs.items()),
        )


@record
class Call(Expr):
    """A call of a named function."""

    function: Expr
    args: tuple[Expr, ...] = ()
    kwargs: tuple[tuple[str, Expr], ...] = ()


@record
class Method(Expr):
    """A method call on another node: `base.map(tuple)`."""

    base: Expr
    name: str
    args: tuple[Expr, ...]


@record
class Sequence(Expr):
    """A list, tuple or set display; `kind` is the type it makes."""

    kind: type
    items: tuple[Expr, ...]


@record
class Mapping(Expr):
    """A dict display."""

    items: tuple[tuple[Expr, Expr], ...]


@record
class Star(Expr):
    """An argument spread in a call: `*base` or `**base`. It is only ever rendered."""

    base: Expr
    stars: str


@record
class Item(Expr):
    """One item of a sequence, or a slice: `base[place]`. It is only ever rendered."""

    base: Expr
    place: int | str


@record
class Attribute(Expr):
    """An attribute of another node: `base.name`. It is only ever rendered."""

    base: Expr
    name: str


@record
class Local(Expr):
    """A local variable of the text being written. It is only ever rendered."""

    name: str


@record
class Opaque(Expr):
    """A live value without source text: it can be evaluated, and is refused by the writer."""

    value: Any
    shown: str


@record
class Generated(Expr):
    """What a custom generator or a class builds; how is decided by whoever evaluates.

    An instance is in one of the `modes`, "" being the one that a new instance is in.
    """

    factory: Any
    modes: tuple[str, ...] = ("",)


@record
class Mapped(Expr):
    """The user's `.map(f)`: applied when the value is built, not when it is drawn."""

    base: Expr
    function: Expr


@record
class Filtered(Expr):
    """The user's `.where(p)`: `p` sees the built value."""

    base: Expr
    predicate: Expr


@record
class ByRecipe(Expr):
    """A strategy written as a call, whose recipes another function of the same arguments draws."""

    call: Call
    recipes: Ref


class Module:
    """Stands for a module while a tree is written: `st.integers` is a Ref, nothing is imported."""

    def __init__(self, name: str, alias: str = "") -> None:
        self._name = name
        self._alias = alias

    def __getattr__(self, name: str) -> Ref:
        if name.startswith("__"):
            raise AttributeError(name)
        return Ref(self._name, name, self._alias)


st = Module("hypothesis.strategies", "st")
hnp = Module("hypothesis.extra.numpy", "hnp")
ours = Module("annotest.strategies")


class Deferred(Protocol):
    """What evaluation asks back about the parts that depend on the run."""

    def generated(self, factory: Any, modes: tuple[str, ...]) -> Any: ...
    def mapped(self, strategy: Any, function: Callable[[Any], Any]) -> Any: ...
    def filtered(self, strategy: Any, predicate: Callable[[Any], Any]) -> Any: ...


def tree(value: Any) -> Expr:
    """Return `value` as a node: nodes as they are, containers by their items, the rest literal."""
    if isinstance(value, Expr):
        return value
    if type(value) in (list, tuple):
        return Sequence(type(value), tuple(tree(item) for item in value))
    if type(value) is dict:
        return Mapping(tuple((tree(key), tree(item)) for key, item in value.items()))
    if isinstance(value, type) and value.__module__ == "builtins":
        return Ref("builtins", value.__name__)
    return Literal(value)


def walk(node: Expr) -> list[Expr]:
    """Return `node` and every node below it."""
    nodes = [node]
    for inner in nodes:
        nodes += inner.children()
    return nodes


def resolve(module: str, qualname: str) -> Any:
    """Import `module` and return the attribute that the dotted `qualname` names."""
    value: Any = importlib.import_module(module)
    for part in filter(None, qualname.split(".")):
        value = getattr(value, part)
    return value


def evaluate(node: Expr, deferred: Deferred) -> Any:
    """Return the value of a tree, here a Hypothesis strategy."""
    return _EVALUATORS[type(node)](node, deferred)


_EVALUATORS: dict[type, Callable[[Any, Deferred], Any]] = {
    Literal: lambda node, _: node.value,
    Opaque: lambda node, _: node.value,
    Ref: lambda node, _: resolve(node.module, node.qualname),
    Call: lambda node, d: evaluate(node.function, d)(
        *(evaluate(arg, d) for arg in node.args),
        **{name: evaluate(value, d) for name, value in node.kwargs},
    ),
    Method: lambda node, d: getattr(evaluate(node.base, d), node.name)(
        *(evaluate(arg, d) for arg in node.args)
    ),
    Sequence: lambda node, d: node.kind(evaluate(item, d) for item in node.items),
    Mapping: lambda node, d: {evaluate(key, d): evaluate(item, d) for key, item in node.items},
    ByRecipe: lambda node, d: evaluate(Call(node.recipes, node.call.args, node.call.kwargs), d),
    Generated: lambda node, d: d.generated(node.factory, node.modes),
    Mapped: lambda node, d: d.mapped(evaluate(node.base, d), evaluate(node.function, d)),
    Filtered: lambda node, d: d.filtered(evaluate(node.base, d), evaluate(node.predicate, d)),
}
