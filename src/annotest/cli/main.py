"""`annotest run`, `annotest list`, `annotest generate`."""

from __future__ import annotations

import functools
import json
import os
import shlex
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from annotest import __version__
from annotest.cli.files import write_files, write_whole
from annotest.cli.options import (
    budget_options,
    exclude_option,
    limit_options,
    look_options,
    process_options,
    replay_limit_options,
    run_options,
    work_in_option,
)
from annotest.cli.signals import ended_by_signals
from annotest.cli.streams import drop_unwritten, flush_report, prepare_streams, say_error, silence
from annotest.engine.parent.run import Run
from annotest.engine.parent.selection import matches, meant
from annotest.errors import UsageError
from annotest.events import Event
from annotest.process.output import flush
from annotest.reports.console import make_console, plural
from annotest.reports.explanation import explanation_record, print_explanation
from annotest.reports.json import run_record
from annotest.reports.listing import print_listing, print_unread
from annotest.reports.prevented import print_prevented
from annotest.reports.terminal import print_mistakes, print_report
from annotest.triage import Report

WRONG_USE, OWN_FAILURE, INTERRUPTED = 2, 3, 130

paths_argument = click.argument("paths", nargs=-1, metavar="[PATHS]...")
all_option = click.option(
    "--all", "every", is_flag=True, help="Also take functions of modules without annotations."
)
json_option = click.option(
    "--json", "json_file", type=click.Path(dir_okay=False), help="Write the result to this file."
)


def guarded(command: Callable[..., int]) -> Callable[..., None]:
    """Turn whatever goes wrong into a message and an exit status."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        prepare_streams()
        try:
            status = command(*args, **kwargs)
            flush_report()
        except UsageError as error:
            say_error(f"annotest: {error}")
            drop_unwritten()
            status = WRONG_USE
        except BrokenPipeError:
            # the reader has gone: nothing is left to say, and nobody to say it to
            silence(1)
            status = OWN_FAILURE
        except KeyboardInterrupt:
            say_error("annotest: interrupted")
            status = INTERRUPTED
        except Exception as error:
            say_error(_own_failure(error))
            status = OWN_FAILURE
        if status == INTERRUPTED:
            leave_now(status)
        sys.exit(status)

    return run


def leave_now(status: int) -> NoReturn:
    """Leave without the interpreter's own end, during which a second Ctrl-C would kill us."""
    flush()
    os._exit(status)


def _own_failure(error: Exception) -> str:
    if os.environ.get("ANNOTEST_DEBUG"):
        return traceback.format_exc()
    return (
        f"annotest: annotest itself failed: {type(error).__name__}: {error}\n"
        "Please report this; ANNOTEST_DEBUG=1 shows where it happened."
    )


