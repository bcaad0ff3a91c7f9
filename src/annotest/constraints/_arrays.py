"""NumPy shapes and arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._base import (
    Broken,
    Constraint,
    Mismatch,
    merge_alias,
)
from annotest.constraints._complexes import Complexes
from annotest.constraints._contents import check_contents, contents_mismatches, fits_contents
from annotest.constraints._dims import NamedShape
from annotest.constraints._dtypes import DTYPES, NUMBERS, DType
from annotest.constraints._elements import first_outside, has_repeated
from annotest.constraints._numbers import Bools, Floats, Ints, real
from annotest.constraints._shapes import most_elements, named_shape, shape_constraint
from annotest.constraints._sizes import Meanings, Side
from annotest.constraints._structure import Shaped
from annotest.errors import InvalidAnnotation
from annotest.expr import ByRecipe, Expr, Ref, hnp, ours, st
from annotest.large import LARGE, ONE_HOT, PROBABILITIES
from annotest.source import shown

_PYTHON_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_SHORT_NAMES = {"int": "int64", "uint": "uint64", "float": "float64", "double": "float64"}


def dtype_text(owner: str, dtype: Any) -> str:
    """Return the name of a dtype given as text, Python type, NumPy type or dtype."""
    if not getattr(dtype, "isnative", True):
        raise InvalidAnnotation(
            f"{owner}: {shown(dtype)} has a byte order that is not this machine's",
            "take the dtype without '<' or '>'",
        )
    if isinstance(dtype, str):
        name = _SHORT_NAMES.get(dtype, dtype)
    elif isinstance(dtype, type):
        name = _PYTHON_TYPES.get(dtype, dtype.__name__)
    else:
        name = getattr(dtype, "name", None) or shown(dtype)
    if name.rstrip("_") in DTYPES:
        return name.rstrip("_")
    raise InvalidAnnotation(
        f"{owner}: unknown dtype {shown(dtype)}",
        f"use one of {', '.join(DTYPES)}",
    )


@dataclass(frozen=True, eq=False, repr=False)
class Same(Constraint):
    """One dtype for all arrays of a call that name it: `dtype=same("T", of=["float32", …])`."""

    name: ClassVar[str] = "same"
    positional: ClassVar[tuple[str, ...]] = ("label",)
    label: str
    of: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.isidentifier():
            raise InvalidAnnotation(
                f"same({shown(self.label)}) expects the name of a dtype to share",
                'write same("T")',
            )
        if self.of is not None:
            listed = tuple(dtype_text("same", one) for one in self.of)
            object.__setattr__(self, "of", listed)
            if not listed:
                raise InvalidAnnotation(
                    f"same({self.label!r}, of=[]) allows nothing", "list some dtypes"
                )

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes that it may be."""
        return tuple(NUMBERS) if self.of is None else tuple(self.of)


