"""From a function and its annotations to its signature."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from annotest.constraints import REGISTRY, Constraint, froms
from annotest.errors import InvalidAnnotation, MissingFramework, Mistake, left_out_of
from annotest.hints import RESULT, Hinted, hint_constraints, result_hint, where_hints_are
from annotest.signature.checking import misfits, why_outside
from annotest.signature.documented import raw_signature
from annotest.signature.framework import framework_of
from annotest.signature.parts import (
    EMPTY,
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    STARRED,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    HintedReturns,
    Parameter,
    Signature,
    site_of,
)
from annotest.source import shown
from annotest.spec import (
    Annotation,
    Arg,
    Returns,
    ReturnsCalls,
    Wrong,
    arg_problems,
    attached,
    constraints_of,
    static_attribute,
    underlying,
    with_constraints,
    wrong_parts,
)

# of defaults outside their constraints, so many are told with the reason
_MOST_REASONS = 3
# a type and a shape as text: jaxtyping's Float[Tensor, "b c"]
_OF_ARRAY = re.compile(r"""[\w.]+\[([\w.]+), *["']""")


def read_signature(
    function: Any,
    annotations: Sequence[Annotation],
    name: str,
    self_name_first: bool = False,
    is_constructor: bool = False,
) -> Signature:
    """Put together a function's arguments, annotations and hints, noting every mistake."""
    reader = _Reader(function, tuple(annotations), name, self_name_first, is_constructor)
    return reader.read()


def _as_accepted(raw: list[inspect.Parameter], function: Any) -> list[inspect.Parameter]:
    """Return the parameters as by position only where a wrapper takes no others: `def w(*args)`."""
    if static_attribute(function, "__wrapped__") is None:
        return raw
    try:
        outer = inspect.signature(function, follow_wrapped=False).parameters
    except (ValueError, TypeError):
        return raw
    kinds = {p.kind for p in outer.values()}
    # functools.singledispatch takes both, and looks at the first one by position
    by_name = VAR_KEYWORD in kinds and static_attribute(function, "dispatch") is None
    if [p.name for p in raw] == list(outer) or VAR_POSITIONAL not in kinds or by_name:
        return raw
    return [p.replace(kind=POSITIONAL_ONLY) if p.kind is POSITIONAL_OR_KEYWORD else p for p in raw]


@dataclass
class _Reader:
    """Reads one function's signature."""

    function: Any
    annotations: tuple[Annotation, ...]
    name: str
    bound: bool
    is_constructor: bool

    def __post_init__(self) -> None:
        self.site = site_of(self.function)
        self.mistakes: list[Mistake] = []
        self.left_out: list[Arg] = []
        self._outside: dict[str, tuple[Arg, str]] = {}  # arguments whose defaults are, and why
        self._keywords = ""

    def read(self) -> Signature:
        read = raw_signature if self.annotations else inspect.signature
        try:
            raw = list(read(self.function).parameters.values())
        except (ValueError, TypeError) as error:
            return Signature(
                self.name, self.site, (), annotations=self.annotations, unreadable=str(error)
            )
        raw = _as_accepted(raw, self.function)
        self_name = ""
        if self.bound and raw and raw[0].kind in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD):
            self_name, raw = raw[0].name, raw[1:]
        self._keywords = next((p.name for p in raw if p.kind is VAR_KEYWORD), "")
        hints = self._of_one_framework(self._hints())
        constraints, groups = self._annotated([p.name for p in raw])
        hinted = _unless_named_alike(hints, raw, constraints)
        parameters = tuple(self._parameter(p, constraints, hinted) for p in raw)
        parameters = _with_those_of_result(parameters, self.annotations)
        self._warn_of_defaults()
        for note, problem in misfits(self.name, self.annotations, parameters, self.is_constructor):
            self._note(note, problem)
        grouped = {name for group in groups for name in group.names}
        missing = [p.name for p in parameters if not p.is_supplied and p.name not in grouped]
        if not self.annotations and all(p.kind in STARRED for p in parameters):
            missing = [p.name for p in parameters]  # nobody says what it takes
        left_out = {id(note) for note in self.left_out}
        return Signature(
            self.name,
            self.site,
            parameters,
            groups,
            tuple(note for note in self.annotations if id(note) not in left_out),
            tuple(self.mistakes),
            bool(self.annotations) or any(hint.is_ours for hint in hints.values()),
            self_name,
            missing=tuple(_starred(p) for p in parameters if p.name in missing),
            suggestions=tuple(_suggested(p) for p in raw if p.name in missing),
            unread=tuple(filter(None, (_unread(p, hinted) for p in raw if p.name in missing))),
            hinted_result=self._hinted_result(hints.get(RESULT)),
        )

    def _hinted_result(self, hint: Hinted | None) -> Returns | None:
        """Return what the type hint says of the result, unless it speaks of something else.

        Whoever annotates code of others has not said that their hints are meant.
        """
        if hint is None or hint.constraint is None or self.is_constructor:
            return None
        if self._is_annotated_from_outside and not (hint.is_ours or hint.is_of_array):
            return None
        return HintedReturns(hint.constraint, is_ours=hint.is_ours, site=self.site)

    def _note(
        self, annotation: Annotation, error: InvalidAnnotation, warning: bool = False
    ) -> None:
        told = error.reason, error.remedy, self.name, warning
        self.mistakes.append(Mistake(annotation.site, annotation.text(), *told))

    def _annotated(self, names: list[str]) -> tuple[dict[str, Arg], tuple[Arg, ...]]:
        single: dict[str, Arg] = {}
        groups: list[Arg] = []
        for annotation in self.annotations:
            wrong = [replace(mistake, function=self.name) for mistake in wrong_parts(annotation)]
            self.mistakes += wrong
            if not isinstance(annotation, Arg):
                continue
            others = [*single.values(), *groups]
            left_out = annotation.is_left_out(names)
            problems = list(arg_problems(annotation, names, self.name, others, self._keywords))
            for problem in problems:
                self._note(annotation, left_out_of(problem) if left_out else problem, left_out)
            if left_out:
                self.left_out.append(annotation)
            if problems:
                continue
            if len(annotation.names) > 1:
                groups.append(annotation)
            else:
                single[annotation.names[0]] = annotation
        return single, tuple(groups)

    def _hints(self) -> dict[str, Hinted]:
        function = underlying(self.function)
        if isinstance(function, type):
            function = where_hints_are(function)
        try:
            return {**hint_constraints(function), RESULT: result_hint(function)}
        except InvalidAnnotation as error:
            return self._without_hints(error)

    def _without_hints(self, error: InvalidAnnotation) -> dict[str, Hinted]:
        self.mistakes.append(Mistake(self.site, "type hint", error.reason, error.remedy, self.name))
        return {}

    def _of_one_framework(self, hinted: dict[str, Hinted]) -> dict[str, Hinted]:
        """Settle of which framework arrays are where annotations and hints leave that open."""
        constraints = [c for note in self.annotations for c in constraints_of(note)]
        constraints += [hint.constraint for hint in hinted.values() if hint.constraint]
        if not any(part.is_of_any_framework for c in constraints for part in c.with_parts()):
            return hinted
        framework = framework_of(self.function, constraints)
        self.annotations = tuple(self._settled(note, framework) for note in self.annotations)
        try:
            return {name: hint.in_framework(framework) for name, hint in hinted.items()}
        except InvalidAnnotation as error:
            return self._without_hints(error)

    def _settled(self, note: Annotation, framework: str) -> Annotation:
        try:
            return with_constraints(note, lambda constraint: constraint.in_framework(framework))
        except InvalidAnnotation as error:
            return Wrong(note.text(), error, site=note.site)

    def _parameter(
        self, raw: inspect.Parameter, single: dict[str, Arg], hinted: dict[str, Hinted]
    ) -> Parameter:
        annotation = single.get(raw.name)
        if annotation is None:
            constraint, ours, *_ = hinted.get(raw.name, Hinted(None))
            if self._is_annotated_from_outside and not ours and raw.default is not EMPTY:
                constraint = None  # whoever annotates it has not said that its options are valid
            return _hinted_parameter(raw, constraint, ours)
        constraint = annotation.constraint
        inside = _accepts_default(constraint, raw.default)
        if raw.default is not EMPTY and not inside and not annotation.or_default:
            self._look_at_default(annotation, raw)
        takes = raw.default is not EMPTY and (annotation.or_default or inside)
        return Parameter(raw.name, raw.kind, raw.default, constraint, takes)

    @cached_property
    def _is_annotated_from_outside(self) -> bool:
        return bool(self.annotations) and not attached(self.function)

    def _look_at_default(self, annotation: Arg, raw: inspect.Parameter) -> None:
        if not annotation.constraint.decides() or list(wrong_parts(annotation)):
            return
        if reason := why_outside(annotation.constraint, raw.default, raw.name):
            self._outside[raw.name] = annotation, f"{reason}"

    def _warn_of_defaults(self) -> None:
        """Warn once of all defaults outside their constraints: a style, most likely, if several."""
        if not self._outside:
            return
        annotations, reasons = zip(*self._outside.values(), strict=True)
        *names, last = map(repr, self._outside)
        if names:
            said = f"the defaults of {', '.join(names)} and {last} lie outside their constraints"
            remedy = "widen the constraints if the defaults are valid; they are not tested"
        else:
            said = f"the default of {last} lies outside its constraint"
            remedy = "widen the constraint if the default is valid; it is not tested"
        more = ["…"] * (len(reasons) > _MOST_REASONS)
        reason = f"{said}: {'; '.join([*reasons[:_MOST_REASONS], *more])}"
        text = self.name if names else annotations[0].text()
        self.mistakes.append(Mistake(annotations[0].site, text, reason, remedy, self.name, True))


