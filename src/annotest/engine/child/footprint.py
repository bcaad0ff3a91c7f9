"""The memory that one call after the other leaves behind in their process."""

from __future__ import annotations

import gc
from os import getpid
from time import monotonic

from annotest import process
from annotest.frameworks.caches import drop_caches

EVERY = 0.05
# what has been left behind is released when it has become so much
STEP = 32 * process.MEGABYTE
# to release takes a while: so many times as long passes until it is done again
PAUSE = 20
# where so much is left after that, other calls go on in another process
MOST = 512 * process.MEGABYTE


class Footprint:
    """How much this process has grown since it began; `is_full` when it is to make way.

    A call has at least half of the memory that it would have as the first one, of `limit` bytes.
    Where the first call sets up a device, which takes hundreds of megabytes, it begins after that.
    """

    def __init__(self, limit: int = 0, sets_up_device: bool = False) -> None:
        self._sets_up_device = sets_up_device
        self._began_with = self._left = process.resident(getpid())
        room = (limit - self._began_with) // 2 if limit else MOST
        self._most = max(STEP, min(MOST, room))
        self._look_at = self._release_at = 0.0
        self.is_full = False

    @property
    def grown(self) -> int:
        """By how many bytes the process had grown when it was last looked at."""
        return self._left - self._began_with

    def look(self) -> None:
        """Release what calls have left behind, if it is much."""
        now = monotonic()
        if now < self._look_at:
            return
        self._look_at = now + EVERY
        size = process.resident(getpid())
        if self._sets_up_device:
            self._began_with = self._left = size
            self._sets_up_device = False
        is_large = size - self._began_with > self._most
        if is_large or (size - self._left > STEP and now >= self._release_at):
            self._release()
            self.is_full = self.grown > self._most - STEP

    def _release(self) -> None:
        began = monotonic()
        gc.collect()
        drop_caches()
        process.trim()
        self._left = process.resident(getpid())
        ended = monotonic()
        self._release_at = ended + PAUSE * (ended - began)
