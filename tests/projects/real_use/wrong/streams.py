"""Streams in which an item fails, sooner or later."""

import itertools

from annotest import arg, int_lists, ints


@arg(samples=int_lists(min_len=1, max_len=6, min=0, max=9), batch=ints(1, 4))
def batches(samples, batch):
    """Forget that the last batch of a round may be short."""
    for start in itertools.cycle(range(0, len(samples), batch)):
        part = samples[start : start + batch]
        yield part[batch - 1]  # planted: IndexError


@arg(warm_up=ints(0, 400))
def rates(warm_up):
    return (1.0 / (warm_up - step) for step in itertools.count())  # planted: ZeroDivisionError


@arg(limit=ints(1, 9))
async def windows(limit):
    for start in itertools.count():
        yield "abc"[start:].index("c") + limit  # planted: ValueError
