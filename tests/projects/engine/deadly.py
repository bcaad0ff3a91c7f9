"""Calls that kill or hang their process, and twins that raise under the same conditions."""

import ctypes
import time

from annotest import arg, floats, ints, lists


@arg(block=ints(1, 64), n=ints(1, 64))
def blocks_dies(block, n):
    if block > n:
        ctypes.string_at(0)


@arg(block=ints(1, 64), n=ints(1, 64))
def blocks_raises(block, n):
    if block > n:
        raise ValueError


@arg(steps=lists(ints(0, 9), max_len=4), decay=floats(0, 1))
def decays_hangs(steps, decay):
    if decay == 1.0:
        time.sleep(1000)


@arg(steps=lists(ints(0, 9), max_len=4), decay=floats(0, 1))
def decays_raises(steps, decay):
    if decay == 1.0:
        raise ValueError


@arg(n=ints(1, 10000))
def grows_eats(n):
    kept = []
    while n > 5000:
        kept.append(bytearray(20_000_000))


@arg(n=ints(1, 10000))
def grows_raises(n):
    if n > 5000:
        raise ValueError


@arg(sizes=lists(ints(0, 40), max_len=8))
def sums_dies(sizes):
    if sum(sizes) > 50 and len(sizes) > 2:
        ctypes.string_at(0)


@arg(sizes=lists(ints(0, 40), max_len=8))
def sums_raises(sizes):
    if sum(sizes) > 50 and len(sizes) > 2:
        raise ValueError
