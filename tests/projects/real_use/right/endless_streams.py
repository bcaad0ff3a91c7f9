"""Streams that never end, and are right: batches, learning rates, random walks, an asynchronous feed."""

import asyncio
import itertools
import random
import time
from collections.abc import Iterator

from annotest import arg, budget, floats, int_lists, ints, require, timeout


@arg(samples=int_lists(min_len=1, max_len=9, min=0, max=99), batch=ints(1, 4))
@require("batch <= len(samples)")
def batches(samples, batch):
    """Go through the samples over and over, in a new order each time."""
    generator = random.Random(0)
    while True:
        order = generator.sample(samples, len(samples))
        for start in range(0, len(order) - batch + 1, batch):
            yield order[start : start + batch]


@arg(first=floats(1e-4, 1.0), decay=floats(0.5, 0.99))
def learning_rates(first, decay):
    return (first * decay**step for step in itertools.count())


class Walk:
    @arg(seed=ints(0, 9))
    def __init__(self, seed):
        self.generator = random.Random(seed)
        self.place = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.place += self.generator.choice((-1, 1))
        return self.place

    @arg(width=ints(1, 5))
    def steps(self, width) -> Iterator[int]:
        return (place * width for place in self)


@timeout(1)
@budget(examples=10)
@arg(delay=floats(0.005, 0.01))
def sensor(delay):
    """Wait for each reading."""
    while True:
        time.sleep(delay)
        yield time.monotonic()


@timeout(1)
@budget(examples=10)
@arg(delay=floats(0.005, 0.01))
async def feed(delay):
    for number in itertools.count():
        await asyncio.sleep(delay)
        yield {"step": number}
