"""The keys of the configuration: each option of `annotest run` is one, under its own name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import singledispatch
from typing import Any

import click

from annotest import globs
from annotest.cli.sizes import Size, Workers
from annotest.cli.sources import Source
from annotest.errors import UsageError, did_you_mean
from annotest.process.limits import size_text
from annotest.promises import BY_DEFAULT, MUST, not_by_default
from annotest.records import record
from annotest.reports.paths import readable

NETWORK, PROGRAMS = "network", "programs"
WORDS = (NETWORK, PROGRAMS)
_IN_NO_PATH = frozenset("*?\0")


class Key(click.Option):
    """A key that the command takes from the configuration, and that is no option of it."""

    def __init__(self, *names: Any, example: object = None, **declared: Any) -> None:
        super().__init__(*names, **declared)
        self.hidden = True
        self.example = example

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Leave it out: the command line does not say it."""


class Asked(click.Option):
    """An option about which the configuration says nothing: it is asked for, or it is not."""


class Glob(click.ParamType[str]):
    """A pattern of files and folders."""

    name = "glob"


class Permission(click.ParamType[str]):
    """What code under test may do; a path that it may write, too, on the command line."""

    name = "what"


class DefaultOracle(click.ParamType[str]):
    """The name of an oracle that judges by default, with ! behind it where it makes findings."""

    name = "oracle"


@record
class Takes:
    """What a key takes: types of TOML, in words, for instance; how it is read, and shown.

    What `read` reads does not depend on the option's own type: it has a folder to begin in.
    """

    types: tuple[type, ...]
    expected: str
    example: object
    read: Callable[[Source, str, str], str] | None = None
    show: Callable[[Any], str] = str


def keys_of(command: click.Command) -> dict[str, click.Parameter]:
    """Return the parameters of a command that can be configured, by key."""
    configured = [param for param in command.params if not isinstance(param, Asked)]
    return {key_of(param): param for param in configured}


def key_of(param: click.Parameter) -> str:
    """Return the name that a parameter has in the configuration: that of its longest option."""
    return max(param.opts, key=len).lstrip("-")


def is_list(param: click.Parameter) -> bool:
    """Say whether a parameter takes any number of values."""
    return param.multiple or param.nargs == -1


def taken_by(param: click.Parameter) -> Takes:
    """Return what a key takes; an item of it, if it takes a list."""
    return _takes(param.type)


def example_of(param: click.Parameter) -> object:
    """Return something that could be written for a key."""
    example = getattr(param, "example", None)
    example = taken_by(param).example if example is None else example
    return [example] if is_list(param) else example


@singledispatch
def _takes(type_: object) -> Takes:
    return Takes((str,), "a string", "…")


@_takes.register
def _(type_: click.types.BoolParamType) -> Takes:
    return Takes((bool,), "true or false", True, show=lambda value: str(value).lower())


@_takes.register
def _(type_: click.types.IntParamType) -> Takes:
    return Takes((int,), f"a whole number{_range(type_)}", 100)


@_takes.register
def _(type_: click.types.FloatParamType) -> Takes:
    example = 0.1 if getattr(type_, "max", None) else 10
    return Takes((int, float), f"a number{_range(type_)}", example, show="{:g}".format)


@_takes.register
def _(type_: click.Choice) -> Takes:  # type: ignore[type-arg]  # not subscriptable when dispatched on
    choices = " or ".join(f'"{choice}"' for choice in type_.choices)
    return Takes((str,), choices, type_.choices[-1])


@_takes.register
def _(type_: click.Path) -> Takes:
    expected, example = "a path", "src"
    if not type_.file_okay:
        expected, example = "a folder's path", ".annotest"
    elif not type_.dir_okay:
        expected, example = "a file's path", "report.json"
    return Takes((str,), expected, example, _path, readable)


@_takes.register
def _(type_: Glob) -> Takes:
    return Takes((str,), "a pattern", "legacy/*", _pattern, readable)


@_takes.register
def _(type_: Permission) -> Takes:
    return Takes((str,), "a word", NETWORK, _word)


@_takes.register
def _(type_: DefaultOracle) -> Takes:
    return Takes((str,), "the name of an oracle", f"{BY_DEFAULT[0]}{MUST}", _oracle)


@_takes.register
def _(type_: Size) -> Takes:
    return Takes((str, int), f"a size, {type_.least_text} or more", "2GB", show=size_text)


@_takes.register
def _(type_: Workers) -> Takes:
    return Takes((int, str), 'a whole number, 1 or more, or "auto"', 4)


def _range(type_: Any) -> str:
    """Return the bounds of a number in words, "" where it has none."""
    least, most = getattr(type_, "min", None), getattr(type_, "max", None)
    text = "" if most is None else f", {most} at most"
    if least is None:
        return text
    return f" above {least}{text}" if type_.min_open else f", {least} or more{text}"


def _path(source: Source, key: str, path: str) -> str:
    if not path or _IN_NO_PATH & set(path):
        raise UsageError(
            f"{source.before}{source.spell(key)}: {path!r} is no path. "
            "Write the path of one folder or file, without wildcards"
        )
    return os.path.realpath(os.path.join(source.folder, os.path.expanduser(path)))


def _pattern(source: Source, key: str, pattern: str) -> str:
    return globs.absolute(os.path.realpath(source.folder), pattern)


def _oracle(source: Source, key: str, name: str) -> str:
    if name.removesuffix(MUST) in BY_DEFAULT:
        return name
    raise UsageError(
        f"{source.before}{source.spell(key)}: {not_by_default(name.removesuffix(MUST))}. "
        f"Write {source.assign(key, [BY_DEFAULT[0]])} to hear that one alone"
    )


def _word(source: Source, key: str, word: str) -> str:
    if word in WORDS:
        return word
    raise UsageError(
        f"{source.before}{source.spell(key)}: {word!r} is nothing that can be allowed."
        f"{did_you_mean(word, WORDS)} Write {source.assign(key, list(WORDS))} or one of the two"
    )
