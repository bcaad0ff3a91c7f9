"""Recipes: what is drawn. Small plain data from which a call is built, and as often as needed."""

from __future__ import annotations

import copy
import enum
import types
from dataclasses import dataclass
from typing import Any

from annotest import frameworks
from annotest.large import LargeArray
from annotest.records import record
from annotest.signature import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
)
from annotest.spec import Raises


class _LeftOut(enum.Enum):
    LEFT_OUT = "left out"

    def __repr__(self) -> str:
        return "LEFT_OUT"


LEFT_OUT = _LeftOut.LEFT_OUT
# where recipes keep what named dimensions are in a call, for its preconditions
DIMENSIONS = "dimensions of the call"
# and where they keep with which seed its random numbers begin
START = "start of random numbers"


@dataclass(frozen=True, eq=False)
class Factory:
    """A custom generator, or a class with its constructor: something that builds values.

    `groups` are the arguments that one recipe supplies together, kept under "first, second".
    Where it raises what it `may_raise`, there is no value, and nobody is to blame; whether it must
    do so there, or may not, is asked where it is itself under test. With `calls_result`, what the
    function returns is called too, with some of the arguments.
    """

    function: Any
    parameters: tuple[Parameter, ...]
    is_constructor: bool = False
    groups: tuple[tuple[str, ...], ...] = ()
    may_raise: tuple[Raises, ...] = ()
    calls_result: bool = False

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """The arguments of the function itself, without those of what it returns."""
        return tuple(p for p in self.parameters if not p.is_of_result)

    @property
    def parameters_of_result(self) -> tuple[Parameter, ...]:
        """The arguments with which what it returns is called."""
        return tuple(p for p in self.parameters if p.is_of_result)


class BuildFailed(Exception):
    """A generator, constructor or `.map` function raised while a value was built."""

    def __init__(self, factory: Factory, error: BaseException) -> None:
        super().__init__(factory, error)
        self.factory = factory
        self.error = error

    @property
    def is_allowed(self) -> bool:
        """Whether its annotations say that it may raise this: then there is no value."""
        return any(note.covers(self.error) for note in self.factory.may_raise)


@record
class Made:
    """What a factory makes of these recipes; then brought into a mode, if one is named."""

    factory: Factory
    values: dict[str, Any]
    mode: str = ""

    def __hash__(self) -> int:
        return hash(repr(self))


@record
class Start:
    """The seed with which the random numbers of a call begin; `used` names which it draws."""

    seed: int
    used: tuple[str, ...] = ()


def started(recipes: dict[str, Any], start: Start | None) -> dict[str, Any]:
    """Return the recipes of a call that begins so, or as its input says by itself."""
    others = {key: recipe for key, recipe in recipes.items() if key != START}
    return others if start is None else {**others, START: start}


@record
class Applied:
    """What the user's `.map(f)` makes of a recipe, or a framework of a NumPy array's."""

    function: Any
    value: Any

    def __hash__(self) -> int:
        return hash(repr(self))


# a plain object() is a mark that is told by its identity
_PLAIN = (int, float, complex, str, bytes, bool, type(None), range)
_ATOMS = frozenset((*_PLAIN, type, types.FunctionType, object))
_SHARED = (enum.Enum, types.BuiltinFunctionType, types.ModuleType, type)


def build(recipe: Any) -> Any:
    """Build the value of a recipe: fresh objects each time, so that no call sees another's."""
    kind = type(recipe)
    if kind in _ATOMS or isinstance(recipe, _SHARED):
        return recipe
    if kind in (list, tuple):
        return kind(build(item) for item in recipe)
    if kind in (set, frozenset):
        return _guarded(Factory(kind, ()), [[build(item) for item in recipe]], {})
    if kind is dict:
        return {build(key): build(item) for key, item in recipe.items()}
    if kind is Made:
        return _make(recipe)
    if kind is LargeArray:
        return recipe.build()
    if kind is Applied:
        return _applied(recipe.function, build(recipe.value))
    adapter = frameworks.adapter_of(recipe)
    if adapter is not None:
        return adapter.copy(recipe)
    try:
        return copy.deepcopy(recipe)
    except Exception:
        return recipe  # an open file, a lock: it cannot be copied, so it is shared


class Arguments(types.SimpleNamespace):
    """The arguments of a call, by name: what `init` is in annotations."""


