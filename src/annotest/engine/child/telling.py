"""Failures as they are told: the fault, the call as Python, where the input came from."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

from annotest import frameworks
from annotest.engine.child.bench import Bench
from annotest.engine.child.calling import written_call, written_inputs
from annotest.engine.shards import digest
from annotest.events import InputDescribed, Progress
from annotest.facts import Failure, Fault, Origin
from annotest.plan.pickling import RecipeDumper
from annotest.plan.recipe import Start, started

PROGRESS_EVERY = 0.1


class Teller:
    """Tells of the calls of one target."""

    def __init__(self, bench: Bench) -> None:
        self._target, self._device = bench.target, bench.device
        self._folders = bench.folders
        self._send = bench.send
        self._told_at = 0.0
        self._dumper = RecipeDumper(bench.contents.planner.live)

    def progress(self, inputs_run: int, doing: str = "", shard: int = 0) -> None:
        """Tell how far the work has come, but not too often."""
        now = monotonic()
        if now - self._told_at > PROGRESS_EVERY:
            self._told_at = now
            self._send(Progress(self._target.info.id, inputs_run, doing, shard))

    def dump(self, recipes: dict[str, Any]) -> bytes:
        """Return recipes as bytes; nothing where they hold what cannot be pickled."""
        return self._dumper.dump(recipes)

    def call(self, recipes: dict[str, Any], items: int = 0) -> str:
        """Return the call as Python that can be pasted, or nothing where none was drawn.

        `items` are those of a lazy result that show a failure.
        """
        plan = self._target.plan
        assert plan is not None
        if not recipes and plan.draws:
            return ""
        with frameworks.on_device(self._device):
            return written_call(self._target, recipes, self._folders(), items)

    def described(self, recipes: dict[str, Any]) -> InputDescribed:
        """Return an input as it is shown."""
        return InputDescribed(self.call(recipes), written_inputs(self._target, recipes))

    def failure(
        self,
        fault: Fault,
        recipes: dict[str, Any],
        data: bytes,
        origin: Origin,
        start: Start | None = None,
    ) -> Failure:
        """Return a fault with the input that showed it, and how its random numbers began."""
        origin = replace(origin, digest=digest(data))
        if start is not None:
            recipes = started(recipes, start)
            data = self.dump(recipes)
        return fault.on(
            self._target.info.id,
            self.call(recipes, fault.items),
            written_inputs(self._target, recipes),
            origin=origin,
            recipe=data,
        )
