"""Jobs that a lane gives to a worker: plain data. `child/doing.py` does them."""

from __future__ import annotations

from annotest.discovery.scan import ModuleFile
from annotest.engine.shards import SearchOptions
from annotest.facts import Failure, Origin
from annotest.records import record
from annotest.writer.header import Header


@record
class Job:
    """Something for a worker to do."""

    @property
    def makes_calls_apart(self) -> bool:
        """Whether its calls are made in processes below the one that does it."""
        return False


@record
class TargetJob(Job):
    """Something to be done in a child, with one of the module's targets."""

    place: int


@record
class RunTarget(TargetJob):
    """Search one target."""

    options: SearchOptions
    call_limit: float

    @property
    def makes_calls_apart(self) -> bool:
        return self.options.isolated


@record
class ShrinkInput(TargetJob):
    """Make the input of a failure smaller."""

    failure: Failure
    call_limit: float
    isolated: bool
    shielded: bool
    max_seconds: float

    @property
    def makes_calls_apart(self) -> bool:
        return self.isolated


@record
class ProbeTarget(TargetJob):
    """Make calls just outside the annotations of a target."""

    seed: int
    call_limit: float

    @property
    def makes_calls_apart(self) -> bool:
        return True


@record
class DescribeInput(TargetJob):
    """Say which input this is, or which part of one."""

    recipe: bytes
    is_part: bool = False


@record
class ReplayInput(TargetJob):
    """Run one input again."""

    recipe: bytes


@record
class AttemptInput(TargetJob):
    """Make one attempt of another process's search, which that one may not die of."""

    recipe: bytes


NO_LONGER_VALID = "its input is no longer valid: the annotations have changed"

DAMAGED = "what is kept of its input is damaged"


@record
class Reproduce(TargetJob):
    """Run the input of an earlier run's finding again."""

    origin: Origin


@record
class WriteTests(Job):
    """Write the module's test file."""

    header: Header


@record
class ExplainTarget(TargetJob):
    """Say how the inputs of a target are made."""

    seed: int


@record
class OpenModule(Job):
    """Import and look at another module too, in this same process."""

    file: ModuleFile
