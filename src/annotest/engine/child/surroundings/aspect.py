"""One thing that a call may change in its process, and the common kinds of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import itemgetter
from types import ModuleType
from typing import Any

_MISSING = object()
_NAMED_AT_MOST = 3


class Aspect:
    """One thing to put back; reading it must be quick, for it is read after every call.

    `read` returns what is there now, to be compared with `before`. A framework's adapter may have
    aspects that are not of this class, but alike.
    """

    name: str
    before: Any
    read: Callable[[], Any]

    def __init__(self) -> None:
        self.keep()

    def keep(self) -> None:
        """Take what is there now as what must be there."""
        self.before = self.read()

    def put_back(self, imported: bool) -> Iterable[str]:
        """Put it back and return the names of what had changed.

        What a module adds when it is imported it will not add again: after an import it stays.
        """
        raise NotImplementedError(self.name)  # each aspect has its own


def short(keys: list[Any], prefix: str, many: str) -> list[str]:
    """Name a few things by name, many by their number."""
    if len(keys) > _NAMED_AT_MOST:
        return [f"{len(keys)} {many}"]
    return [f"{prefix}{key}" for key in keys]


def holds(items: Iterable[Any], before: list[Any]) -> bool:
    """Say whether all that was there is still there, in its order."""
    rest = iter(items)
    return all(item in rest for item in before)


class Setting(Aspect):
    """A value with a function that reads it and one that sets it."""

    def __init__(self, name: str, read: Callable[[], Any], write: Callable[[Any], object]) -> None:
        self.name = name
        self.read = read
        self.write = write
        super().__init__()

    def put_back(self, imported: bool) -> Iterable[str]:
        self.write(self.before)
        return [self.name]


class Entries(Aspect):
    """The names of a module: all of them, or those given."""

    def __init__(self, module: ModuleType, names: tuple[str, ...] = ()) -> None:
        self.name = module.__name__
        self.names = names
        self.entries = vars(module)
        # the values alone: twice as fast to compare as the dictionary
        self.read = partial(list, self.entries.values())
        if names:
            self.read = partial(itemgetter(*names), self.entries)
        super().__init__()

    def keep(self) -> None:
        super().keep()
        self.kept = {name: self.entries[name] for name in self.names or self.entries}

    def put_back(self, imported: bool) -> Iterable[str]:
        entries, kept = self.entries, self.kept
        changed = [name for name in kept if entries.get(name, _MISSING) is not kept[name]]
        entries.update({name: kept[name] for name in changed})
        if not imported and not self.names:
            added = [name for name in entries if name not in kept]
            for name in added:
                del entries[name]
            changed += added
        return short(changed, f"{self.name}.", f"names of {self.name}")


class Listing(Aspect):
    """What a list holds."""

    def __init__(self, name: str, items: list[Any]) -> None:
        self.name = name
        self.items = items
        self.read = partial(list, items)
        super().__init__()

    def put_back(self, imported: bool) -> Iterable[str]:
        if imported and holds(self.items, self.before):
            return []
        self.items[:] = self.before
        return [self.name]
