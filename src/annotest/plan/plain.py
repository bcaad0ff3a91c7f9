"""Recipes as plain JSON: what is kept in a project, and can be read without trusting the file.

Live objects of the plans are named by their place in the planner's list, and by what they are
called: where the program has changed, the recipe is no longer one. What a function lists when it is
wanted (`froms(function)`) is named by its place in that list.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import cached_property
from typing import Any

from annotest import frameworks
from annotest.constraints._choices import same_value
from annotest.frameworks.seeded import Seeded
from annotest.large import Constant, LargeArray, Numbers, Picked
from annotest.plan.live import LateList
from annotest.plan.recipe import LEFT_OUT, Applied, Made, Start
from annotest.source import named

# what an array may take when it is read again
LARGEST_ARRAY = 1 << 28


class NotPlain(Exception):
    """A recipe that has no plain form, or a text that is no recipe of these plans."""


def written(recipe: Any, live: list[Any]) -> str:
    """Return a recipe, or those of a call, as text; nothing where that cannot be written."""
    try:
        return json.dumps(_Writer(live).written(recipe), ensure_ascii=True)
    except (NotPlain, RecursionError, ValueError):  # of a number with thousands of digits
        return ""


def read(text: str, live: list[Any]) -> dict[str, Any]:
    """Return the recipes of a call that a text holds; NotPlain where it does not fit the plans."""
    recipes = read_one(text, live)
    if type(recipes) is not dict:
        raise NotPlain("not a call")
    return recipes


def read_one(text: str, live: list[Any]) -> Any:
    """Return the recipe that a text holds; NotPlain where it does not fit the plans."""
    try:
        return _Reader(live).read(json.loads(text))
    except Exception as error:  # of many kinds: NumPy reads some names of dtypes as Python
        raise NotPlain(str(error)) from error


def _name_of(value: Any) -> str:
    """Return what tells a live object from another that has taken its place."""
    inner = getattr(value, "function", value)
    return str(getattr(inner, "__qualname__", None) or type(inner).__qualname__)


class _Writer:
    def __init__(self, live: list[Any]) -> None:
        self._live = live
        self._places = {id(value): place for place, value in enumerate(live)}

    def written(self, recipe: Any) -> Any:
        """Return what JSON holds; NotPlain where nothing tells a part of it."""
        try:
            return self._by_itself(recipe)
        except NotPlain:
            for place, item, value in self._listed:
                if same_value(value, recipe):
                    return {"listed": [place, item], "name": _name_of(self._live[place])}
            raise

    @cached_property
    def _listed(self) -> list[tuple[int, int, Any]]:
        """The values of all lists that are made late, with their places."""
        lists = [(n, late.values()) for n, late in enumerate(self._live) if type(late) is LateList]
        return [
            (place, item, value) for place, values in lists for item, value in enumerate(values)
        ]

    def _by_itself(self, recipe: Any) -> Any:
        kind = type(recipe)
        if kind in (type(None), bool, int, str):
            return recipe
        if kind is float:
            return recipe if math.isfinite(recipe) else {"float": repr(recipe)}
        if kind is list:
            return [self.written(item) for item in recipe]
        if recipe is LEFT_OUT:
            return {"left out": True}
        if id(recipe) in self._places:
            return {"live": self._places[id(recipe)], "name": _name_of(recipe)}
        if (ref := named(recipe)) is not None:
            return {"named": [ref.module, ref.qualname]}
        if kind in _RECORDS:
            values = [getattr(recipe, field.name) for field in dataclasses.fields(recipe)]
            return {kind.__name__: [self.written(value) for value in values]}
        if kind in _WRITING:
            name, fields = _WRITING[kind]
            return {name: [self.written(item) for item in fields(recipe)]}
        return self._array(recipe)

    def _array(self, recipe: Any) -> Any:
        adapter = frameworks.adapter_of(recipe)
        view = None if adapter is None else adapter.view(recipe)
        if view is None or view.framework != "numpy" or recipe.dtype.kind not in "biufc":
            raise NotPlain(type(recipe).__name__)
        data = b64encode(zlib.compress(recipe.tobytes())).decode("ascii")
        return {"array": [recipe.dtype.str, list(recipe.shape), data]}


# plain data of our own, written field by field
_RECORDS: tuple[type, ...] = (
    Start,
    LargeArray,
    Constant,
    Picked,
    Numbers,
    frameworks.Framed,
    Seeded,
)


def _ordered(items: Any) -> list[Any]:
    return sorted(items, key=repr)


# how each kind of recipe is taken apart; the reader below puts it together again
_WRITING: dict[type, tuple[str, Callable[[Any], Any]]] = {
    tuple: ("tuple", list),
    set: ("set", _ordered),
    frozenset: ("frozenset", _ordered),
    dict: ("dict", lambda entries: [[key, value] for key, value in entries.items()]),
    bytes: ("bytes", lambda data: [b64encode(data).decode("ascii")]),
    complex: ("complex", lambda number: [number.real, number.imag]),
    range: ("range", lambda numbers: [numbers.start, numbers.stop, numbers.step]),
    Made: ("made", lambda made: [made.factory, made.values, *([made.mode] * bool(made.mode))]),
    Applied: ("applied", lambda applied: [applied.function, applied.value]),
}


class _Reader:
    def __init__(self, live: list[Any]) -> None:
        self._live = live

    def read(self, value: Any) -> Any:
        if type(value) is list:
            return [self.read(item) for item in value]
        if type(value) is not dict:
            return value
        if "live" in value:
            return self._live_object(value["live"], value["name"])
        if "listed" in value:
            place, item = value["listed"]
            return self._live_object(place, value["name"]).values()[item]
        ((name, parts),) = value.items()
        if name == "array":
            return _read_array(*parts)
        if name == "named":
            return _found(*parts)
        if name == "left out":
            return LEFT_OUT
        if name == "float":
            return float(parts)
        return _READING[name](*(self.read(part) for part in parts))

    def _live_object(self, place: int, name: str) -> Any:
        if not 0 <= place < len(self._live) or _name_of(self._live[place]) != name:
            raise NotPlain(f"{name} is not where it was")
        return self._live[place]


def _found(module: str, qualname: str) -> Any:
    """Return a function or class by its name; nothing is imported for it."""
    holder: Any = sys.modules[module]
    for part in qualname.split("."):
        holder = getattr(holder, part, None)
    if not callable(holder):
        raise NotPlain(f"{qualname} is not there")
    return holder


def _read_array(dtype: str, shape: list[int], data: str) -> Any:
    import numpy as np  # late: there are arrays, so it is loaded

    if np.dtype(dtype).kind not in "biufc":
        raise NotPlain(f"an array of {dtype}")
    raw = zlib.decompressobj().decompress(b64decode(data, validate=True), LARGEST_ARRAY)
    return np.frombuffer(raw, dtype).reshape(shape).copy()


_READING: dict[str, Callable[..., Any]] = {
    "tuple": lambda *items: items,
    "set": lambda *items: set(items),
    "frozenset": lambda *items: frozenset(items),
    "dict": lambda *pairs: dict(pairs),
    "bytes": lambda text: b64decode(text, validate=True),
    "complex": complex,
    "range": range,
    "made": Made,
    "applied": lambda function, value: Applied(function, value),
    **{kind.__name__: kind for kind in _RECORDS},
}
