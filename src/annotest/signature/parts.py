"""The parts of a signature: arguments, and all that is said about the calls of a function."""

from __future__ import annotations

import functools
import inspect
from typing import Any, TypeVar

from annotest.constraints import Constraint
from annotest.errors import Mistake, Site
from annotest.records import record
from annotest.spec import (
    Annotation,
    Arg,
    Budget,
    CcExample,
    Example,
    Exclude,
    Generator,
    Raises,
    Require,
    Returns,
    ReturnsCalls,
    Timeout,
    underlying,
)

EMPTY = inspect.Parameter.empty
POSITIONAL_ONLY = inspect.Parameter.POSITIONAL_ONLY
POSITIONAL_OR_KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD
VAR_POSITIONAL = inspect.Parameter.VAR_POSITIONAL
KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD
STARRED = (VAR_POSITIONAL, VAR_KEYWORD)

A = TypeVar("A", bound=Annotation)


@record
class Parameter:
    """One argument: how it is passed, its default, and which values it takes."""

    name: str
    kind: Any
    default: Any = EMPTY
    constraint: Constraint | None = None
    takes_default: bool = False
    is_of_result: bool = False  # what is returned is called with it

    @property
    def is_supplied(self) -> bool:
        """Whether the argument has a value: a constraint, a default, or none needed."""
        known = self.constraint is not None or self.default is not EMPTY
        return known or self.kind in STARRED


@record
class HintedReturns(Returns):
    """What the type hint says of the result; whether a constraint of ours stands in it."""

    is_ours: bool = False

    def text(self) -> str:
        return "type hint of the result"


@record
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
    unread: tuple[str, ...] = ()
    hinted_result: Returns | None = None

    @property
    def returns(self) -> tuple[Returns, ...]:
        """What the result satisfies: as annotations say, or else the type hint."""
        said = self.of_kind(Returns)
        hinted = () if self.hinted_result is None else (self.hinted_result,)
        return said if said or self.calls_result else hinted

    @property
    def calls_result(self) -> bool:
        """Whether what is returned is called, too."""
        return bool(self.of_kind(ReturnsCalls))

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """The arguments of the function itself, without those of what it returns."""
        return tuple(p for p in self.parameters if not p.is_of_result)

    @property
    def lacking(self) -> str:
        """What is missing, for a person, with the hints that might have said it."""
        listed = ", ".join(map(repr, self.missing))
        return "; ".join([f"no annotation for {listed}", *self.unread])

    def of_kind(self, kind: type[A]) -> tuple[A, ...]:
        """Return the annotations of one kind, in the order they are written."""
        return tuple([note for note in self.annotations if isinstance(note, kind)])

    @property
    def excluded(self) -> bool:
        """Whether the function is not to be tested."""
        return bool(self.of_kind(Exclude))

    @property
    def timeout(self) -> float | None:
        """The seconds one call may take, where said."""
        timeouts = self.of_kind(Timeout)
        return timeouts[0].seconds if timeouts else None

    @property
    def budget(self) -> Budget | None:
        """How hard to test, where said."""
        budgets = self.of_kind(Budget)
        return budgets[0] if budgets else None

    @property
    def may_raise(self) -> tuple[Raises, ...]:
        """What is said about exceptions with which a call may end on valid input."""
        return self.of_kind(Raises)

    @property
    def errors(self) -> tuple[Mistake, ...]:
        """The mistakes that keep the function from being tested."""
        return tuple(mistake for mistake in self.mistakes if not mistake.warning)


def is_generator(signature: Signature) -> bool:
    """Say whether a function is marked as a custom generator."""
    return bool(signature.of_kind(Generator))


def preconditions(signature: Signature) -> tuple[Require, ...]:
    """Return the preconditions of a function."""
    return signature.of_kind(Require)


def as_written(function: Any) -> Any:
    """Return what a person wrote: the function behind wrappers and partial objects."""
    inner = inspect.unwrap(underlying(function))
    while isinstance(inner, functools.partial):
        inner = inspect.unwrap(inner.func)
    return inner


def site_of(function: Any) -> Site:
    """Return the line where a function or class is defined."""
    inner = as_written(function)
    code = getattr(inner, "__code__", None)
    if code is not None:
        return Site(code.co_filename, code.co_firstlineno)
    try:
        _, start = inspect.getsourcelines(inner)
        return Site(inspect.getsourcefile(inner) or "", start)
    except (OSError, TypeError):
        return Site("", 0)


def initializer(cls: Any) -> Any:
    """Return the `__init__` of a class, its own or inherited."""
    return cls.__init__


def bind_call(
    parameters: tuple[Parameter, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments:
    """Return the arguments of a call by name; TypeError says what does not fit."""
    raw = [inspect.Parameter(p.name, p.kind, default=p.default) for p in parameters]
    return inspect.Signature(raw).bind(*args, **kwargs)


def bind_example(parameters: tuple[Parameter, ...], call: Example | CcExample) -> dict[str, Any]:
    """Return the arguments of an example by name; TypeError says what does not fit."""
    if isinstance(call, CcExample) and call.by_parameter:
        if len(call.args) > len(parameters):
            raise TypeError("too many arguments")
        return dict(zip((p.name for p in parameters), call.args, strict=False))
    values = dict(bind_call(parameters, call.args, call.kwargs).arguments)
    for p in parameters:
        if p.kind is VAR_POSITIONAL and p.name in values:
            values[p.name] = list(values[p.name])
    return values
