"""The ways in which a framework's array is made of NumPy's: one for each layout it may have."""

from __future__ import annotations

from annotest import frameworks
from annotest.constraints._arrays import ArrayConstraint
from annotest.frameworks import Framed


def ways_of(constraint: ArrayConstraint, dtype: str) -> tuple[Framed, ...]:
    """Return the ways to make arrays of one shape and a dtype; none where they are NumPy's."""
    framed, layouts = constraint.building(dtype), constraint.layouts()
    if framed is None or not layouts:
        return () if framed is None else (framed,)
    return ways_to_frame(framed, layouts, constraint.shape)


def ways_to_frame(
    framed: Framed, layouts: tuple[str, ...], shape: tuple[int, ...]
) -> tuple[Framed, ...]:
    """Return how arrays of a shape are made: half of them plain, where that is allowed."""
    adapter = frameworks.load(framed.framework)
    plain = adapter.layouts[0]
    fitting = [name for name in layouts if adapter.has_layout(name, shape)]
    odd = [framed.laid_out(name) for name in fitting if name != plain]
    return (framed,) * (len(odd) or 1) * (plain in fitting or not odd) + tuple(odd)
