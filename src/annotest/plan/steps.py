"""A plan: the steps from nothing to a call, made once per target.

The worker interprets the steps, the writer prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotest.expr import Expr, Filtered, Generated, Mapped, walk
from annotest.plan.postconditions import Postcondition
from annotest.plan.preconditions import Precondition
from annotest.plan.raising import Raising
from annotest.plan.recipe import Factory
from annotest.plan.returning import Returning
from annotest.records import record
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.relations.arguments.model import Model
from annotest.signature import EMPTY, Parameter
from annotest.spec import Annotation, Ensure, ReturnsCalls

INIT = "init"


@record
class Draw:
    """Draw a recipe for one argument, or for several that belong together.

    `default` is the default that the call may fall back on by leaving the argument out;
    `drawn_anyway` says that it is also one of few values, so that it need not be said again.
    With an instance comes `init`: the arguments with which it was constructed.
    """

    names: tuple[str, ...]
    strategy: Expr
    default: Any = EMPTY
    drawn_anyway: bool = False
    with_init: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """The names that mean something once the recipe is built."""
        return (*self.names, INIT) if self.with_init else self.names

    @property
    def key(self) -> str:
        """The name under which the recipe is kept."""
        return ", ".join(self.names)

    @cached_property
    def is_plain(self) -> bool:
        """Whether building the recipe calls none of the user's code."""
        deferred = {Generated, Mapped, Filtered}
        return deferred.isdisjoint(map(type, walk(self.strategy)))


@record
class Let:
    """An argument that is never passed: preconditions see its default."""

    name: str
    value: Any


@record
class Build:
    """Build the values of one drawn recipe."""

    draw: Draw


@record
class Assume:
    """Go on only where a precondition holds."""

    precondition: Precondition


Step = Draw | Let | Build | Assume
# of words, and of a callable that is returned, oracles need nothing but the annotation
Promise = Postcondition | Raising | Returning | Ensure | ReturnsCalls


def is_written_out(promise: Promise) -> bool:
    """Say whether somebody wrote an annotation for it: type hints promise by the way."""
    return not (isinstance(promise, Returning) and promise.is_hint)


def text_of_promise(promise: Promise) -> str:
    """Return a promise as the user wrote it."""
    return promise.text() if isinstance(promise, Annotation) else promise.annotation.text()


@dataclass(frozen=True, eq=False)
class Plan:
    """The steps that make the arguments of one function, generator or constructor.

    `examples` are calls to try first; `calls`, where there are any, the only ones to make. Of a
    method, `calls_instance` says that its framework has instances called in its place. `promises`
    are what oracles hold the call to.
    """

    factory: Factory
    steps: tuple[Step, ...]
    examples: tuple[dict[str, Any], ...] = ()
    calls: tuple[dict[str, Any], ...] = ()
    self_name: str = ""
    calls_instance: bool = False
    model: Model | None = None
    sizes: NamedSizes | None = None
    promises: tuple[Promise, ...] = ()

    @property
    def draws(self) -> tuple[Draw, ...]:
        """The drawing steps, in order."""
        return tuple(step for step in self.steps if isinstance(step, Draw))

    @property
    def left_out(self) -> dict[str, Any]:
        """The arguments that some calls do not pass, with the defaults that they then have."""
        defaults = {draw.key: draw.default for draw in self.draws if draw.default is not EMPTY}
        if self.model is None or not self.model.ways:
            return defaults
        fitting = {name for way in self.model.ways for name in way.left_out}
        never = set(self.model.names) - fitting  # its default would break a relation
        return {name: default for name, default in defaults.items() if name not in never}

    @property
    def is_named(self) -> bool:
        """Whether arguments share dimensions or dtypes, which no precondition checks."""
        constraints = [p.constraint for p in self.parameters if p.constraint is not None]
        return any(constraint.is_named for constraint in constraints)

    @property
    def preconditions(self) -> tuple[Precondition, ...]:
        """The preconditions, in the order in which they are checked."""
        return tuple(step.precondition for step in self.steps if isinstance(step, Assume))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The arguments of the call."""
        return self.factory.parameters


def arrange(
    draws: list[Draw], lets: list[Let], preconditions: list[Precondition]
) -> tuple[Step, ...]:
    """Order the steps: draw all, then build cheap values first and check as soon as possible."""
    steps: list[Step] = [*draws, *lets]
    known = {let.name for let in lets}
    waiting = list(preconditions)

    def check(everything: bool = False) -> None:
        for condition in [
            condition for condition in waiting if everything or set(condition.needs) <= known
        ]:
            steps.append(Assume(condition))
            waiting.remove(condition)

    check()
    for draw in sorted(draws, key=lambda draw: not draw.is_plain):
        if not draw.is_plain:
            check()
        steps.append(Build(draw))
        known.update(draw.known)
    check(everything=True)  # the rest needs dimensions, which all arguments tell together
    return tuple(steps)
