"""What a lane can have a worker do."""

from __future__ import annotations

from annotest.discovery.scan import ModuleFile
from annotest.engine.options import SearchOptions
from annotest.events import Failure, Origin
from annotest.frozen import frozen
from annotest.writer.header import Header


@frozen
class Job:
    """Something to be done in a child."""


@frozen
class RunTarget(Job):
    """Search one target."""

    place: int
    options: SearchOptions
    call_limit: float


@frozen
class ShrinkInput(Job):
    """Make the input of a failure smaller."""

    place: int
    failure: Failure
    call_limit: float
    isolated: bool
    shielded: bool
    max_seconds: float


@frozen
class DescribeInput(Job):
    """Say which input this is, or which part of one."""

    place: int
    recipe: bytes
    is_part: bool = False


@frozen
class ReplayInput(Job):
    """Run one input again."""

    place: int
    recipe: bytes


@frozen
class AttemptInput(Job):
    """Make one attempt of another process's search, which that one may not die of."""

    place: int
    recipe: bytes
    count: int


NO_LONGER_VALID = "its input is no longer valid: the annotations have changed"

DAMAGED = "what is kept of its input is damaged"


@frozen
class Reproduce(Job):
    """Run the input of an earlier run's finding again."""

    place: int
    origin: Origin


@frozen
class WriteTests(Job):
    """Write the module's test file."""

    header: Header


@frozen
class ExplainTarget(Job):
    """Say how the inputs of a target are made."""

    place: int
    seed: int


@frozen
class OpenModule(Job):
    """Import and look at another module too, in this same process."""

    file: ModuleFile


def is_isolated(job: Job) -> bool:
    """Say whether a job makes its calls in children of its own."""
    if isinstance(job, RunTarget):
        return job.options.isolated
    return isinstance(job, ShrinkInput) and job.isolated
