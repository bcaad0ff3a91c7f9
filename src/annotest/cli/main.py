"""The commands."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from annotest import __version__
from annotest.cli.files import write_files, write_whole
from annotest.cli.keys import Asked, keys_of
from annotest.cli.options import (
    budget_options,
    exclude_option,
    finding_options,
    is_named,
    limit_options,
    look_keys,
    look_options,
    names_and_paths,
    process_options,
    replay_options,
    run_keys,
    run_options,
)
from annotest.cli.settings import DEBUG, given_by, settings_of
from annotest.cli.signals import ended_by_signals
from annotest.cli.streams import drop_unwritten, flush_report, prepare_streams, say_error, silence
from annotest.config import Settings
from annotest.controls import escaped
from annotest.engine.parent.run import Run
from annotest.engine.parent.selection import meant
from annotest.errors import UsageError
from annotest.events import Event
from annotest.reports.console import Console, make_console, plural, to_standard_output
from annotest.reports.explanation import explanation_record, print_explanation
from annotest.reports.json import run_record
from annotest.reports.listing import print_listing, print_unread
from annotest.reports.prevented import print_prevented
from annotest.reports.settings import print_settings, settings_record
from annotest.reports.terminal import print_interrupted, print_mistakes, print_report
from annotest.triage import Report

WRONG_USE, OWN_FAILURE, INTERRUPTED = 2, 3, 130
STANDARD_OUTPUT = "-"

paths_argument = click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATHS|TARGETS]...")
all_option = click.option(
    "--all", "every", is_flag=True, help="Also take functions of modules without annotations."
)
select_option = click.option(
    "-k", "select", default="", help="Only targets whose names match: 'conv and not 3d'."
)
_json = functools.partial(
    click.option,
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Write the result to this file; -: to standard output, and the report to standard error.",
)
# the file that is configured is for the result of a run
json_option, own_json_option = _json(), _json(cls=Asked)


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
        sys.exit(status)

    return run


def configured(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the settings in force, and its options as they are configured."""

    @click.option(
        "--profile",
        cls=Asked,
        metavar="NAME",
        help="Also take the settings of [tool.annotest.profiles.NAME] in pyproject.toml.",
    )
    @functools.wraps(command)
    def run(profile: str | None, **given: Any) -> int:
        context = click.get_current_context()
        settings = settings_of(context, keys_of(main.commands["run"]))
        return command(settings, **given | given_by(settings, context.command))

    return run


def _own_failure(error: Exception) -> str:
    if os.environ.get(DEBUG):
        return traceback.format_exc()
    return (
        f"annotest: annotest itself failed: {type(error).__name__}: {error}\n"
        "Please report this; ANNOTEST_DEBUG=1 shows where it happened."
    )


def _warn_without_asserts() -> None:
    if sys.flags.optimize:
        say_error(
            "annotest: warning: Python runs without asserts (-O, or PYTHONOPTIMIZE is set), "
            "so bugs that only an assert shows are not found"
        )


class _Commands(click.Group):
    """The commands; a path in place of one gets the command that was probably meant."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in self.commands and Path(args[0]).exists():
            ctx.fail(f"No such command {args[0]!r}. To test that path: annotest run {args[0]}")
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with _escaped_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with _escaped_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def _escaped_errors() -> Iterator[None]:
    """Have click's own errors, which quote arguments, show what would steer the terminal."""
    try:
        yield
    except click.UsageError as error:
        raise click.UsageError(escaped(error.format_message()), error.ctx) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="annotest")
def main() -> None:
    """Test neural-network programs with the inputs their annotations call valid."""


