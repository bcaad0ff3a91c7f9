"""Listed values, unions, what generators build, and transformed or filtered constraints."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._base import Constraint, Mismatch, source_repr
from annotest.constraints._calls import PLAIN, never_false
from annotest.constraints._checking import checked
from annotest.constraints._sizes import Meanings, NoSize
from annotest.constraints._structure import Alternatives, Built, Derived, ListedValues, Narrowed
from annotest.errors import InvalidAnnotation
from annotest.expr import Call, Expr, Filtered, Generated, Mapped, Opaque, Ref, st
from annotest.frameworks.dtypes import DType
from annotest.source import is_writable, named, opaque, shown, source_tree

_IMMUTABLE = (int, float, complex, str, bytes, bool, type(None), range, enum.Enum, type, ModuleType)


def is_immutable(value: Any) -> bool:
    """Say whether sharing `value` between calls can do no harm."""
    if type(value) in (tuple, frozenset):
        return all(is_immutable(item) for item in value)
    return isinstance(value, _IMMUTABLE) or callable(value)


def same_value(value: Any, other: Any) -> bool:
    """Say whether two values are the same: type and value, NaN equal to NaN, copies equal."""
    if value is other:
        return True
    if type(value) is not type(other):
        return False
    if (adapter := frameworks.adapter_of(value)) is not None:
        return adapter.same(value, other)
    if type(value) in (list, tuple) and len(value) == len(other):
        return all(same_value(a, b) for a, b in zip(value, other, strict=True))
    if type(value) is dict:
        return value.keys() == other.keys() and all(same_value(value[k], other[k]) for k in value)
    try:
        if value == other or (value != value and other != other):
            return True
    except Exception:
        return False  # a class whose == raises says nothing about equality
    ours, theirs = getattr(value, "__dict__", None), getattr(other, "__dict__", None)
    return "__eq__" not in vars(type(value)) and bool(ours) and same_value(ours, theirs)


@dataclass(frozen=True, eq=False, repr=False)
class Froms(Constraint, name="froms"):
    """Exactly the listed values; a function that returns the list is called late."""

    kind: ClassVar[type | None] = object
    positional: ClassVar[tuple[str, ...]] = ("values",)
    values: Any

    def __post_init__(self) -> None:
        values = self.values
        if isinstance(values, type) and issubclass(values, enum.Enum):
            values = list(values)
        if callable(values):
            return
        if isinstance(values, (str, bytes)) or not isinstance(values, (list, tuple, range)):
            if not isinstance(values, (set, frozenset, dict)):
                raise InvalidAnnotation(
                    f"froms({shown(self.values)}) expects a list of values, "
                    f"got {type(self.values).__name__}",
                    f"write froms([{shown(self.values)}])",
                )
            values = sorted(values, key=repr)
        if not len(values):
            raise InvalidAnnotation(
                f"froms({shown(self.values)}) allows nothing: the list is empty",
                "list at least one value",
            )
        for value in values:
            if isinstance(value, Constraint):
                raise InvalidAnnotation(
                    f"froms([…]) lists a constraint, {value!r}, where values are expected",
                    f"use anys({value!r}, …) for a union",
                )
        object.__setattr__(self, "values", values if type(values) is range else list(values))

    def listed(self) -> list[Any]:
        """Return the values, calling the late function if there is one."""
        if not callable(self.values):
            return list(self.values)
        try:
            returned = self.values()
        except Exception as error:
            raise InvalidAnnotation(
                f"{self!r} cannot be used: {type(error).__name__}: {error}",
                "correct the function that it calls",
            ) from error
        if not isinstance(returned, (list, tuple)) or not returned:
            raise InvalidAnnotation(
                f"{self!r}: the function returned {shown(returned)}, expected a list of values",
                "return a list with at least one value",
            )
        return list(returned)

    def strategy(self) -> Expr:
        if callable(self.values):
            self.listed()
            listed = Call(_function_tree(self.values))
            return st.sampled_from(listed)
        if type(self.values) is range:
            return st.sampled_from(self.values)
        values = [source_tree(value) for value in self.values]
        drawn = st.just(values[0]) if len(values) == 1 else st.sampled_from(values)
        if all(map(is_writable, values)) and not all(is_immutable(value) for value in self.values):
            return drawn.map(Ref("copy", "deepcopy"))
        return drawn  # live objects are copied when the call is built

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        listed = self.listed()
        if not any(same_value(value, option) for option in listed):
            yield Mismatch(at, f"one of {source_repr(listed)}", value)

    def count(self) -> int | None:
        return None if callable(self.values) else len(self.values)

    @cached_property
    def structure(self) -> ListedValues:
        return ListedValues(self.listed)

    def as_element(self, dtype: DType) -> Constraint | None:
        if callable(self.values):
            return self
        ends = (self.values[0], self.values[-1])  # of a range, which may be long
        values = ends if type(self.values) is range else self.values
        return self if all(map(dtype.holds, values)) else None

    def fits_sets(self) -> bool:
        return callable(self.values) or all(_is_hashable(value) for value in self.values)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _function_tree(function: Any) -> Expr:
    return named(function) or opaque(function)


@dataclass(frozen=True, eq=False, repr=False)
class Anys(Constraint, name="anys"):
    """The union of several constraints; a bare value means itself."""

    kind: ClassVar[type | None] = object
    star: ClassVar[str] = "alternatives"
    alternatives: tuple[Any, ...]

    def __init__(self, *alternatives: Any) -> None:
        object.__setattr__(self, "alternatives", alternatives)
        if not alternatives:
            raise InvalidAnnotation("anys() allows nothing: no alternative is given", "list some")
        for alternative in alternatives:
            if isinstance(alternative, type) and issubclass(alternative, Constraint):
                checked("anys", alternative)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The alternatives, bare values as constraints of one value."""
        return tuple(
            alternative if isinstance(alternative, Constraint) else Froms([alternative])
            for alternative in self.alternatives
        )

    def strategy(self) -> Expr:
        return st.one_of(*(constraint.strategy() for constraint in self.constraints))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not any(value in constraint for constraint in self.constraints):
            listed = ", ".join(source_repr(alternative) for alternative in self.alternatives)
            yield Mismatch(at, f"any of {listed}", value)

    def surely_accepts(self, value: Any) -> bool:
        return any(constraint.surely_accepts(value) for constraint in self.constraints)

    def sized(self, names: Meanings) -> Constraint:
        able = list(sized_if_able(self.constraints, names))
        if not able:
            raise NoSize(repr(self))
        return Anys(*able)

    def needed_parts(self) -> Iterator[Constraint]:
        yield self  # of the alternatives, another will do

    @cached_property
    def structure(self) -> Alternatives:
        return Alternatives(self.constraints)

    def beyond(self) -> Iterator[Constraint]:
        for constraint in self.constraints:
            for outside in constraint.beyond():
                simplest = outside.simplest()  # which another alternative may allow
                if simplest is None or simplest not in self:
                    yield outside

    def as_element(self, dtype: DType) -> Constraint | None:
        fits = all(constraint.as_element(dtype) is not None for constraint in self.constraints)
        return self if fits else None

    def is_one_of_few(self, value: Any, most: int) -> bool:
        return any(constraint.is_one_of_few(value, most) for constraint in self.constraints)

    def count(self) -> int | None:
        counts = [constraint.count() for constraint in self.constraints]
        return None if None in counts else sum(n for n in counts if n is not None)


