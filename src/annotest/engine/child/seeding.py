"""Where random numbers begin: each call starts from the seed of its input."""

from __future__ import annotations

import sys
from typing import Any
from zlib import crc32

from annotest import frameworks
from annotest.plan.recipe import START, Start

_MODULES = sys.modules


class Seeding:
    """Seeds what calls draw random numbers from, and tells of which a call has drawn some.

    The seed is made of the input itself, so that it needs no choice of its own; an input that has
    been made smaller keeps the seed with which it was seen to fail.
    """

    def __init__(self) -> None:
        self._imported = 0
        self._seed: int | None = None
        self._used: tuple[str, ...] | None = None  # by the first of several calls

    def start(self, recipes: dict[str, Any], data: bytes) -> None:
        """Begin with the seed of an input; `data` is what it is as bytes."""
        if len(_MODULES) != self._imported:
            self._sources = frameworks.random_sources()
            self._imported = len(_MODULES)
        given = recipes.get(START)
        self._seed = crc32(data) if given is None else given.seed
        self._used = None
        self._begin(self._seed)

    def restart(self, luck: int) -> None:
        """Begin again for another call with the same input; with other luck, elsewhere."""
        assert self._seed is not None
        if self._used is None:
            self._used = self._all_used(self._seed)
        self._begin((self._seed + luck) % 2**32)

    def _begin(self, seed: int) -> None:
        for source in self._sources:
            source.seed(seed)

    def end(self) -> None:
        """Be done with an input."""
        self._seed = None

    def used(self) -> Start | None:
        """Return where the random numbers of the input began, if any were drawn; ends with that."""
        if self._seed is None:
            return None
        names = self._all_used(self._seed) if self._used is None else self._used
        return Start(self._seed, names) if names else None

    def _all_used(self, seed: int) -> tuple[str, ...]:
        return tuple(source.name for source in self._sources if _is_used(source, seed))


def _is_used(source: frameworks.RandomSource, seed: int) -> bool:
    after = source.state()
    source.seed(seed)
    return bool(after != source.state())
