"""Annotations that turn out wrong only when they are used: what is said about them."""

from __future__ import annotations

from typing import Any

from annotest.discovery.targets import Target, factory_info
from annotest.engine.child.calling import written_inputs
from annotest.engine.child.raised import remedy_of
from annotest.errors import Mistake, Site
from annotest.oracles.exceptions import message_of, type_name
from annotest.oracles.judging import Unjudgeable
from annotest.plan.postconditions import PostconditionFailed
from annotest.plan.preconditions import Precondition, PreconditionFailed
from annotest.plan.recipe import Factory
from annotest.plan.strategy import FilterFailed
from annotest.signature import site_of
from annotest.source import shown
from annotest.spec import Example

NOTHING = "leave it out, or name the part of the result that it is to judge, in text"


def raising_annotation(
    error: PreconditionFailed | PostconditionFailed | FilterFailed,
    recipes: dict[str, Any],
    target: Target,
) -> Mistake:
    """Return the mistake of a condition or predicate that raises."""
    raises = f"raises {type_name(error.error)}: {message_of(error.error)}"
    if not isinstance(error, FilterFailed):
        is_odd = isinstance(error.error, Unjudgeable)
        said = str(error.error) if is_odd else f"it {raises}"
        note = error.annotation
        inputs = ", ".join(f"{name}={text}" for name, text in written_inputs(target, recipes))
        return Mistake(
            note.site,
            note.text(),
            said + (f" for {inputs}" if inputs else ""),
            NOTHING if is_odd else remedy_of(error),
            target.info.qualname,
        )
    return Mistake(
        site_of(error.predicate),
        f".where({shown(error.predicate)})",
        f"the predicate {raises}",
        "make it return True or False for every value",
        target.info.qualname,
    )


def invalid_example(note: Example, refused_by: Precondition, target: Target) -> Mistake:
    """Return the mistake of an example that a precondition refuses."""
    return Mistake(
        note.site,
        note.text(),
        f"not a valid call: {refused_by.annotation.text()} does not hold",
        "correct the example or the precondition",
        target.info.qualname,
    )


def leaving_generator(factory: Factory, target: Target) -> Mistake:
    """Return the mistake of a generator that leaves the program instead of building a value."""
    info = factory_info(factory)
    return Mistake(
        Site(info.file, info.line),
        info.qualname,
        "it leaves with sys.exit instead of building a value",
        "return the value, or raise",
        target.info.qualname,
    )


def undrawable(error: Exception, target: Target) -> Mistake:
    """Return the mistake of a constraint that Hypothesis cannot draw from."""
    reason = f"its annotations cannot be drawn from: {message_of(error)}"
    return target.info.mistake(reason, "narrow or correct them")
