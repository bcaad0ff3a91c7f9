"""Annotations in type hints, alone and beside decorators."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated, Literal

from annotest import arg, ints, lists, require

if TYPE_CHECKING:
    from nowhere import Tensor


class Mode(enum.Enum):
    TRAIN = 1
    TEST = 2


def annotated(n: Annotated[int, ints(1, 3)]) -> int:
    assert n in (1, 2, 3)
    assert n != 3  # planted: AssertionError
    return n


@require("len(xs) == n")
def with_precondition(n: Annotated[int, ints(1, 3)], xs: Annotated[list, lists(ints(1, 2))]):
    assert len(xs) == n


@arg(n=ints(1, 3))
def precise(n, flag: bool, kind: Literal["a", "b"], mode: Mode, maybe: Literal[1] | None):
    assert type(flag) is bool
    assert kind in ("a", "b")
    assert mode in Mode
    assert maybe in (1, None)
    assert (flag, kind, mode, maybe) != (True, "b", Mode.TEST, None)  # planted: AssertionError


@arg(flag=ints(5, 6))
def overridden(flag: bool):
    assert flag in (5, 6)


def bare(n: int, x: Tensor):
    raise RuntimeError("a bare int says nothing")


def with_unknown_name(n: Annotated[int, ints(1, 3)], x: Tensor = None):
    assert n != 2  # planted: AssertionError


class Layer:
    def __init__(self, units: Annotated[int, ints(1, 4)]):
        self.units = units

    def run(self, n: Annotated[int, ints(1, 3)]):
        assert self.units + n != 7  # planted: AssertionError
