"""`batch_independent`: what is computed of one item does not depend on the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from annotest import frameworks
from annotest.oracles.batches import Batch, Inseparable, batch_of, is_valid, part_of
from annotest.oracles.calls import CallOracle, Objection, is_in_training
from annotest.oracles.comparing import (
    LEAST_ELEMENTS,
    Leaf,
    Rounding,
    changes,
    difference,
    eps_of,
    kept,
)
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import Again, Returned, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import batch_independent


@judges_calls(batch_independent)
class BatchIndependent(CallOracle):
    """Makes the call with either half of the batch, and compares what has the batch in it.

    Modules are judged in eval mode only. A difference is not held against a function whose result
    depends as much on rounding of its inputs, or that draws random numbers, nor where half a batch
    is no valid input.
    """

    name = batch_independent.name

    def remembered(self, call: TargetCall) -> Any:
        """Leave out modules in train mode, and calls without two items."""
        if is_in_training(call):
            return None
        batch = batch_of(call, call.values, self.options.get("axis", 0))
        return None if batch is None or batch.size < 2 else batch

    def objections(
        self, call: TargetCall, result: Any, state: Batch, again: Again
    ) -> Iterator[Objection]:
        """Yield what is otherwise where the first or the last items of the batch are alone."""
        halves = _Halves(call, kept(result), state, again)
        if reason := halves.difference():
            yield Objection(reason)


class _Halves:
    """The calls with either half of a batch."""

    def __init__(self, call: TargetCall, whole: list[Leaf], batch: Batch, again: Again) -> None:
        self._call, self._whole, self._batch, self._again = call, whole, batch, again
        self._middle = batch.size // 2

    def difference(self) -> str:
        """Say what is otherwise with half of the batch; nothing where nothing is."""
        values = self._again.built()
        for start, stop in ((0, self._middle), (self._middle, self._batch.size)):
            if reason := self._of_part(values, start, stop):
                return reason
        return ""

    def _of_part(self, values: dict[str, Any], start: int, stop: int) -> str:
        try:
            parts = part_of(self._call, values, self._batch, start, stop)
        except Inseparable:
            return ""
        outcome = self._again(parts)
        if not isinstance(outcome, Returned):
            return ""  # calls with so few items are made for themselves
        pairs = list(self._pairs(kept(outcome.value), start, stop))
        side = f"first {stop}" if start == 0 else f"last {stop - start}"
        when = f"when the {side} of {self._batch.size} along axis {self._batch.axis} are alone"
        was, now = [one for one, _ in pairs], [other for _, other in pairs]
        if not difference(was, now, None, when):
            return ""
        rounding = Rounding.of(self._call)
        found = difference(was, now, rounding, when)
        if not found or not is_valid(self._call, {**values, **parts}) or self._is_random():
            return ""
        return difference(was, now, self._as_sensitive(rounding), when)

    def _pairs(self, part: list[Leaf], start: int, stop: int) -> Iterator[tuple[Leaf, Leaf]]:
        """Yield what has the batch along its axis, as it was and with that of the part in it."""
        axis, of_part = self._batch.axis, {leaf.where: leaf for leaf in part}
        for leaf in self._whole:
            other = of_part.get(leaf.where)
            if other is None or len(leaf.shape) <= axis or len(other.shape) <= axis:
                continue
            if (leaf.shape[axis], other.shape[axis]) == (self._batch.size, stop - start):
                yield leaf, _put(other, leaf, axis, start, stop)

    def _is_random(self) -> bool:
        """Say whether the call draws random numbers, of which half a batch gets other ones."""
        self._again.built()
        before = _states()
        self._again({})
        return before != _states()

    def _as_sensitive(self, rounding: Rounding) -> Rounding:
        """Return what is allowed of a function that is so sensitive to rounding of its inputs."""
        values = self._again.built()
        _nudge(list(values.values()))
        near = self._again(values)
        now = kept(near.value) if isinstance(near, Returned) else self._whole
        moved = changes(self._whole, now).items()
        return replace(rounding, known={where: LEAST_ELEMENTS * much for where, much in moved})


def _states() -> list[Any]:
    """Return where the random numbers of the process are."""
    return [source.state() for source in frameworks.random_sources()]


def _put(part: Leaf, whole: Leaf, axis: int, start: int, stop: int) -> Leaf:
    """Return the whole with a part in its place; the part itself if it does not fit there."""
    place = (slice(None),) * axis + (slice(start, stop),)
    if (part.dtype, part.shape) != (whole.dtype, whole.value[place].shape):
        return part
    value = whole.value.copy()
    value[place] = part.value
    return replace(whole, value=value)


def _nudge(value: Any) -> None:
    """Move the floats of fresh arrays by a rounding or two, some up and some down."""
    import numpy as np

    for _, leaf in leaves(value):
        kind = frameworks.module_kind(type(leaf))
        for array in [leaf] if kind is None else kind.state(leaf).values():
            view = frameworks.view(array)
            if view is not None and (step := 2 * eps_of(view.dtype)):
                signs = np.random.default_rng(0).choice([-1, 1], view.shape)
                frameworks.load(view.framework).scale(array, 1 + step * signs)
