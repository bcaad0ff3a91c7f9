"""A child that died, hung, or took too much: what is said of it."""

from __future__ import annotations

from dataclasses import replace

from annotest import process
from annotest.engine.postmortem import read_dump
from annotest.facts import Fault, TargetInfo
from annotest.kinds import Kind, Verdict
from annotest.oracles.crash import died, place_of
from annotest.oracles.project import Project
from annotest.oracles.verdicts import by_guess, leave_out
from annotest.process.limits import Limits, size_text
from annotest.records import record

BEFORE_CALL = (process.DRAWING, process.BUILDING)


@record
class Death:
    """How a child ended: what it was doing, its status, and the limit for which it was killed."""

    phase: int
    status: int
    exceeded: Kind | None
    output: str


def fault_of(
    death: Death, info: TargetInfo, project: Project, limits: Limits, call_limit: float
) -> Fault:
    """Describe a death as a fault of the target."""
    kind, message = _cause(death, limits, call_limit)
    # where nothing was dumped, what looks like a dump is the program's output
    dumped = death.exceeded or process.is_own_fault(death.status)
    frames, output = read_dump(death.output) if dumped else (None, death.output)
    ending = "" if death.exceeded else process.describe_status(death.status)
    fault = _by_guess(died(kind, info, message, ending, output), death)
    if frames is None:
        return fault
    location, key = place_of(frames, project, kind, info.id)
    # a hang is caught at any line of its loop: its target alone identifies it
    key = key if kind is Kind.DIED else fault.fingerprint
    return replace(fault, frames=frames, location=location, fingerprint=key)


def _by_guess(fault: Fault, death: Death) -> Fault:
    """Return a fault as a note where a limit was reached that nobody said is enough."""
    if fault.target.annotated:
        return fault
    if not death.exceeded:
        return replace(fault, remarks=(by_guess(fault.target),))
    remarks = fault.message, leave_out(fault.target)
    return replace(fault, verdict=Verdict.NOTE, remarks=remarks)


def _cause(death: Death, limits: Limits, call_limit: float) -> tuple[Kind, str]:
    building = death.phase in BEFORE_CALL
    what = "building the input" if building else "the call"
    if death.exceeded is None:
        return _died(death)
    if death.exceeded is Kind.TIMEOUT:
        limit = max(call_limit, limits.call) if building else call_limit
        said = f"{what} took longer than {limit:g} s"
    elif death.exceeded is Kind.MEMORY:
        said = f"{what} used more than {size_text(limits.memory)} of memory"
    else:
        said = f"{what} printed more than {size_text(limits.output)}"
    return Kind.GENERATOR if building else death.exceeded, said


def _died(death: Death) -> tuple[Kind, str]:
    what = process.describe_status(death.status)
    if death.phase in BEFORE_CALL:
        return Kind.GENERATOR, f"the process {what} while the input was built"
    when = "during" if death.phase == process.CALLING else "after"
    return Kind.DIED, f"the process {what} {when} the call"
