"""An imported module → its targets, what is not testable, and what is wrong."""

from __future__ import annotations

import enum
import inspect
import os
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from annotest.decorators import AnnotationDecorator
from annotest.discovery.scan import is_public
from annotest.errors import InvalidAnnotation, Mistake, Site
from annotest.events import NotTestable, TargetInfo
from annotest.expr import resolve
from annotest.plan.planner import NotPlanned, Planner, constructor_signature
from annotest.plan.recipe import Factory
from annotest.plan.relating import dimension_values
from annotest.plan.steps import Plan
from annotest.signature import Signature, is_generator, preconditions, read_signature, site_of
from annotest.source import shown
from annotest.spec import (
    MODULE_TESTS,
    OUTSIDE,
    Exclude,
    Require,
    annotations_of,
    attached,
    own_annotations,
    static_attribute,
    take_annotated,
    underlying,
)

FUNCTION, CONSTRUCTOR, METHOD = "function", "constructor", "method"
CLASS_METHOD, STATIC_METHOD, PROPERTY = "class method", "static method", "property"
MODULE = "module"


@dataclass(eq=False)
class Target:
    """A target as its worker sees it: alive."""

    info: TargetInfo
    signature: Signature
    function: Any
    owner: type | None = None
    plan: Plan | None = None

    @property
    def kind(self) -> str:
        """What sort of thing is called."""
        return self.info.kind

    @property
    def needs_instance(self) -> bool:
        """Whether an instance must be built before the call."""
        return self.kind in (METHOD, PROPERTY)

    @property
    def attribute(self) -> str:
        """The name by which an instance or class has the function."""
        return self.info.qualname.rpartition(".")[2]


@dataclass
class Found:
    """What a module holds."""

    targets: list[Target] = field(default_factory=list)
    not_testable: list[NotTestable] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    planner: Planner = field(default_factory=Planner)


@dataclass
class _Candidate:
    function: Any
    qualname: str
    kind: str
    signature: Signature
    owner: type | None = None
    annotated_at: Site | None = None  # where it is annotated from outside


def discover(
    module: types.ModuleType,
    name: str,
    every: bool,
    scanned: frozenset[str],
    survives: Callable[[Callable[[], Any]], bool] | None = None,
) -> Found:
    """Return the targets of a module; `scanned` are the files that other workers look at."""
    return _Discovery(module, name, every, scanned, Planner(survives)).run()


