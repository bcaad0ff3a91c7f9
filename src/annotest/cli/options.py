"""The options of `annotest run`, and what they come to."""

from __future__ import annotations

import difflib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import click

from annotest import globs, guard
from annotest.cli.keys import NETWORK, PROGRAMS, WORDS, Asked, DefaultOracle, Glob, Key, Permission
from annotest.cli.sizes import Real, Seconds, Size, Workers, memory_for
from annotest.config import Settings, project_root
from annotest.database import database_folder
from annotest.discovery.words import is_meant, read_word
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.selection import matches
from annotest.engine.ways import AUTO, FORK, FRESH, SPAWN
from annotest.errors import UsageError
from annotest.process import KILOBYTE, MEGABYTE, Limits
from annotest.promises import BY_DEFAULT

_Command = TypeVar("_Command", bound=Callable[..., Any])
_USUAL = Limits()
SCRATCH, PROJECT = "scratch", "project"
MOST_SHARE = 0.5  # of a call's time, for items: one more item may take the other half


def _together(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


exclude_option = click.option(
    "--exclude",
    type=Glob(),
    multiple=True,
    help="Leave these files and folders alone, unless they are named themselves.",
)

budget_options = _together(
    click.option(
        "--max-examples",
        type=click.IntRange(1),
        default=200,
        show_default=True,
        help="Inputs per target.",
    ),
    click.option(
        "--run-examples",
        type=click.IntRange(1),
        help="Inputs of all targets together, shared out evenly; at least one each.",
    ),
    click.option(
        "--target-time",
        "target_seconds",
        type=Seconds(endless=True),
        help="Seconds that one target may take; default: 600.",
    ),
    click.option(
        "--max-time",
        "run_seconds",
        type=Seconds(endless=True),
        help="Seconds that the run may take, shared out fairly.",
    ),
)

finding_options = _together(
    click.option("--fail-fast", is_flag=True, help="End with the first finding."),
    click.option(
        "--last-failed", is_flag=True, help="Only targets of which findings are kept as failing."
    ),
)

work_in_option = click.option(
    "--work-in",
    type=click.Choice([SCRATCH, PROJECT]),
    default=SCRATCH,
    show_default=True,
    help="Where calls work: in a scratch folder that shows what the working directory holds, or in "
    "the working directory itself.",
)

_timeout = partial(
    click.option,
    "--timeout",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="Seconds that one call may take.",
)
_max_items = partial(
    click.option,
    "--max-items",
    type=click.IntRange(1),
    default=_USUAL.items,
    show_default=True,
    help="Items that are taken of a generator or iterator.",
)
_items_share = partial(
    click.option,
    "--items-share",
    type=Real(0, MOST_SHARE, min_open=True),
    default=_USUAL.items_share,
    show_default=True,
    help="Share of a call's time during which they are taken.",
)
_device = partial(
    click.option,
    "--device",
    default="",
    metavar="NAME",
    help="Put torch's tensors and modules there: cuda, cuda:1.  [default: where they are made]",
)
_allow = partial(
    click.option,
    "--allow",
    type=Permission(),
    multiple=True,
    help="Let the code under test use the network, start programs, or write below a path: "
    "'network', 'programs', or a path.",
)
outputs_key = click.option(
    "--outputs",
    cls=Key,
    example="runs",
    type=click.Path(),
    multiple=True,
    help="Files and folders that the code under test may write.",
)
_auto_key = click.option(
    "--auto",
    cls=Key,
    example=False,
    type=bool,
    default=True,
    help="Also call what nobody annotated, in modules with annotations.",
)
_suspicious_key = click.option(
    "--suspicious",
    cls=Key,
    type=DefaultOracle(),
    multiple=True,
    default=BY_DEFAULT,
    show_default=True,
    help="What is suspicious where nobody has promised otherwise; with ! behind it, a finding.",
)
run_keys = _together(_auto_key, outputs_key, _suspicious_key)
look_keys = _together(
    _auto_key,
    outputs_key,
    *(option(cls=Key) for option in (_allow, _timeout, _max_items, _items_share)),
)

limit_options = _together(
    _timeout(),
    click.option(
        "--max-memory",
        type=Size(MEGABYTE),
        help="Memory that the calls of one worker may use; default: its share of the machine's.",
    ),
    click.option(
        "--max-output",
        type=Size(KILOBYTE),
        default=100 * MEGABYTE,
        help="What one call may print.  [default: 100MB]",
    ),
    _max_items(),
    _items_share(),
    _allow(),
    click.option("--no-guard", is_flag=True, help="Prevent nothing."),
    work_in_option,
)

replay_options = _together(
    click.option("--timeout", cls=Asked, type=Seconds(), help="Seconds that the call may take."),
    click.option(
        "--max-memory", cls=Asked, type=Size(MEGABYTE), help="Memory that the call may use."
    ),
    click.option("--max-output", cls=Asked, type=Size(KILOBYTE), help="What the call may print."),
    click.option(
        "--database", type=click.Path(file_okay=False), help="Where failing inputs are kept."
    ),
    _device(cls=Asked),
    _allow(help="As for `annotest run`."),
    click.option("--no-guard", is_flag=True, help="Prevent nothing."),
    work_in_option,
    outputs_key,
)

process_options = _together(
    click.option(
        "--workers",
        type=Workers(),
        default="auto",
        show_default=True,
        help="How many targets to test at once.",
    ),
    _device(),
    click.option(
        "--processes",
        type=click.Choice([AUTO, FORK, FRESH, SPAWN]),
        default=AUTO,
        show_default=True,
        help="Test each target in a fork of a process that imported the module, or in a fresh one; "
        "spawn: a fresh one, and nothing is forked.",
    ),
    click.option(
        "--database",
        type=click.Path(file_okay=False),
        help="Where failing inputs are kept; default: .annotest in the project.",
    ),
    click.option("--no-database", is_flag=True, help="Keep no failing inputs, and try none."),
    click.option("-v", "--verbose", is_flag=True, help="Say how each module is tested, and more."),
    click.option("-q", "--quiet", is_flag=True, help="Show no progress."),
)


def run_options(
    settings: Settings,
    paths: tuple[str, ...],
    *,
    workers: int,
    timeout: float,
    max_memory: int | None,
    max_output: int,
    max_items: int,
    items_share: float,
    allow: tuple[str, ...],
    outputs: tuple[str, ...],
    no_guard: bool,
    work_in: str,
    database: str | None,
    no_database: bool,
    exclude: tuple[str, ...],
    device: str,
    **given: Any,
) -> RunOptions:
    """Return what is asked for; `given` are the options that have the names of fields."""
    matches(given["select"], "")  # a wrong -k is told before anything is imported
    if given["last_failed"] and no_database:
        raise UsageError("--last-failed asks for what --no-database leaves out; leave one out")
    paths = paths_of(settings, paths)
    root = root_of(read_word(paths[0]).place)
    memory = memory_for(workers) if max_memory is None else max_memory
    return RunOptions(
        paths,
        workers=workers,
        limits=replace(_limits(timeout, max_items, items_share), memory=memory, output=max_output),
        allowed=None if no_guard else allowed_by(settings, allow, outputs, root),
        database=None if no_database else database_for(root, database),
        root=root,
        exclude=_excluded(exclude),
        in_project=work_in == PROJECT,
        device=usable_device(device),
        **given,
    )


def usable_device(name: str) -> str:
    """Return the name of a device that torch can use; UsageError says why it cannot."""
    if not name:
        return ""
    if importlib.util.find_spec("torch") is None:
        raise UsageError(f"--device {name} needs torch; install it with: pip install torch")
    # in another process: one that has looked for a GPU cannot be forked any more
    code = "import sys, torch; torch.zeros(1, device=sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [""])[-1]
        raise UsageError(f"--device {name}: torch cannot use it here: {why}")
    return name


def names_and_paths(words: tuple[str, ...], select: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Divide the words of `explain` into names of targets, and where they are; the first is a name.

    FILE.py:NAME says both, and is where it is.
    """
    names: list[str] = []
    for number, word in enumerate(words):
        is_path = os.path.exists(word) and (number > 0 or select or not _may_be_name(word))
        if not is_path and ":" not in word:
            names.append(word)
            _check_name(word)
    paths = tuple(word for word in words if word not in names)
    named = [path for path in paths if read_word(path).name]
    if names and named:
        raise UsageError(f"{names[0]}: beside {named[0]}, say where it is too: FILE.py:{names[0]}")
    if not words and not select:
        raise UsageError("name a target, a path, or words with -k; `annotest list` names targets")
    return tuple(names), paths


def is_named(function: str, paths: tuple[str, ...]) -> bool:
    """Say whether a function is one of those that words name, or some word is a whole path."""
    words = [read_word(path) for path in paths or (".",)]
    return any(not word.name or is_meant(word.name, word.module, function) for word in words)


def _may_be_name(word: str) -> bool:
    parts = word.split(".")
    return parts[-1] != "py" and all(part.isidentifier() for part in parts)


def _check_name(word: str) -> None:
    try:
        matches(word, "")
    except UsageError:
        raise UsageError(f"{word!r} is no name; `annotest list` names the targets") from None


def look_options(
    settings: Settings,
    paths: tuple[str, ...],
    *,
    exclude: tuple[str, ...],
    allow: tuple[str, ...],
    outputs: tuple[str, ...],
    timeout: float,
    max_items: int,
    items_share: float,
    **given: Any,
) -> RunOptions:
    """Return the options of a command that imports modules and calls nothing."""
    matches(given.get("select", ""), "")  # a wrong -k is told before anything is imported
    paths = paths_of(settings, paths)
    return RunOptions(
        paths,
        allowed=allowed_by(settings, allow, outputs, root_of(read_word(paths[0]).place)),
        limits=_limits(timeout, max_items, items_share),
        exclude=_excluded(exclude),
        **given,
    )


def paths_of(settings: Settings, asked_for: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths that are asked for, or configured, or else the working directory."""
    configured = settings.known["paths"]
    for path in () if asked_for else configured.value:
        if not os.path.exists(read_word(path).place):
            raise UsageError(f"{configured.origin} paths: there is no file or folder {path}")
    return asked_for or configured.value or (".",)


def _excluded(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of files that are left alone, those of the command line made whole."""
    here = os.path.realpath(os.getcwd())
    return tuple(globs.absolute(here, pattern) for pattern in patterns)


def _limits(timeout: float, max_items: int, items_share: float) -> Limits:
    return replace(_USUAL, call=timeout, items=max_items, items_share=items_share)


def allowed_by(
    settings: Settings, allow: tuple[str, ...], outputs: tuple[str, ...], root: str
) -> guard.Allowed:
    """Return what the code under test may do."""
    return guard.Allowed(
        (*outputs, *(_written(path) for path in allow if path not in WORDS)),
        network=NETWORK in allow,
        programs=PROGRAMS in allow,
        root=os.path.dirname(settings.file) or root,
    )


def _written(path: str) -> str:
    """Return a path that may be written; a word that is misspelt is no path."""
    if not os.path.exists(path):
        meant = difflib.get_close_matches(path, WORDS, 1)
        if meant:
            raise UsageError(f"--allow {path}: did you mean {meant[0]!r}?")
    return os.path.realpath(path)


def root_of(path: str) -> str:
    """Return the project's folder: that of the working directory, where the path lies in it."""
    here, there = os.path.realpath(os.getcwd()), os.path.realpath(path)
    return project_root(here if os.path.commonpath([here, there]) == here else there)


def database_for(root: str, asked_for: str | None) -> str:
    """Return the folder of failing inputs: as asked for, or in the project."""
    return os.path.abspath(asked_for or database_folder(root))
