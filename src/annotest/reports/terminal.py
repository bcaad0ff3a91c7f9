"""What a person sees: a progress line, the failures, the summary."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.control import strip_control_codes
from rich.segment import Segment
from rich.text import Text

from annotest.errors import Mistake, UsageError
from annotest.facts import Failure, Frame, NotTestable, TargetResult
from annotest.kinds import Kind, Status, Verdict
from annotest.oracles.project import real_path, source_line
from annotest.reports.json import summary
from annotest.reports.paths import readable, shown_mistake
from annotest.reports.prevented import print_prevented
from annotest.triage import Finding, Report

_Piece = tuple[str, str]  # text, and its style

_MANY, _WIDE = 12, 200
NOTHING = 5


class _ReportConsole(Console):
    """A console for a report, which is of no use if it cannot be written."""

    def print(self, *objects: Any, **options: Any) -> None:
        with to_standard_output():
            super().print(*objects, **options)


@contextmanager
def to_standard_output() -> Iterator[None]:
    """Say what is wrong if standard output cannot be written; that nobody reads it is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"standard output cannot be written: {error.strerror}") from error


def make_console(stderr: bool = False) -> Console:
    """Return a console that leaves long lines whole, so that they can be copied and searched."""
    kind = Console if stderr else _ReportConsole
    return kind(stderr=stderr, highlight=False, soft_wrap=True, emoji=False)


class ProgressLines:
    """A few lines that are written over again and again; silent where nobody watches."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown = 0

    def show(self, lines: list[str]) -> None:
        """Show lines in place of the last ones."""
        if not self._console.is_terminal:
            return
        width = max(10, self._console.width - 1)
        lines = lines[: max(1, self._console.height - 1)]
        self._write(self._back() + "\n".join(line[:width] for line in lines))
        self._shown = len(lines)

    def clear(self) -> None:
        """Take the lines away."""
        if self._shown:
            self._write(self._back())
            self._shown = 0

    def _back(self) -> str:
        """Return what takes the cursor to where the first line began, with nothing after it."""
        up = f"\x1b[{self._shown - 1}A" if self._shown > 1 else ""
        return f"\r{up}\x1b[J" if self._shown else ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


def plural(count: int, word: str) -> str:
    """Return "1 target" or "2 targets"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")


def print_report(console: Console, report: Report) -> None:
    """Print mistakes, findings and what was not tested as it should be, then the summary."""
    print_mistakes(console, report.errors)
    for number, finding in enumerate(report.findings, 1):
        print_finding(console, finding, number)
    for result in report.results:
        if result.status in (Status.STARVED, Status.BLOCKED):
            print_starved(console, result)
    print_prevented(console, report.prevented)
    print_unfinished(console, [one for one in report.results if one.unfinished])
    print_mistakes(console, report.warnings + report.untested)
    for text in report.notices:
        console.print(Text.assemble(("warning ", "yellow"), text))
    for text in report.internal_errors:
        console.print(Text("annotest itself failed; please report this:", style="bold red"))
        console.print(Text(text.rstrip()))
    print_summary(console, report)


def print_mistakes(console: Console, mistakes: list[Mistake]) -> None:
    """Print wrong annotations, or doubtful ones."""
    for mistake in map(shown_mistake, mistakes):
        label, style = ("warning", "yellow") if mistake.warning else ("mistake", "bold red")
        console.print(Text.assemble((f"{label} ", style), str(mistake)))
        if mistake.remedy:
            console.print(Text(f"        {mistake.remedy}", style="dim"))
    if mistakes:
        console.print()


