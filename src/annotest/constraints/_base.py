"""What every constraint is: a frozen value with a strategy, a check and a repr."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

from annotest.constraints._calls import WRONG_VALUES, wrong_call
from annotest.constraints._sizes import Meanings, Side
from annotest.constraints._structure import Structure, Undivided, ValuePart
from annotest.errors import InvalidAnnotation, MissingFramework, Mistake, call_site, is_recording
from annotest.expr import Expr
from annotest.frameworks.dtypes import DType
from annotest.source import shown, text_of

C = TypeVar("C")

REGISTRY: dict[str, type[Constraint]] = {}

_depth = 0  # of constructors under way


class Mismatch(NamedTuple):
    """One reason why a value is outside a constraint."""

    at: str
    expected: str
    got: Any

    def __str__(self) -> str:
        got = shown(self.got)
        return f"{self.at}: expected {self.expected}, got {got} ({type(self.got).__name__})"


class _ConstraintType(type):
    """Makes constraints; a wrong one raises, or is kept as Broken while annotest imports."""

    @property
    def __signature__(cls) -> inspect.Signature:
        # help() and editors show the constraint's own arguments, not those of __call__ below
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        _, *own = signature.parameters.values()
        shown = [parameter for parameter in own if not parameter.name.startswith("_")]
        return signature.replace(parameters=shown)

    def __call__(cls: type[C], *args: Any, **kwargs: Any) -> C:
        global _depth
        _depth += 1
        try:
            return type.__call__(cls, *args, **kwargs)  # type: ignore[no-any-return]
        except InvalidAnnotation as error:
            wrong = error
        except MissingFramework:
            raise
        except WRONG_VALUES as error:
            wrong = wrong_call(cls, args, kwargs, error)
        finally:
            _depth -= 1
        # a constraint made inside another's constructor is not what the user wrote
        if _depth or not is_recording():
            raise wrong
        return Broken(wrong)  # type: ignore[return-value]


def broken(name: str, error: InvalidAnnotation) -> Any:
    """Return what stands for a wrong constraint while annotest imports; raise otherwise."""
    if not is_recording():
        raise error
    return Broken(error)


class Constraint(metaclass=_ConstraintType):
    """The set of values one argument may take. Subclasses are frozen dataclasses.

    `positional` names the fields that the repr writes without a name, `star` the field whose
    items it spreads; `hashable` says whether the values may be in a set. `kind` is the type that
    the values have: `object` where they have several, None where it is not Python's own.
    """

    name: ClassVar[str] = ""
    positional: ClassVar[tuple[str, ...]] = ()
    star: ClassVar[str] = ""
    hashable: ClassVar[bool] = True
    kind: ClassVar[type | None] = None
    is_of_any_framework: ClassVar[bool] = False  # the function's signature tells of which
    # of fields that are left out, what says nothing about what a function returns
    open_ends: ClassVar[Mapping[str, Any]] = MappingProxyType({})

    def __init_subclass__(cls, *, name: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if name:
            cls.name = name
            REGISTRY[name] = cls

    @classmethod
    def hinted(cls) -> str:
        """Return the name of the type hint for which it is the annotation to add."""
        return "" if cls.kind in (None, object) else cls.kind.__name__

    def strategy(self) -> Expr:
        """Return the tree of a Hypothesis strategy that draws exactly these values."""
        raise NotImplementedError(type(self).__name__)  # each constraint has its own

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        """Yield the reasons why `value` is outside; `at` names the value."""
        raise NotImplementedError(type(self).__name__)  # each constraint has its own

    def __contains__(self, value: object) -> bool:
        return next(iter(self.mismatches(value)), None) is None

    def children(self) -> Iterator[Constraint]:
        """Yield the constraints inside this one."""
        for field in _fields(type(self)):
            yield from _constraints_in(getattr(self, field.name))

    def decides(self) -> bool:
        """Say whether `mismatches` can tell for sure; not so for what generators build."""
        return all(child.decides() for child in self.children())

    def surely_accepts(self, value: Any) -> bool:
        """Say whether `value` is inside without any doubt."""
        return self.decides() and value in self

    def fits_sets(self) -> bool:
        """Say whether the values, and all inside them, can be hashed."""
        return self.hashable and all(child.fits_sets() for child in self.children())

    def is_built_late(self) -> bool:
        """Say whether values are known only when the call is built: what `.map` or `objs` make."""
        return any(child.is_built_late() for child in self.children())

    def count(self) -> int | None:
        """Return how many values there are, or None for too many to say."""
        return None

    def is_one_of_few(self, value: Any, most: int) -> bool:
        """Say whether `value` is among values so few that it is drawn anyway."""
        count = self.count()
        return count is not None and count <= most and value in self

    # what others ask: the defaults are right for values that are drawn and checked as a whole

    @cached_property
    def structure(self) -> Structure:
        """What its values are made of."""
        return Undivided()

    def parts(self, value: Any) -> Iterator[ValuePart]:
        """Yield the items of a value, each with its constraint."""
        return self.structure.parts(value)

    def listed(self) -> list[Any]:
        """Return the values where the annotation lists them."""
        return []

    def listed_keys(self) -> list[Any]:
        """Return the keys of its dicts as far as they are known."""
        return []

    def simplest(self) -> Any:
        """Return the simplest value, or None where it is not known."""
        return None

    def simpler(self, value: Any) -> Iterator[Any]:
        """Yield values simpler than an undivided one, the simplest first."""
        yield from ()

    def of_length(self, length: int) -> Constraint | None:
        """Return it with values of one length only; None where that has no words."""
        return None

    def special_values(self) -> tuple[Any, ...]:
        """Return the values at which programs go wrong, the most telling ones first."""
        return ()

    def beyond(self) -> Iterator[Constraint]:
        """Yield constraints whose values lie just outside: one less, one more, one item fewer."""
        yield from ()

    def without_nan(self) -> Constraint:
        """Return it without NaN, for where only numbers that compare are wanted."""
        return self

    @cached_property
    def ordinary(self) -> Constraint | None:
        """It with ordinary floats only: 0, and those that are neither tiny nor huge.

        None where it has no floats, or the user said between which ends they lie; itself where
        no float is ordinary, or nobody knows which there are.
        """
        made = [(part, part.ordinary) for part in self.children()]
        if all(ordinary is None for _, ordinary in made):
            return None
        if all(ordinary is None or ordinary is part for part, ordinary in made):
            return self
        return self._with_parts_changed(lambda part: part.ordinary or part)

    def said_of(self, name: str) -> str:
        """Return how a message says that a name has these values."""
        return f"{name} in {self!r}"

    # as the elements of arrays

    def as_element(self, dtype: DType) -> Constraint | None:
        """Return it for the elements of a dtype; None where the dtype cannot hold its values."""
        is_number = self.kind in (None, object) or issubclass(self.kind, complex | float | int)
        return self if is_number else None

    def array_options(self, dtype: DType) -> dict[str, Any] | None:
        """Return what `arrays` must be told to draw them; None where that has no words for it."""
        return None

    def fill_ends(self) -> tuple[Any, Any] | None:
        """Return two ends, if every number of the dtype between them is a value."""
        return None

    def with_ends(self) -> Constraint:
        """Return it with both ends said, where that is drawn faster."""
        return self

    def suspects(self, flat: Any, dtype: DType) -> Any:
        """Return which elements of a flat array may be outside; None if each must be looked at."""
        return None

    # sizes that are named: they are known when the other arguments of a call are

    def named_sides(self) -> tuple[Side, ...]:
        """Return the sizes of its own values that are given by names; not those inside them."""
        return ()

    def named_bounds(self) -> dict[str, Side]:
        """Return the ends of its own values that are given by names: of `min`, `max`, or none."""
        return {}

    def shaped_after(self) -> str:
        """Return the argument to whose shape its own broadcasts; mostly none."""
        return ""

    def shared_dtype(self) -> str:
        """Return the label of the dtype that it shares with others of its call; mostly none."""
        return ""

    def with_parts(self) -> Iterator[Constraint]:
        """Yield this constraint and all those inside it."""
        yield self
        for child in self.children():
            yield from child.with_parts()

    @cached_property
    def is_named(self) -> bool:
        """Whether shapes, bounds or dtypes of its values, or inside them, are given by names."""
        shares = any(part.shared_dtype() for part in self.with_parts())
        return shares or bool(self.shape_names) or any(True for _ in self._named_numbers())

    @cached_property
    def shape_names(self) -> tuple[str, ...]:
        """The arguments whose shapes are asked for, by itself and inside it."""
        names = (part.shaped_after() for part in self.with_parts())
        return tuple(dict.fromkeys(filter(None, names)))

    def _named_numbers(self) -> Iterator[Side]:
        """Yield the sizes and bounds that are given by names, its own and inside it."""
        for part in self.with_parts():
            yield from part.named_sides()
            yield from part.named_bounds().values()

    @cached_property
    def optional_names(self) -> tuple[str, ...]:
        """The sides, of its values and inside them, that some calls have and others do not."""
        sides = (side for part in self.with_parts() for side in part.named_sides())
        return tuple(dict.fromkeys(side.text for side in sides if side.optional))

    def with_sides(self, present: Collection[str]) -> Constraint:
        """Return it with these optional sides, and without the others."""
        if not self.optional_names:
            return self
        return self._with_parts_changed(lambda part: part.with_sides(present))

    @cached_property
    def size_names(self) -> tuple[str, ...]:
        """The dimensions and arguments that its sizes and bounds mention."""
        return tuple(dict.fromkeys(n for side in self._named_numbers() for n in side.names))

    @cached_property
    def size_roots(self) -> tuple[str, ...]:
        """The objects whose attributes its sizes and bounds mention, such as self."""
        return tuple(dict.fromkeys(root for side in self._named_numbers() for root in side.roots))

    @property
    def size_attributes(self) -> tuple[tuple[str, str], ...]:
        """The attributes that its sizes and bounds mention, each behind the object whose it is."""
        return tuple(attribute for side in self._named_numbers() for attribute in side.attributes)

    def sized(self, names: Meanings) -> Constraint:
        """Return it with numbers for what names give; NoSize where one of them cannot be."""
        return self._with_parts_changed(lambda part: part.sized(names))

    def _with_parts_changed(self, change: Callable[[Constraint], Constraint]) -> Constraint:
        made = object.__new__(type(self))
        for field in _fields(type(self)):
            value = _changed_inside(getattr(self, field.name), change)
            object.__setattr__(made, field.name, value)
        return made

    def framework_named(self) -> str:
        """Return the framework of its own values, where it says that; mostly none."""
        return ""

    def in_framework(self, framework: str) -> Constraint:
        """Return it with arrays of one framework wherever it leaves open of which."""
        if not any(part.is_of_any_framework for part in self.with_parts()):
            return self
        return self._with_parts_changed(lambda part: part.in_framework(framework))

    def as_result(self) -> Constraint:
        """Return it for what a function returns: what is left out says nothing there.

        Where values are drawn it stands for a default, such as a length of at most 10.
        """
        made = self._with_parts_changed(lambda part: part.as_result())
        for name, end in self.open_ends.items():
            if getattr(made, name) is None:
                object.__setattr__(made, name, end)
        return made

    def with_nonfinite(self) -> Constraint:
        """Return it with NaN, and with infinity where no two bounds exclude that."""
        made = self._with_parts_changed(lambda part: part.with_nonfinite())
        if hasattr(made, "allow_nan"):
            is_open = None in (getattr(made, "min", None), getattr(made, "max", None))
            object.__setattr__(made, "allow_nan", True)
            object.__setattr__(made, "allow_infinity", is_open)
        return made

    def needed_parts(self) -> Iterator[Constraint]:
        """Yield itself and the constraints inside it without which it has no value at all."""
        yield self
        for child in self.children():
            yield from child.needed_parts()

    def map(self, function: Callable[[Any], Any]) -> Constraint:
        """Return the constraint of what `function` makes of these values."""
        return REGISTRY["map"](self, function)  # type: ignore[call-arg]

    def where(self, predicate: Callable[[Any], Any]) -> Constraint:
        """Return the constraint of these values for which `predicate` holds."""
        return REGISTRY["where"](self, predicate)  # type: ignore[call-arg]

    # shared by all constraints: to compile them for each takes time
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constraint) or type(other) is not type(self):
            return NotImplemented
        return self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in _fields(type(self)) if field.compare)

    def __repr__(self) -> str:
        parts = []
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if field.name == self.star:
                parts += [source_repr(item) for item in value]
            elif field.name in self.positional and not _is_default(field, value):
                parts.append(source_repr(value))
            elif not _is_default(field, value):
                parts.append(f"{field.name}={source_repr(value)}")
        return f"{self.name}({', '.join(parts)})"

    def refuse(self, reason: str, remedy: str = "") -> InvalidAnnotation:
        """Return the error for a constraint that means nothing."""
        return InvalidAnnotation(f"{self!r} {reason}", remedy)


@cache
def _fields(kind: type[Constraint]) -> tuple[dataclasses.Field[Any], ...]:
    # those given by position first, wherever in a line of classes they come from
    return tuple(sorted(dataclasses.fields(kind), key=lambda field: bool(field.kw_only)))  # type: ignore[arg-type]


def _is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    return field.default is not dataclasses.MISSING and value is field.default


def _constraints_in(value: Any) -> Iterator[Constraint]:
    if isinstance(value, Constraint):
        yield value
    elif type(value) in (tuple, list):
        for item in value:
            yield from _constraints_in(item)
    elif type(value) is dict:
        for item in value.values():
            yield from _constraints_in(item)


def _changed_inside(value: Any, change: Callable[[Constraint], Constraint]) -> Any:
    if isinstance(value, Constraint):
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_changed_inside(item, change) for item in value)
    if type(value) is dict:
        return {key: _changed_inside(item, change) for key, item in value.items()}
    return value


def source_repr(value: Any) -> str:
    """Return the source text of a value inside a repr."""
    if isinstance(value, Constraint):
        return repr(value)
    if type(value) in (tuple, list) and any(True for _ in _constraints_in(value)):
        inner = ", ".join(source_repr(item) for item in value)
        if type(value) is list:
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if type(value) is dict and any(True for _ in _constraints_in(value)):
        return "{" + ", ".join(f"{k!r}: {source_repr(v)}" for k, v in value.items()) + "}"
    return text_of(value)


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Broken(Constraint):
    """Stands where a wrong constraint was written, while annotest imports a module."""

    name: ClassVar[str] = "broken"
    error: InvalidAnnotation
    site: Any = dataclasses.field(default_factory=call_site, compare=False)

    def strategy(self) -> Expr:
        raise self.error

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        yield from ()

    def __repr__(self) -> str:
        return f"<{self.error.reason}>"

    def mistake(self, annotation: str, function: str) -> Mistake:
        """Return the error as data."""
        return Mistake(self.site, annotation, self.error.reason, self.error.remedy, function)


def broken_in(constraint: Constraint) -> Iterator[Broken]:
    """Yield the wrong constraints inside `constraint`, itself included."""
    if isinstance(constraint, Broken):
        yield constraint
    for child in constraint.children():
        yield from broken_in(child)
