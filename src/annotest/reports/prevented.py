"""What the guard prevented, and the line that allows it."""

from __future__ import annotations

import json
from itertools import groupby

from annotest.events import Prevented
from annotest.reports.console import Console
from annotest.reports.paths import readable, readable_thing

_MOST = 3


def print_prevented(console: Console, prevented: list[Prevented]) -> None:
    """Print what each target was kept from, a few things each, and the lines that allow it."""
    if not prevented:
        return
    for _, group in groupby(sorted(prevented, key=_order), key=_kind):
        _print_group(console, list(group))
    console.say("        to allow it, write in pyproject.toml:", style="dim")
    for line in ("[tool.annotest]", *allowing(prevented)):
        console.say(f"            {line}", style="dim")
    console.say()


def allowing(prevented: list[Prevented]) -> list[str]:
    """Return the lines that allow everything that was prevented, a line a key."""
    lines: dict[str, dict[str, None]] = {}
    for thing in prevented:
        key, _, listed = thing.allow.partition(" = ")
        lines.setdefault(key, {}).update(dict.fromkeys(json.loads(listed)))
    return [f"{key} = {json.dumps(list(items))}" for key, items in lines.items()]


def _order(thing: Prevented) -> tuple[str, int, str, str]:
    return thing.target.file, thing.target.line, thing.action, thing.what


def _kind(thing: Prevented) -> tuple[str, str, str]:
    return thing.target.file, thing.target.qualname, thing.action


def _print_group(console: Console, group: list[Prevented]) -> None:
    first = group[0]
    things = list(dict.fromkeys(prevented.what for prevented in group))
    shown = ", ".join(readable_thing(thing) for thing in things[:_MOST])
    if len(things) > _MOST:
        shown += f" and {len(things) - _MOST:,} more"
    where = f"{readable(first.target.file)}:{first.target.line}"
    said = f"{where}: {first.target.qualname} tried to {first.action} {shown}"
    console.say(("prevented ", "bold yellow"), said)
    if any(prevented.broke for prevented in group):
        console.say("        calls that failed for it are not reported as bugs")