def print_finding(console: Console, finding: Finding, number: int) -> None:
    """Print one failure: target, exception, call, trace."""
    failure = finding.failure
    place = failure.location
    where = f"{readable(place.file)}:{place.line}" if place else readable(failure.target.file)
    title = f"{number} ── {failure.target.qualname} "
    fill = "─" * max(3, min(console.width, 100) - len(title) - len(where) - 2)
    console.print(Text.assemble((title, "bold"), (fill, "dim"), f" {where}"))
    console.print(Text(headline(failure), style="bold red"))
    console.print()
    if failure.call:
        for line in failure.call.splitlines():
            console.print(Text("    " + line))
        console.print()
    for line in trace_lines(failure.frames or (), place.file if place else ""):
        console.print(Text("  " + line, style="dim" if line.startswith("…") else ""))
    if failure.output.strip():
        console.print(Text("  it printed last:", style="dim"))
        for line in failure.output.strip().splitlines()[-_MANY:]:
            console.print(Text("    " + _cut(line), style="dim"))
    console.print(Text(f"  {footnote(finding)}", style="dim"))
    console.print()


def _cut(line: str) -> str:
    return line if len(line) <= _WIDE else line[:_WIDE] + "…"


_BEFORE_COLON = {Kind.GENERATOR: Verdict.GENERATOR_ERROR, Kind.IMPORT: "cannot be imported"}


def headline(failure: Failure) -> str:
    """Return what happened in one line."""
    message = (failure.message.strip().splitlines() or [""])[0]
    parts = (_before_colon(failure), failure.exception_type, message)
    return ": ".join(part for part in parts if part)


def _before_colon(failure: Failure) -> str:
    if failure.kind is Kind.ORACLE:
        return failure.oracle
    return _BEFORE_COLON.get(failure.kind, "")


def trace_lines(frames: Iterable[Frame], own: str = "") -> list[str]:
    """Return a trace, the frames of libraries folded into one line each.

    `own` is the file that the finding is about: it is shown even inside a library.
    """

    def library(frame: Frame) -> str:
        return "" if frame.file == own else library_of(frame)

    lines: list[str] = []
    for library_name, group in groupby(frames, key=library):
        listed = list(group)
        if library_name:
            lines.append(f"… {plural(len(listed), 'frame')} in {library_name}")
            continue
        for frame in listed:
            lines.append(f"{readable(frame.file)}:{frame.line} in {frame.function}")
            source = source_line(frame.file, frame.line)
            if source:
                lines.append(f"    {source}")
    return lines


def library_of(frame: Frame) -> str:
    """Return the name of the library that a frame is in, or nothing for the user's own code."""
    parts = frame.file.replace("\\", "/").split("/")
    for folder in ("site-packages", "dist-packages"):
        if folder in parts:
            rest = parts[len(parts) - 1 - parts[::-1].index(folder) + 1 :]
            return rest[0].removesuffix(".py") if rest else folder
    if frame.file.startswith("<frozen"):
        return "Python's own library"
    if frame.file.startswith("<"):
        return "generated code"
    standard = sysconfig.get_path("stdlib")
    if real_path(frame.file).startswith(os.path.realpath(standard) + os.sep):
        return "Python's own library"
    return ""


def footnote(finding: Finding) -> str:
    """Return a finding's identity and how it was come by."""
    parts = [f"finding {finding.id}"]
    if finding.failure.seconds_to_find:
        parts.append(f"after {finding.failure.seconds_to_find:.1f} s")
    repeats = finding.failure.repeats
    if repeats is not None:
        parts.append(
            f"{finding.verdict}: run again, it failed {repeats.failed} of {repeats.times} times"
        )
    if finding.also_in:
        parts.append(f"also in {', '.join(finding.also_in)}")
    return " · ".join(parts)


def print_unfinished(console: Console, results: list[TargetResult]) -> None:
    """Name the targets that did not get all of their inputs."""
    for why, group in groupby(sorted(results, key=_why), key=_why):
        listed = list(group)
        console.print(
            Text.assemble((f"{plural(len(listed), 'target')} unfinished", "yellow"), f": {why}")
        )
        for one in listed:
            count = plural(one.inputs_run, "input")
            console.print(
                Text(f"        {readable(one.target.file)}: {one.target.qualname}, {count} run")
            )
    if results:
        console.print()