class _Discovery:
    def __init__(
        self,
        module: types.ModuleType,
        name: str,
        every: bool,
        scanned: frozenset[str],
        planner: Planner,
    ) -> None:
        self.module = module
        self.name = name
        self.every = every
        self.scanned = scanned
        self.found = Found(planner=planner)

    def run(self) -> Found:
        candidates = list(self._candidates())
        annotated = any(one.signature.explicit for one in candidates) or self._is_tested_itself()
        for one in sorted(candidates, key=lambda one: one.signature.site.line):
            self._consider(one, annotated or self.every)
        names = {f"{self.module.__name__}:{one.qualname}" for one in candidates}
        for entry in OUTSIDE:
            if entry.registered_by == self.module.__name__ and entry.key not in names:
                self._consider_outside(entry)
        self._report_unreachable(candidates)
        self.found.mistakes += self.found.planner.warnings
        return self.found

    def _is_tested_itself(self) -> bool:
        """Say whether the module has a `module_test`: that annotates it too."""
        return self.module.__name__ in MODULE_TESTS

    def _candidates(self) -> Iterator[_Candidate]:
        seen: set[int] = set()
        for name, value in _named_after_themselves_first(vars(self.module)):
            if id(value) in seen:
                continue
            if isinstance(value, AnnotationDecorator):
                self._refuse_bare(name, value)
            seen.add(id(value))
            if isinstance(value, type):
                if self._is_ours(value):
                    yield from self._class_candidates(value, name)
            elif self._is_function(name, value):
                notes = annotations_of(value, f"{self.name}:{name}")
                yield _Candidate(value, name, FUNCTION, read_signature(value, notes, name))

    def _refuse_bare(self, name: str, value: Any) -> None:
        """Tell of `@require` without its condition: what it stood on is lost to the program.

        Any other decorator with a name of its own is kept there to be used again.
        """
        for note in value.annotations:
            if not isinstance(note, Require) or getattr(note.condition, "__name__", "") != name:
                continue
            reason = f"{name} is no function any more: the decorator has no condition"
            remedy = 'write @require("…")'
            self.found.mistakes.append(Mistake(note.site, note.text(), reason, remedy, name))

    def _is_function(self, name: str, value: Any) -> bool:
        if not callable(value) or isinstance(value, types.ModuleType):
            return False
        if attached(value):
            return self._is_ours(value) or not self._is_scanned(value)
        # a lambda, or a wrapper that hides the function it wraps, is nothing a person wrote here
        plain = isinstance(value, types.FunctionType) and "<" not in value.__qualname__
        return plain and self._is_ours(value) and is_public(name)

    def _is_ours(self, value: Any) -> bool:
        return bool(static_attribute(value, "__module__") == self.module.__name__)

    def _is_scanned(self, value: Any) -> bool:
        return os.path.realpath(site_of(value).file) in self.scanned

    def _class_candidates(self, cls: type, name: str) -> Iterator[_Candidate]:
        if any(isinstance(note, Exclude) for note in own_annotations(cls)):
            return
        for attribute, value in vars(cls).items():
            qualname = f"{name}.{attribute}"
            if isinstance(value, type):
                if self._is_ours(value) and value.__qualname__.startswith(cls.__qualname__ + "."):
                    yield from self._class_candidates(value, qualname)
            elif attribute == "__init__":
                yield _Candidate(cls, qualname, CONSTRUCTOR, constructor_signature(cls))
            elif attribute == "__new__":
                # the constructor of a NamedTuple, and of classes that make themselves
                found = constructor_signature(cls)
                if "__init__" not in vars(cls) and found.explicit:
                    yield _Candidate(cls, qualname, CONSTRUCTOR, found)
            elif (kind := _method_kind(value)) and (attached(value) or is_public(attribute)):
                function = underlying(value)
                made_elsewhere = "<" in str(static_attribute(function, "__qualname__"))
                if static_attribute(function, "__isabstractmethod__"):
                    continue
                if attached(value) or not made_elsewhere or "<" in cls.__qualname__:
                    yield self._method(cls, attribute, value, kind, qualname)

    def _method(
        self, cls: type, attribute: str, value: Any, kind: str, qualname: str
    ) -> _Candidate:
        notes = annotations_of(value, f"{self.name}:{qualname}")
        function = underlying(value)
        bound = kind != STATIC_METHOD
        signature = read_signature(function, notes, qualname, self_name_first=bound)
        return _Candidate(function, qualname, kind, signature, cls)

    def _consider(self, one: _Candidate, take_unannotated: bool) -> None:
        if one.signature.excluded:
            self._keep_mistakes(one)
            return
        if not one.signature.explicit and not take_unannotated:
            self._refuse(one, "its module has no annotations", "any annotation, or run with --all")
            return
        if not one.signature.explicit and _is_special_class(one):
            return
        self._plan(one, self.name)

    def _keep_mistakes(self, one: _Candidate) -> None:
        # an excluded generator with a wrong annotation is reported even if nothing uses it
        self.found.mistakes += [m for m in one.signature.errors if is_generator(one.signature)]

    def _plan(self, one: _Candidate, module: str) -> None:
        info = _info(one, module)
        target = Target(info, one.signature, one.function, one.owner)
        try:
            owner = one.owner if one.kind in (METHOD, PROPERTY) else None
            made = one.function if one.kind == CONSTRUCTOR else owner
            if made is not None and inspect.isabstract(made):
                raise NotPlanned(reason=f"{made.__qualname__} is abstract", add="a subclass")
            function = _planned_function(one)
            cls = one.owner if one.kind == CLASS_METHOD else None
            target.plan = self.found.planner.plan_function(function, one.signature, owner, cls)
        except NotPlanned as error:
            self._not_planned(one, target, error)
            return
        except InvalidAnnotation as error:
            self._unbuildable(one, target, error)
            return
        except Exception as error:  # our own fault, or an odd object's: it costs this function
            self._not_planned(one, target, NotPlanned((_unplannable(one, error),)))
            return
        self.found.targets.append(target)

    def _not_planned(self, one: _Candidate, target: Target, error: NotPlanned) -> None:
        if error.mistakes:
            self.found.mistakes += [m for m in error.mistakes if m not in self.found.mistakes]
            reasons = "; ".join(str(mistake) for mistake in error.mistakes)
            target.info = replace(target.info, error=reasons)
            self.found.targets.append(target)
        else:
            self._refuse(one, error.reason, error.add)

    def _unbuildable(self, one: _Candidate, target: Target, error: InvalidAnnotation) -> None:
        # the constructor lacks annotations: not a mistake of this method's own
        self._refuse(one, error.reason, error.remedy.removeprefix("add "))

    def _refuse(self, one: _Candidate, reason: str, add: str) -> None:
        site = _site(one)
        annotated = one.signature.explicit or one.annotated_at is not None
        self.found.not_testable.append(
            NotTestable(self.name, one.qualname, site.file, site.line, reason, add, annotated)
        )

    def _consider_outside(self, entry: Any) -> None:
        try:
            candidate = _outside_candidate(entry)
        except Exception as error:  # importing somebody else's module may raise anything
            text = f'annotate("{entry.key}")'
            reason = f"{type(error).__name__}: {error}"
            remedy = "correct the name: module:qualname, as it can be imported"
            self.found.mistakes.append(Mistake(entry.site, text, reason, remedy, entry.qualname))
            return
        if not candidate.signature.excluded:
            self._plan(replace(candidate, annotated_at=entry.site), entry.module)

    def _is_in_excluded_class(self, function: Any) -> bool:
        owner: Any = self.module
        for part in function.__qualname__.split(".")[:-1]:
            owner = getattr(owner, part, None)
            if any(isinstance(note, Exclude) for note in own_annotations(owner)):
                return True
        return False

    def _report_unreachable(self, candidates: list[_Candidate]) -> None:
        reachable = {id(underlying(one.function)) for one in candidates}
        for one in candidates:
            function: Any = underlying(one.function)
            if one.kind == CONSTRUCTOR:
                function = one.function.__init__
            while function is not None:
                reachable.add(id(function))
                function = getattr(function, "__wrapped__", None)
        for function in take_annotated(self.module.__name__):
            if id(function) in reachable:
                continue
            if isinstance(function, type) or _is_only_helper(function):
                continue
            if self._is_in_excluded_class(function):
                continue
            site = site_of(function)
            nested = "<locals>" in function.__qualname__
            reason = (
                "it is made inside another function"
                if nested
                else "no name of its module leads to it"
            )
            add = (
                "a module-level function" if nested else "functools.wraps in the decorator above it"
            )
            self.found.not_testable.append(
                NotTestable(
                    self.name, function.__qualname__, site.file, site.line, reason, add, True
                )
            )


