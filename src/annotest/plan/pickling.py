"""Recipes as bytes: live objects of the plans are named by their place in the planner's list."""

from __future__ import annotations

import io
import pickle
from typing import Any


class RecipeDumper:
    """Writes recipes; made once for the plans of one target."""

    def __init__(self, live: list[Any]) -> None:
        self._live = live  # kept, so that no id is given to another object
        self._places = {id(value): place for place, value in enumerate(live)}

    def dump(self, recipes: dict[str, Any]) -> bytes:
        """Return recipes as bytes; nothing where they hold what cannot be pickled."""
        buffer = io.BytesIO()
        try:
            _Pickler(buffer, self._places).dump(recipes)
        except Exception:
            return b""  # a live object that no plan lists: the input is then shown as unknown
        return buffer.getvalue()


def load(data: bytes, live: list[Any]) -> dict[str, Any]:
    """Return the recipes that a dumper wrote in this process or in its copy."""
    recipes: dict[str, Any] = _Unpickler(io.BytesIO(data), live).load()
    return recipes


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, places: dict[int, int]) -> None:
        super().__init__(buffer, protocol=pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, value: Any) -> int | None:
        return self._places.get(id(value))


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, live: list[Any]) -> None:
        super().__init__(buffer)
        self._live = live

    def persistent_load(self, place: Any) -> Any:
        return self._live[place]