def _why(result: TargetResult) -> str:
    return result.unfinished


def print_starved(console: Console, result: TargetResult) -> None:
    """Print a target that could not be tested as it should be."""
    where = f"{readable(result.target.file)}:{result.target.line}"
    console.print(
        Text.assemble(
            (f"{result.status} ", "bold yellow"),
            f"{where}: {result.target.qualname}: {result.reason}",
        )
    )
    for rate in result.preconditions if len(result.preconditions) > 1 else ():
        if rate.held < rate.asked:
            share = 100 * rate.held / rate.asked
            console.print(
                Text(f"        {rate.text} held for {share:.3g}% of {rate.asked:,}", style="dim")
            )
    console.print()


def print_summary(console: Console, report: Report) -> None:
    """Print the numbers of a run."""
    numbers = summary(report)
    parts = [
        plural(numbers["targets"], "target"),
        f"{plural(numbers['inputs_run'], 'input')} run",
        f"{numbers['inputs_discarded']:,} invalid discarded",
    ]
    for status in (Status.STARVED, Status.BLOCKED, Status.SKIPPED):
        parts.append(f"{numbers[status]} {status}")
    for status in (Status.PREVENTED, Status.UNFINISHED):
        if numbers[status]:
            parts.append(f"{numbers[status]} {status}")
    if numbers["errors"]:
        parts.append(f"{numbers['errors']} in error")
    parts.append(plural(numbers["findings"], "finding"))
    parts += [f"{report.seconds:.1f} s", f"seed {report.seed}"]
    good = report.exit_status() == 0
    if report.interrupted:
        console.print(Text("interrupted; this is what was found so far", style="bold yellow"))
    if report.exit_status() == NOTHING:
        console.print(Text(_nothing(report), style="yellow"))
    console.print(Text(" · ".join(parts), style="green" if good else "bold"))


def _nothing(report: Report) -> str:
    if not report.files:
        return "nothing to test: there is no Python file here"
    if any(one.unfinished for one in report.results):
        return "nothing was tested: the run ended before it came to that"
    if report.results:
        return "nothing to test: -k matches none of the targets"
    if report.untested:
        return "nothing to test: no annotated function has all that it needs"
    return (
        f"nothing to test: {plural(report.files, 'file')} read, none with annotations; "
        "`annotest list` says what to add"
    )


def print_listing(console: Console, report: Report) -> None:
    """Print every target, then every function that is not testable."""
    print_mistakes(console, report.mistakes)
    print_unread(console, report)
    print_prevented(console, report.prevented)
    _print_targets(console, report.results)
    _print_not_testable(console, report.not_testable)
    total = len(report.results)
    console.print(
        Text(f"{plural(total, 'target')} · {len(report.not_testable):,} not testable", style="bold")
    )


def print_unread(console: Console, report: Report) -> None:
    """Print the modules that do not parse or cannot be imported, a line each."""
    for finding in report.findings:
        failure, place = finding.failure, finding.failure.location
        where = f"{readable(place.file)}:{place.line}" if place else readable(failure.target.file)
        console.print(
            Text.assemble((f"{failure.kind} ", "bold red"), f"{where}: {headline(failure)}")
        )
    if report.findings:
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


def _print_not_testable(console: Console, listed: list[NotTestable]) -> None:
    if not listed:
        return
    lines: list[tuple[_Piece, ...]] = [(("not testable", "bold yellow"),)]
    for file, group in groupby(listed, key=lambda one: one.file):
        lines.append(((readable(file), "bold"),))
        for one in group:
            lines.append(((f"  {one.line:>5}  {one.qualname}: {one.reason}", ""),))
            if one.add:
                lines.append(((f"             add {one.add}", "dim"),))
    console.print(_Lines([*lines, ()]))
