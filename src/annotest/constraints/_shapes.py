"""Shapes of arrays: shape tuples, and what may be given as the shape of an array."""

from __future__ import annotations

import math
import numbers
import operator
import sys
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._checking import checked_lengths
from annotest.constraints._choices import Froms
from annotest.constraints._containers import Tuples, wrong_length
from annotest.constraints._dims import NamedShape
from annotest.constraints._numbers import Ints
from annotest.constraints._sizes import Side, read_shape
from annotest.constraints._structure import NamedSides, Repeated, Row
from annotest.errors import InvalidAnnotation
from annotest.expr import Expr, hnp
from annotest.source import shown

MOST_DIMS = 32


@dataclass(frozen=True, eq=False, repr=False)
class NpShapes(Constraint, name="np_shapes"):
    """Shape tuples."""

    kind: ClassVar[type | None] = tuple

    _: KW_ONLY
    min_dims: int = 1
    max_dims: int | None = None
    min_side: int = 1
    max_side: int | None = None

    open_ends: ClassVar[Mapping[str, Any]] = {"max_dims": MOST_DIMS, "max_side": sys.maxsize}

    def __post_init__(self) -> None:
        checked_lengths(self, self.min_dims, self.max_dims, ("min_dims", "max_dims"))
        checked_lengths(self, self.min_side, self.max_side, ("min_side", "max_side"))
        if max(self.dims) > MOST_DIMS:
            raise self.refuse(
                f"has too many dimensions: NumPy takes {MOST_DIMS} at most", "lower max_dims"
            )

    @property
    def dims(self) -> tuple[int, int]:
        """The smallest and the largest number of dimensions."""
        high = self.max_dims
        return self.min_dims, min(self.min_dims + 2, MOST_DIMS) if high is None else high

    @property
    def sides(self) -> tuple[int, int]:
        """The smallest and the largest side."""
        return self.min_side, self.min_side + 5 if self.max_side is None else self.max_side

    @cached_property
    def structure(self) -> Repeated:
        return Repeated(tuple, self.dims, Ints(*self.sides))

    def beyond(self) -> Iterator[Constraint]:
        if self.min_side:
            side = self.min_side - 1
            yield replace(self, min_side=side, max_side=side)
        if self.min_dims:
            dims = self.min_dims - 1
            yield replace(self, min_dims=dims, max_dims=dims)

    def strategy(self) -> Expr:
        (low_dims, high_dims), (low, high) = self.dims, self.sides
        return hnp.array_shapes(min_dims=low_dims, max_dims=high_dims, min_side=low, max_side=high)

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        if not isinstance(value, tuple):
            yield Mismatch(at, "a shape tuple", value)
            return
        yield from wrong_length(value, *self.dims, at)
        for place, side, item in self.parts(value):
            yield from side.mismatches(item, f"{at}[{place}]")


def shape_constraint(owner: str, shape: Any) -> Constraint:
    """Return the constraint of a shape: given as one, as a size, or as sizes and constraints."""
    if shape is None:
        return NpShapes()
    if isinstance(shape, Constraint):
        return Tuples(shape) if shape.structure.is_whole else shape
    if isinstance(shape, str):
        read_shape(owner, shape)
        return NamedShape(shape)
    if isinstance(shape, numbers.Integral) and not isinstance(shape, bool):
        shape = (shape,)
    if isinstance(shape, (tuple, list)) and all(_is_side(side) for side in shape):
        if any(isinstance(side, Constraint) for side in shape):
            return Tuples(*(s if isinstance(s, Constraint) else Ints(s, s) for s in shape))
        return Froms([tuple(operator.index(side) for side in shape)])
    raise InvalidAnnotation(
        f"{owner}: a shape is a tuple of sizes or a constraint, got {shown(shape)}",
        "write shape=(3, 4), shape='b 3 h w' or shape=np_shapes(min_dims=2)",
    )


def named_shape(shape: Any) -> Any:
    """Return a shape with names in it as text; others as they are, lists as tuples."""
    if not isinstance(shape, tuple | list):
        return shape
    named = any(isinstance(side, str) or side is ... for side in shape)
    if named and all(type(side) in (str, int) or side is ... for side in shape):
        return " ".join("..." if side is ... else str(side).replace(" ", "") for side in shape)
    return tuple(shape)


def _is_side(side: Any) -> bool:
    if isinstance(side, Constraint):
        return True
    return (
        isinstance(side, numbers.Integral)
        and not isinstance(side, bool)
        and 0 <= operator.index(side) <= sys.maxsize
    )


def elements_between(shape: Constraint) -> tuple[float, float]:
    """Return how few and how many elements an array can have; infinity where that is open."""
    made_of = shape.structure
    if isinstance(made_of, Repeated) and made_of.element is not None:
        (low, high), (few, many) = _ends(made_of.element), made_of.lengths
        return _power(low, few) if low else 0, _power(max(1, high), many)
    if isinstance(made_of, Row):
        ends = [_ends(side) for side in made_of.elements]
        return math.prod(low for low, _ in ends), math.prod(high for _, high in ends)
    if isinstance(made_of, NamedSides):
        return math.prod(_known_size(side) for side in made_of.sides), math.inf
    sizes = [_size(listed) for listed in shape.listed()]
    return min(sizes, default=0), max(sizes, default=math.inf)


def least_sides(shape: Constraint) -> int | tuple[int, ...] | None:
    """Return how small each side can be, or all of them; None where shapes are of few kinds."""
    made_of = shape.structure
    if isinstance(made_of, Repeated) and made_of.element is not None:
        return int(_ends(made_of.element)[0])
    if isinstance(made_of, Row):
        return tuple(int(_ends(side)[0]) for side in made_of.elements)
    return None


def _power(side: float, dims: int) -> float:
    """Return a power; infinity where that takes long to tell, and is far too much."""
    return math.inf if dims * math.log2(side) > 64 else side**dims


def _known_size(side: Side) -> int:
    return side.size({}) if not (side.names or side.roots or side.is_open) else 1


def _size(shape: Any) -> float:
    return math.prod(shape) if isinstance(shape, tuple | list) else shape


def _ends(side: Constraint) -> tuple[float, float]:
    return side.structure.ends or (0, math.inf)
