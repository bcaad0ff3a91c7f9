"""What failed and is not held against the code, on the screen: a line or two each."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from annotest.discovery.targets import MODULE
from annotest.kinds import ASIDES, Verdict
from annotest.reports.console import Console
from annotest.reports.findings import headline, where_of
from annotest.triage import Finding, Report

# of these the call is shown, which somebody will want to make
_WITH_CALL = (Verdict.SUSPICIOUS, Verdict.BEYOND)
_PLURALS = {Verdict.NOTE: "notes"}


def print_asides(console: Console, asides: list[Finding]) -> None:
    """Print each with its verdict, its place and what it is; what to do once for several."""
    for remedies, group in groupby(asides, key=_remedies):
        for aside in group:
            label = (f"{aside.verdict} ", "bold yellow")
            console.say(label, _line(aside))
        for line in remedies:
            console.say(f"        {line}", style="dim")
    if asides:
        console.say()


def _remedies(aside: Finding) -> tuple[str, ...]:
    is_called = aside.verdict in _WITH_CALL
    return (*aside.failure.remarks[1:], *(aside.failure.call.splitlines() if is_called else ()))


def _line(aside: Finding) -> str:
    failure = aside.failure
    told = [headline(failure)] if aside.verdict in _WITH_CALL or not failure.remarks else []
    reason = "; ".join([*told, *failure.remarks[:1]])
    name = "" if failure.target.kind == MODULE else f"{failure.target.qualname}: "
    return f"{where_of(failure)}: {name}{reason}"


def counted(report: Report) -> list[str]:
    """Return how many there are of each verdict, of those alone that there are."""
    counts = Counter(aside.verdict for aside in report.asides)
    plurals = {verdict: _PLURALS.get(verdict, verdict) for verdict in ASIDES}
    return [
        f"{counts[verdict]} {verdict if counts[verdict] == 1 else plurals[verdict]}"
        for verdict in ASIDES
        if counts[verdict]
    ]
