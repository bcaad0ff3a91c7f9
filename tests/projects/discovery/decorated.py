"""Annotations under and above other decorators: the attribute that the program sees is tested."""

import asyncio
import contextlib
import functools

from annotest import arg, ints


def shifted(function):
    """A decorator in good manners: what is inside sees 11, 12, 13 for 1, 2, 3."""

    @functools.wraps(function)
    def wrapper(n):
        return function(n + 10)

    return wrapper


def hiding(function):
    """A decorator without functools.wraps: no name leads to the function inside."""

    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def by_place(function):
    """A decorator whose wrapper takes arguments by position only, as many do."""

    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


def pointing(function):
    """A decorator that copies nothing and only says what it wraps."""

    def wrapper(n, m=1):
        return function(n + 10, m)

    wrapper.__wrapped__ = function
    return wrapper


class Compiled:
    """A decorator that makes an object, as compilers do."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)


@shifted
@arg(n=ints(1, 3))
def wrapped_above(n):
    assert n in (11, 12, 13)
    assert n != 13  # planted: AssertionError


@arg(n=ints(1, 3))
@shifted
def wrapped_below(n):
    assert n in (11, 12, 13)
    assert n != 12  # planted: AssertionError


@shifted
@shifted
@arg(n=ints(1, 3))
def wrapped_twice(n):
    assert n in (21, 22, 23)


@by_place
@arg(n=ints(1, 3))
def wrapped_by_place(n, scale=1):
    assert n * scale != 3  # planted: AssertionError


@pointing
@arg(n=ints(1, 3))
def pointed_above(n, m=1):
    assert n in (11, 12, 13)
    assert n != 13  # planted: AssertionError


@arg(m=ints(1, 2))
@pointing
@arg(n=ints(1, 3))
def pointed_between(n, m):
    assert (n, m) != (12, 2)  # planted: AssertionError


@arg(m=ints(1, 2))
@by_place
@arg(n=ints(1, 3))
def wrapped_between(n, m):
    assert (n, m) != (2, 2)  # planted: AssertionError


@Compiled
@arg(n=ints(1, 3))
def compiled_above(n):
    assert n != 3  # planted: AssertionError


@arg(n=ints(1, 3))
@Compiled
def compiled_below(n):
    assert n != 2  # planted: AssertionError


@functools.lru_cache
@arg(n=ints(1, 3))
def cached_above(n):
    assert n != 2  # planted: AssertionError


@arg(n=ints(1, 3))
@functools.cache
def cached_below(n):
    assert n in (1, 2, 3)


@contextlib.contextmanager
@arg(n=ints(1, 3))
def managed(n):
    assert n in (1, 2, 3)
    yield n


@functools.singledispatch
@arg(n=ints(1, 3))
def dispatched(n):
    raise TypeError("never for whole numbers")


@dispatched.register
def _(n: int):
    assert n != 3  # planted: AssertionError


@hiding
@arg(n=ints(1, 3))
def hidden(n):
    assert n in (1, 2, 3)


class Hiding:
    """The same, as an object."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)


@Hiding
@arg(n=ints(1, 3))
def hidden_by_an_object(n):
    assert n in (1, 2, 3)


@arg(n=ints(1, 3))
async def awaited(n):
    await asyncio.sleep(0)
    assert n != 2  # planted: AssertionError


@arg(n=ints(1, 3))
def lazy(n):
    yield from range(n)
    assert n != 3  # planted: AssertionError


def _reciprocal(n):
    return 1 / (n - 3)  # planted: ZeroDivisionError


@arg(n=ints(4, 6))
def iterator(n):
    return map(_reciprocal, range(n))


def make():
    @arg(n=ints(1, 3))
    def nested(n):
        assert n in (1, 2, 3)

    return nested


made = make()


class Layer:
    scale = 2

    @staticmethod
    @arg(n=ints(1, 3))
    def static_above(n):
        assert n != 3  # planted: AssertionError

    @arg(n=ints(1, 3))
    @staticmethod
    def static_below(n):
        assert n != 2  # planted: AssertionError

    @classmethod
    @arg(n=ints(1, 3))
    def class_above(cls, n):
        assert cls.scale * n != 6  # planted: AssertionError

    @arg(n=ints(1, 3))
    @classmethod
    def class_below(cls, n):
        assert cls.scale * n != 4  # planted: AssertionError

    @property
    def size(self):
        return 1 / (self.scale - 2)  # planted: ZeroDivisionError

    @functools.cached_property
    def cached(self):
        return [][self.scale]  # planted: IndexError

    @functools.lru_cache  # noqa: B019
    @arg(n=ints(1, 3))
    def method_cached(self, n):
        assert n != 3  # planted: AssertionError

    @hiding
    @arg(n=ints(1, 3))
    def hidden_method(self, n):
        assert n in (1, 2, 3)

    @property
    def settable(self):
        return self.scale

    @settable.setter
    def settable(self, value):
        raise RuntimeError("setters are not called")
