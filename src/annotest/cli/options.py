"""The options of `annotest run`, and what they come to."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from annotest import globs, guard
from annotest.cli.sizes import Real, Seconds, Size, Workers, memory_for
from annotest.config import (
    MOST_SHARE,
    PROJECT,
    WORDS,
    WORK_IN,
    Config,
    project_root,
    read_config,
)
from annotest.database import database_folder
from annotest.discovery.words import is_meant, read_word
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.selection import matches
from annotest.engine.ways import AUTO, FORK, FRESH, SPAWN
from annotest.errors import UsageError
from annotest.process import KILOBYTE, MEGABYTE, Limits

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _together(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


exclude_option = click.option(
    "--exclude",
    multiple=True,
    metavar="GLOB",
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
    type=click.Choice(WORK_IN),
    help="Where calls work: in a scratch folder that shows what the working directory holds (the "
    "default), or in the working directory itself.",
)

limit_options = _together(
    click.option(
        "--timeout",
        type=Seconds(),
        default=60.0,
        show_default=True,
        help="Seconds that one call may take.",
    ),
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
    click.option(
        "--max-items",
        type=click.IntRange(1),
        help="Items that are taken of a generator or iterator.  [default: 1000]",
    ),
    click.option(
        "--items-share",
        type=Real(0, MOST_SHARE, min_open=True),
        help="Share of a call's time during which they are taken.  [default: 0.05]",
    ),
    click.option(
        "--allow",
        multiple=True,
        metavar="WHAT",
        help="Let the code under test use the network, start programs, or write below a path: "
        "'network', 'programs', or a path.",
    ),
    click.option("--no-guard", is_flag=True, help="Prevent nothing."),
    work_in_option,
)

replay_limit_options = _together(
    click.option("--timeout", type=Seconds(), help="Seconds that the call may take."),
    click.option("--max-memory", type=Size(MEGABYTE), help="Memory that the call may use."),
    click.option("--max-output", type=Size(KILOBYTE), help="What the call may print."),
)

process_options = _together(
    click.option(
        "--workers",
        type=Workers(),
        default="auto",
        show_default=True,
        help="How many targets to test at once.",
    ),
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
    paths: tuple[str, ...],
    *,
    workers: int,
    timeout: float,
    max_memory: int | None,
    max_output: int,
    max_items: int | None,
    items_share: float | None,
    allow: tuple[str, ...],
    no_guard: bool,
    work_in: str | None,
    database: str | None,
    no_database: bool,
    exclude: tuple[str, ...],
    **given: Any,
) -> RunOptions:
    """Return what was asked for, on the command line and in pyproject.toml.

    `given` are the options that have the names of fields.
    """
    matches(given["select"], "")  # a wrong -k is told before anything is imported
    start = read_word(paths[0]).place
    config, root = read_config(start), root_of(start)
    if database and no_database:
        raise UsageError("--database and --no-database cannot both be meant; leave one out")
    if given["last_failed"] and no_database:
        raise UsageError("--last-failed asks for what --no-database leaves out; leave one out")
    memory = memory_for(workers) if max_memory is None else max_memory
    return RunOptions(
        paths,
        workers=workers,
        limits=replace(
            _limits_of(config, max_items, items_share),
            call=timeout,
            memory=memory,
            output=max_output,
        ),
        allowed=None if no_guard else allowed_by(config, allow, root),
        database=None if no_database else database_for(root, config, database),
        root=root,
        auto=config.auto,
        exclude=_excluded(config, exclude),
        in_project=(work_in or config.work_in) == PROJECT,
        **given,
    )


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
    paths: tuple[str, ...], every: bool, exclude: tuple[str, ...], **given: Any
) -> RunOptions:
    """Return the options of a command that imports modules and calls nothing."""
    matches(given.get("select", ""), "")  # a wrong -k is told before anything is imported
    paths = paths or (".",)
    start = read_word(paths[0]).place
    config = read_config(start)
    return RunOptions(
        paths,
        every,
        allowed=allowed_by(config, (), root_of(start)),
        limits=_limits_of(config),
        auto=config.auto,
        exclude=_excluded(config, exclude),
        **given,
    )


def _excluded(config: Config, asked_for: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of files that are left alone, as configured and as asked for."""
    here = os.path.realpath(os.getcwd())
    return (*config.exclude, *(globs.absolute(here, pattern) for pattern in asked_for))


def _limits_of(
    config: Config, max_items: int | None = None, items_share: float | None = None
) -> Limits:
    """Return the usual limits, with what is asked for or configured for lazy results."""
    usual = Limits()
    return replace(
        usual,
        items=max_items or config.max_items or usual.items,
        items_share=items_share or config.items_share or usual.items_share,
    )


def allowed_by(config: Config, allow: tuple[str, ...], root: str) -> guard.Allowed:
    """Return what the code under test may do: as configured, and as asked for."""
    words = {*config.allow, *(word for word in allow if word in WORDS)}
    written = [_written(path) for path in allow if path not in WORDS]
    return guard.Allowed(
        (*config.outputs, *written),
        network="network" in words,
        programs="programs" in words,
        root=os.path.dirname(config.file) or root,
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


def database_for(root: str, config: Config, asked_for: str | None) -> str:
    """Return the folder of failing inputs: as asked for, as configured, or in the project."""
    given = asked_for or os.environ.get("ANNOTEST_DATABASE") or config.database
    return os.path.abspath(given or database_folder(root))
