"""`annotest.check`: one function or class tested from within a test that a person wrote."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from annotest.checking.running import report_of
from annotest.checking.subject import Subject, subject_of
from annotest.cli.keywords import options_of
from annotest.cli.sizes import memory_for, processors
from annotest.errors import AnnotestError, UsageError, hides_from_pytest, is_recording
from annotest.process import MEGABYTE
from annotest.records import record
from annotest.reports.checked import headline_of, is_passed, text_of

__tracebackhide__ = hides_from_pytest


class CheckFailed(AnnotestError, AssertionError):
    """What was checked has failed, or could not be tested; the text is the report."""


@record
class Checked:
    """What was tested, and with how many inputs; as text, the report of the run."""

    targets: tuple[str, ...]
    inputs_run: int
    seed: int
    seconds: float
    text: str

    def __str__(self) -> str:
        return self.text


CheckFailed.__module__ = Checked.__module__ = "annotest"  # where people import them from


def check(
    target: Any,
    /,
    *,
    seed: int | None = 0,
    max_examples: int | None = None,
    target_time: float | None = None,
    max_time: float | None = None,
    timeout: float | None = None,
    max_memory: str | int | None = None,
    max_output: str | int | None = None,
    max_items: int | None = None,
    items_share: float | None = None,
    allow: str | Iterable[str] = (),
    no_guard: bool = False,
    work_in: str | None = None,
    workers: int | None = None,
    processes: str | None = None,
    database: str | None = None,
    no_database: bool = False,
) -> Checked:
    """Test an annotated function, method or class in processes of its own.

    Raises CheckFailed with the findings as `annotest run` shows them, and where anything keeps it
    from being tested. The options are those of `annotest run`, but for the seed: it is 0, so that
    a test does the same each time, and None for a random one.
    """
    given = {name: value for name, value in locals().items() if name != "target"}
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
    return Checked(names, inputs_run, report.seed, report.seconds, text)


def _options(subject: Subject, given: dict[str, Any]) -> Any:
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
    return {"workers": workers, "max_memory": memory_for(workers * count) // MEGABYTE}
