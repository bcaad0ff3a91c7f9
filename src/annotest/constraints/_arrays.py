"""Arrays: one constraint for all frameworks, and that of NumPy."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import KW_ONLY, InitVar, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._base import Broken, Constraint, Mismatch
from annotest.constraints._checking import keep_bounds, merge_alias
from annotest.constraints._complexes import Complexes
from annotest.constraints._contents import check_contents, contents_mismatches, fits_contents
from annotest.constraints._dims import NamedShape
from annotest.constraints._dtypes import Same, dtype_text, usual_dtypes
from annotest.constraints._elements import as_formatted, first_outside, has_repeated
from annotest.constraints._numbers import Bools, Floats, Ints, real
from annotest.constraints._ordinary import LARGEST, is_left_open, ordinary_bounds
from annotest.constraints._shapes import (
    elements_between,
    least_sides,
    named_shape,
    shape_constraint,
)
from annotest.constraints._sizes import Meanings, NoRange, Side, read_bound
from annotest.constraints._structure import Shaped
from annotest.errors import InvalidAnnotation, MissingFramework
from annotest.expr import ByRecipe, Call, Expr, Ref, hnp, ours, st
from annotest.frameworks import Adapter, Framed
from annotest.frameworks.dtypes import DType
from annotest.large import LARGE, MOST_ELEMENTS, ONE_HOT, PROBABILITIES, SORTED
from annotest.source import shown

_ELEMENTS = {"bool": "bools()", "float": "floats(0, 1)", "complex": "complexes()"}


class _OfFramework(Constraint):
    """What an array constraint adds: its framework, and dtype and shape in an order of its own."""

    dtype: Any
    shape: Any


@dataclass(frozen=True, init=False, eq=False, repr=False)  # each subclass has an __init__
class ArrayConstraint(_OfFramework):
    """Arrays of any framework; finite unless allowed.

    A subclass names its framework, and has `dtype` and `shape` among its fields. Between two ends
    all floats other than 0 may be `_apart` from it.
    """

    of_framework: ClassVar[str]
    hashable: ClassVar[bool] = False
    open_ends: ClassVar[Mapping[str, Any]] = {"shape": "..."}

    _: KW_ONLY
    min: float | str | None = None
    max: float | str | None = None
    exclude_min: bool = False
    exclude_max: bool = False
    elements: Constraint | None = None
    unique: bool = False
    allow_nan: bool = False
    allow_infinity: bool = False
    contents: str | None = None
    _apart: float = 0.0
    min_value: InitVar[float | str | None] = None
    max_value: InitVar[float | str | None] = None

    def __post_init__(self, min_value: Any, max_value: Any) -> None:
        if self.dtype is not None and not isinstance(self.dtype, Constraint):
            self._keep("dtype", self._dtype_name(self.dtype))
        keep_bounds(self, min_value, max_value, _bound)
        self._keep("shape", named_shape(self.shape))
        least, _ = elements_between(shape_constraint(self.name, self.shape))
        if least > MOST_ELEMENTS:
            raise self.refuse(
                f"has {least:,} elements or more, and arrays of at most {MOST_ELEMENTS:,} are made",
                "use smaller sides",
            )
        self._check_parts()
        check_contents(self)
        if not self.dtypes:
            raise self._without_values()

    def _without_values(self) -> InvalidAnnotation:
        dtype = self.dtype or "numbers"
        if self.elements is None:
            return self.refuse(
                f"allows nothing: no value of {self.dtype or 'any dtype'} lies in the range",
                "widen the range or take another dtype",
            )
        known = self.adapter.dtypes[self.dtype if isinstance(self.dtype, str) else "int8"]
        low, high = known.range
        instead = _ELEMENTS.get(known.kind, f"ints({low}, {high})")
        return self.refuse(
            f"has elements that an array of {dtype} cannot hold: {self.elements!r}",
            f"use values of its dtype, such as elements={instead}",
        )

    def _check_parts(self) -> None:
        if self.elements is not None and not isinstance(self.elements, Constraint):
            raise InvalidAnnotation(
                f"{self.name}(elements={shown(self.elements)}) expects a constraint",
                "write elements=ints(…) or elements=floats(…)",
            )
        for part, name in ((self.elements, "elements"), (self.shape, "shape")):
            if isinstance(part, Constraint) and part.is_built_late():
                raise InvalidAnnotation(
                    f"{self.name}({name}={part!r}) needs values that are known when arrays are "
                    "drawn",
                    "leave .map and objs out, or build the array in a generator",
                )
        if self.elements is not None and self._bounded:
            raise self.refuse("bounds its elements twice", "use elements, or min and max")
        both = self.min is not None and self.max is not None
        if self.allow_infinity and both and self.named_bounds():
            raise self.refuse(
                "allows infinity, and lies between two bounds", "drop allow_infinity, or a bound"
            )

    @property
    def adapter(self) -> Adapter:
        """What is known about arrays of its framework."""
        return frameworks.load(self.of_framework)

    def framework_named(self) -> str:
        return self.adapter.name

    @classmethod
    def hinted(cls) -> str:
        try:
            return frameworks.load(cls.of_framework).hint
        except MissingFramework:
            return ""  # then nobody hints at its arrays

    def building(self, dtype: str) -> Framed | None:
        """Return what makes the array of NumPy's; None where that is one already."""
        return None if self.adapter.name == "numpy" else Framed(self.adapter.name)

    def layouts(self) -> tuple[str, ...]:
        """Return the layouts that arrays are given, none where they have the plain one."""
        return ()

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def _bounded(self) -> bool:
        return self.min is not None or self.max is not None

    def _dtype_name(self, dtype: Any) -> str:
        return dtype_text(self.name, dtype, self.adapter.dtypes, self.adapter.short_names)

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes whose values can lie in the range."""
        known = self.adapter.dtypes
        if not isinstance(self.dtype, Constraint):
            named = usual_dtypes(known) if self.dtype is None else (self.dtype,)
        elif isinstance(self.dtype, Broken):
            return usual_dtypes(known)  # it is told by itself
        else:
            listed = self.dtype.listed()
            if self.shared_dtype():  # with arrays of another framework, maybe
                listed = [name for name in listed if name in known]
            named = tuple(map(self._dtype_name, listed))
            if not named:
                raise self.refuse(
                    f"has a wrong dtype: {self.dtype!r}", "list the dtypes: froms(['float32', …])"
                )
        fitting = (name for name in named if fits_contents(known[name], self.contents))
        return tuple(name for name in fitting if self.element(name) is not None)

    @cached_property
    def structure(self) -> Shaped:
        return Shaped(shape_constraint(self.name, self.shape))

    def as_element(self, dtype: DType) -> Constraint | None:
        return None  # an array inside an array is one with another shape

    def with_nonfinite(self) -> Constraint:
        made = super().with_nonfinite()
        object.__setattr__(made, "contents", None)  # such as shares, which NaN never adds up to
        return made

    def named_sides(self) -> tuple[Side, ...]:
        return NamedShape(self.shape).sides if isinstance(self.shape, str) else ()

    def with_sides(self, present: Collection[str]) -> Constraint:
        made = super().with_sides(present)
        if isinstance(self.shape, str) and made is not self:
            object.__setattr__(made, "shape", NamedShape(self.shape).with_sides(present).text)
        return made

    def named_bounds(self) -> dict[str, Side]:
        given = {"min": self.min, "max": self.max}
        return {name: Side(bound) for name, bound in given.items() if isinstance(bound, str)}

    def bounds_in(self, names: Meanings) -> dict[str, int]:
        """Return the numbers that its named bounds are; NoSize where one of them is none."""
        return {name: bound.number(names.names) for name, bound in self.named_bounds().items()}

    @property
    def known_bounds(self) -> tuple[float | None, float | None]:
        """Its bounds as far as they are numbers."""
        low, high = self.min, self.max
        return None if isinstance(low, str) else low, None if isinstance(high, str) else high

    def shaped_after(self) -> str:
        return self.shape.shaped_after() if isinstance(self.shape, Constraint) else ""

    def shared_dtype(self) -> str:
        return self.dtype.label if isinstance(self.dtype, Same) else ""

    def sized(self, names: Meanings) -> Constraint:
        made = super().sized(names)
        if isinstance(self.shape, str):
            object.__setattr__(made, "shape", NamedShape(self.shape).filled(names))
        if self.shared_dtype() in names.dtypes:
            object.__setattr__(made, "dtype", names.dtypes[self.shared_dtype()])
        for name, bound in self.bounds_in(names).items():
            object.__setattr__(made, name, bound)
        if self.named_bounds() and not made.dtypes:  # type: ignore[attr-defined]
            raise NoRange(f"{made!r}")
        return made

    def element(self, dtype: str) -> Constraint | None:
        """Return the constraint of one element of that dtype, None where there is none."""
        if self.contents in (ONE_HOT, PROBABILITIES):
            return _shares_of(self.adapter.dtypes[dtype])
        try:
            if self.elements is not None:
                known = self.adapter.dtypes[dtype]
                element = self.elements.as_element(known)
                return as_formatted(element, known) if known.format and element else element
            return self._bounded_element(self.adapter.dtypes[dtype])
        except InvalidAnnotation:
            return None  # the range holds no value of this dtype

    def _bounded_element(self, dtype: DType) -> Constraint | None:
        special = {"allow_nan": self.allow_nan, "allow_infinity": self.allow_infinity}
        low, high = self.known_bounds
        if self._apart:  # an end that a name gives is not known yet, or lies far out
            low = -LARGEST if low is None else max(low, -LARGEST)
            high = LARGEST if high is None else min(high, LARGEST)
        ends: dict[str, Any] = {
            "exclude_min": self.exclude_min and not isinstance(self.min, str),
            "exclude_max": self.exclude_max and not isinstance(self.max, str),
            "_apart": self._apart,
        }
        if dtype.format is not None:
            return as_formatted(Floats(low, high, **ends, **special), dtype)
        if dtype.is_whole:
            least, most = self._int_range(dtype)
            return Ints(least, most) if least <= most else None
        if dtype.kind == "float":
            return Floats(low, high, **ends, **special, width=dtype.bits)
        if self._bounded and not self._apart:
            raise self.refuse(f"bounds {dtype.name} values", "drop min and max")
        if dtype.kind == "bool":
            return Bools()
        complexes = Complexes(**special, width=dtype.bits)
        return complexes.ordinary if self._apart else complexes

    def _int_range(self, dtype: DType) -> tuple[int, int]:
        (low, high), (least, most) = dtype.range, self.known_bounds
        if least is not None:
            start = -int(-least // 1)
            low = max(low, start + (self.exclude_min and start == least))
        if most is not None:
            end = int(most // 1)
            high = min(high, end - (self.exclude_max and end == most))
        return low, high

    @cached_property
    def ordinary(self) -> Constraint | None:
        changed = self._ordinary_elements()
        if changed is None:
            return None
        try:
            return replace(self, **changed)
        except InvalidAnnotation:
            return self  # no array is ordinary

    def _ordinary_elements(self) -> dict[str, Any] | None:
        """Return what to change for ordinary elements; None where nothing is."""
        if self.elements is not None:
            inner = self.elements.ordinary
            return None if inner is None else {"elements": inner}
        kinds = {self.adapter.dtypes[dtype].kind for dtype in self.dtypes}
        said = self.contents not in (None, SORTED) or not is_left_open(self)
        return None if said or kinds.isdisjoint({"float", "complex"}) else ordinary_bounds(self)

    def beyond(self) -> Iterator[Constraint]:
        changed: Any = replace
        for shape in shape_constraint(self.name, self.shape).beyond():
            yield changed(self, shape=shape)

    def strategy(self) -> Expr:
        kinds: dict[Framed | None, list[str]] = {}
        for dtype in self.dtypes:
            kinds.setdefault(self.building(dtype), []).append(dtype)
        arrays = [self._framed(building, dtypes) for building, dtypes in kinds.items()]
        return arrays[0] if len(arrays) == 1 else st.one_of(*arrays)

    def _framed(self, building: Framed | None, dtypes: list[str]) -> Expr:
        tree = self.elements_strategy(tuple(dtypes))
        if building is None:
            return tree
        options = dict(building.options)
        if layouts := self.layouts():
            options["layouts"] = layouts
        drawn = Ref("annotest.plan.arrays", "framed_recipes")(tree, building.framework, **options)
        return ByRecipe(self._written(drawn, dtypes), drawn)

    def _written(self, drawn: Call, dtypes: list[str]) -> Call:
        """Return how a strategy of arrays of these dtypes is written."""
        return Call(ours.framed, drawn.args, drawn.kwargs)

    def _shape_tree(self) -> Any:
        """Return the strategy of shapes, or the shape where there is one only."""
        if isinstance(self.shape, tuple) and all(type(side) is int for side in self.shape):
            return self.shape
        if type(self.shape) is int:
            return (self.shape,)
        shapes = shape_constraint(self.name, self.shape)
        if MOST_ELEMENTS < elements_between(shapes)[1] < math.inf:
            return ours.limited_shapes(shapes.strategy(), least_sides(shapes))
        return shapes.strategy()

    def elements_strategy(self, dtypes: tuple[str, ...]) -> Expr:
        """Return the strategy of NumPy's arrays, or recipes of them, of which its own are made."""
        shape = self._shape_tree()
        small = self._is_small()
        if len(dtypes) > 1 and self.elements is None and not self._bounded:
            return (self._small_of_any if small else self._large_of_any)(dtypes, shape)
        of = self._small_of if small else self._large_of
        arrays = [of(dtype, shape) for dtype in dtypes]
        return arrays[0] if len(arrays) == 1 else st.one_of(*arrays)

    def _is_small(self) -> bool:
        """Say whether Hypothesis' own arrays will do: no array has many elements."""
        if self.contents is not None:
            return False  # they have no such contents
        return elements_between(shape_constraint(self.name, self.shape))[1] <= LARGE

    def _small_of_any(self, dtypes: tuple[str, ...], shape: Any) -> Expr:
        special = {"allow_nan": self.allow_nan, "allow_infinity": self.allow_infinity}
        dtype = st.sampled_from(list(dtypes))
        return hnp.arrays(dtype=dtype, shape=shape, elements=special, **self._given("unique"))

    def _element_now(self, dtype: str) -> Constraint:
        """Return the constraint of one element, refused where functions list others for it."""
        element = self.element(dtype)
        assert element is not None
        for part in element.with_parts():
            if not all(map(self.adapter.dtypes[dtype].holds, part.listed())):
                raise self._without_values()
        return element

    def _small_of(self, dtype: str, shape: Any) -> Expr:
        element = self._element_now(dtype)
        options: dict[str, Any] = {}
        if not self._takes_every(dtype):
            options["elements"] = element.strategy()
        held = self.adapter.dtypes[dtype].held_as
        return hnp.arrays(dtype=held, shape=shape, **options, **self._given("unique"))

    def _large_of_any(self, dtypes: tuple[str, ...], shape: Any) -> Expr:
        options = self._given("allow_nan", "allow_infinity", "unique", "contents")
        return _large_arrays(st.sampled_from(list(dtypes)), shape, options)

    def _large_of(self, dtype: str, shape: Any) -> Expr:
        element = self._element_now(dtype)
        plain = self._takes_every(dtype) or self.contents in (ONE_HOT, PROBABILITIES)
        options = {} if plain else element.array_options(self.adapter.dtypes[dtype])
        options = {"elements": element.strategy()} if options is None else options
        held = self.adapter.dtypes[dtype].held_as
        return _large_arrays(held, shape, options | self._given("unique", "contents"))

    def _given(self, *names: str) -> dict[str, Any]:
        """Return the options of these names that are not left out."""
        return {name: getattr(self, name) for name in names if getattr(self, name)}

    def _takes_every(self, dtype: str) -> bool:
        """Say whether every value of an exact dtype is allowed, which needs no `elements`."""
        plain = self.elements is None and not self._bounded
        return plain and self.adapter.dtypes[dtype].kind in ("bool", "int", "uint")

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        view = frameworks.view(value)
        if view is None or view.framework != self.adapter.name:
            yield Mismatch(at, self.adapter.called, value)
            return
        if view.dtype not in self.dtypes:
            wanted = self.dtypes[0] if len(self.dtypes) == 1 else f"one of {list(self.dtypes)}"
            yield Mismatch(f"{at}.dtype", wanted, view.dtype)
            return
        yield from self.structure.shape.mismatches(view.shape, f"{at}.shape")
        yield from self._element_mismatches(value, view.dtype, at)

    def admits(self, elements: Any, dtype: str) -> bool:
        """Say whether an array of a dtype with the elements of a NumPy array is a value."""
        building = self.building(dtype)
        return (elements if building is None else building(elements)) in self

    def _element_mismatches(self, value: Any, dtype: str, at: str) -> Iterator[Mismatch]:
        element, array = self.element(dtype), self.adapter.elements(value)
        assert element is not None
        outside = first_outside(array, element, self.adapter.dtypes[dtype])
        if outside is not None:
            index, item, expected = outside
            yield Mismatch(f"{at}{index}", expected, item)
        elif self.unique and has_repeated(array):
            yield Mismatch(at, "elements that all differ", value)
        elif self.contents is not None:
            yield from contents_mismatches(array, self.adapter.dtypes[dtype], self.contents, at)