def _with_those_of_result(
    parameters: tuple[Parameter, ...], annotations: tuple[Annotation, ...]
) -> tuple[Parameter, ...]:
    """Return the arguments with those of what is returned, which is then called with them."""
    of_result = [
        Parameter(name, KEYWORD_ONLY, constraint=constraint, is_of_result=True)
        for note in annotations
        if isinstance(note, ReturnsCalls)
        for name, constraint in note.calls.constraints.items()
    ]
    last = tuple(p for p in parameters if p.kind is VAR_KEYWORD)
    return (*(p for p in parameters if p.kind is not VAR_KEYWORD), *of_result, *last)


def _is_size(raw: inspect.Parameter, said: Arg | Hinted | None) -> bool:
    """Say whether an argument is a whole number, so that sizes may be named after it."""
    if said is None or said.constraint is None:
        return type(raw.default) is int
    return said.constraint.structure.is_whole


def _unless_named_alike(
    hints: dict[str, Hinted], raw: list[inspect.Parameter], single: dict[str, Arg]
) -> dict[str, Hinted]:
    said: dict[str, Arg | Hinted] = {**hints, **single}
    by_name = {p.name: p for p in raw}

    def is_size(name: str) -> bool:
        return name not in by_name or _is_size(by_name[name], said.get(name))

    return {name: _unless_alike(hint, is_size) for name, hint in hints.items()}


