"""The report of a run on the screen: mistakes, failures, what was not tested, the summary."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.console import Console
from rich.text import Text

from annotest.errors import Mistake
from annotest.facts import Failure, Frame, TargetResult
from annotest.kinds import Kind, Status, Verdict
from annotest.oracles.project import library_folders, real_path, source_line
from annotest.reports.console import plural
from annotest.reports.json import summary
from annotest.reports.paths import readable, shown_mistake
from annotest.reports.prevented import print_prevented
from annotest.triage import Finding, Report

_MANY, _WIDE = 12, 200
NOTHING = 5


def print_report(console: Console, report: Report) -> None:
    """Print mistakes, findings and what was not tested as it should be, then the summary."""
    print_mistakes(console, report.errors)
    for number, finding in enumerate(report.findings, 1):
        print_finding(console, finding, number)
    for result in report.results:
        if result.status in (Status.STARVED, Status.BLOCKED):
            print_starved(console, result)
    print_prevented(console, report.prevented)
    print_unfinished(console, [result for result in report.results if result.unfinished])
    print_mistakes(console, report.warnings + report.untested)
    for text in report.notices:
        console.print(Text.assemble(("warning ", "yellow"), text))
    print_own_failures(console, report)
    print_summary(console, report)


def print_own_failures(console: Console, report: Report) -> None:
    """Print where annotest itself failed."""
    for text in report.internal_errors:
        console.print(Text("annotest itself failed; please report this:", style="bold red"))
        console.print(Text(text.rstrip()))


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
    place, where = failure.location, where_of(failure)
    title = f"{number} ── {failure.target.qualname} "
    fill = "─" * max(3, min(console.width, 100) - len(title) - len(where) - 2)
    console.print(Text.assemble((title, "bold"), (fill, "dim"), f" {where}"))
    console.print(Text(headline(failure), style="bold red"))
    for remark in failure.remarks:
        console.print(Text(remark))
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
            cut = line if len(line) <= _WIDE else line[:_WIDE] + "…"
            console.print(Text("    " + cut, style="dim"))
    console.print(Text(f"  {footnote(finding)}", style="dim"))
    console.print()


def where_of(failure: Failure) -> str:
    """Return the place of a failure, for a person."""
    place = failure.location
    return f"{readable(place.file)}:{place.line}" if place else readable(failure.target.file)


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
    is_standard = real_path(frame.file).startswith(library_folders())
    return "Python's own library" if is_standard else ""


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
        count = plural(len(listed), "target")
        console.print(Text.assemble((f"{count} unfinished", "yellow"), f": {why}"))
        for result in listed:
            name, ran = result.target.qualname, plural(result.inputs_run, "input")
            console.print(Text(f"        {readable(result.target.file)}: {name}, {ran} run"))
    if results:
        console.print()


def _why(result: TargetResult) -> str:
    return result.unfinished


def print_starved(console: Console, result: TargetResult) -> None:
    """Print a target that could not be tested as it should be."""
    where = f"{readable(result.target.file)}:{result.target.line}"
    said = f"{where}: {result.target.qualname}: {result.reason}"
    console.print(Text.assemble((f"{result.status} ", "bold yellow"), said))
    for rate in result.preconditions if len(result.preconditions) > 1 else ():
        if rate.held < rate.asked:
            share = f"{100 * rate.held / rate.asked:.3g}%"
            said = f"        {rate.text} held for {share} of {rate.asked:,}"
            console.print(Text(said, style="dim"))
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
    if any(result.unfinished for result in report.results):
        return "nothing was tested: the run ended before it came to that"
    if report.results:
        return "nothing to test: -k matches none of the targets"
    if report.untested:
        return "nothing to test: no annotated function has all that it needs"
    return (
        f"nothing to test: {plural(report.files, 'file')} read, none with annotations; "
        "`annotest list` says what to add"
    )
