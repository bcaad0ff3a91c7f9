"""The run as JSON; `run.schema.json` beside this file describes it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from annotest.errors import Mistake
from annotest.events import Prevented
from annotest.facts import NotTestable, TargetInfo, TargetResult
from annotest.kinds import ASIDES, Kind, Status, Verdict
from annotest.reports.paths import readable_thing, relative
from annotest.triage import Finding, Report

FORMAT = 1


def schema() -> dict[str, Any]:
    """Return the JSON Schema of `annotest run --json`."""
    text = files("annotest.reports").joinpath("run.schema.json").read_text(encoding="utf-8")
    described: dict[str, Any] = json.loads(text)
    return described


def run_record(report: Report, version: str) -> dict[str, Any]:
    """Return a whole run as plain data."""
    return {
        "format": FORMAT,
        "annotest": version,
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        "exit_status": 130 if report.interrupted else report.exit_status(),
        "interrupted": report.interrupted,
        "summary": summary(report),
        "targets": [result_record(result) for result in report.results],
        "findings": [finding_record(finding) for finding in report.findings],
        "asides": [finding_record(aside) for aside in report.asides],
        "mistakes": [mistake_record(mistake) for mistake in report.mistakes],
        "not_testable": [not_testable_record(function) for function in report.not_testable],
        "warnings": list(report.notices),
        "prevented": [prevented_record(prevented) for prevented in report.prevented],
    }


def summary(report: Report) -> dict[str, Any]:
    """Return the numbers of a run."""
    return {
        "files": report.files,
        "targets": len(report.results),
        "inputs_run": sum(result.inputs_run for result in report.results),
        "inputs_discarded": sum(result.inputs_discarded for result in report.results),
        "passed": report.count(Status.PASSED),
        "failed": report.count(Status.FAILED),
        "starved": report.count(Status.STARVED),
        "blocked": report.count(Status.BLOCKED),
        "skipped": report.count(Status.SKIPPED),
        "prevented": report.count(Status.PREVENTED),
        "unfinished": sum(bool(result.unfinished) for result in report.results),
        "errors": report.count(Status.ERROR),
        "findings": len(report.findings),
        **{verdict: _count(report, verdict) for verdict in ASIDES},
        "mistakes": len(report.errors),
    }


def _count(report: Report, verdict: Verdict) -> int:
    return sum(aside.verdict is verdict for aside in report.asides)


def place_record(function: TargetInfo | NotTestable) -> dict[str, Any]:
    """Return where a function is."""
    return {
        "module": function.module,
        "qualname": function.qualname,
        "file": relative(function.file),
        "line": function.line,
    }


def result_record(result: TargetResult) -> dict[str, Any]:
    """Return how one target fared."""
    return {
        **place_record(result.target),
        "kind": result.target.kind,
        "status": result.status,
        "reason": result.reason,
        "blocked_by": result.blocked_by or None,
        "unfinished": result.unfinished or None,
        "inputs_run": result.inputs_run,
        "inputs_discarded": result.inputs_discarded,
        "seconds": round(result.seconds, 3),
        "inputs": dict(result.target.inputs),
        "preconditions": [
            {"text": rate.text, "asked": rate.asked, "held": rate.held}
            for rate in result.preconditions
        ],
    }


def finding_record(finding: Finding) -> dict[str, Any]:
    """Return one finding."""
    failure, place = finding.failure, finding.failure.location
    exception = None
    if failure.exception_type:
        exception = {"type": failure.exception_type, "message": failure.message}
    return {
        "id": finding.id,
        "target": place_record(failure.target),
        "kind": failure.kind,
        "verdict": finding.verdict,
        "exception": exception,
        "message": failure.message,
        "remarks": list(failure.remarks),
        "frames": None
        if failure.frames is None
        else [[relative(frame.file), frame.line, frame.function] for frame in failure.frames],
        "location": None if place is None else {"file": relative(place.file), "line": place.line},
        "call": failure.call,
        "inputs": dict(failure.inputs),
        "excluded_by": failure.excluded_by or None,
        "seconds_to_find": round(finding.seconds_to_find, 3),
        "also_in": list(finding.also_in),
        "flaky": finding.verdict is Verdict.FLAKY,
        "repeats": None
        if failure.repeats is None
        else {"failed": failure.repeats.failed, "times": failure.repeats.times},
        "output": failure.output,
        # only where it says something: which of the oracles it was
        **({"oracle": failure.oracle} if failure.kind is Kind.ORACLE else {}),
    }


def prevented_record(prevented: Prevented) -> dict[str, Any]:
    """Return one thing that the guard prevented."""
    return {
        "target": place_record(prevented.target),
        "action": prevented.action,
        "what": readable_thing(prevented.what),
        "allow": prevented.allow,
        "broke": prevented.broke,
        "call": prevented.call,
    }


def mistake_record(mistake: Mistake) -> dict[str, Any]:
    """Return one wrong annotation."""
    return {
        "file": relative(mistake.site.file),
        "line": mistake.site.line,
        "function": mistake.function,
        "annotation": mistake.annotation,
        "reason": mistake.reason,
        "remedy": mistake.remedy,
        "warning": mistake.warning,
    }


def not_testable_record(function: NotTestable) -> dict[str, Any]:
    """Return one function that is not tested."""
    told = {"reason": function.reason, "add": function.add, "annotated": function.annotated}
    return {**place_record(function), **told}
