"""A child that died, hung, or took too much: what is said of it."""

from __future__ import annotations

import hashlib

from annotest import process
from annotest.engine.outcome import Fault
from annotest.engine.postmortem import dumps_its_stack, read_dump
from annotest.events import TargetInfo
from annotest.frozen import frozen
from annotest.oracles.crash import Crash, Project, place_of
from annotest.process.limits import MEMORY, OUTPUT, TIME, Limits, size_text

BEFORE_CALL = (process.DRAWING, process.BUILDING)


@frozen
class Death:
    """How a child ended: what it was doing, its status, and the limit for which it was killed."""

    phase: int
    status: int
    exceeded: str
    output: str


def fault_of(
    death: Death, info: TargetInfo, project: Project, limits: Limits, call_limit: float
) -> Fault:
    """Describe a death as a fault of the target."""
    kind, message = _cause(death, limits, call_limit)
    # where nothing was dumped, what looks like a dump is the program's output
    dumped = death.exceeded or dumps_its_stack(death.status)
    frames, output = read_dump(death.output) if dumped else (None, death.output)
    location, key = None, fingerprint(kind, info, _ending(death))
    if frames is not None:
        location, placed = place_of(frames, project, kind, info.id)
        # a hang is caught at any line of its loop: its target alone identifies it
        key = placed if kind == "died" else key
    return Fault(kind, info, Crash("", message, frames, location, key), output)


def _ending(death: Death) -> str:
    """Say how a child ended, where nobody ended it for a limit."""
    return "" if death.exceeded else process.describe_status(death.status)


def fingerprint(kind: str, info: TargetInfo, ending: str = "") -> str:
    """Return the identity of a bug that has no trace: its kind, its target and how it ended."""
    parts = "\0".join(part for part in (kind, info.id, ending) if part)
    return hashlib.sha256(parts.encode("utf-8", "replace")).hexdigest()[:10]


def _cause(death: Death, limits: Limits, call_limit: float) -> tuple[str, str]:
    building = death.phase in BEFORE_CALL
    if death.exceeded == TIME and building:
        return (
            "generator",
            f"building the input took longer than {max(call_limit, limits.call):g} s",
        )
    if death.exceeded == TIME:
        return "timeout", f"the call took longer than {call_limit:g} s"
    what = "building the input" if building else "the call"
    if death.exceeded == MEMORY:
        used = f"{what} used more than {size_text(limits.memory)} of memory"
        return "generator" if building else "memory", used
    if death.exceeded == OUTPUT:
        printed = f"{what} printed more than {size_text(limits.output)}"
        return "generator" if building else "output", printed
    return _died(death)


def _died(death: Death) -> tuple[str, str]:
    what = process.describe_status(death.status)
    if death.phase in BEFORE_CALL:
        return "generator", f"the process {what} while the input was built"
    when = "during" if death.phase == process.CALLING else "after"
    return "died", f"the process {what} {when} the call"
