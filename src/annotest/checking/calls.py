"""`annotest.check_call`: whether the annotations of a function allow a call, and why not."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotest.checking import CallCheck
from annotest.constraints import Constraint, ints
from annotest.constraints._sizes import Meanings
from annotest.errors import InvalidAnnotation, UsageError, hides_from_pytest
from annotest.outside import annotations_of
from annotest.plan.planner import NotPlanned, Planner
from annotest.plan.preconditions import Precondition, PreconditionFailed
from annotest.plan.relating import dimension_names, dimension_values
from annotest.plan.sized import against
from annotest.plan.steps import INIT
from annotest.records import record
from annotest.relations.arguments.dimensions import NamedSizes, is_looked_into
from annotest.relations.arguments.model import dimension_domain
from annotest.relations.arguments.sides import shapes_of, shared_dtypes_of, starred_sides_of
from annotest.signature import (
    VAR_POSITIONAL,
    Parameter,
    Signature,
    bind_call,
    constructor_signature,
    initializer,
    read_signature,
)
from annotest.source import shown
from annotest.spec import Arg, underlying

__tracebackhide__ = hides_from_pytest


def judged(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallCheck:
    """Judge a call of a function, method or class by its annotations."""
    callee = _callee(function)
    given = (*callee.bound, *args)
    taken, given = given[: len(callee.self_names)], given[len(callee.self_names) :]
    if len(taken) < len(callee.self_names):
        return CallCheck((f"missing a required argument: {callee.self_names[0]!r}",))
    try:
        bound = bind_call(callee.signature.own_parameters, given, kwargs)
    except TypeError as error:
        return CallCheck((str(error),))
    bound.apply_defaults()
    selves = dict(zip(callee.self_names, taken, strict=True))
    return _Judge(callee, {**selves, **bound.arguments}).judged()


@record
class _Callee:
    """A function with all that is said about it; `bound` is what it is bound to, if anything."""

    function: Any
    signature: Signature
    self_names: tuple[str, ...]
    bound: tuple[Any, ...]
    is_method: bool


def _callee(function: Any) -> _Callee:
    bound = (function.__self__,) if isinstance(function, types.MethodType) else ()
    plain = function.__func__ if bound else underlying(function)
    if not callable(plain):
        kind = type(function).__name__
        expected = "expects a function, class or method first"
        raise UsageError(f"check_call({shown(function)}) {expected}, got {kind}")
    if isinstance(plain, type):
        signature = constructor_signature(plain)
        plain, is_method = initializer(plain), False
    else:
        signature, is_method = _signature(plain, bool(bound))
    _refuse(signature)
    selves = (signature.self_name,) if is_method else ()
    return _Callee(plain, signature, selves, bound, is_method)


def _signature(function: Any, is_bound: bool) -> tuple[Signature, bool]:
    """Return what is said about a function, and whether it is a method."""
    name = getattr(function, "__qualname__", shown(function))
    notes = annotations_of(function, f"{getattr(function, '__module__', '')}:{name}")
    is_method = is_bound or _is_method(function, name)
    return read_signature(function, notes, name, is_method), is_method


def _is_method(function: Any, qualname: str) -> bool:
    """Say whether a function of a class takes an instance: not so if it is a static method."""
    owner_name, _, attribute = qualname.rpartition(".")
    owner: Any = inspect.getmodule(function)
    for part in filter(None, owner_name.split(".")):
        owner = getattr(owner, part, None)
    if isinstance(owner, type):
        return not isinstance(vars(owner).get(attribute), staticmethod)
    # of a class inside a function no name leads anywhere: its methods say what they take
    first = next(iter(inspect.signature(function).parameters), "")
    return first == "self" and owner_name != ""


def _refuse(signature: Signature) -> None:
    """Raise where annotations are wrong or say nothing about a call."""
    for mistake in signature.errors:
        raise InvalidAnnotation(str(mistake), mistake.remedy)
    said = signature.annotations or any(p.constraint for p in signature.parameters)
    if not said:
        missing = ", ".join(signature.suggestions)
        remedy = f"add {missing}" if missing else "annotate it"
        name = signature.function
        raise UsageError(f"{name} has no annotations that could allow or forbid a call; {remedy}")


@dataclass
class _Judge:
    """Judges one call: each argument, then what they are together, then the preconditions."""

    callee: _Callee
    values: dict[str, Any]

    def judged(self) -> CallCheck:
        """Return all reasons against the arguments; where there are none, the preconditions'."""
        conditions = self._conditions()
        reasons = [*self._arguments(), *self._groups()]
        if not reasons:
            reasons = [*self._dimensions(), *self._starred(), *self._sized(known=True)]
        if not reasons:  # one that disagrees may keep others from being reckoned
            reasons = [*self._sized(known=False)]
        if not reasons:
            reasons = [reason for condition in conditions for reason in self._broken(condition)]
        return CallCheck(tuple(reasons), tuple(self._undecided(conditions)))

    @property
    def _signature(self) -> Signature:
        return self.callee.signature

    def _arguments(self) -> Iterator[str]:
        for p, constraint in self._constrained():
            yield from _mismatches(constraint, self._value(p, constraint), p.name)

    def _constrained(self) -> Iterator[tuple[Parameter, Constraint]]:
        """Yield the annotated arguments whose values count: not defaults that are valid as such."""
        for p in self._signature.own_parameters:
            is_default = p.takes_default and self.values[p.name] is p.default
            if p.constraint is not None and not is_default:
                yield p, p.constraint

    def _value(self, p: Parameter, constraint: Constraint) -> Any:
        """Return an argument; *args as a list, where that is what the annotation speaks of."""
        value = self.values[p.name]
        return list(value) if p.kind is VAR_POSITIONAL and constraint.kind is list else value

    def _groups(self) -> Iterator[str]:
        """Yield what is wrong with arguments that one annotation gives together."""
        for group in self._signature.groups:
            by_name = {name: self.values[name] for name in group.names}
            together = tuple(by_name.values())  # a constraint gives them as a tuple or as a dict
            reasons = [*_mismatches(group.constraint, together, ", ".join(group.names))]
            if reasons and any(_mismatches(group.constraint, by_name, "")):
                yield from reasons

    def _dimensions(self) -> Iterator[str]:
        """Yield the dimensions outside the values that somebody has given them."""
        for name, constraint in dimension_values(self._signature).items():
            if self._sizes.get(name) is not None:
                yield from _mismatches(constraint, self._sizes[name], name)

    def _starred(self) -> Iterator[str]:
        """Yield the parts of any length, such as *batch, that are not the same throughout."""
        known: dict[Any, tuple[int, ...]] = {}
        for p, constraint in self._constrained():
            for group, sizes in starred_sides_of(constraint, self.values[p.name]):
                if known.setdefault(group, sizes) != sizes:
                    yield f"{p.name}: expected {group} = {known[group]}, got {sizes}"

    def _sized(self, known: bool) -> Iterator[str]:
        """Yield the sizes and dtypes that are not what the others make them.

        Those of the arguments whose dimensions are all `known`, or of the others.
        """
        for p, constraint in self._constrained():
            is_known = all(self._meanings.names[name] is not None for name in constraint.size_names)
            if constraint.is_named and _shows_sizes(constraint) and is_known is known:
                yield from _against(constraint, self._value(p, constraint), p.name, self._meanings)

    @cached_property
    def _meanings(self) -> Meanings:
        """What names and labels mean in this call: what the first argument that has them says."""
        dtypes: dict[str, str] = {}
        for p, constraint in self._constrained():
            for shared, dtype in shared_dtypes_of(constraint, self.values[p.name]):
                dtypes.setdefault(shared.label, dtype)
        shapes = shapes_of(self.values, self.values)
        return Meanings({**self.values, **self._sizes}, dtypes, shapes)

    @cached_property
    def _sizes(self) -> Mapping[str, int | None]:
        """The dimensions of the call; any size will do where nobody has said which."""
        constraints = {p.name: constraint for p, constraint in self._constrained()}
        any_size = dimension_domain(ints(0, 1 << 40))
        sizes = NamedSizes(constraints, dict.fromkeys(dimension_names(self._signature), any_size))
        return sizes.of(self.values) if sizes.domains else {}

    def _conditions(self) -> list[Precondition]:
        names = [*self.values, *self._names_of_result]
        if self.callee.is_method and INIT not in names:
            names.append(INIT)
        try:
            return Planner().conditions(self._signature, names, self.callee.function)
        except NotPlanned as error:
            mistake = error.mistakes[0]
            raise InvalidAnnotation(str(mistake), mistake.remedy) from None

    @property
    def _names_of_result(self) -> list[str]:
        """The arguments of another call: that of what the function returns."""
        return [p.name for p in self._signature.parameters if p.is_of_result]

    def _broken(self, condition: Precondition) -> Iterator[str]:
        text = condition.annotation.text()
        known = {**self.values, **self._sizes}
        if not self._decides(condition):
            return
        try:
            if not condition.holds(known):
                yield f"{text} does not hold"
        except PreconditionFailed as failed:
            error = failed.error
            if not isinstance(error, Exception):
                raise error from None
            yield f"{text} raises {type(error).__name__}: {error}"

    def _decides(self, condition: Precondition) -> bool:
        """Say whether all is known that a precondition asks for."""
        if not {INIT, *self._names_of_result}.isdisjoint(set(condition.needs) - {*self.values}):
            return False
        unknown = {name for name, size in self._sizes.items() if size is None}
        shown = all(_shows_sizes(constraint) for _, constraint in self._constrained())
        return shown or unknown.isdisjoint(condition.needs)

    def _undecided(self, conditions: list[Precondition]) -> Iterator[str]:
        """Yield what nothing but a generator, a function or the constructor could tell."""
        for p, constraint in self._constrained():
            if constraint.is_built_late() or not _shows_sizes(constraint):
                yield p.name
        for group in self._signature.of_kind(Arg):
            if len(group.names) > 1 and group.constraint.is_built_late():
                yield ", ".join(group.names)
        for condition in conditions:
            if not self._decides(condition):
                yield condition.annotation.text()


def _shows_sizes(constraint: Constraint) -> bool:
    """Say whether the sizes that it names are those of a value, and known in any call."""
    return INIT not in constraint.size_roots and is_looked_into(constraint)


def _mismatches(constraint: Constraint, value: Any, name: str) -> Iterator[str]:
    yield from _asked(constraint, name, map(str, constraint.mismatches(value, name)))


def _asked(constraint: Constraint, name: str, reasons: Iterator[str]) -> Iterator[str]:
    try:
        yield from reasons
    except Exception as error:  # a predicate of the user's
        yield f"{name}: {constraint!r} raises {type(error).__name__}: {error}"


def _against(constraint: Constraint, value: Any, name: str, meanings: Meanings) -> Iterator[str]:
    yield from _asked(constraint, name, against(constraint, value, name, meanings))
