"""What looks alike and is not, and what looks different and is one bug."""

import sys
from pathlib import Path

import numpy as np

from annotest import anys, arg, bools, dicts, floats, froms, ints, lists, np_arrays, sets, strs

sys.path.insert(0, str(Path(__file__).parent / "site-packages"))

import toylib


class Thing:
    pass


def fail(problem):
    raise ValueError(problem)  # bugs: 6 ValueError


@arg(first=bools(), n=ints(0, 3))
def the_same_text_twice(first, n):
    if first:
        return 8 // n  # bugs: 1 ZeroDivisionError
    n = n - 1
    return 8 // n  # bugs: 1 ZeroDivisionError


OPERATIONS = {"one": lambda n: 1 // n, "two": lambda n: 2 // n}  # bugs: 2 ZeroDivisionError


@arg(name=froms(["one", "two"]), n=ints(0, 3))
def lambdas_on_one_line(name, n):
    return OPERATIONS[name](n)


def closure_of(size):
    def divided(n):
        return size // n  # bugs: 1 ZeroDivisionError

    return divided


@arg(size=ints(1, 3), n=ints(0, 3))
def closures_of_one_function(size, n):
    return closure_of(size)(n)


@arg(items=lists(ints(0, 9), max_len=5))
def lists_of_any_length(items):
    fail(f"bad items {items}")


@arg(items=sets(strs(alphabet="ab'", max_len=3), max_len=4))
def sets_of_words(items):
    fail(f"bad set {items}")


@arg(options=dicts(strs(max_len=3), floats(0, 1), max_size=4))
def dicts_of_any_size(options):
    fail(f"bad options {options}")


@arg(array=anys(np_arrays("float32", "n m"), np_arrays("int64", "n m"), np_arrays("bool", "n m")))
def arrays_of_any_type(array):
    fail(f"bad array {array.shape} of {array.dtype}: {array}")


@arg(count=ints(1, 3))
def objects_and_bytes(count):
    fail(f"bad {Thing()} and {b'x' * count}")


@arg(name=strs(alphabet="abcdefgh", min_len=1, max_len=9))
def paths(name):
    fail(f"cannot read /tmp/{name}/model.pt")


@arg(key=strs(alphabet="'\"\\a", min_len=1, max_len=5))
def keys_with_quotes(key):
    return {}[key]  # bugs: 1 KeyError


@arg(name=strs(alphabet="abcdefgh", min_len=1, max_len=9))
def files(name):
    return open(f"/nowhere/{name}")  # bugs: 1 FileNotFoundError


@arg(low=ints(1, 5), high=ints(0, 5))
def in_a_compiled_frame(low, high):
    return np.random.default_rng(0).integers(low, high)  # bugs: 1 ValueError


@arg(size=ints(-3, 3), low=ints(0, 5))
def two_bugs_in_a_compiled_frame(size, low):
    return np.random.default_rng(0).integers(low, 3, size=size)  # bugs: 2 ValueError


@arg(n=ints(0, 9))
def a_library_that_calls_itself(n):
    return toylib.shrink(n)  # bugs: 1 KeyError


@arg(n=ints(0, 9))
def a_library_whose_functions_call_each_other(n):
    return toylib.to_and_fro(n)  # bugs: 1 KeyError


def numbers(n):
    for number in range(n):
        yield 6 // (2 - number)  # bugs: 1 ZeroDivisionError


@arg(n=ints(0, 9))
def through_a_generator(n):
    return list(numbers(n))


@arg(n=ints(0, 9))
def through_a_generator_too(n):
    yield from numbers(n)
