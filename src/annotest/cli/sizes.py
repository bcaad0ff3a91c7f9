"""Options that are numbers with a meaning: sizes of memory, numbers of workers."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from math import inf, isnan
from typing import Any

import click

from annotest.process import MEGABYTE, machine_memory
from annotest.process.limits import size_text

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(KB|MB|GB|TB)?", re.IGNORECASE)
_UNITS = {"KB": Fraction(1, 1024), "MB": Fraction(1), "GB": Fraction(1024), "TB": Fraction(1024**2)}
# of the machine's memory, the share that all children together may use
SHARE = 0.8
LEAST = 256 * MEGABYTE
# each is a process with others below it
MOST_WORKERS = 1000


class Size(click.ParamType[int]):
    """An amount of memory or output: `500MB`, `2GB`; a bare number is megabytes."""

    name = "size"

    def __init__(self, least: int) -> None:
        self._least = least
        self.least_text = size_text(least)

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if isinstance(value, int):
            return value
        match = _SIZE.fullmatch(value.strip())
        if match is None or not float(match.group(1)):
            self.fail(f"{value!r} is no size; write for instance 500MB or 2GB", param, ctx)
        size = Fraction(match.group(1)) * _UNITS[(match.group(2) or "MB").upper()] * MEGABYTE
        if size < self._least:
            self.fail(f"{value!r} is too little; the least is {self.least_text}", param, ctx)
        return int(size)


class Real(click.FloatRange):
    """A number of a range, and nothing else: Python compares `nan` with no bound."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


class Seconds(Real):
    """A time; `inf` only where it is understood as no limit."""

    def __init__(self, endless: bool = False) -> None:
        super().__init__(0, min_open=True)
        self._endless = endless

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        seconds = super().convert(value, param, ctx)
        if seconds == inf and not self._endless:
            self.fail("there must be a limit; write seconds, for instance 60", param, ctx)
        return seconds


class Workers(click.ParamType[int]):
    """A number of workers, or `auto` for one a processor."""

    name = "n|auto"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        if value == "auto":
            return processors()
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"{value!r} is no number of workers; write 1 or more, or auto", param, ctx)
        if number > MOST_WORKERS:
            self.fail(f"{value!r} are too many workers; the most is {MOST_WORKERS}", param, ctx)
        return number


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_for(workers: int) -> int:
    """Return how much memory each child may use, when the user does not say."""
    total = machine_memory()
    return max(LEAST, int(total * SHARE / workers)) if total else 0