def sized_if_able(constraints: Iterable[Constraint], names: Meanings) -> Iterator[Constraint]:
    """Yield constraints with numbers for their named sizes, those left out that have none."""
    for constraint in constraints:
        try:
            yield constraint.sized(names)
        except NoSize:
            continue


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

    @cached_property
    def ordinary(self) -> Constraint | None:
        return self  # what the generator makes of its own arguments, only it knows


@dataclass(frozen=True, eq=False, repr=False)
class Instances(Objs):
    """The instances of a class on which methods are tested, in some modes."""

    modes: tuple[str, ...] = ("",)

    def strategy(self) -> Expr:
        return Generated(self.generator, self.modes)

    @cached_property
    def structure(self) -> Built:
        return Built(self.generator, self.modes)


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
        return Mapped(self.base.strategy(), _function_tree(self.function))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        yield from ()  # a function cannot be run backwards

    def decides(self) -> bool:
        return False

    def is_built_late(self) -> bool:
        return True

    @cached_property
    def structure(self) -> Derived:
        return Derived(self.base, self.function)

    def beyond(self) -> Iterator[Constraint]:
        yield from (Transformed(outside, self.function) for outside in self.base.beyond())

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
        if wrong := never_false(self.predicate):
            name = _function_name(self.predicate)
            raise InvalidAnnotation(f"{self.base!r}.where({name}): {name} {wrong}", PLAIN)

    def strategy(self) -> Expr:
        return Filtered(self.base.strategy(), _function_tree(self.predicate))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        reasons = list(self.base.mismatches(value, at))
        if not reasons and not self.predicate(value):
            reasons = [Mismatch(at, f"one for which {_function_name(self.predicate)} holds", value)]
        yield from reasons

    def as_element(self, dtype: DType) -> Constraint | None:
        return self if self.base.as_element(dtype) is not None else None

    @cached_property
    def structure(self) -> Narrowed:
        return Narrowed(self.base, self.predicate)

    def __repr__(self) -> str:
        return f"{self.base!r}.where({_function_name(self.predicate)})"


def _function_name(function: Any) -> str:
    node = _function_tree(function)
    return node.shown if isinstance(node, Opaque) else source_repr(function)
