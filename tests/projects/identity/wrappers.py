"""One bug reached from everywhere, several bugs reached through one line."""

import functools

from annotest import arg, bools, ints, lists


def _checked(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def _ratio(a, b):
    return a // b  # bugs: 1 ZeroDivisionError


@arg(n=ints(0, 3))
def once(n):
    return _ratio(1, n)


@arg(n=ints(0, 3))
def twice(n):
    return _ratio(2, n)


@_checked
@arg(n=ints(0, 3))
def wrapped(n):
    return _ratio(3, n)


@_checked
@arg(n=ints(0, 3))
def wrapped_too(n):
    return [5, 6][n]  # bugs: 1 IndexError


def _fail(message):
    raise ValueError(message)  # bugs: 2 ValueError


@arg(n=ints(0, 9), strict=bools())
def told_apart_by_words(n, strict):
    if n == 3:
        _fail(f"{n} is odd")
    if strict and n == 4:
        _fail(f"{n} is even and strict")


def _apply(function, value):
    return function(value)


@arg(n=ints(0, 3))
def through_one_line_a(n):
    return _apply(lambda value: 1 // value, n)  # bugs: 1 ZeroDivisionError


@arg(n=ints(0, 3))
def through_one_line_b(n):
    return _apply(lambda value: 2 // value, n)  # bugs: 1 ZeroDivisionError


@arg(numbers=lists(ints(0, 2), max_len=4))
def in_a_loop(numbers):
    return [1 // number for number in numbers]  # bugs: 1 ZeroDivisionError