class _Commands(click.Group):
    """The commands; a path in place of one gets the command that was probably meant."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and Path(args[0]).exists():
            ctx.fail(f"No such command {args[0]!r}. To test that path: annotest run {args[0]}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="annotest")
def main() -> None:
    """Test neural-network programs with the inputs their annotations call valid."""


@main.command("run", short_help="Test every annotated function.")
@paths_argument
@click.option("-k", "select", default="", help="Only targets whose names match: 'conv and not 3d'.")
@click.option("--seed", type=int, help="Start from this seed, to get the same inputs again.")
@click.option(
    "--beyond", is_flag=True, help="Also try calls just outside the annotations; shown apart."
)
@budget_options
@limit_options
@process_options
@all_option
@exclude_option
@json_option
@guarded
def run_command(
    paths: tuple[str, ...], json_file: str | None, verbose: bool, quiet: bool, **given: Any
) -> int:
    """Test every annotated function below PATHS (files or folders; the current one by default)."""
    from annotest.cli.live import make_live  # only this command shows anything that moves

    matches(given["select"], "")  # a wrong -k is told before anything is imported
    if json_file and not Path(json_file).absolute().parent.is_dir():
        raise UsageError(f"--json {json_file}: cannot be written: No such file or directory")
    options = run_options(paths or (".",), **given)
    console = make_console()
    live, report = make_live(verbose, quiet), Report()

    def listen(event: Event) -> None:
        report.take(event)
        live.listen(event)

    with ended_by_signals():
        try:
            Run(options, listen).test()
        finally:
            live.close()
    if json_file:
        write_json(json_file, run_record(report, __version__))
    print_report(console, report)
    return INTERRUPTED if report.interrupted else report.exit_status()


@main.command("replay", short_help="Run the input of an earlier finding again.")
@click.argument("finding", metavar="ID", required=False)
@click.option("--debug", is_flag=True, help="Stop in pdb where it fails.")
@replay_limit_options
@click.option("--database", type=click.Path(file_okay=False), help="Where failing inputs are kept.")
@click.option("--allow", multiple=True, metavar="WHAT", help="As for `annotest run`.")
@click.option("--no-guard", is_flag=True, help="Prevent nothing.")
@work_in_option
@guarded
def replay_command(finding: str | None, debug: bool, **given: Any) -> int:
    """Run the input of the finding ID again and say FIXED, STILL FAILING or CHANGED.

    The limits are those under which it was found, unless others are given.
    PREVENTED means that the guard kept the call from what it does. The beginning of an ID will
    do. Without one, the findings kept in this project are listed.
    """
    from annotest.cli.replaying import replay_finding  # other commands need nothing of it

    with ended_by_signals():
        return replay_finding(make_console(), finding, debug, **given)


@main.command("list", short_help="List targets, and what is not testable.")
@paths_argument
@all_option
@exclude_option
@json_option
@guarded
def list_command(
    paths: tuple[str, ...], every: bool, exclude: tuple[str, ...], json_file: str | None
) -> int:
    """List every target, and every function that is not testable with what to add."""
    report = Report()
    Run(look_options(paths, every, exclude), report.take).look()
    if json_file:
        write_json(json_file, run_record(report, __version__))
    print_listing(make_console(), report)
    return report.exit_status()


@main.command("explain", short_help="Say how the inputs of a target are made.")
@click.argument("target")
@paths_argument
@click.option("--seed", type=int, default=0, show_default=True, help="For the inputs shown.")
@exclude_option
@json_option
@guarded
def explain_command(
    target: str,
    paths: tuple[str, ...],
    seed: int,
    exclude: tuple[str, ...],
    json_file: str | None,
) -> int:
    """Say how the inputs of TARGET are made: in which order, and how its preconditions are met.

    TARGET is the name of a target below PATHS, or where none has it, a part of names; or
    FILE.py:NAME.
    """
    file, colon, name = target.rpartition(":")
    if colon and file.endswith(".py"):
        paths, target = (file, *paths), name
    try:
        matches(target, "")
    except UsageError:
        raise UsageError(f"{target!r} is no name; `annotest list` names the targets") from None
    report = Report()
    options = replace(look_options(paths, False, exclude), select=target, seed=seed)
    with ended_by_signals():
        explained = Run(options, report.take).explain()
    told = report.mistakes + report.untested
    known = [explanation.target.qualname for explanation in explained]
    names = meant(target, known + [mistake.function for mistake in told])
    explained = [explanation for explanation in explained if explanation.target.qualname in names]
    mistakes = [mistake for mistake in told if mistake.function in names]
    if json_file:
        write_json(json_file, {"targets": [*map(explanation_record, explained)]})
    console = make_console()
    wrong = [mistake for mistake in mistakes if not mistake.warning]
    print_mistakes(console, mistakes)
    print_unread(console, report)
    for explanation in explained:
        print_explanation(console, explanation)
    for text in report.notices:
        say_error(f"annotest: {text}")
    if not explained and not mistakes and not report.notices:
        raise UsageError(f"no target of that name: {target}; `annotest list` names them")
    return WRONG_USE if wrong or report.notices or not explained else 0


@main.command("generate", short_help="Write the tests as pytest files.")
@paths_argument
@click.option(
    "--out",
    type=click.Path(file_okay=False),
    default="annotest_tests",
    show_default=True,
    help="Folder for the test files.",
)
@click.option("--force", is_flag=True, help="Overwrite files that annotest did not write.")
@all_option
@exclude_option
@json_option
@guarded
def generate_command(
    paths: tuple[str, ...],
    out: str,
    force: bool,
    every: bool,
    exclude: tuple[str, ...],
    json_file: str | None,
) -> int:
    """Write the tests as readable pytest files, one a module."""
    report = Report()
    run = Run(look_options(paths, every, exclude), report.take)
    console = make_console()
    written, refused = write_files(run, Path(out), force, _command_line(paths, out, every, exclude))
    if json_file:
        write_json(json_file, {"files": written})
    print_mistakes(console, report.mistakes + report.untested)
    print_unread(console, report)
    print_prevented(console, report.prevented)
    for record in written:
        console.print(f"{record['file']}: {plural(record['tests'], 'test')}")
    if refused:
        raise UsageError(f"{refused}; choose another folder with --out")
    if not written:
        console.print(_nothing_written(report))
    return report.exit_status()


def _nothing_written(report: Report) -> str:
    if report.errors:
        return "nothing to write, because of the mistakes above"
    if report.findings or report.asides or report.prevented or report.internal_errors:
        return "nothing to write, because of the failures above"
    if report.untested:
        return "nothing to write: no annotated function has all that it needs"
    return "nothing to write: no annotated function was found"


def _command_line(paths: tuple[str, ...], out: str, every: bool, exclude: tuple[str, ...]) -> str:
    parts = ["annotest generate", *paths]
    parts += ["--all"] * every
    parts += [f"--exclude {shlex.quote(pattern)}" for pattern in exclude]
    return " ".join([*parts, "--out", out] if out != "annotest_tests" else parts)


def write_json(path: str, record: dict[str, Any]) -> None:
    """Write a record to a file."""
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    try:
        write_whole(Path(path), text)
    except OSError as error:
        raise UsageError(f"--json {path}: cannot be written: {error.strerror}") from error
