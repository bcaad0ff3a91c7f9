"""How a target is searched: its inputs in shards, from which seeds, and how hard."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace

from annotest.facts import Origin
from annotest.records import record

# a target's inputs come in shards of so many, each drawn from a seed of its own, so that what is
# found does not depend on how many workers share them
SHARD = 100
# the first round of a shard is long enough for Hypothesis to try mutations of its inputs, which
# it does after ten; the others are too short for that, and (below ten) for beginning with small
# inputs, so that nearly all of theirs are new
LONG_ROUND, SHORT_ROUND = 50, 9
# why a search is unfinished that was to end so
FIRST_FINDING = "the run ended with its first finding"


@record
class Shard:
    """A share of a target's inputs."""

    number: int
    examples: int

    @property
    def systematic(self) -> range:
        """The numbers of the systematic cases that it tries: half of its inputs, at most."""
        start = self.number * SHARD
        return range(start // 2, (start + self.examples) // 2)


@record
class Shards:
    """Shards of a target with so many inputs, from one number up to another.

    They are made when they are asked for: a target may have more of them than can be held.
    """

    examples: int
    first: int
    end: int

    def __iter__(self) -> Iterator[Shard]:
        for number in range(self.first, self.end):
            yield Shard(number, min(SHARD, self.examples - number * SHARD))

    @property
    def count(self) -> int:
        """How many there are."""
        return self.end - self.first

    def split(self, count: int) -> tuple[Shards, Shards]:
        """Return the first few of them, and the others."""
        middle = min(self.first + count, self.end)
        return replace(self, end=middle), replace(self, first=middle)

    def after(self, done: Collection[int]) -> Shards:
        """Return those that are left when some are done: they are searched in order."""
        return replace(self, first=max([self.first, *(number + 1 for number in done)]))


def shards_of(examples: int) -> Shards:
    """Divide a number of inputs into shards."""
    return Shards(examples, 0, -(-examples // SHARD))


@record
class SearchOptions:
    """How hard to search, and from which seed.

    `resume` tells what came of the first shard's inputs in a child that died, or made way: they
    are drawn again but not run again. `handover` is what one that made way has said besides.
    `isolated` runs each call in a child of its own, and `shielded` has
    another process between the two. `known` says where inputs came from that failed in earlier
    runs, to be tried first; `reported` are the fingerprints of failures that have been told of.
    `beyond` has calls just outside the annotations made too.
    Without `systematic`, all inputs are drawn at random.
    With `fail_fast`, the first finding ends the search.
    """

    seed: int
    shards: Shards
    max_seconds: float | None = None
    isolated: bool = False
    shielded: bool = False
    resume: bytes = b""
    handover: bytes = b""
    known: tuple[Origin, ...] = ()
    reported: frozenset[str] = frozenset()
    beyond: bool = False
    systematic: bool = True
    fail_fast: bool = False


def seed_from(*parts: object) -> int:
    """Return a seed made of all the parts."""
    data = "\0".join(map(str, parts)).encode("utf-8", "replace")
    return int.from_bytes(hashlib.sha256(data).digest()[:6], "big")


def digest(data: bytes) -> str:
    """Return a short name for an input's bytes."""
    return hashlib.sha256(data).hexdigest()[:16] if data else ""
