"""What the guard prevented, and the line that allows it."""

from __future__ import annotations

import os
from itertools import groupby

from rich.console import Console
from rich.text import Text

from annotest.events import Prevented
from annotest.reports.paths import readable

_MOST = 3


def print_prevented(console: Console, prevented: list[Prevented]) -> None:
    """Print what each target was kept from, a few things each."""
    for _, group in groupby(sorted(prevented, key=_order), key=_kind):
        _print_group(console, list(group))
    if prevented:
        console.print()


def _order(one: Prevented) -> tuple[str, int, str, str]:
    return one.target.file, one.target.line, one.action, one.what


def _kind(one: Prevented) -> tuple[str, str, str]:
    return one.target.file, one.target.qualname, one.action


def _print_group(console: Console, group: list[Prevented]) -> None:
    first = group[0]
    things = list(dict.fromkeys(one.what for one in group))
    shown = ", ".join(_readable(one) for one in things[:_MOST])
    if len(things) > _MOST:
        shown += f" and {len(things) - _MOST:,} more"
    where = f"{readable(first.target.file)}:{first.target.line}"
    said = f"{where}: {first.target.qualname} tried to {first.action} {shown}"
    console.print(Text.assemble(("prevented ", "bold yellow"), said))
    if any(one.broke for one in group):
        console.print(Text("        calls that failed for it are not reported as bugs"))
    console.print(
        Text(f"        to allow it, write below [tool.annotest]: {_allow(group)}", style="dim")
    )


def _readable(thing: str) -> str:
    return readable(thing) if os.path.isabs(thing) else thing


def _allow(group: list[Prevented]) -> str:
    """Return the line that allows the whole group: for many files, their folder."""
    lines = list(dict.fromkeys(one.allow for one in group))
    things = [one.what for one in group]
    if len(lines) == 1 or not all(os.path.isabs(one) for one in things):
        return lines[0]
    folder = os.path.commonpath([os.path.dirname(one) for one in things])
    return f'outputs = ["{readable(folder)}"]'
