"""What generators build, and constraints whose values are transformed or filtered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch, source_repr
from annotest.constraints._choices import function_tree
from annotest.constraints._structure import Built, Derived, Narrowed
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, Filtered, Generated, Mapped, Opaque
from annotest.source import shown


@dataclass(frozen=True, eq=False, repr=False)
class Objs(Constraint, name="objs"):
    """What a custom generator builds from its own annotations; or a class from its constructor's.

    A name as text is looked up late, in the module of the annotated function.
    """

    kind: ClassVar[type | None] = object
    positional: ClassVar[tuple[str, ...]] = ("generator",)
    generator: Any

    def __post_init__(self) -> None:
        if not callable(self.generator) and not isinstance(self.generator, str):
            raise InvalidAnnotation(
                f"objs({shown(self.generator)}) expects a generator function, "
                f"got {type(self.generator).__name__}",
                "give a function marked @generator, a class, or the name of one",
            )

    def strategy(self) -> Expr:
        return Generated(self.generator)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        # nothing but the generator itself knows what it builds, except for classes
        if isinstance(self.generator, type) and not isinstance(value, self.generator):
            yield Mismatch(at, f"a {self.generator.__name__}", value)

    def decides(self) -> bool:
        return False

    def is_built_late(self) -> bool:
        return True

    @cached_property
    def structure(self) -> Built:
        return Built(self.generator)


@dataclass(frozen=True, eq=False, repr=False)
class Transformed(Constraint, name="map"):
    """What a function makes of the values of another constraint."""

    kind: ClassVar[type | None] = object
    base: Constraint
    function: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise InvalidAnnotation(
                f"{self.base!r}.map({shown(self.function)}) expects a function", "give a function"
            )

    def strategy(self) -> Expr:
        return Mapped(self.base.strategy(), function_tree(self.function))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        yield from ()  # a function cannot be run backwards

    def decides(self) -> bool:
        return False

    def is_built_late(self) -> bool:
        return True

    @cached_property
    def structure(self) -> Derived:
        return Derived(self.base, self.function)

    def __repr__(self) -> str:
        return f"{self.base!r}.map({_function_name(self.function)})"


@dataclass(frozen=True, eq=False, repr=False)
class Where(Constraint, name="where"):
    """The values of another constraint for which a predicate holds."""

    kind: ClassVar[type | None] = object
    base: Constraint
    predicate: Callable[[Any], Any]

    def __post_init__(self) -> None:
        if not callable(self.predicate):
            raise InvalidAnnotation(
                f"{self.base!r}.where({shown(self.predicate)}) expects a predicate",
                "give a function that returns True or False",
            )

    def strategy(self) -> Expr:
        return Filtered(self.base.strategy(), function_tree(self.predicate))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        reasons = list(self.base.mismatches(value, at))
        if not reasons and not self.predicate(value):
            reasons = [Mismatch(at, f"one for which {_function_name(self.predicate)} holds", value)]
        yield from reasons

    @cached_property
    def structure(self) -> Narrowed:
        return Narrowed(self.base, self.predicate)

    def __repr__(self) -> str:
        return f"{self.base!r}.where({_function_name(self.predicate)})"


def _function_name(function: Any) -> str:
    node = function_tree(function)
    return node.shown if isinstance(node, Opaque) else source_repr(function)
