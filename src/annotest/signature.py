"""What a call of one function needs: its arguments with their constraints, and what is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from annotest.constraints import (
    Constraint,
    anys,
    bool_lists,
    dicts,
    float_lists,
    froms,
    int_lists,
    lists,
    objs,
    str_lists,
    tuples,
)
from annotest.errors import InvalidAnnotation, Mistake, Site
from annotest.hints import hint_constraints
from annotest.source import shown
from annotest.spec import (
    Annotation,
    Arg,
    Budget,
    CcExample,
    Example,
    Exclude,
    Generator,
    Require,
    Timeout,
    arg_problems,
    static_attribute,
    underlying,
    wrong_parts,
)

EMPTY = inspect.Parameter.empty
POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
POSITIONAL_OR_KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD
VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD
_STARRED = (VAR_POSITIONAL, VAR_KEYWORD)

A = TypeVar("A", bound=Annotation)


@dataclass(frozen=True)
class Parameter:
    """One argument: how it is passed, its default, and which values it takes."""

    name: str
    kind: Any
    default: Any = EMPTY
    constraint: Constraint | None = None
    takes_default: bool = False

    @property
    def is_supplied(self) -> bool:
        """Whether the argument has a value: a constraint, a default, or none needed."""
        known = self.constraint is not None or self.default is not EMPTY
        return known or self.kind in _STARRED


@dataclass(frozen=True)
class Signature:
    """A function's arguments and all that is said about its calls."""

    function: str
    site: Site
    parameters: tuple[Parameter, ...]
    groups: tuple[Arg, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    explicit: bool = False
    self_name: str = ""
    unreadable: str = ""
    missing: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()

    def of_kind(self, kind: type[A]) -> tuple[A, ...]:
        """Return the annotations of one kind, in the order they are written."""
        return tuple(one for one in self.annotations if isinstance(one, kind))

    @property
    def excluded(self) -> bool:
        """Whether the function is not to be tested."""
        return bool(self.of_kind(Exclude))

    @property
    def timeout(self) -> float | None:
        """The seconds one call may take, where said."""
        found = self.of_kind(Timeout)
        return found[0].seconds if found else None

    @property
    def budget(self) -> Budget | None:
        """How hard to test, where said."""
        found = self.of_kind(Budget)
        return found[0] if found else None

    @property
    def errors(self) -> tuple[Mistake, ...]:
        """The mistakes that keep the function from being tested."""
        return tuple(one for one in self.mistakes if not one.warning)


def site_of(function: Any) -> Site:
    """Return the line where a function or class is defined."""
    found = inspect.unwrap(underlying(function))
    code = getattr(found, "__code__", None)
    if code is not None:
        return Site(code.co_filename, code.co_firstlineno)
    try:
        _, start = inspect.getsourcelines(found)
        return Site(inspect.getsourcefile(found) or "", start)
    except (OSError, TypeError):
        return Site("", 0)


def initializer(cls: Any) -> Any:
    """Return the `__init__` of a class, its own or inherited."""
    return cls.__init__


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
    """Return the parameters as by position only where a wrapper spreads them: `def w(*args)`."""
    if static_attribute(function, "__wrapped__") is None:
        return raw
    try:
        outer = inspect.signature(function, follow_wrapped=False).parameters
    except (ValueError, TypeError):
        return raw
    if [p.name for p in raw] == list(outer) or not any(
        p.kind is VAR_POSITIONAL for p in outer.values()
    ):
        return raw
    return [p.replace(kind=POSITIONAL_ONLY) if p.kind is POSITIONAL_OR_KEYWORD else p for p in raw]


class _Reader:
    """Reads one function's signature."""

    def __init__(
        self,
        function: Any,
        annotations: tuple[Annotation, ...],
        name: str,
        bound: bool,
        is_constructor: bool,
    ) -> None:
        self.function = function
        self.annotations = annotations
        self.name = name
        self.bound = bound
        self.is_constructor = is_constructor
        self.site = site_of(function)
        self.mistakes: list[Mistake] = []

    def read(self) -> Signature:
        try:
            raw = list(inspect.signature(self.function).parameters.values())
        except (ValueError, TypeError) as error:
            return Signature(
                self.name, self.site, (), annotations=self.annotations, unreadable=str(error)
            )
        raw = _as_accepted(raw, self.function)
        self_name = ""
        if self.bound and raw and raw[0].kind in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD):
            self_name, raw = raw[0].name, raw[1:]
        constraints, groups = self._annotated([p.name for p in raw])
        hinted = self._hinted()
        parameters = tuple(self._parameter(p, constraints, hinted) for p in raw)
        self._check_kinds(parameters)
        self._check_once()
        self._check_calls(parameters, groups)
        grouped = {name for group in groups for name in group.names}
        missing = [p.name for p in parameters if not p.is_supplied and p.name not in grouped]
        return Signature(
            self.name,
            self.site,
            parameters,
            groups,
            self.annotations,
            tuple(self.mistakes),
            bool(self.annotations) or any(ours for _, ours in hinted.values()),
            self_name,
            missing=tuple(missing),
            suggestions=tuple(suggestion(p.name, _hint_text(p)) for p in raw if p.name in missing),
        )

    def _note(
        self, annotation: Annotation, error: InvalidAnnotation, warning: bool = False
    ) -> None:
        self.mistakes.append(
            Mistake(
                annotation.site,
                annotation.text(),
                error.reason,
                error.remedy,
                self.name,
                warning,
            )
        )

    def _annotated(self, names: list[str]) -> tuple[dict[str, Arg], tuple[Arg, ...]]:
        single: dict[str, Arg] = {}
        groups: list[Arg] = []
        for annotation in self.annotations:
            for wrong in wrong_parts(annotation):
                self.mistakes.append(_of_function(wrong, self.name))
            if not isinstance(annotation, Arg):
                continue
            others = [*single.values(), *groups]
            problems = list(arg_problems(annotation, names, self.name, others))
            for problem in problems:
                self._note(annotation, problem)
            if problems:
                continue
            if len(annotation.names) > 1:
                groups.append(annotation)
            else:
                single[annotation.names[0]] = annotation
        return single, tuple(groups)

    def _hinted(self) -> dict[str, tuple[Constraint, bool]]:
        function = underlying(self.function)
        if isinstance(function, type):
            init = initializer(function)
            function = function.__new__ if init is object.__init__ else init
        try:
            return hint_constraints(function)
        except InvalidAnnotation as error:
            self.mistakes.append(
                Mistake(self.site, "type hint", error.reason, error.remedy, self.name)
            )
            return {}

    def _parameter(
        self, raw: inspect.Parameter, single: dict[str, Arg], hinted: dict[str, Any]
    ) -> Parameter:
        annotation = single.get(raw.name)
        if annotation is None:
            constraint = hinted.get(raw.name, (None, False))[0]
            usable = raw.kind not in _STARRED
            return Parameter(
                raw.name,
                raw.kind,
                raw.default,
                constraint if usable else None,
                usable and _accepts_default(constraint, raw.default),
            )
        constraint = annotation.constraint
        inside = _accepts_default(constraint, raw.default)
        if raw.default is not EMPTY and not inside and not annotation.or_default:
            self._warn_default(annotation, raw)
        takes = raw.default is not EMPTY and (annotation.or_default or inside)
        return Parameter(raw.name, raw.kind, raw.default, constraint, takes)

    def _warn_default(self, annotation: Arg, raw: inspect.Parameter) -> None:
        if not annotation.constraint.decides() or list(wrong_parts(annotation)):
            return
        reason = next(iter(annotation.constraint.mismatches(raw.default, raw.name)), None)
        error = InvalidAnnotation(
            f"the default of {raw.name!r} lies outside its constraint: {reason}",
            "widen the constraint if the default is valid; it is not tested",
        )
        self._note(annotation, error, warning=True)

    def _check_kinds(self, parameters: tuple[Parameter, ...]) -> None:
        for p in parameters:
            if p.kind not in _STARRED or p.constraint is None:
                continue
            if p.kind is VAR_KEYWORD and isinstance(p.constraint, dicts):
                self._check_keys(p, parameters)
            wanted = dicts if p.kind is VAR_KEYWORD else _LIST_LIKE
            if not isinstance(p.constraint, (wanted, froms, anys, objs)) and not hasattr(
                p.constraint, "base"
            ):
                stars, kind, say = (
                    ("**", "a dict", 'dicts({"name": …})')
                    if p.kind is VAR_KEYWORD
                    else ("*", "a list or tuple", "lists(…)")
                )
                annotation = next(a for a in self.annotations if p.name in getattr(a, "names", ()))
                error = InvalidAnnotation(
                    f"{stars}{p.name} takes {kind}, and {p.constraint!r} gives none",
                    f"write {say}",
                )
                self._note(annotation, error)

    def _check_keys(self, kwargs: Parameter, parameters: tuple[Parameter, ...]) -> None:
        """Refuse keys that cannot be keywords: no text, or the name of another argument."""
        assert isinstance(kwargs.constraint, dicts)
        keys = kwargs.constraint.listed_keys()
        others = {p.name for p in parameters if p.kind in (POSITIONAL_OR_KEYWORD, KEYWORD_ONLY)}
        for key in keys:
            reason = ""
            if not isinstance(key, str):
                reason = f"the key {shown(key)} of **{kwargs.name} is not text"
            elif key in others:
                reason = f"the key {key!r} of **{kwargs.name} is an argument of its own"
            if reason:
                annotation = next(
                    a for a in self.annotations if kwargs.name in getattr(a, "names", ())
                )
                self._note(annotation, InvalidAnnotation(reason, "take another key"))

    def _check_once(self) -> None:
        for kind in (Timeout, Budget):
            for again in [a for a in self.annotations if type(a) is kind][1:]:
                error = InvalidAnnotation(
                    f"{self.name} has two @{kind.__name__.lower()} annotations", "keep one"
                )
                self._note(again, error)
        for annotation in self.annotations:
            if isinstance(annotation, CcExample) and not self.is_constructor:
                error = InvalidAnnotation(
                    f"{self.name} is not a constructor", "put it on the __init__ of a class"
                )
                self._note(annotation, error)

    def _check_calls(self, parameters: tuple[Parameter, ...], groups: tuple[Arg, ...]) -> None:
        for annotation in self.annotations:
            if isinstance(annotation, (Example, CcExample)):
                try:
                    values = bind_example(parameters, annotation)
                except TypeError as error:
                    remedy = (
                        f"{self.name} takes: {', '.join(p.name for p in parameters) or 'nothing'}"
                    )
                    self._note(annotation, InvalidAnnotation(f"{error}", remedy))
                    continue
                if isinstance(annotation, Example):
                    self._check_example(annotation, parameters, values)

    def _check_example(
        self, annotation: Example, parameters: tuple[Parameter, ...], values: dict[str, Any]
    ) -> None:
        for p in parameters:
            if p.name in values and p.constraint is not None and p.constraint.decides():
                if p.kind is VAR_POSITIONAL and tuple(values[p.name]) in p.constraint:
                    continue
                if p.takes_default and values[p.name] is p.default:
                    continue
                for reason in p.constraint.mismatches(values[p.name], p.name):
                    error = InvalidAnnotation(
                        f"not a valid call: {reason}", "correct the example or the constraint"
                    )
                    self._note(annotation, error)
                    break