def constructed(recipe: Made) -> tuple[Any, Arguments]:
    """Build what a factory makes; return it with the arguments of that call, by name."""
    values = _arguments(recipe)
    given = Arguments()
    for p in recipe.factory.parameters:
        value = _as_given(recipe, values, p)
        vars(given)[p.name] = value
        if p.kind is VAR_KEYWORD and isinstance(value, dict):
            vars(given).update(value)
    return _in_mode(recipe, _called(recipe.factory, values)), given


def _as_given(recipe: Made, values: dict[str, Any], p: Parameter) -> Any:
    """Return an argument as it was before the call, which may change lists and the like."""
    if values.get(p.name, LEFT_OUT) is LEFT_OUT:
        return {VAR_POSITIONAL: (), VAR_KEYWORD: {}}.get(p.kind, p.default)
    drawn = recipe.values.get(p.name, LEFT_OUT)
    # what the user's own code made is that very object
    is_shared = drawn is LEFT_OUT or type(drawn) in (Made, Applied)
    return values[p.name] if is_shared else build(drawn)


def _make(recipe: Made) -> Any:
    return _in_mode(recipe, _called(recipe.factory, _arguments(recipe)))


def _in_mode(recipe: Made, instance: Any) -> Any:
    if recipe.mode:
        try:
            getattr(instance, recipe.mode)()
        except BaseException as error:  # a class may have a method of its own for it
            raise BuildFailed(recipe.factory, error) from error
    return instance


def _arguments(recipe: Made) -> dict[str, Any]:
    values = {
        name: LEFT_OUT if value is LEFT_OUT else build(value)
        for name, value in recipe.values.items()
    }
    for group in recipe.factory.groups:
        values.update(unpacked(group, values.pop(", ".join(group)), recipe.factory))
    return values


def _called(factory: Factory, values: dict[str, Any]) -> Any:
    try:
        args, kwargs = bind(factory.parameters, values)
    except (TypeError, ValueError) as error:
        raise BuildFailed(factory, error) from error
    return _guarded(factory, args, kwargs)


def unpacked(names: tuple[str, ...], value: Any, factory: Factory) -> dict[str, Any]:
    """Return the parts of one built value by the arguments that it supplies."""
    if len(names) == 1:
        return {names[0]: value}
    try:
        if isinstance(value, dict):
            return {name: value[name] for name in names}
        return dict(zip(names, tuple(value), strict=True))
    except (TypeError, ValueError, KeyError) as error:
        wanted = f"{len(names)} values are wanted for {', '.join(names)}"
        unfit = ValueError(
            f"{wanted}, as a tuple or a dict by name: {type(error).__name__}: {error}"
        )
        raise BuildFailed(factory, unfit) from error


def _applied(function: Any, value: Any) -> Any:
    """Return what a function makes of a value; a factory is made where that is to be told only."""
    try:
        return function(value)
    except BuildFailed:
        raise
    except BaseException as error:
        raise BuildFailed(Factory(function, ()), error) from error


def _guarded(factory: Factory, args: list[Any], kwargs: dict[str, Any]) -> Any:
    try:
        made = factory.function(*args, **kwargs)
        return frameworks.placed(made) if factory.is_constructor else made
    except BuildFailed:
        raise
    except BaseException as error:
        raise BuildFailed(factory, error) from error


def bind(
    parameters: tuple[Parameter, ...], values: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and keyword arguments of a call; what is left out is not passed."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    by_place = _passed_by_place(parameters, values)
    for p in parameters:
        value = values.get(p.name, LEFT_OUT)
        if p.kind is VAR_POSITIONAL:
            args += [] if value is LEFT_OUT else list(value)
        elif p.kind is VAR_KEYWORD:
            kwargs.update({} if value is LEFT_OUT else value)
        elif p.name in by_place:
            args.append(p.default if value is LEFT_OUT else value)
        elif value is not LEFT_OUT:
            kwargs[p.name] = value
    return args, kwargs


def _passed_by_place(parameters: tuple[Parameter, ...], values: dict[str, Any]) -> set[str]:
    """Return the arguments that must go by position, up to the last one that is passed."""
    spread = any(
        p.kind is VAR_POSITIONAL and _has_items(values.get(p.name, LEFT_OUT)) for p in parameters
    )
    kinds = (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD) if spread else (POSITIONAL_ONLY,)
    candidates = [p for p in parameters if p.kind in kinds]
    if not spread:
        while candidates and values.get(candidates[-1].name, LEFT_OUT) is LEFT_OUT:
            candidates.pop()
    return {p.name for p in candidates}


def _has_items(value: Any) -> bool:
    return value is not LEFT_OUT and not (type(value) in (list, tuple) and not value)