@main.command("run", short_help="Test every annotated function.")
@paths_argument
@select_option
@click.option("--seed", type=int, help="Start from this seed, to get the same inputs again.")
@click.option(
    "--beyond", is_flag=True, help="Also try calls just outside the annotations; shown apart."
)
@finding_options
@budget_options
@limit_options
@process_options
@all_option
@exclude_option
@run_keys
@json_option
@guarded
@configured
def run_command(
    settings: Settings,
    paths: tuple[str, ...],
    json_file: str | None,
    verbose: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Test every annotated function below PATHS (files or folders).

    TARGETS are FILE.py:NAME or module:NAME, where NAME is a function, a method or a class. Without
    either, the paths of the configuration are tested, else the current folder.
    """
    from annotest.cli.live import make_live  # only this command shows anything that moves

    if json_file and not Path(json_file).absolute().parent.is_dir():
        raise UsageError(f"--json {json_file}: cannot be written: No such file or directory")
    options = run_options(settings, paths, **given)
    _warn_without_asserts()
    console = report_console(json_file)
    live, report = make_live(verbose, quiet), Report()

    def listen(event: Event) -> None:
        report.take(event)
        live.listen(event)

    with ended_by_signals():
        try:
            Run(options, listen).test()
        finally:
            live.close()
    write_json(json_file, run_record(report, __version__))
    print_report(console, report)
    return _status_of(report)


def _status_of(report: Report) -> int:
    return INTERRUPTED if report.interrupted else report.exit_status()


@main.command("replay", short_help="Run the input of an earlier finding again.")
@click.argument("finding", metavar="ID", required=False)
@click.option("--debug", is_flag=True, help="Stop in pdb where it fails.")
@replay_options
@guarded
@configured
def replay_command(settings: Settings, finding: str | None, debug: bool, **given: Any) -> int:
    """Run the input of the finding ID again and say FIXED, STILL FAILING or CHANGED.

    The limits are those under which it was found, unless others are given.
    PREVENTED means that the guard kept the call from what it does. The beginning of an ID will
    do. Without one, the findings kept in this project are listed.
    """
    from annotest.cli.replaying import replay_finding  # other commands need nothing of it

    if finding is not None:
        _warn_without_asserts()
    with ended_by_signals():
        return replay_finding(make_console(), settings, finding, debug, **given)


@main.command("list", short_help="List targets, and what is not testable.")
@paths_argument
@select_option
@all_option
@exclude_option
@look_keys
@own_json_option
@guarded
@configured
def list_command(settings: Settings, json_file: str | None, **given: Any) -> int:
    """List every target, and every function that is not testable with what to add."""
    report = Report()
    with ended_by_signals():
        Run(look_options(settings, **given), report.take).look()
    write_json(json_file, run_record(report, __version__))
    print_listing(report_console(json_file), report)
    return _status_of(report)


@main.command("explain", short_help="Say how the inputs of a target are made.")
@click.argument("words", nargs=-1, metavar="[TARGETS]... [PATHS]...")
@select_option
@click.option("--seed", type=int, default=0, show_default=True, help="For the inputs shown.")
@exclude_option
@look_keys
@own_json_option
@guarded
@configured
def explain_command(
    settings: Settings,
    words: tuple[str, ...],
    select: str,
    json_file: str | None,
    **given: Any,
) -> int:
    """Say how the inputs of TARGETS are made: in which order, and how preconditions are met.

    A target is FILE.py:NAME or module:NAME. NAME alone is that of a target below PATHS, or where
    none has it, a part of names.
    """
    names, paths = names_and_paths(words, select)
    report = Report()
    options = look_options(settings, paths, select=select, **given)
    with ended_by_signals():
        explained = Run(options, report.take).explain(names)
    told = report.mistakes + report.untested
    known = [explanation.target.qualname for explanation in explained]
    wanted = meant(names, known + [mistake.function for mistake in told])
    explained = [explanation for explanation in explained if explanation.target.qualname in wanted]
    mistakes = [mistake for mistake in told if mistake.function in wanted]
    mistakes = [mistake for mistake in mistakes if is_named(mistake.function, paths)]
    write_json(json_file, {"targets": [*map(explanation_record, explained)]})
    console = report_console(json_file)
    wrong = [mistake for mistake in mistakes if not mistake.warning]
    print_mistakes(console, mistakes)
    print_unread(console, report)
    for explanation in explained:
        print_explanation(console, explanation)
    for text in report.notices:
        say_error(f"annotest: {text}")
    if report.interrupted:
        print_interrupted(console, report)
        return INTERRUPTED
    if not explained and not mistakes and not report.notices:
        said = " ".join(names) or f"-k {select}"
        raise UsageError(f"no target of that name: {said}; `annotest list` names them")
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
@look_keys
@own_json_option
@guarded
@configured
def generate_command(
    settings: Settings, out: str, force: bool, json_file: str | None, **given: Any
) -> int:
    """Write the tests as readable pytest files, one a module."""
    report = Report()
    console = report_console(json_file)
    with ended_by_signals():
        run = Run(look_options(settings, **given), report.take)
        written, refused = write_files(run, Path(out), force, _command_line())
    write_json(json_file, {"files": written})
    print_mistakes(console, report.mistakes + report.untested)
    print_unread(console, report)
    print_prevented(console, report.prevented)
    for record in written:
        console.say(f"{record['file']}: {plural(record['tests'], 'test')}")
    print_interrupted(console, report)
    if refused:
        raise UsageError(f"{refused}; choose another folder with --out")
    if not written and not report.interrupted:
        console.say(_nothing_written(report))
    return _status_of(report)


@main.command(
    "config",
    short_help="Show the settings in force, and where each comes from.",
    params=[param for param in run_command.params if not isinstance(param, Asked)],
)
@guarded
@configured
def config_command(settings: Settings, **given: Any) -> int:
    """Show the settings with which `annotest run` would run, and where each of them comes from.

    The options are those of `annotest run`.
    """
    json_file = click.get_current_context().params["json_file"]  # the configured one is run's
    if json_file:
        write_json(json_file, settings_record(settings))
    print_settings(make_console(), settings)
    return 0


def _nothing_written(report: Report) -> str:
    if report.errors:
        return "nothing to write, because of the mistakes above"
    if report.findings or report.asides or report.prevented or report.internal_errors:
        return "nothing to write, because of the failures above"
    if report.untested:
        return "nothing to write: no annotated function has all that it needs"
    return "nothing to write: no annotated function was found"


def _command_line() -> str:
    """Return the command as it was given; what is configured is no part of it."""
    given = click.get_current_context().params
    parts = ["annotest generate", *map(shlex.quote, given["paths"])]
    parts += ["--all"] * given["every"]
    parts += [f"--exclude {shlex.quote(pattern)}" for pattern in given["exclude"]]
    parts += ["--profile", given["profile"]] if given["profile"] else []
    return " ".join([*parts, "--out", given["out"]] if given["out"] != "annotest_tests" else parts)


def report_console(json_file: str | None) -> Console:
    """Return where the report goes: to standard output, unless that is for the JSON."""
    return make_console(stderr=json_file == STANDARD_OUTPUT)


def write_json(path: str | None, record: dict[str, Any]) -> None:
    """Write a record to a file."""
    if path is None:
        return
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    if path == STANDARD_OUTPUT:
        with to_standard_output():
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        return
    try:
        write_whole(Path(path), text)
    except OSError as error:
        raise UsageError(f"--json {path}: cannot be written: {error.strerror}") from error