@dataclass(frozen=True, eq=False, repr=False)
class NpArrays(ArrayConstraint, name="np_arrays"):
    """NumPy arrays of a dtype and a shape; finite unless allowed."""

    of_framework: ClassVar[str] = "numpy"

    dtype: Any = None
    shape: Any = None
    _: KW_ONLY
    np_type: InitVar[Any] = None

    def __post_init__(self, min_value: Any, max_value: Any, np_type: Any) -> None:
        self._keep("dtype", merge_alias(self.name, "dtype", self.dtype, "np_type", np_type))
        super().__post_init__(min_value, max_value)


def _bound(owner: str, name: str, bound: Any) -> Any:
    if isinstance(bound, str):
        return read_bound(owner, name, bound)
    return bound if isinstance(bound, int) else real(owner, name, bound)


def _shares_of(dtype: DType) -> Constraint:
    """Return the constraint of zeros and ones, and of floats what lies between."""
    if dtype.kind == "bool":
        return Bools()
    return Floats(0, 1, width=dtype.bits) if dtype.kind == "float" else Ints(0, 1)


def _large_arrays(dtype: Any, shape: Any, options: dict[str, Any]) -> Expr:
    call = ours.arrays(dtype=dtype, shape=shape, **options)
    return by_recipe(call, "array_recipes")


def by_recipe(call: Call, recipes: str) -> ByRecipe:
    """Return a strategy of which a function with the same arguments draws the recipes."""
    return ByRecipe(call, Call(Ref("annotest.plan.arrays", recipes), call.args, call.kwargs))