@dataclass(frozen=True, eq=False, repr=False)
class NpArrays(Constraint, name="np_arrays"):
    """NumPy arrays of a dtype and a shape; finite unless allowed."""

    hashable: ClassVar[bool] = False

    dtype: Any = None
    shape: Any = None
    _: KW_ONLY
    min: float | None = None
    max: float | None = None
    exclude_min: bool = False
    exclude_max: bool = False
    elements: Constraint | None = None
    unique: bool = False
    allow_nan: bool = False
    allow_infinity: bool = False
    contents: str | None = None
    np_type: InitVar[Any] = None
    min_value: InitVar[float | None] = None
    max_value: InitVar[float | None] = None

    def __post_init__(self, np_type: Any, min_value: Any, max_value: Any) -> None:
        dtype = merge_alias("np_arrays", "dtype", self.dtype, "np_type", np_type)
        if dtype is not None and not isinstance(dtype, Constraint):
            dtype = dtype_text("np_arrays", dtype)
        self._keep("dtype", dtype)
        low = merge_alias("np_arrays", "min", self.min, "min_value", min_value)
        high = merge_alias("np_arrays", "max", self.max, "max_value", max_value)
        self._keep("min", low if isinstance(low, int) else real("np_arrays", "min", low))
        self._keep("max", high if isinstance(high, int) else real("np_arrays", "max", high))
        self._keep("shape", named_shape(self.shape))
        shape_constraint("np_arrays", self.shape)
        if self.elements is not None and not isinstance(self.elements, Constraint):
            raise InvalidAnnotation(
                f"np_arrays(elements={shown(self.elements)}) expects a constraint",
                "write elements=ints(…) or elements=floats(…)",
            )
        for part, name in ((self.elements, "elements"), (self.shape, "shape")):
            if isinstance(part, Constraint) and part.is_built_late():
                raise InvalidAnnotation(
                    f"np_arrays({name}={part!r}) needs values that are known when arrays are drawn",
                    "leave .map and objs out, or build the array in a generator",
                )
        if self.elements is not None and self._bounded:
            raise self.refuse("bounds its elements twice", "use elements, or min and max")
        check_contents(self)
        if not self.dtypes:
            raise self.refuse(
                f"allows nothing: no value of {self.dtype or 'any dtype'} lies in the range",
                "widen the range or take another dtype",
            )

    @classmethod
    def hinted(cls) -> str:
        return "ndarray"

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def _bounded(self) -> bool:
        return self.min is not None or self.max is not None

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes whose values can lie in the range."""
        if isinstance(self.dtype, Same):
            named = self.dtype.dtypes
        elif isinstance(self.dtype, Broken):
            return tuple(NUMBERS)  # it is told by itself
        elif isinstance(self.dtype, Constraint):
            named = tuple(dtype_text("np_arrays", one) for one in self.dtype.listed())
            if not named:
                raise self.refuse(
                    f"has a wrong dtype: {self.dtype!r}", "list the dtypes: froms(['float32', …])"
                )
        else:
            named = tuple(NUMBERS) if self.dtype is None else (self.dtype,)
        fitting = (name for name in named if fits_contents(name, self.contents))
        return tuple(name for name in fitting if self.element(name) is not None)

    @cached_property
    def structure(self) -> Shaped:
        return Shaped(shape_constraint("np_arrays", self.shape))

    def named_sides(self) -> tuple[Side, ...]:
        return NamedShape(self.shape).sides if isinstance(self.shape, str) else ()

    def shared_dtype(self) -> str:
        return self.dtype.label if isinstance(self.dtype, Same) else ""

    def sized(self, names: Meanings) -> Constraint:
        made = super().sized(names)
        if isinstance(self.shape, str):
            object.__setattr__(made, "shape", NamedShape(self.shape).filled(names))
        if self.shared_dtype() in names.dtypes:
            object.__setattr__(made, "dtype", names.dtypes[self.shared_dtype()])
        return made

    def element(self, dtype: str) -> Constraint | None:
        """Return the constraint of one element of that dtype, None where there is none."""
        if self.contents in (ONE_HOT, PROBABILITIES):
            return _shares_of(DTYPES[dtype])
        if self.elements is not None:
            return self.elements.as_element(DTYPES[dtype])
        try:
            return self._bounded_element(DTYPES[dtype])
        except InvalidAnnotation:
            return None  # the range holds no value of this dtype

    def _bounded_element(self, dtype: DType) -> Constraint | None:
        special = {"allow_nan": self.allow_nan, "allow_infinity": self.allow_infinity}
        if dtype.is_whole:
            low, high = self._int_range(dtype)
            return Ints(low, high) if low <= high else None
        if dtype.kind == "float":
            ends = {"exclude_min": self.exclude_min, "exclude_max": self.exclude_max}
            return Floats(self.min, self.max, **ends, **special, width=dtype.bits)
        if self._bounded:
            raise self.refuse(f"bounds {dtype.name} values", "drop min and max")
        return Bools() if dtype.kind == "bool" else Complexes(**special, width=dtype.bits)

    def _int_range(self, dtype: DType) -> tuple[int, int]:
        low, high = dtype.range
        if self.min is not None:
            start = -int(-self.min // 1)
            low = max(low, start + (self.exclude_min and start == self.min))
        if self.max is not None:
            end = int(self.max // 1)
            high = min(high, end - (self.exclude_max and end == self.max))
        return low, high

    def strategy(self) -> Expr:
        shape: Any = shape_constraint("np_arrays", self.shape).strategy()
        if isinstance(self.shape, tuple) and all(type(side) is int for side in self.shape):
            shape = self.shape
        elif type(self.shape) is int:
            shape = (self.shape,)
        small = self._is_small()
        if len(self.dtypes) > 1 and self.elements is None and not self._bounded:
            return self._small_of_any(shape) if small else self._large_of_any(shape)
        of = self._small_of if small else self._large_of
        arrays = [of(dtype, shape) for dtype in self.dtypes]
        return arrays[0] if len(arrays) == 1 else st.one_of(*arrays)

    def _is_small(self) -> bool:
        """Say whether Hypothesis' own arrays will do: no array has many elements."""
        if self.contents is not None:
            return False  # they have no such contents
        return most_elements(shape_constraint("np_arrays", self.shape)) <= LARGE

    def _small_of_any(self, shape: Any) -> Expr:
        special = {"allow_nan": self.allow_nan, "allow_infinity": self.allow_infinity}
        dtypes = st.sampled_from(list(self.dtypes))
        return hnp.arrays(dtype=dtypes, shape=shape, elements=special, **self._given("unique"))

    def _small_of(self, dtype: str, shape: Any) -> Expr:
        element = self.element(dtype)
        assert element is not None
        options: dict[str, Any] = {}
        if not self._takes_every(dtype):
            options["elements"] = element.strategy()
        return hnp.arrays(dtype=dtype, shape=shape, **options, **self._given("unique"))

    def _large_of_any(self, shape: Any) -> Expr:
        options = self._given("allow_nan", "allow_infinity", "unique", "contents")
        return _large_arrays(st.sampled_from(list(self.dtypes)), shape, options)

    def _large_of(self, dtype: str, shape: Any) -> Expr:
        element = self.element(dtype)
        assert element is not None
        plain = self._takes_every(dtype) or self.contents in (ONE_HOT, PROBABILITIES)
        options = {} if plain else element.array_options(DTYPES[dtype])
        options = {"elements": element.strategy()} if options is None else options
        return _large_arrays(dtype, shape, options | self._given("unique", "contents"))

    def _given(self, *names: str) -> dict[str, Any]:
        """Return the options of these names that are not left out."""
        return {name: getattr(self, name) for name in names if getattr(self, name)}

    def _takes_every(self, dtype: str) -> bool:
        """Say whether every value of an exact dtype is allowed, which needs no `elements`."""
        plain = self.elements is None and not self._bounded
        return plain and DTYPES[dtype].kind in ("bool", "int", "uint")

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        adapter = frameworks.adapter_of(value)
        view = adapter.view(value) if adapter else None
        if view is None or view.framework != "numpy":
            yield Mismatch(at, "a NumPy array", value)
            return
        if view.dtype not in self.dtypes:
            wanted = self.dtypes[0] if len(self.dtypes) == 1 else f"one of {list(self.dtypes)}"
            yield Mismatch(f"{at}.dtype", wanted, view.dtype)
            return
        yield from shape_constraint("np_arrays", self.shape).mismatches(view.shape, f"{at}.shape")
        yield from self._element_mismatches(value, view, at)

    def _element_mismatches(self, value: Any, view: Any, at: str) -> Iterator[Mismatch]:
        element = self.element(view.dtype)
        assert element is not None
        found = first_outside(value, element, DTYPES[view.dtype])
        if found is not None:
            index, item, expected = found
            yield Mismatch(f"{at}{index}", expected, item)
        elif self.unique and has_repeated(value):
            yield Mismatch(at, "elements that all differ", value)
        elif self.contents is not None:
            yield from contents_mismatches(value, self.contents, at)


def _shares_of(dtype: DType) -> Constraint:
    """Return the constraint of zeros and ones, and of floats what lies between."""
    if dtype.kind == "bool":
        return Bools()
    return Floats(0, 1, width=dtype.bits) if dtype.kind == "float" else Ints(0, 1)


def _large_arrays(dtype: Any, shape: Any, options: dict[str, Any]) -> Expr:
    call = ours.arrays(dtype=dtype, shape=shape, **options)
    return ByRecipe(call, Ref("annotest.plan.arrays", "array_recipes"))