def _unplannable(one: _Candidate, error: Exception) -> Mistake:
    reason = f"annotest cannot use its annotations: {type(error).__name__}: {error}"
    site = _site(one)
    return Mistake(
        site, one.qualname, reason, "simplify them, and please report this", one.qualname
    )


def _is_only_helper(function: Any) -> bool:
    return any(isinstance(note, Exclude) for note in own_annotations(function))


def _named_after_themselves_first(namespace: dict[str, Any]) -> list[tuple[str, Any]]:
    items = list(namespace.items())
    return sorted(items, key=lambda item: static_attribute(item[1], "__name__") != item[0])


def _method_kind(value: Any) -> str:
    if isinstance(value, staticmethod):
        return STATIC_METHOD
    if isinstance(value, classmethod):
        return CLASS_METHOD
    if isinstance(value, property) or type(value).__name__ == "cached_property":
        return PROPERTY
    if isinstance(value, types.FunctionType) or (callable(value) and attached(value)):
        return METHOD
    return ""


def _is_special_class(one: _Candidate) -> bool:
    cls = one.function if one.kind == CONSTRUCTOR else one.owner
    if cls is None:
        return False
    return issubclass(cls, enum.Enum) or bool(static_attribute(cls, "_is_protocol"))


def _planned_function(one: _Candidate) -> Any:
    return one.function.__init__ if one.kind == CONSTRUCTOR else one.function


def _site(one: _Candidate) -> Site:
    site = one.signature.site
    if site.file == "<string>" or not site.file:  # made by dataclass and the like
        cls = one.owner if one.owner is not None else one.function
        site = site_of(cls)
    # a function that is not Python has no line of its own
    return site if site.file or one.annotated_at is None else one.annotated_at


def _info(one: _Candidate, module: str) -> TargetInfo:
    site = _site(one)
    inputs = [
        (p.name, repr(p.constraint)) for p in one.signature.parameters if p.constraint is not None
    ]
    inputs += [(", ".join(g.names), repr(g.constraint)) for g in one.signature.groups]
    notes = [note.text() for note in preconditions(one.signature)]
    budget = one.signature.budget
    return TargetInfo(
        module,
        one.qualname,
        one.kind,
        site.file,
        site.line,
        tuple(inputs),
        tuple(notes),
        one.signature.timeout,
        budget.examples if budget else None,
        budget.seconds if budget else None,
        one.signature.explicit,
        dims=tuple((name, repr(value)) for name, value in dimension_values(one.signature).items()),
    )


def _outside_candidate(entry: Any) -> _Candidate:
    value = resolve(entry.module, entry.qualname)
    owner_name, _, attribute = entry.qualname.rpartition(".")
    owner = resolve(entry.module, owner_name) if owner_name else None
    notes = annotations_of(value, entry.key)
    if isinstance(owner, type):
        if attribute == "__init__":
            return _Candidate(owner, entry.qualname, CONSTRUCTOR, constructor_signature(owner))
        raw = inspect.getattr_static(owner, attribute)
        kind = _method_kind(raw) or METHOD
        function = underlying(raw)
        signature = read_signature(function, notes, entry.qualname, kind != STATIC_METHOD)
        return _Candidate(function, entry.qualname, kind, signature, owner)
    if isinstance(value, type):
        raise InvalidAnnotation(f"it is a class; annotate {entry.qualname}.__init__")
    signature = read_signature(value, notes, entry.qualname)
    return _Candidate(value, entry.qualname, FUNCTION, signature)


def factory_info(factory: Factory) -> TargetInfo:
    """Return where a generator or constructor is, for what goes wrong while it builds."""
    function = factory.function
    module = getattr(function, "__module__", "") or ""
    qualname = getattr(function, "__qualname__", shown(function))
    if factory.is_constructor:
        site = site_of(function.__init__)
        if not site.file or site.file == "<string>":
            site = site_of(function)
        return TargetInfo(module, f"{qualname}.__init__", "constructor", site.file, site.line)
    site = site_of(function)
    return TargetInfo(module, qualname, "generator", site.file, site.line)
