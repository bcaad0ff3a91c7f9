"""`annotest list` on the screen: targets, what is not testable, what cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.console import Console, ConsoleOptions
from rich.control import strip_control_codes
from rich.segment import Segment
from rich.text import Text

from annotest.facts import NotTestable, TargetResult
from annotest.reports.asides import print_asides
from annotest.reports.console import plural
from annotest.reports.findings import headline, where_of
from annotest.reports.paths import readable
from annotest.reports.prevented import print_prevented
from annotest.reports.terminal import print_mistakes, print_own_failures
from annotest.triage import Report

_Piece = tuple[str, str]  # text, and its style


def print_listing(console: Console, report: Report) -> None:
    """Print every target, then every function that is not testable."""
    print_mistakes(console, report.mistakes)
    print_unread(console, report)
    print_prevented(console, report.prevented)
    _print_targets(console, report.results)
    print_not_testable(console, report.not_testable)
    total = len(report.results)
    console.print(
        Text(f"{plural(total, 'target')} · {len(report.not_testable):,} not testable", style="bold")
    )


def print_unread(console: Console, report: Report) -> None:
    """Print the modules that do not parse or cannot be imported, or on which annotest failed."""
    for finding in report.findings:
        failure = finding.failure
        told = f"{where_of(failure)}: {headline(failure)}"
        console.print(Text.assemble((f"{failure.kind} ", "bold red"), told))
    print_asides(console, report.asides)
    print_own_failures(console, report)
    if report.findings or report.internal_errors:
        console.print()


class _Lines:
    """Many lines of styled pieces: a Text of as many takes ten times as long to print."""

    def __init__(self, lines: Iterable[tuple[_Piece, ...]]) -> None:
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for line in self._lines:
            for text, style in line:
                kind = console.get_style(style) if style else None
                for number, part in enumerate(strip_control_codes(text).split("\n")):
                    if number:
                        yield Segment.line()
                    yield Segment(part.expandtabs(), kind)
            yield Segment.line()


def _print_targets(console: Console, results: list[TargetResult]) -> None:
    lines: list[tuple[_Piece, ...]] = []
    for file, group in groupby(results, key=lambda result: result.target.file):
        lines.append(((readable(file), "bold"),))
        for result in group:
            lines += _target_lines(result)
        lines.append(())
    console.print(_Lines(lines))


def _target_lines(result: TargetResult) -> list[tuple[_Piece, ...]]:
    info = result.target
    note = "  wrong annotation" if info.error else ""
    name = f"  {info.line:>5}  {info.qualname}"
    lines: list[tuple[_Piece, ...]] = [((name, ""), (f"  {info.kind}", "dim"), (note, "red"))]
    inputs = [f"{name}: {constraint}" for name, constraint in info.inputs]
    dims = ", ".join(f"{name}={constraint}" for name, constraint in info.dims)
    notes = [*inputs, *([f"@dims({dims})"] if dims else []), *info.preconditions]
    lines += [((f"             {text}", "dim"),) for text in notes]
    return lines


def print_not_testable(console: Console, listed: list[NotTestable]) -> None:
    """Print why functions are not testable, and what to add."""
    if not listed:
        return
    lines: list[tuple[_Piece, ...]] = [(("not testable", "bold yellow"),)]
    for file, group in groupby(listed, key=lambda function: function.file):
        lines.append(((readable(file), "bold"),))
        for function in group:
            said = f"  {function.line:>5}  {function.qualname}: {function.reason}"
            lines.append(((said, ""),))
            if function.add:
                lines.append(((f"             add {function.add}", "dim"),))
    console.print(_Lines([*lines, ()]))
