"""`annotest replay --debug`: the call of a finding in this very process, under pdb."""

from __future__ import annotations

import pdb
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any

from annotest import guard
from annotest.controls import escaped
from annotest.database import Entry
from annotest.discovery.discover import discover
from annotest.discovery.loading import load_module
from annotest.discovery.targets import Target
from annotest.engine.child.calling import is_unfinished, make_call, written_call, written_inputs
from annotest.engine.child.rounds import Damaged, recipes_from
from annotest.engine.child.seeding import Seeding
from annotest.engine.child.workplace import Workplace
from annotest.engine.jobs import DAMAGED, NO_LONGER_VALID
from annotest.engine.keeping import origin_of
from annotest.engine.parent.reproduce import is_input_of, module_of, place_of
from annotest.engine.scratch import (
    allowing,
    mirror_in,
    scratch_until_the_end,
    use_scratch,
)
from annotest.errors import UsageError
from annotest.oracles.exceptions import is_failure, message_of, type_name
from annotest.oracles.project import is_own
from annotest.plan.lazy import finish
from annotest.plan.pickling import RecipeDumper
from annotest.plan.strategy import Tally, run_steps


def debug(entry: Entry, root: str, allowed: guard.Allowed | None, in_project: bool = False) -> bool:
    """Make the call again and stop in pdb where it fails; say whether it failed."""
    file = module_of(entry, root)
    enter_workplace = _set_up_guard(allowed, in_project)
    module = load_module(file)
    if entry.is_of_import:
        print("It does not fail any more.")
        return False
    contents = discover(module, file.module, True, frozenset())
    place, _ = place_of(entry, tuple(target.info for target in contents.targets))
    target = contents.targets[place]
    try:
        recipes = recipes_from(origin_of(entry), target, contents)
    except Damaged:
        raise UsageError(f"{entry.id}: {DAMAGED}") from None
    if recipes is None or not is_input_of(entry, written_inputs(target, recipes)):
        raise UsageError(f"{entry.id}: {NO_LONGER_VALID}")
    print(escaped(written_call(target, recipes)))
    enter_workplace()
    assert target.plan is not None
    Seeding().start(recipes, RecipeDumper(contents.planner.live).dump(recipes))
    values = run_steps(target.plan.steps, recipes, Tally(), target.plan.sizes)
    if values is None:
        raise UsageError(f"{entry.id}: its input is no longer valid: a precondition refuses it")
    if entry.died:
        print("This call kills or hangs its process: pdb starts before it.")
        pdb.Pdb().runcall(_call, target, values)
        return False
    return _post_mortem(target, values)


def _set_up_guard(allowed: guard.Allowed | None, in_project: bool) -> Callable[[], object]:
    """Guard this process as a worker is guarded; return how to go where calls work."""
    if allowed is None:
        return lambda: None
    scratch = scratch_until_the_end()
    use_scratch(scratch)
    mirror, folders = mirror_in(scratch), allowed.folders
    guarded = allowing(allowed, scratch)
    assert guarded is not None
    guard.install(guarded, mirror=mirror)

    return (lambda: None) if in_project else partial(Workplace.made, mirror, folders)


def _post_mortem(target: Target, values: dict[str, Any]) -> bool:
    try:
        _call(target, values)
    except BaseException as error:
        if not is_failure(error):
            return False
        print(escaped(f"{type_name(error)}: {message_of(error)}"))
        pdb.post_mortem(_users(error.__traceback__))
        return True
    print("It does not fail any more.")
    return False


def _call(target: Target, values: dict[str, Any]) -> None:
    result = make_call(target, values)
    if is_unfinished(target, result):
        finish(result)


def _users(trace: TracebackType | None) -> TracebackType | None:
    """Return a trace from the user's code on."""
    while (
        trace is not None
        and trace.tb_next is not None
        and is_own(trace.tb_frame.f_code.co_filename)
    ):
        trace = trace.tb_next
    return trace
