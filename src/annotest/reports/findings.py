"""Findings on the screen: what failed, the call that shows it, the trace."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from annotest.facts import MOST_OF_A_LINE, Failure, Frame, line_and_type
from annotest.kinds import Kind, Verdict
from annotest.oracles.project import library_folders, real_path, source_line
from annotest.reports.console import Console, plural
from annotest.reports.folding import TraceStep, folded
from annotest.reports.paths import readable
from annotest.triage import Finding

_MANY, _WIDE = 12, 200


def print_findings(console: Console, findings: list[Finding]) -> None:
    """Print the findings, those of one line and type together: of many, the first few."""
    numbered = enumerate(findings, 1)
    for _, group in groupby(numbered, key=lambda pair: line_and_type(pair[1].failure)):
        (number, first), *others = group
        print_finding(console, first, number)
        for number, finding in others[: MOST_OF_A_LINE - 1]:
            print_finding(console, finding, number, first)
        more = len(others) - MOST_OF_A_LINE + 1
        if more > 0:
            what = f"{plural(more, 'more finding')} on this line, not made smaller: see --json"
            console.say(what, style="dim")
            console.say()


def print_finding(
    console: Console, finding: Finding, number: int, beside: Finding | None = None
) -> None:
    """Print one failure: target, exception, call, trace; `beside` one on the same line."""
    failure = finding.failure
    place, where = failure.location, where_of(failure)
    title = f"{number} ── {failure.target.id}{', the same line' if beside else ''} "
    fill = "─" * max(3, min(console.width, 100) - len(title) - len(where) - 2)
    console.say((title, "bold"), (fill, "dim"), f" {where}")
    console.say(headline(failure), style="bold red")
    for remark in failure.remarks:
        console.say(remark)
    if failure.excluded_by:
        passes = "passes in eval mode, and where a side is 2 instead of 1"
        console.say(f"{passes}: if such an input is not valid, add {failure.excluded_by}")
    console.say()
    if failure.call:
        for line in failure.call.splitlines():
            console.say("    " + line)
        console.say()
    is_shown = beside is not None and beside.failure.frames == failure.frames
    frames = () if is_shown else failure.frames or ()
    for line in trace_lines(frames, place.file if place else ""):
        console.say("  " + line, style="dim" if line.startswith("…") else "")
    if failure.output.strip():
        console.say("  it printed last:", style="dim")
        for line in failure.output.strip().splitlines()[-_MANY:]:
            cut = line if len(line) <= _WIDE else line[:_WIDE] + "…"
            console.say("    " + cut, style="dim")
    console.say(f"  {footnote(finding)}", style="dim")
    console.say()


def where_of(failure: Failure) -> str:
    """Return the place of a failure, for a person."""
    place = failure.location
    return f"{readable(place.file)}:{place.line}" if place else readable(failure.target.file)


_BEFORE_COLON = {Kind.GENERATOR: Verdict.GENERATOR_ERROR, Kind.IMPORT: "cannot be imported"}


def headline(failure: Failure) -> str:
    """Return what happened in one line."""
    message = failure.message.strip().partition("\n")[0].rstrip()
    parts = (_before_colon(failure), failure.exception_type, message)
    return ": ".join(part for part in parts if part)


def _before_colon(failure: Failure) -> str:
    if failure.kind is Kind.ORACLE:
        return failure.oracle
    return _BEFORE_COLON.get(failure.kind, "")


def trace_lines(frames: Iterable[Frame], own: str = "") -> list[str]:
    """Return a trace: the frames of a library are one line, and what repeats is shown once.

    `own` is the file that the finding is about: it is shown even inside a library.
    """

    def library(frame: Frame) -> str:
        return "" if frame.file == own else library_of(frame)

    steps: list[TraceStep] = []
    for library_name, group in groupby(frames, key=library):
        if library_name:
            count = len(list(group))
            steps.append(TraceStep((f"… {plural(count, 'frame')} in {library_name}",), count))
        else:
            steps += map(_step, group)
    return [line for step in folded(steps) for line in step.lines]


def _step(frame: Frame) -> TraceStep:
    place = f"{readable(frame.file)}:{frame.line} in {frame.function}"
    source = source_line(frame.file, frame.line)
    return TraceStep((place, f"    {source}") if source else (place,))


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
    if finding.seconds_to_find:
        parts.append(f"after {finding.seconds_to_find:.1f} s")
    repeats = finding.failure.repeats
    if repeats is not None:
        parts.append(
            f"{finding.verdict}: run again, it failed {repeats.failed} of {repeats.times} times"
        )
    if finding.also_in:
        parts.append(f"also in {', '.join(finding.also_in)}")
    return " · ".join(parts)
