"""`annotest replay`."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from annotest.cli.options import PROJECT, allowed_by, database_for, root_of, usable_device
from annotest.cli.sizes import memory_for
from annotest.config import Settings
from annotest.database import IDS, Database, Entry
from annotest.engine.parent.reproduce import Replay, Reproduced
from annotest.errors import UsageError
from annotest.kinds import KeptAs, Standing
from annotest.process import Limits
from annotest.reports.console import Console
from annotest.reports.findings import print_finding
from annotest.triage import Finding

_STYLES = {Standing.FIXED: "bold green", Standing.PREVENTED: "bold yellow"}


def replay_finding(
    console: Console,
    settings: Settings,
    finding: str | None,
    debug: bool,
    timeout: float | None,
    max_memory: int | None,
    max_output: int | None,
    database: str | None,
    allow: tuple[str, ...],
    outputs: tuple[str, ...],
    no_guard: bool,
    work_in: str,
    device: str,
) -> int:
    """Replay one finding, or list what can be replayed; return the exit status."""
    root = root_of(os.getcwd())
    kept = Database(database_for(root, database))
    entries = kept.all() if finding is None else kept.find(finding)
    for warning in kept.warnings:
        console.say(("warning ", "yellow"), warning)
    if finding is None:
        return _list(console, entries)
    if not entries:
        known = ", ".join(dict.fromkeys(entry.id for entry in kept.all())) or "none"
        said = f"no finding of that id is kept in this project; there are: {known}"
        raise UsageError(f"{finding}: {said}")
    if len({entry.id for entry in entries}) > 1:
        raise UsageError(f"{finding}: several findings begin so; write more of its id")
    entry = next((entry for entry in entries if entry.choices), entries[0])
    allowed = None if no_guard else allowed_by(settings, allow, outputs, root)
    in_project = work_in == PROJECT
    if debug:
        # imported late: it needs Hypothesis, which is slow to import
        from annotest.engine.parent.debugging import debug as debug_call

        return int(debug_call(entry, root, allowed, in_project))
    limits = _limits(entry, timeout, max_memory, max_output)
    reproduced = Replay(entry, root, limits, allowed, in_project, usable_device(device)).run()
    is_fixed = reproduced.standing is Standing.FIXED
    if entry.is_renamed and reproduced.failure is not None:
        kept.remove(entry)
        entry = replace(entry, id=reproduced.failure.fingerprint, ids=IDS)
        kept.save(entry)
    kept.mark(entry, KeptAs.FIXED if is_fixed else KeptAs.FAILING)
    _print(console, entry, reproduced)
    return 0 if is_fixed else 1


def _limits(
    entry: Entry, timeout: float | None, max_memory: int | None, max_output: int | None
) -> Limits:
    """Return the limits as asked for, else those under which the finding was made."""
    usual = Limits(memory=memory_for(1))
    return Limits(
        call=_first(timeout, entry.timeout, usual.call),
        memory=_first(max_memory, entry.max_memory, usual.memory),
        output=_first(max_output, entry.max_output, usual.output),
        items=_first(entry.max_items, usual.items),
        items_share=_first(entry.items_share, usual.items_share),
    )


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _list(console: Console, entries: list[Entry]) -> int:
    for entry in entries:
        parts = entry.exception_type, entry.message.split("\n")[0]
        said = ": ".join(part for part in parts if part)
        console.say(f"{entry.id}  {entry.status:8} {entry.seen_in}  {said}")
    if not entries:
        console.say("no findings are kept in this project")
    return 0


def _print(console: Console, entry: Entry, reproduced: Reproduced) -> None:
    word = reproduced.standing, _STYLES.get(reproduced.standing, "bold red")
    console.say(word, f" finding {entry.id} in {entry.seen_in}")
    if reproduced.note:
        console.say(f"  {reproduced.note}", style="yellow")
    console.say()
    if reproduced.failure is not None:
        print_finding(console, Finding(reproduced.failure), 1)
    else:
        for line in entry.call.splitlines():
            console.say("    " + line)
