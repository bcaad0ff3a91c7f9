"""Annotations from outside, in type hints, and on functions inside."""

import textwrap
from collections.abc import Callable
from enum import Enum
from functools import cache, wraps
from typing import Annotated, Literal

from annotest import *


class Colour(Enum):
    RED = 1
    BLUE = 2


def hinted(
    n: Annotated[int, ints(1, 3)], flag: bool, kind: Literal["a", "b"], colour: Colour = Colour.RED
):
    return kind * n, flag, colour.value


def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


@logged
@arg(n=ints(1, 9))
@require("n != 5")
def wrapped(n):
    assert n != 8


@cache
@arg(n=ints(1, 9))
def cached(n):
    return 1 // (n - 1)


@arg(args=lists(ints(), max_len=2), flag=bools(), rest=dicts({"a?": ints(1, 2)}))
def spread(*args, flag, **rest):
    return sum(args), flag, rest


@arg(n=ints(0, 3), m=ints(0, 3))
def placed(n, /, *, m):
    return n % m


def unannotated(text="abc", width=1):
    return textwrap.wrap(text, width)


def maker(step: Callable[[int], int] = abs):
    return step(-1)


annotate("textwrap:shorten", arg(text=strs(max_len=9), width=ints(5, 20)))
annotate(unannotated, arg(text=strs(max_len=5), width=ints(1, 4)), require("len(text) >= width"))
annotate("textwrap:TextWrapper.fill", arg(text=strs()), timeout(1), raises(ValueError))
