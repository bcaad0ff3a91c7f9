"""The crash oracle: a call fails when it cannot end normally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from annotest.errors import InvalidAnnotation, Site
from annotest.facts import Fault, Frame, TargetInfo
from annotest.kinds import Kind, Verdict
from annotest.oracles import fingerprints
from annotest.oracles.exceptions import (
    frames_of,
    is_a,
    is_failure,
    message_of,
    own_check,
    plain_attribute,
    reasons_of,
    says_itself,
    type_name,
)
from annotest.oracles.own_checks import OwnCheck, own_check_at
from annotest.oracles.project import Project
from annotest.oracles.protocol import Again, Outcome, Returned, TargetCall
from annotest.oracles.verdicts import by_guess, for_want_of_package
from annotest.plan.preconditions import PreconditionFailed, compile_precondition
from annotest.plan.raising import allowed
from annotest.plan.returning import NotCallable
from annotest.spec import Raises, Require

CRASH = "crash"
DO_WITHOUT = "leave the function out with @exclude"
_UNCHANGING = {bool, bytes, float, int, str, type(None)}
MIRRORED = (
    "it names the folder that the call worked in, a scratch folder in place of the one shown here: "
    'should that matter, write work-in = "project" below [tool.annotest] in pyproject.toml'
)


class Crash:
    """Finds fault with a call that raises, or leaves with a status."""

    name = CRASH

    def before(self, call: TargetCall) -> tuple[Raises, ...]:
        """Remember which exceptions are allowed: conditions are on the arguments as they are."""
        notes, plan = call.target.signature.may_raise, call.target.plan
        return allowed(notes, plan.promises, lambda: call.names) if notes and plan else ()

    def judge(
        self, call: TargetCall, outcome: Outcome, state: tuple[Raises, ...], again: Again
    ) -> Iterable[Fault]:
        """Return what was raised as a fault of the target."""
        if isinstance(outcome, Returned) or not is_failure(outcome.error):
            return ()
        error, target = outcome.error, call.target
        if is_a(error, NotCallable) or any(note.covers(error) for note in state):
            return ()
        fault = raised(error, kind_of(error), target.info, call.project)
        remarks = (*fault.remarks, *_not_covered(error, target.signature.may_raise, state))
        fault = _remarked(replace(fault, remarks=remarks), error, call, again)
        return (for_want_of_package(fault, error, call.project, DO_WITHOUT),)


def _not_covered(
    error: BaseException, notes: Iterable[Raises], due: tuple[Raises, ...]
) -> Iterator[str]:
    """Yield why an exception is a failure although `@raises` names its type."""
    for note in notes:
        if issubclass(type(error), note.types):
            why = "its message is another one" if note in due else "that does not hold here"
            yield f"not covered by {note.text()}: {why}"


def _remarked(fault: Fault, error: BaseException, call: TargetCall, again: Again) -> Fault:
    """Return a fault with what a person should know about it besides."""
    target = call.target
    if not target.info.annotated:
        return replace(fault, remarks=(*fault.remarks, by_guess(target.info)))
    line = own_check(error, target.code)
    if not line:
        return fault
    name = type_name(error).rpartition(".")[2]
    check = _check_of(call, line, again)
    require, when = (
        (f'"{check.otherwise}"', f', when="{check.when}"') if check is not None else ("…", "")
    )
    remark = (
        f"raised by its own check, line {line}: if such an input is not valid, say so with "
        f"@require({require}); if it may raise this, with @raises({name}{when})"
    )
    return replace(fault, verdict=Verdict.REJECTED, remarks=(*fault.remarks, remark))


def _check_of(call: TargetCall, line: int, again: Again) -> OwnCheck | None:
    """Return when a function's own check raises, if that was so before this very call."""
    target = call.target
    check = own_check_at(target.code, line)
    if check is None or check.names & call.sizes().keys():
        return None  # in an annotation the name would be that of a dimension
    names = [p.name for p in target.signature.parameters]
    names += [target.signature.self_name] * target.needs_instance
    try:
        is_elsewhere = target.annotated_in != target.home
        note = Require(check.when, module=target.annotated_in if is_elsewhere else "")
        asked = compile_precondition(note, names, target.function, target.info.qualname)
        return check if asked.holds(_as_passed(call, asked.needs, again)) else None
    except (InvalidAnnotation, PreconditionFailed):
        return None  # it asks for what an annotation does not know


def _as_passed(call: TargetCall, needed: Iterable[str], again: Again) -> dict[str, Any]:
    """Return what names meant before the call; what it may have changed is built once more."""
    if all(type(call.names[name]) in _UNCHANGING for name in needed):
        return call.names
    return {**call.names, **again.built()}


def kind_of(error: BaseException) -> Kind:
    """Return whether a call raised, or wanted to end the program."""
    return Kind.EXIT if is_a(error, SystemExit) else Kind.EXCEPTION


def raised(error: BaseException, kind: Kind, info: TargetInfo, project: Project) -> Fault:
    """Describe an exception: its frames without ours, the place in the project, its identity."""
    frames = _frames(error, project)
    name = type_name(error)
    # a bug without a place is known by the target that shows it, but not one of an import: ids last
    target = "" if kind is Kind.IMPORT else info.id
    written = message_of(error)
    message = project.unmirrored(written)
    remarks = () if message == written else (MIRRORED,)
    known_by = name if frames else f"{name} {target}"
    reasons = tuple(
        fingerprints.of_trace(
            kind, type_name(inner), _frames(inner, project), project, _said(inner, project)
        )
        for inner in reasons_of(error)
    )
    location, key = place_of(frames, project, kind, known_by, _said(error, project), reasons)
    return Fault(info, kind, CRASH, key, name, message, frames, location, remarks=remarks)


def _frames(error: BaseException, project: Project) -> tuple[Frame, ...]:
    """Return the frames of a trace, with the files that links in a scratch folder lead to."""
    return tuple(frame._replace(file=project.unmirrored(frame.file)) for frame in frames_of(error))


def _said(error: BaseException, project: Project) -> str:
    """Return an exception's message, if its place does not tell it already."""
    frames = _frames(error, project)
    is_told = bool(frames) and project.counts(frames[-1].file) and says_itself(error)
    if is_told:
        return ""
    if is_a(error, BaseExceptionGroup):  # whose message counts its exceptions
        return str(plain_attribute(error, BaseExceptionGroup, "message"))
    return project.unmirrored(message_of(error))


def died(kind: Kind, info: TargetInfo, message: str, ending: str = "", output: str = "") -> Fault:
    """Describe a process that ended without a trace, or was ended; `ending` says how it did."""
    key = fingerprints.of_target(kind, info.id, ending)
    return Fault(info, kind, CRASH, key, message=message, output=output, died=True)


def unparsable(info: TargetInfo, message: str, text: str) -> Fault:
    """Describe a file that is not Python, at the line that its target names."""
    key = fingerprints.of_file(info.file, message, text)
    frames = (Frame(info.file, info.line, "<module>"),)
    place = Site(info.file, info.line)
    return Fault(info, Kind.SYNTAX, CRASH, key, "SyntaxError", message, frames, place)


def place_of(
    frames: tuple[Frame, ...],
    project: Project,
    kind: Kind,
    name: str,
    message: str = "",
    reasons: tuple[str, ...] = (),
) -> tuple[Site | None, str]:
    """Return the innermost place inside the project, and the bug's identity."""
    last = project.last_frame(frames)
    place = None if last is None or not project.holds(frames[last].file) else frames[last]
    site = None if place is None else Site(place.file, place.line)
    return site, fingerprints.of_trace(kind, name, frames, project, message, reasons)
