"""Bugs that share a line, and one that several inputs show on it.

A comment `# bugs: N` says how many findings a line has.
"""

import numpy as np

from annotest import arg, bools, froms, ints, strs

TABLE = {"a": [1, 2], "b": []}


@arg(n=ints(0, 9), k=ints(0, 9))
def two_messages(n, k):
    return np.ones((2, 3)).reshape(6 if n else 5) + np.ones(6 if k else 7)  # bugs: 2 ValueError


@arg(n=ints(1, 40))
def one_message_many_numbers(n):
    return np.zeros(n)[n + 3]  # bugs: 1 IndexError


@arg(rank=ints(1, 4))
def one_message_many_shapes(rank):
    return np.zeros((2,) * rank) @ np.zeros((3,) * rank)  # bugs: 1 ValueError


@arg(key=strs(min_len=1, max_len=9))
def one_message_many_words(key):
    return TABLE[f"_{key}"]  # bugs: 1 KeyError


@arg(mode=strs(alphabet="xyz", min_len=1, max_len=9))
def its_own_words(mode):
    raise ValueError(f"unknown mode {mode}")  # bugs: 1 ValueError


@arg(mode=strs(alphabet="xyz", min_len=1, max_len=9))
def its_own_words_over_lines(mode):
    raise ValueError(  # bugs: 1 ValueError
        f"unknown mode {mode}, which is none"
    )


@arg(n=ints(0, 3))
def two_types(n):
    return [1, 2][n] if n else {}[n]  # bugs: 1 IndexError, 1 KeyError


@arg(first=bools(), n=ints(0, 5))
def asserted(first, n):
    assert n < 4 or first, f"{n} is too much"  # bugs: 1 AssertionError
    assert n < 5, n  # bugs: 1 AssertionError


@arg(kind=froms(["int", "list"]))
def words_of_python(kind):
    return int("x") if kind == "int" else int("1", 77)  # bugs: 2 ValueError
