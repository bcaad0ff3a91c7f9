"""Random small functions with a bug, and the smallest call that shows it, found by brute force."""

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np
from relations_random import by_kind, random_condition

MOST_CALLS = 10_000
SCOPE = {"math": math, "np": np}


@dataclass
class Argument:
    """An argument: its annotation, its kind, and each value with its size and distance."""

    text: str
    kind: str
    values: list
    implied: str = ""


def _number(rng):
    low = rng.choice([0, 1, -3, 2])
    high = low + rng.choice([4, 7, 12])
    simplest = min(range(low, high + 1), key=abs)
    values = [(one, 0, abs(one - simplest)) for one in range(low, high + 1)]
    return Argument(f"ints({low}, {high})", "number", values)


def _list(rng):
    low, shortest, longest = rng.choice([0, 1]), rng.choice([0, 1]), rng.choice([2, 3])
    high = low + rng.choice([2, 4])
    values = [
        (list(items), length, sum(items) - low * length)
        for length in range(shortest, longest + 1)
        for items in itertools.product(range(low, high + 1), repeat=length)
    ]
    lengths = f"min_len={shortest}, max_len={longest}"
    return Argument(f"int_lists({lengths}, min={low}, max={high})", "list", values)


def _array(rng):
    high, dims = rng.choice([1, 2]), rng.choice([1, 2])
    shapes = [shape for n in range(1, dims + 1) for shape in itertools.product((1, 2), repeat=n)]
    values = [
        (np.array(items, "int64").reshape(shape), math.prod(shape), sum(items))
        for shape in shapes
        for items in itertools.product(range(high + 1), repeat=math.prod(shape))
    ]
    shape = f"np_shapes(max_dims={dims}, max_side=2)"
    return Argument(f"np_arrays('int64', {shape}, min=0, max={high})", "array", values)


def _labels(rng):
    """An array whose elements lie below the number `a`, which is there in each case with one."""
    array = _array(rng)
    shape = array.text.partition("'int64', ")[2].partition(", min=")[0]
    text = f"np_arrays('int64', {shape}, min=0, max='a-1')"
    return Argument(text, "array", array.values, "a > 0 and ({key} < a).all()")


def _flag(rng):
    return Argument("bools()", "flag", [(False, 0, 0), (True, 0, 1)])


def _pairs(rng):
    low, high = rng.choice([0, 1]), rng.choice([2, 3])
    pairs = list(itertools.product(range(low, high + 1), repeat=2))
    values = [
        (list(items), length, sum(map(sum, items)) - 2 * low * length)
        for length in range(3)
        for items in itertools.product(pairs, repeat=length)
    ]
    numbers = f"ints({low}, {high})"
    return Argument(f"lists(tuples({numbers}, {numbers}), max_len=2)", "pairs", values)


def _rows(rng):
    high = rng.choice([1, 2])
    rows = [list(row) for n in range(3) for row in itertools.product(range(high + 1), repeat=n)]
    values = [
        (list(items), length + sum(map(len, items)), sum(map(sum, items)))
        for length in range(3)
        for items in itertools.product(rows, repeat=length)
    ]
    return Argument(f"lists(lists(ints(0, {high}), max_len=2), max_len=2)", "rows", values)


PLAIN = (_number, _number, _list, _array, _flag)
NESTED = (_number, _pairs, _rows)
BOUNDED = (_number, _labels)


@dataclass
class Case:
    """A function with relations between its arguments, and one bug."""

    arguments: dict
    requires: list
    bug: str
    smallest: tuple = ()

    def source(self, name):
        """Return the function as Python."""
        given = ", ".join(f"{key}={one.text}" for key, one in self.arguments.items())
        lines = [f"@arg({given})", *(f"@require({one!r})" for one in self.requires)]
        lines += [f"def {name}({', '.join(self.arguments)}):", f"    if {self.bug}:"]
        return "\n".join([*lines, "        raise ValueError('bug')\n"])

    def measure(self, call):
        """Return the size of a call and its distance from the simplest one."""
        found = [self._place(key, value) for key, value in call.items()]
        return sum(one[1] for one in found), sum(one[2] for one in found)

    def _place(self, key, value):
        alike = (one for one in self.arguments[key].values if _same(one[0], value))
        return next(alike)

    def allows(self, call):
        """Say whether the preconditions hold."""
        return all(eval(one, SCOPE, call) for one in (*self.requires, *self.implied))

    @property
    def implied(self):
        """What the annotations of arguments say of others."""
        every = self.arguments.items()
        return [one.implied.format(key=key) for key, one in every if one.implied]


def _same(one, other):
    if not isinstance(one, np.ndarray):
        return type(one) is type(other) and one == other
    return isinstance(other, np.ndarray) and one.shape == other.shape and np.all(one == other)


def random_case(rng, makers):
    """Return a case whose bug shows in some calls, but not in most; None where it does not."""
    arguments, count = {}, 1
    for key in "abcd"[: rng.randint(2, 4)]:
        one = (makers[0] if makers is BOUNDED and key == "a" else rng.choice(makers))(rng)
        if count * len(one.values) <= MOST_CALLS:
            arguments[key] = one
            count *= len(one.values)
    kinds = {}
    for key, one in arguments.items():
        kinds.setdefault(one.kind, []).append(key)
    names = by_kind(**kinds)
    requires = [random_condition(rng, names, 1) for _ in range(rng.randint(0, 2))]
    case = Case(arguments, requires, random_condition(rng, names, 2))
    try:
        return case if _find_smallest(case) else None
    except Exception:
        return None  # a condition that raises is another story


def _find_smallest(case):
    """Try all calls; say whether the bug shows in some of those that are allowed."""
    said = (*case.requires, *case.implied)
    conditions = [compile(one, "<require>", "eval") for one in said]
    bug = compile(case.bug, "<bug>", "eval")
    allowed, failing = 0, []
    for chosen in itertools.product(*(one.values for one in case.arguments.values())):
        call = {key: one[0] for key, one in zip(case.arguments, chosen, strict=True)}
        if all(eval(one, SCOPE, call) for one in conditions):
            allowed += 1
            if eval(bug, SCOPE, call):
                failing.append((sum(one[1] for one in chosen), sum(one[2] for one in chosen)))
    case.smallest = min(failing, default=())
    return 0.002 * allowed < len(failing) < 0.2 * allowed


def random_cases(seed, count, makers=PLAIN):
    """Return so many cases."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        case = random_case(rng, makers)
        if case is not None:
            found.append(case)
    return found
