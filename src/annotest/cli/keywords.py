"""The options of `annotest run`, given by keywords of Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from annotest.cli.keys import keys_of
from annotest.cli.main import run_command
from annotest.cli.options import run_options
from annotest.cli.settings import given_by, settings_of
from annotest.engine.parent.options import RunOptions
from annotest.errors import UsageError, hides_from_pytest

__tracebackhide__ = hides_from_pytest
# how the report of a run is shown
_SHOWING = ("json_file", "verbose", "quiet")


def options_of(paths: tuple[str, ...], given: Mapping[str, Any]) -> RunOptions:
    """Return the options of a run as the command line would read them, configuration included."""
    words = [word for name, value in given.items() for word in _words(name, value)]
    try:
        context = run_command.make_context("check", [*words, "--", *paths])
    except click.BadParameter as error:
        raise UsageError(f"{_keyword(error.param)}: {error.message}") from None
    settings = settings_of(context, keys_of(run_command))
    meant = given_by(settings, run_command)
    options = {name: value for name, value in meant.items() if name not in _SHOWING}
    return run_options(settings, paths, **options)


def _keyword(option: click.Parameter | None) -> str:
    assert option is not None  # click names it in all that it says about values
    return option.opts[0].removeprefix("--").replace("-", "_")


def _words(name: str, value: Any) -> Iterator[str]:
    """Yield what one keyword is on the command line."""
    option = f"--{name.replace('_', '-')}"
    if value is False:
        return
    if value is True:
        yield option
        return
    for item in (value,) if isinstance(value, str) or not hasattr(value, "__iter__") else value:
        yield from (option, str(item))
