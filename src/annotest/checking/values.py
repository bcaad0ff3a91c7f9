"""`annotest.value`: an argument of an earlier call, built again from what a report says."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import Any

from annotest.discovery.discover import discover
from annotest.discovery.targets import Contents, Target
from annotest.errors import UsageError, hides_from_pytest
from annotest.plan.plain import NotPlain
from annotest.plan.rebuilding import ValueText, live_of
from annotest.plan.recipe import BuildFailed, build

__tracebackhide__ = hides_from_pytest


def rebuilt(text: str) -> Any:
    """Return the value that a text stands for."""
    said = ValueText.read(text)
    if said is None:
        raise UsageError("annotest.value is given what a report writes in it, and this is not it")
    target = _target(said)
    assert target.plan is not None
    try:
        recipe = said.recipe(live_of(target.plan, target.planner))
    except NotPlain as error:
        raise _lost(said, f"its annotations have changed since ({error})") from None
    try:
        return build(recipe)
    except BuildFailed as failed:
        raise failed.error from None


def _target(said: ValueText) -> Target:
    """Return the target whose argument it is."""
    module = said.annotated_in or said.module
    try:
        contents = _contents(importlib.import_module(module))
    except ImportError as error:
        raise _lost(said, f"{module} cannot be imported here: {error}") from error
    for target in contents.targets:
        if (target.home, target.info.qualname) == (said.module, said.qualname):
            if target.plan is None:
                raise _lost(said, f"its annotations are wrong now: {target.info.error}")
            return target
    raise _lost(said, f"{module} has no such target any more")


@cache
def _contents(module: ModuleType) -> Contents:
    return discover(module, module.__name__, True, frozenset())


def _lost(said: ValueText, reason: str) -> UsageError:
    whose = f"{said.argument!r} of {said.module}:{said.qualname}"
    return UsageError(f"annotest.value cannot build {whose}: {reason}")
