"""Batches among the arguments of a call, and parts of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotest import frameworks
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import TargetCall
from annotest.plan.preconditions import PreconditionFailed
from annotest.records import record
from annotest.relations.arguments.dimensions import is_looked_into
from annotest.relations.arguments.sides import PlacedSide, placed_sides_of


class Inseparable(Exception):
    """Nobody knows what an argument is when there is a part of the batch only."""


@record
class Batch:
    """The dimension that a batch has along an axis: its size, and its name if it has one."""

    axis: int
    size: int
    name: str = ""


def batch_of(call: TargetCall, values: Mapping[str, Any], axis: int) -> Batch | None:
    """Return the batch of the first array among the arguments that has such an axis."""
    for name, value in _arguments(call, values):
        sides = _sides_of(call, name, value)
        for _, leaf in leaves(value):
            view = frameworks.view(leaf)
            if view is not None and len(view.shape) > axis:
                named = (side for place, side in sides.get(id(leaf), ()) if place == axis)
                names = [side.text for side in named if side.names == (side.text,)]
                return Batch(axis, view.shape[axis], "".join(names))
    return None


def part_of(
    call: TargetCall, values: Mapping[str, Any], batch: Batch, start: int, stop: int
) -> dict[str, Any]:
    """Return the arguments of a call with a part of its batch: those that are other ones then."""
    parts = {}
    for name, value in _arguments(call, values):
        if name == batch.name and type(value) is int:
            parts[name] = stop - start
            continue
        cut = _Cut(batch, start, stop, _sides_of(call, name, value))
        part = cut.part(value)
        if cut.has_cut:
            parts[name] = part
    return parts


def is_valid(call: TargetCall, parts: Mapping[str, Any]) -> bool:
    """Say whether the annotations allow a call with these arguments in place of its own."""
    plan = call.target.plan
    assert plan is not None
    values = {**call.seen, **parts}
    constraints = {p.name: p.constraint for p in plan.parameters if p.constraint is not None}
    if plan.sizes is not None and all(map(is_looked_into, constraints.values())):
        if not plan.sizes.agree(values):
            return False
        values |= plan.sizes.of(values)
    if not all(value in constraints[name] for name, value in parts.items() if name in constraints):
        return False
    try:
        return all(condition.holds(values) for condition in plan.preconditions)
    except PreconditionFailed:
        return False


def _arguments(call: TargetCall, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of a call in their order, without the instance of a method."""
    names = (p.name for p in call.target.signature.parameters)
    return ((name, values[name]) for name in names if name in values)


def _sides_of(call: TargetCall, name: str, value: Any) -> dict[int, list[PlacedSide]]:
    """Return the named sides of the arrays and lists in an argument."""
    parameters = call.target.signature.parameters
    constraint = next(p.constraint for p in parameters if p.name == name)
    if constraint is None:
        return {}
    return {id(item): sides for item, sides in placed_sides_of(constraint, value)}


class _Cut:
    """Makes a part of one argument."""

    def __init__(
        self, batch: Batch, start: int, stop: int, sides: dict[int, list[PlacedSide]]
    ) -> None:
        self._batch, self._start, self._stop, self._sides = batch, start, stop, sides
        self.has_cut = False

    def part(self, value: Any) -> Any:
        """Return the part of a value that goes with the part of the batch; itself if all does."""
        view = frameworks.view(value)
        if view is not None:
            return self._of_array(value, view)
        if type(value) is list and self._axes(value, ()):
            self.has_cut = True
            return value[self._start : self._stop]
        if type(value) in (list, tuple):
            return type(value)(map(self.part, value))
        if type(value) is dict:
            return {key: self.part(item) for key, item in value.items()}
        return value

    def _of_array(self, value: Any, view: frameworks.ArrayView) -> Any:
        adapter = frameworks.load(view.framework)
        for axis in self._axes(value, view.shape):
            value = adapter.part(value, axis, self._start, self._stop)
            self.has_cut = True
        return value

    def _axes(self, value: Any, shape: tuple[int, ...]) -> list[int]:
        """Return the axes along which a value has the batch: by name, else by size."""
        axis, name = self._batch.axis, self._batch.name
        sides = self._sides.get(id(value))
        if name and sides is not None:
            having = [place for place, side in sides if name in side.names]
            if len(having) > 1 or any(
                name in side.names and side.text != name for _, side in sides
            ):
                raise Inseparable  # as of "2*b", and of "b b"
            return having
        has_size = len(shape) > axis and shape[axis] == self._batch.size
        return [axis] if has_size else []
