"""The keys of the configuration: each option of `annotest run` is one, under its own name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import singledispatch
from typing import Any

import click

from annotest import globs
from annotest.cli.places import Place
from annotest.cli.sizes import Size, Workers
from annotest.errors import UsageError, did_you_mean
from annotest.process.limits import size_text
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


def _as_written(place: Place, key: str, text: str) -> str:
    return text


@record
class Kind:
    """What a key takes: types of TOML, in words, for instance; how it is read, and shown."""

    types: tuple[type, ...]
    expected: str
    example: object
    read: Callable[[Place, str, str], str] = _as_written
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


def kind_of(param: click.Parameter) -> Kind:
    """Return what a key takes; an item of it, if it takes a list."""
    return _kind(param.type)


def example_of(param: click.Parameter) -> object:
    """Return something that could be written for a key."""
    example = getattr(param, "example", None)
    example = kind_of(param).example if example is None else example
    return [example] if is_list(param) else example


@singledispatch
def _kind(type_: object) -> Kind:
    return Kind((str,), "a string", "…")


@_kind.register
def _(type_: click.types.BoolParamType) -> Kind:
    return Kind((bool,), "true or false", True, show=lambda value: str(value).lower())


@_kind.register
def _(type_: click.types.IntParamType) -> Kind:
    return Kind((int,), f"a whole number{_range(type_)}", 100)


@_kind.register
def _(type_: click.types.FloatParamType) -> Kind:
    example = 0.1 if getattr(type_, "max", None) else 10
    return Kind((int, float), f"a number{_range(type_)}", example, show="{:g}".format)


@_kind.register
def _(type_: click.Choice) -> Kind:  # type: ignore[type-arg]  # not subscriptable when dispatched on
    choices = " or ".join(f'"{choice}"' for choice in type_.choices)
    return Kind((str,), choices, type_.choices[-1])


@_kind.register
def _(type_: click.Path) -> Kind:
    expected, example = "a path", "src"
    if not type_.file_okay:
        expected, example = "a folder's path", ".annotest"
    elif not type_.dir_okay:
        expected, example = "a file's path", "report.json"
    return Kind((str,), expected, example, _path, readable)


@_kind.register
def _(type_: Glob) -> Kind:
    return Kind((str,), "a pattern", "legacy/*", _pattern, readable)


@_kind.register
def _(type_: Permission) -> Kind:
    return Kind((str,), "a word", NETWORK, _word)


@_kind.register
def _(type_: Size) -> Kind:
    return Kind((str, int), f"a size, {type_.least_text} or more", "2GB", show=size_text)


@_kind.register
def _(type_: Workers) -> Kind:
    return Kind((int, str), 'a whole number, 1 or more, or "auto"', 4)


def _range(type_: Any) -> str:
    """Return the bounds of a number in words, "" where it has none."""
    least, most = getattr(type_, "min", None), getattr(type_, "max", None)
    text = "" if most is None else f", {most} at most"
    if least is None:
        return text
    return f" above {least}{text}" if type_.min_open else f", {least} or more{text}"


def _path(place: Place, key: str, path: str) -> str:
    if not path or _IN_NO_PATH & set(path):
        raise UsageError(
            f"{place.before}{place.spell(key)}: {path!r} is no path. "
            "Write the path of one folder or file, without wildcards"
        )
    return os.path.realpath(os.path.join(place.folder, os.path.expanduser(path)))


def _pattern(place: Place, key: str, pattern: str) -> str:
    return globs.absolute(os.path.realpath(place.folder), pattern)


def _word(place: Place, key: str, word: str) -> str:
    if word in WORDS:
        return word
    raise UsageError(
        f"{place.before}{place.spell(key)}: {word!r} is nothing that can be allowed."
        f"{did_you_mean(word, WORDS)} Write {place.assign(key, list(WORDS))} or one of the two"
    )