def _unless_alike(hint: Hinted, is_size: Callable[[str], bool]) -> Hinted:
    """Take a plain hint for unread if a dimension has the name of an argument that is no size.

    In an annotation of ours that is a mistake; jaxtyping tells dimensions and arguments apart.
    """
    if hint.constraint is None or hint.is_ours:
        return hint
    alike = [name for name in hint.constraint.size_names if not is_size(name)]
    why = "has the name of an argument that is no whole number"
    return Hinted(None, unread=f"its dimension {alike[0]!r} {why}") if alike else hint


def _hinted_parameter(
    raw: inspect.Parameter, constraint: Constraint | None, ours: bool
) -> Parameter:
    """Return a parameter with what its type hint means; a plain hint does not rule out a default.

    `x: bool = None` was once the way to write an optional one. `x: None = 1` is a hint that
    means nothing when the program runs, as those of TorchScript's lists.
    """
    if ours:
        takes = _accepts_default(constraint, raw.default)
    else:
        takes = raw.default is not EMPTY
        only_none = constraint == froms([None])
        if takes and only_none and raw.default is not None:
            constraint = None
    if raw.kind in STARRED or constraint is None:
        return Parameter(raw.name, raw.kind, raw.default, None, False)
    return Parameter(raw.name, raw.kind, raw.default, constraint, takes)


def _accepts_default(constraint: Constraint | None, default: Any) -> bool:
    if constraint is None or default is EMPTY:
        return False
    try:
        return constraint.surely_accepts(default)
    except Exception:
        return False  # a user's predicate that cannot judge the default: it is not taken


@cache
def _by_hint() -> dict[str, str]:
    """Return the call of a constraint for each type whose name may be a hint."""
    calls = {"": "…"}
    for name, constraint in REGISTRY.items():
        arguments = "…" if inspect.signature(constraint).parameters else ""
        with suppress(MissingFramework):  # nobody has its arrays
            calls.setdefault(constraint.hinted().lower(), f"{name}({arguments})")
    return calls


def suggestion(name: str, hint: str) -> str:
    """Return the annotation to add for an argument, as far as its type hint tells."""
    of_array = _OF_ARRAY.match(hint)
    type_name = of_array[1] if of_array else hint.partition("[")[0]
    word = type_name.rpartition(".")[2].strip().lower()
    return f"@arg({name}={_by_hint().get(word, '…')})"


def _suggested(raw: inspect.Parameter) -> str:
    if raw.kind in STARRED:
        return f"@arg({raw.name}={'lists' if raw.kind is VAR_POSITIONAL else 'dicts'}(…))"
    return suggestion(raw.name, _hint_text(raw))


def _unread(raw: inspect.Parameter, hinted: dict[str, Hinted]) -> str:
    """Return why the hint of an argument says nothing, where that is news."""
    why = hinted.get(raw.name, Hinted(None)).unread
    return why and f"the hint of {raw.name!r}, {_hint_text(raw)}, is not read: {why}"


def _starred(p: Parameter) -> str:
    return {VAR_POSITIONAL: "*", VAR_KEYWORD: "**"}.get(p.kind, "") + p.name


def _hint_text(raw: inspect.Parameter) -> str:
    hint = raw.annotation
    if hint is EMPTY:
        return ""
    return hint if isinstance(hint, str) else getattr(hint, "__name__", shown(hint))
