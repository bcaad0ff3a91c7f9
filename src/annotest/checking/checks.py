"""`annotest.check`: one function or class tested from within a test that a person wrote."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from annotest.checking import CheckFailed, CheckPassed
from annotest.checking.running import report_of
from annotest.checking.subject import Subject, subject_of
from annotest.cli.keywords import options_of
from annotest.cli.sizes import memory_for, processors
from annotest.engine.parent.options import RunOptions
from annotest.errors import UsageError, hides_from_pytest, is_recording
from annotest.process import MEGABYTE
from annotest.reports.checked import headline_of, is_passed, text_of

__tracebackhide__ = hides_from_pytest


def passed(target: Any, given: dict[str, Any]) -> CheckPassed:
    """Test a function, method or class with these options; raise CheckFailed unless it passes."""
    if is_recording():
        raise UsageError(
            "check is called while annotest imports this module to test what is in it; "
            'call it in a test function, or below if __name__ == "__main__":'
        )
    subject = subject_of(target)
    report = report_of(_options(subject, given))
    text = text_of(report)
    if not is_passed(report):
        raise CheckFailed(f"{headline_of(report, subject.name)}\n\n{text}")
    names = tuple(result.target.qualname for result in report.results)
    inputs_run = sum(result.inputs_run for result in report.results)
    return CheckPassed(names, inputs_run, report.seed, report.seconds, text)


def _options(subject: Subject, given: dict[str, Any]) -> RunOptions:
    given = {**_share(), **{name: value for name, value in given.items() if value is not None}}
    options = options_of(tuple(subject.modules), given)
    return replace(
        options,
        # an annotated class is tested as in a run, and so are its methods that nobody annotated
        every=not (subject.is_class and subject.annotated),
        only=subject.targets,
        known_as=tuple(subject.modules.items()),
    )


def _share() -> dict[str, Any]:
    """Return what a process of pytest-xdist may use: the others test at the same time."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    if count == 1:
        return {}
    workers = max(1, processors() // count)
    memory = memory_for(workers * count) // MEGABYTE  # 0 where the system does not tell
    return {"workers": workers, **({"max_memory": memory} if memory else {})}