_LIST_LIKE = (lists, tuples, int_lists, float_lists, bool_lists, str_lists)


def _of_function(mistake: Mistake, function: str) -> Mistake:
    return Mistake(mistake.site, mistake.annotation, mistake.reason, mistake.remedy, function)


def _accepts_default(constraint: Constraint | None, default: Any) -> bool:
    if constraint is None or default is EMPTY:
        return False
    try:
        return constraint.surely_accepts(default)
    except Exception:
        return False  # a user's predicate that cannot judge the default: it is not taken


def bind_example(parameters: tuple[Parameter, ...], call: Example | CcExample) -> dict[str, Any]:
    """Return the arguments of an example by name; TypeError says what does not fit."""
    if isinstance(call, CcExample) and call.by_parameter:
        if len(call.args) > len(parameters):
            raise TypeError("too many arguments")
        return dict(zip((p.name for p in parameters), call.args, strict=False))
    raw = [inspect.Parameter(p.name, p.kind, default=p.default) for p in parameters]
    bound = inspect.Signature(raw).bind(*call.args, **call.kwargs)
    values = dict(bound.arguments)
    for p in parameters:
        if p.kind is VAR_POSITIONAL and p.name in values:
            values[p.name] = list(values[p.name])
    return values


_BY_HINT = {
    "int": "ints(…)",
    "float": "floats(…)",
    "bool": "bools()",
    "str": "strs(…)",
    "list": "lists(…)",
    "tuple": "tuples(…)",
    "set": "sets(…)",
    "dict": "dicts(…)",
    "ndarray": "np_arrays(…)",
}


def suggestion(name: str, hint: str) -> str:
    """Return the annotation to add for an argument, as far as its type hint tells."""
    word = hint.partition("[")[0].rpartition(".")[2].strip().lower()
    return f"@arg({name}={_BY_HINT.get(word, '…')})"


def _hint_text(raw: inspect.Parameter) -> str:
    hint = raw.annotation
    if hint is EMPTY:
        return ""
    return hint if isinstance(hint, str) else getattr(hint, "__name__", shown(hint))


def is_generator(signature: Signature) -> bool:
    """Say whether a function is marked as a custom generator."""
    return bool(signature.of_kind(Generator))


def preconditions(signature: Signature) -> tuple[Require, ...]:
    """Return the preconditions of a function."""
    return signature.of_kind(Require)
