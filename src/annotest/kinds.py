"""The words for what happened, as enums: each is its own text, on screens and in files alike."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """In which way a call failed, or the import or the file of a module."""

    EXCEPTION = "exception"
    EXIT = "exit"
    DIED = "died"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    GENERATOR = "generator"
    IMPORT = "import"
    SYNTAX = "syntax"
    ORACLE = "oracle"  # it ended as calls should, and an oracle finds fault with it


class Status(StrEnum):
    """How a target fared."""

    PASSED = "passed"
    FAILED = "failed"
    STARVED = "starved"
    BLOCKED = "blocked"
    SKIPPED = "skipped"
    ERROR = "error"
    LISTED = "listed"
    UNFINISHED = "unfinished"
    PREVENTED = "prevented"
    ENVIRONMENT = "environment"
    NOTED = "noted"


class Verdict(StrEnum):
    """What a failure is taken for."""

    BUG = "bug"
    REJECTED = "rejected input"  # by the function's own check
    GENERATOR_ERROR = "generator error"
    FLAKY = "flaky"
    ENVIRONMENT = "environment"  # something outside the project is missing
    SUSPICIOUS = "suspicious"  # nobody has promised otherwise
    BEYOND = "beyond"  # on an input just outside the annotation
    NOTE = "note"  # nobody has said that this code is to be tested


# verdicts that are no findings, in the order shown: how a target fares that shows nothing else
ASIDES = {
    Verdict.ENVIRONMENT: Status.ENVIRONMENT,
    Verdict.SUSPICIOUS: Status.PASSED,
    Verdict.BEYOND: Status.PASSED,
    Verdict.NOTE: Status.NOTED,
}


def status_of(verdict: Verdict) -> Status:
    """Return how a target fares that shows nothing but failures with this verdict."""
    return ASIDES.get(verdict, Status.FAILED)


class KeptAs(StrEnum):
    """What was last known of a finding that a project keeps."""

    FAILING = "failing"
    FIXED = "fixed"


class Standing(StrEnum):
    """Where a finding stands when it is replayed."""

    FIXED = "FIXED"
    STILL_FAILING = "STILL FAILING"
    CHANGED = "CHANGED"
    PREVENTED = "PREVENTED"
