"""For tests that people write: `check` tests one function, `check_call` judges one call.

What they need is imported when they are called: annotated programs import this module too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotest.errors import AnnotestError, hides_from_pytest
from annotest.records import record

__tracebackhide__ = hides_from_pytest


class CheckFailed(AnnotestError, AssertionError):
    """What was checked has failed, or could not be tested; the text is the report."""


@record
class CheckPassed:
    """What was tested, and with how many inputs; as text, the report of the run."""

    targets: tuple[str, ...]
    inputs_run: int
    seed: int
    seconds: float
    text: str

    def __str__(self) -> str:
        return self.text


@record
class CallCheck:
    """Whether a call is valid: true or false, and as text why not.

    `undecided` are the arguments about which nobody but a generator or a function could tell.
    """

    reasons: tuple[str, ...]
    undecided: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.reasons

    def __str__(self) -> str:
        if self.reasons:
            return "\n".join(self.reasons)
        unsure = ", ".join(self.undecided)
        return f"valid, as far as can be told: not {unsure}" if unsure else "valid"


# where people import them from
CheckFailed.__module__ = CheckPassed.__module__ = CallCheck.__module__ = "annotest"


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
    device: str | None = None,
    processes: str | None = None,
    database: str | None = None,
    no_database: bool = False,
) -> CheckPassed:
    """Test an annotated function, method or class in processes of its own.

    Raises CheckFailed with the findings as `annotest run` shows them, and where anything keeps it
    from being tested. The options are those of `annotest run`, but for the seed: it is 0, so that
    a test does the same each time, and None for a random one.
    """
    options = {name: value for name, value in locals().items() if name != "target"}
    from annotest.checking.checks import passed

    return passed(target, options)


def check_call(function: Any, /, *args: Any, **kwargs: Any) -> CallCheck:
    """Say whether the annotations of a function, method or class allow a call; nothing is called.

    A method takes its instance first, unless it is bound to one.
    """
    from annotest.checking.calls import judged

    return judged(function, args, kwargs)


def value(text: str, /) -> Any:
    """Build again a value that a report could not write as source: it gives the text for it.

    The module of the function whose argument it was is imported, and must say of it what it said.
    """
    from annotest.checking.values import rebuilt

    return rebuilt(text)
