"""An imported module → its targets, what is not testable, and what is wrong."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from annotest.decorators import AnnotationDecorator
from annotest.discovery.candidates import Candidate, Candidates, outside_candidate
from annotest.discovery.targets import CLASS_METHOD, CONSTRUCTOR, METHOD, PROPERTY, Contents, Target
from annotest.errors import InvalidAnnotation, Mistake
from annotest.facts import NotTestable, TargetInfo
from annotest.outside import OUTSIDE
from annotest.plan.planner import NotPlanned, Planner
from annotest.plan.relating import dimension_values
from annotest.plan.steps import text_of_promise
from annotest.process.own import replaced, replacing
from annotest.signature import is_generator, preconditions, site_of
from annotest.spec import (
    MODULE_TESTS,
    Exclude,
    Require,
    Wrong,
    own_annotations,
    static_attribute,
    take_annotated,
    underlying,
)


def discover(
    module: types.ModuleType,
    name: str,
    every: bool,
    scanned: frozenset[str],
    survives: Callable[[Callable[[], Any]], bool] | None = None,
    auto: bool = True,
) -> Contents:
    """Return the targets of a module; `scanned` are the files that other workers look at.

    `auto` says that what nobody has annotated is called with its defaults.
    """
    candidates = Candidates(module, name, scanned)
    contents = Contents(planner=Planner(survives))
    return _Discovery(module, name, every, auto, candidates, contents).run()


@dataclass
class _Discovery:
    """Makes targets of the candidates of one module."""

    module: types.ModuleType
    name: str
    every: bool
    auto: bool
    candidates: Candidates
    contents: Contents

    def run(self) -> Contents:
        """Consider every candidate, those annotated from outside last."""
        candidates = list(self.candidates.all())
        for name, decorator in self.candidates.bare:
            self._refuse_bare(name, decorator)
        explicit = any(candidate.signature.explicit for candidate in candidates)
        annotated = explicit or self.module.__name__ in MODULE_TESTS
        for candidate in sorted(candidates, key=lambda candidate: candidate.signature.site.line):
            self._consider(candidate, annotated)
        seen = {candidate.identity for candidate in candidates}
        for entry in OUTSIDE:
            if entry.registered_by == self.module.__name__:
                self._consider_outside(entry, seen)
        self._report_unreachable(candidates)
        self.contents.mistakes += self.contents.planner.warnings
        return self.contents

    def _refuse_bare(self, name: str, decorator: AnnotationDecorator) -> None:
        """Tell of `@require` or `@raises` with nothing behind it: what it stood on is lost.

        Any other decorator with a name of its own is kept there to be used again.
        """
        for note in decorator.annotations:
            if isinstance(note, Require) and getattr(note.condition, "__name__", "") == name:
                reason = f"{name} is no function any more: the decorator has no condition"
                remedy = 'write @require("…")'
            elif isinstance(note, Wrong):
                reason, remedy = note.error.reason, note.error.remedy
            else:
                continue
            mistake = Mistake(note.site, note.text(), reason, remedy, name)
            self.contents.mistakes.append(mistake)

    def _consider(self, candidate: Candidate, has_annotations: bool) -> None:
        signature = candidate.signature
        if signature.excluded:
            # an excluded generator with a wrong annotation is reported even if nothing uses it
            self.contents.mistakes += signature.mistakes if is_generator(signature) else ()
        elif not signature.explicit and not (self.every or (self.auto and has_annotations)):
            reason = "its module has no annotations"
            if has_annotations:
                reason = "nobody annotated it, and the configuration says auto = false"
            self._refuse(candidate, reason, "any annotation, or run with --all")
        else:
            self._plan(candidate, self.name, self.module.__name__)

    def _plan(self, candidate: Candidate, module: str, home: str) -> None:
        obstacle = candidate.obstacle
        if obstacle is not None:
            self._refuse(candidate, obstacle.reason, obstacle.instead)
            return
        info = _info(candidate, module)
        found = candidate.signature, candidate.function, home
        told_by = self.module.__name__, self.contents.planner
        target = Target(info, *found, *told_by, candidate.owner)
        try:
            target.plan = self._planned(candidate)
        except NotPlanned as error:
            self._not_planned(candidate, target, error)
            return
        except InvalidAnnotation as error:
            # the constructor lacks annotations: not a mistake of this method's own
            self._refuse(candidate, error.reason, error.remedy.removeprefix("add "))
            return
        except Exception as error:  # our own fault, or an odd object's: it costs this function
            self._not_planned(candidate, target, NotPlanned((_unplannable(candidate, error),)))
            return
        target.info = replace(info, promises=tuple(map(text_of_promise, target.plan.promises)))
        self.contents.targets.append(target)

    def _planned(self, candidate: Candidate) -> Any:
        function = candidate.function
        if candidate.kind == CONSTRUCTOR:
            function = function.__init__
        owner = candidate.owner if candidate.kind in (METHOD, PROPERTY) else None
        cls = candidate.owner if candidate.kind == CLASS_METHOD else None
        made = candidate.function if candidate.kind == CONSTRUCTOR else None
        return self.contents.planner.plan_function(function, candidate.signature, owner, cls, made)

    def _not_planned(self, candidate: Candidate, target: Target, error: NotPlanned) -> None:
        if not error.mistakes:
            self._refuse(candidate, error.reason, error.add)
            return
        self.contents.mistakes += [m for m in error.mistakes if m not in self.contents.mistakes]
        reasons = "; ".join(str(mistake) for mistake in error.mistakes)
        target.info = replace(target.info, error=reasons)
        self.contents.targets.append(target)

    def _refuse(self, candidate: Candidate, reason: str, add: str) -> None:
        annotated = candidate.signature.explicit or candidate.annotated_at is not None
        self._leave(candidate.qualname, candidate.site, reason, add, annotated)

    def _leave(self, qualname: str, site: Any, reason: str, add: str, annotated: bool) -> None:
        self.contents.not_testable.append(
            NotTestable(self.name, qualname, site.file, site.line, reason, add, annotated)
        )

    def _consider_outside(self, entry: Any, seen: set[tuple[Any, ...]]) -> None:
        """Consider what is annotated from outside, once, whatever names lead to it."""
        try:
            candidate = outside_candidate(entry)
        except Exception as error:  # importing somebody else's module may raise anything
            text = f'annotate("{entry.key}")'
            reason = f"{type(error).__name__}: {error}"
            remedy = "correct the name: module:qualname, as it can be imported"
            if isinstance(error, InvalidAnnotation):
                reason, remedy = error.reason, error.remedy
            self.contents.mistakes.append(Mistake(entry.site, text, reason, remedy, entry.qualname))
            return
        if not candidate.signature.excluded and candidate.identity not in seen:
            seen.add(candidate.identity)
            said = replace(candidate.signature, explicit=True)  # by name, if by nothing else
            candidate = replace(candidate, signature=said, annotated_at=entry.site)
            self._plan(candidate, entry.module, entry.module)

    def _report_unreachable(self, candidates: list[Candidate]) -> None:
        """Tell of functions that are annotated and that no name of the module leads to."""
        reachable = {id(function) for candidate in candidates for function in _behind(candidate)}
        for function in take_annotated(self.module.__name__):
            if id(function) in reachable or isinstance(function, type):
                continue
            if _is_excluded(function) or self._is_in_excluded_class(function):
                continue
            reason = "no name of its module leads to it"
            add = "functools.wraps in the decorator above it"
            if "<locals>" in function.__qualname__:
                reason, add = "it is made inside another function", "a module-level function"
            elif static_attribute(function, "__isabstractmethod__"):
                reason, add = "it is abstract", "the annotations to the methods that override it"
            self._leave(function.__qualname__, site_of(function), reason, add, True)

    def _is_in_excluded_class(self, function: Any) -> bool:
        owner: Any = self.module
        for part in function.__qualname__.split(".")[:-1]:
            owner = getattr(owner, part, None)
            if _is_excluded(owner):
                return True
        return False


def _behind(candidate: Candidate) -> list[Any]:
    """Return the functions that a candidate leads to: its own, and those that it wraps."""
    functions = [underlying(candidate.function)]
    function = functions[0]
    if candidate.kind == CONSTRUCTOR:
        function = candidate.function.__init__
    while function is not None:
        functions.append(function)
        function = getattr(function, "__wrapped__", None)
    return functions


def _is_excluded(owner: Any) -> bool:
    return any(isinstance(note, Exclude) for note in own_annotations(owner))


def _unplannable(candidate: Candidate, error: Exception) -> Mistake:
    said = f"{type(error).__name__}: {error}"
    if names := replaced():
        return replacing(candidate.site.file, names, said)
    reason = f"annotest cannot use its annotations: {said}"
    remedy = "simplify them, and please report this"
    return Mistake(candidate.site, candidate.qualname, reason, remedy, candidate.qualname)


def _info(candidate: Candidate, module: str) -> TargetInfo:
    signature, site = candidate.signature, candidate.site
    inputs = [
        (p.name, repr(p.constraint)) for p in signature.parameters if p.constraint is not None
    ]
    inputs += [(", ".join(group.names), repr(group.constraint)) for group in signature.groups]
    budget = signature.budget
    return TargetInfo(
        module,
        candidate.qualname,
        candidate.kind,
        site.file,
        site.line,
        tuple(inputs),
        tuple(note.text() for note in preconditions(signature)),
        signature.timeout,
        budget.examples if budget else None,
        budget.seconds if budget else None,
        dims=tuple((name, repr(value)) for name, value in dimension_values(signature).items()),
        annotated=signature.explicit or candidate.annotated_at is not None,
    )
