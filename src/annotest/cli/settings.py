"""What is in force: command line before environment before profile before file before default."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

from annotest.cli.keys import example_of, is_list, keys_of, taken_by
from annotest.cli.sources import PREFIX, CommandLine, Source, Table, Variables
from annotest.cli.streams import say_error
from annotest.config import DEFAULT, FILE, PROFILES, TABLE, Config, InForce, Settings, read_config
from annotest.discovery.words import read_word
from annotest.errors import UsageError, did_you_mean

PROFILE, DEBUG = "ANNOTEST_PROFILE", "ANNOTEST_DEBUG"
_NO_KEYS = ("profile", "debug")  # variables that are not for the file
_NO = "no-"  # begins the name of an option that says the opposite of another
_VARIABLES, _COMMAND_LINE = Variables(), CommandLine()

_Keys = Mapping[str, click.Parameter]
_Layer = dict[str, InForce]


def settings_of(ctx: click.Context, keys: _Keys) -> Settings:
    """Return what is in force for a command; `keys` are all that may be configured."""
    config = read_config(_start(ctx.params))
    own = {key: param for key, param in keys_of(ctx.command).items() if key in keys}
    if "words" in ctx.params:  # targets and paths, one after the other
        own["paths"] = keys["paths"]
    profile = _profile(config, ctx.params["profile"])
    layer = _read(Table(config.file, TABLE), config.table, keys)
    for name, table in config.profiles.items():  # a mistake is told whichever is asked for
        source = Table(config.file, f"{TABLE}.{PROFILES}.{name}")
        above = _read(source, table, keys)
        layer = _overlaid(layer, above) if name == profile else layer
    layer = _overlaid(layer, _read(_VARIABLES, _variables(keys), keys))
    layer = _overlaid(layer, _asked_for(ctx, own, layer))
    known = {
        key: layer.get(key) or _setting(param, ctx.params.get(param.name or "", ()), DEFAULT)
        for key, param in own.items()
    }
    return Settings(config.file, profile, tuple(config.profiles), known)


def given_by(settings: Settings, command: click.Command) -> dict[str, Any]:
    """Return the options of a command as they are in force, by the names of its parameters."""
    return {
        str(param.name): settings.known[key].value
        for key, param in keys_of(command).items()
        if key in settings.known and isinstance(param, click.Option) and param.expose_value
    }


def _start(params: Mapping[str, Any]) -> str:
    """Return the path whose configuration counts: the first that is given."""
    words = params.get("paths") or [
        word for word in params.get("words", ()) if ":" in word or os.path.exists(word)
    ]
    return next((read_word(word).place for word in words), ".")


def _profile(config: Config, asked_for: str | None) -> str:
    """Return the profile that is asked for, "" for none."""
    profile = asked_for or os.environ.get(PROFILE, "")
    if not profile or profile in config.profiles:
        return profile
    said = f"--profile {profile}" if asked_for else f"{PROFILE}={profile}"
    if not config.file:
        raise UsageError(f"{said}: no {FILE} here has [{TABLE}.{PROFILES}.{profile}]; write one")
    known = ", ".join(config.profiles) or "none"
    raise UsageError(
        f"{said}: {config.file} has no [{TABLE}.{PROFILES}.{profile}]."
        f"{did_you_mean(profile, config.profiles)} The profiles are {known}"
    )


def _variables(keys: _Keys) -> dict[str, str]:
    """Return what the environment says, by key; a variable that says nothing is told."""
    known = {_VARIABLES.spell(key): key for key in (*keys, *_NO_KEYS)}
    said = {name: text for name, text in os.environ.items() if name.startswith(PREFIX)}
    for name in sorted(said.keys() - known.keys()):
        key = name.removeprefix(PREFIX).lower().replace("_", "-")
        hint = did_you_mean(key, known.values())
        say_error(f"annotest: {name} is set, but there is no key {key!r}.{hint}")
    return {known[name]: text for name, text in said.items() if known.get(name) in keys and text}


def _read(source: Source, written: Mapping[str, Any], keys: _Keys) -> _Layer:
    """Return the settings that one source has."""
    for key in written:
        if key not in keys:
            known = [*keys, *source.tables]
            hint = did_you_mean(key, known)
            if isinstance(written[key], dict):
                hint = hint or f" Did you mean [{TABLE}.{PROFILES}.{key}]?"
            raise UsageError(
                f"{source.before}has no key {key!r}.{hint} The keys are {', '.join(known)}"
            )
    layer = {
        key: _setting(keys[key], _value(source, key, value, keys[key]), source.origin(key))
        for key, value in written.items()
    }
    return _consistent(source, layer)


def _value(source: Source, key: str, written: Any, param: click.Parameter) -> Any:
    """Return what a parameter makes of a written value."""
    takes, many = taken_by(param), is_list(param)
    texts = source.texts(written, takes.types, many)
    if texts is None:
        raise _wrong(source, key, written, param)
    try:
        items = [
            takes.read(source, key, text) if takes.read else param.type(text, param)
            for text in texts
        ]
    except click.BadParameter:
        raise _wrong(source, key, written, param) from None
    return tuple(dict.fromkeys(items)) if many else items[0]


def _wrong(source: Source, key: str, written: Any, param: click.Parameter) -> UsageError:
    expected = "a list of strings" if is_list(param) else taken_by(param).expected
    example = example_of(param)
    write = "write" if isinstance(example, bool) else "write for instance"
    return UsageError(
        f"{source.before}{source.spell(key)} must be {expected}, got {source.shown(written)}; "
        f"{write} {source.assign(key, example)}"
    )


def _asked_for(ctx: click.Context, own: _Keys, below: _Layer) -> _Layer:
    """Return what the command line says; what can be given several times is added to the rest."""
    layer = {}
    for key, param in own.items():
        name = param.name or ""
        if ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value, origin = ctx.params[name], _COMMAND_LINE.origin(key)
        if param.multiple and key in below:
            value = (*below[key].value, *value)
            origin = f"{below[key].origin}, {origin}"
        layer[key] = _setting(param, value, origin)
    return _consistent(_COMMAND_LINE, layer)


def _consistent(source: Source, layer: _Layer) -> _Layer:
    for key, setting in layer.items():
        plain = key.removeprefix(_NO)
        if plain != key and plain in layer and setting.value:
            both = f"{source.spell(plain)} and {source.spell(key)}"
            raise UsageError(f"{source.before}{both} cannot both be meant; leave one out")
    return layer


def _overlaid(below: _Layer, above: _Layer) -> _Layer:
    """Return two layers as one; `database` above takes away `no-database` below, and vice versa."""
    said = {key for key, setting in above.items() if setting.value is not False}
    unsaid = {f"{_NO}{key}" for key in said} | {key.removeprefix(_NO) for key in said}
    return {key: setting for key, setting in below.items() if key not in unsaid} | above


def _setting(param: click.Parameter, value: Any, origin: str) -> InForce:
    show = taken_by(param).show
    items = value if is_list(param) else [value]
    shown = ", ".join(show(item) for item in items if item not in (None, ""))
    return InForce(value, shown, origin)
