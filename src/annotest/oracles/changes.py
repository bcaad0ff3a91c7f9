"""What a call changes in place: arguments marked before it, and looked at after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import is_
from typing import Any

from annotest import frameworks
from annotest.frameworks import Adapter
from annotest.records import record
from annotest.source import shown

LONG = 60
MOST = 1000  # containers and arrays that are marked in one argument
_FIXED = frozenset({bool, int, float, complex, str, bytes, type(None)})


@record
class _Items:
    """The items that a list, a dict or a set had."""

    container: Any
    before: list[Any]

    def has_changed(self) -> bool:
        now = _items(self.container)
        return len(now) != len(self.before) or not all(map(is_, now, self.before))


@record
class _State:
    """What the framework of an array told of its elements."""

    array: Any
    adapter: Adapter
    before: Any

    def has_changed(self) -> bool:
        return bool(self.adapter.state(self.array) != self.before)


Mark = _Items | _State


def marked(value: Any) -> list[Mark]:
    """Mark the arrays, lists, dicts and sets of a value: it costs little, and may see too much."""
    if type(value) in _FIXED:
        return []
    marks: list[Mark] = []
    waiting = [value]
    while waiting and len(marks) < MOST:
        item = waiting.pop()
        kind = type(item)
        if kind in (list, dict, set):
            items = _items(item)
            marks.append(_Items(item, items))
        elif kind is tuple:
            items = item
        else:
            adapter = frameworks.adapter_of(item)
            state = None if adapter is None else adapter.state(item)
            if adapter is not None and state is not None:
                marks.append(_State(item, adapter, state))
            continue
        if not _FIXED.issuperset(map(type, items)):
            waiting += [part for part in items if type(part) not in _FIXED]
    return marks


def _items(container: Any) -> list[Any]:
    if type(container) is dict:
        return [*container, *container.values()]
    return list(container)


def has_changed(marks: list[Mark]) -> bool:
    """Say whether something that was marked may have been changed."""
    return any(mark.has_changed() for mark in marks)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield what arguments were and are that are no longer the same."""
    for name, old in before.items():
        if name in after:
            yield from _changes(name, old, after[name])


def _changes(at: str, old: Any, new: Any) -> Iterator[str]:
    view, now = frameworks.view(old), frameworks.view(new)
    if view is None or now is None:
        if not _same(old, new):
            yield f"{at} was {_told(old)} and is {_told(new)}"
    elif view != now:
        yield f"{at} was {view.dtype} of the shape {view.shape} and is {now.dtype} of {now.shape}"
    elif not frameworks.load(view.framework).same(old, new):
        yield _first_change(at, view, old, new)


def _first_change(at: str, view: frameworks.ArrayView, old: Any, new: Any) -> str:
    import numpy as np

    adapter = frameworks.load(view.framework)
    before, after = adapter.elements(old), adapter.elements(new)
    differs = (before != after) & ~((before != before) & (after != after))
    place = tuple(np.argwhere(differs)[0])
    inside = f"[{', '.join(map(str, place))}]" if place else ""
    return f"{at}{inside} was {before[place]} and is {after[place]}"


def _same(old: Any, new: Any) -> bool:
    """Say whether two values are the same; objects of a class of which nothing is known are."""
    kind = type(old)
    if kind is not type(new):
        return False
    if kind in (list, tuple):
        return len(old) == len(new) and all(map(_same, old, new))
    if kind is dict:
        return list(old) == list(new) and all(map(_same, old.values(), new.values()))
    adapter = frameworks.adapter_of(old)
    if adapter is not None:
        return adapter.same(old, new)
    if kind in _FIXED:
        return bool(old == new or (old != old and new != new))
    return kind is not set or bool(old == new)


def _told(value: Any) -> str:
    text = " ".join(shown(value).split())
    return text if len(text) <= LONG else text[:LONG] + "…"
