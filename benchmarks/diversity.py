"""How often the inputs of a run are of the kinds that find bugs: bounds, equal sizes, primes.

    python benchmarks/diversity.py            # needs numpy in this environment
    python benchmarks/diversity.py --inputs 1000 --seed 1 --only "floats"

Every function of the table is tested by `annotest run` itself, and writes down what it is called
with. "edge" numbers are those next to a bound: min + 1 and max - 1, or the next floats. "prime"
begins with 3, "power" with 4, and "equal" sizes are above one. "–" is where no input can be so.

A run calls a function once with each input. A function of one number is thus called at most once
with its lower bound, however often that is drawn, and its share among the calls says nothing. So
there are two tables:

- shares: the function has another argument beside, a text that hardly ever comes twice. The share
  of calls in which some number is of that kind; below 2 % it is marked.
- first calls: the function has these arguments only. The place of the first call of that kind.

From seed to seed, shares of about 2 % differ by half a point, and some by much more.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

RARE = 0.02
POWERS = frozenset(2**exponent for exponent in range(2, 60))

Numbers = Sequence[float]
Kind = Callable[[Numbers, "Case"], bool]
Cell = Callable[[Kind, "Case", list[Numbers]], str]


@dataclass(frozen=True)
class Case:
    """A function: its annotations, its arguments, and the numbers of a call that are looked at.

    `ends` are the bounds of each number, or of all where there is one pair; `counts` how few and
    how many numbers there can be. `invalid` says which numbers the relation rules out.
    """

    title: str
    annotations: str
    arguments: str
    numbers: str
    ends: tuple[tuple[float, float], ...]
    counts: tuple[int, int] = (1, 1)
    invalid: Callable[[Numbers], bool] = lambda numbers: False

    def ends_of(self, place: int) -> tuple[float, float]:
        """Return the bounds of a number."""
        return self.ends[min(place, len(self.ends) - 1)]

    def is_float(self) -> bool:
        """Say whether the numbers are floats."""
        return any(isinstance(end, float) for ends in self.ends for end in ends)


def ints_case(low: int, high: int) -> Case:
    return Case(f"ints({low}, {high})", f"@arg(n=ints({low}, {high}))", "n", "[n]", ((low, high),))


def floats_case(low: float, high: float) -> Case:
    said = f"floats({low:g}, {high:g})"
    return Case(said, f"@arg(x={said})", "x", "[x]", ((float(low), float(high)),))


def sizes_case(said: str, ends: tuple[int, int], counts: tuple[int, int]) -> Case:
    return Case(said, f"@arg(x={said})", "x", "list(getattr(x, 'shape', x))", (ends,), counts)


SQUARES = "np_shapes(min_dims=2, max_dims=2, max_side=64)"
CASES = [
    ints_case(0, 9),
    ints_case(0, 100),
    ints_case(1, 64),
    ints_case(1, 1024),
    ints_case(0, 10_000),
    ints_case(-1000, 1000),
    ints_case(0, 2**31 - 1),
    floats_case(0, 1),
    floats_case(0.001, 0.1),
    floats_case(-1, 1),
    floats_case(0, 1e6),
    sizes_case("int_lists()", (1, 6), (1, 3)),
    sizes_case("int_lists(min_len=0, max_len=8, min=1, max=64)", (1, 64), (0, 8)),
    sizes_case("lists(floats(0, 1), max_len=6)", (0.0, 1.0), (0, 6)),
    sizes_case("np_shapes()", (1, 6), (1, 3)),
    sizes_case(SQUARES, (1, 64), (2, 2)),
    sizes_case("np_shapes(min_dims=4, max_dims=4, max_side=32)", (1, 32), (4, 4)),
    sizes_case("np_arrays('float32', np_shapes())", (1, 6), (1, 3)),
    sizes_case(f"np_arrays('uint8', {SQUARES})", (1, 64), (2, 2)),
    Case(
        "two ints(1, 64)",
        "@arg(h=ints(1, 64), w=ints(1, 64))",
        "h, w",
        "[h, w]",
        ((1, 64),) * 2,
        (2, 2),
    ),
    sizes_case("np_arrays('uint8', 'h w')", (1, 8), (2, 2)),
    Case(
        "'h w' with @dims(1..64)",
        '@dims(h=ints(1, 64), w=ints(1, 64))\n@arg(x=np_arrays("uint8", "h w"))',
        "x",
        "list(x.shape)",
        ((1, 64),),
        (2, 2),
    ),
    Case(
        "'n k' and 'k m' with @dims(1..64)",
        "@dims(n=ints(1, 64), k=ints(1, 64), m=ints(1, 64))\n"
        '@arg(a=np_arrays("uint8", "n k"), b=np_arrays("uint8", "k m"))',
        "a, b",
        "[*a.shape, b.shape[1]]",
        ((1, 64),),
        (3, 3),
    ),
    Case(
        "h % p == 0 and w % p == 0",
        "@arg(h=ints(1, 256), w=ints(1, 256), p=ints(1, 16))\n"
        '@require("h % p == 0 and w % p == 0")',
        "h, w, p",
        "[h, w]",
        ((1, 256),),
        (2, 2),
    ),
    Case(
        "k <= h + 2*p",
        '@arg(h=ints(1, 64), k=ints(1, 31), p=ints(0, 3))\n@require("k <= h + 2*p")',
        "h, k, p",
        "[h, k]",
        ((1, 64), (1, 31)),
        (2, 2),
        lambda numbers: numbers[1] > numbers[0] + 6,
    ),
    Case(
        "d % heads == 0",
        '@arg(d=ints(1, 1024), heads=ints(1, 16))\n@require("d % heads == 0")',
        "d, heads",
        "[d]",
        ((1, 1024),),
    ),
    Case(
        "lo < hi",
        '@arg(lo=ints(0, 10000), hi=ints(0, 10000))\n@require("lo < hi")',
        "lo, hi",
        "[lo, hi]",
        ((0, 10_000),),
        (2, 2),
        lambda numbers: numbers[0] >= numbers[1],
    ),
    Case(
        "lo < hi (floats)",
        '@arg(lo=floats(0, 1), hi=floats(0, 1))\n@require("lo < hi")',
        "lo, hi",
        "[lo, hi]",
        ((0.0, 1.0),),
        (2, 2),
        lambda numbers: numbers[0] >= numbers[1],
    ),
    Case(
        "sum(splits) == d",
        "@arg(splits=int_lists(min_len=1, max_len=5, min=1, max=64), d=ints(1, 256))\n"
        '@require("sum(splits) == d")',
        "splits, d",
        "splits",
        ((1, 64),),
        (1, 5),
        lambda numbers: sum(numbers) > 256,
    ),
]


def is_prime(number: float) -> bool:
    if number != int(number) or number < 3:
        return False
    return all(number % divisor for divisor in range(2, math.isqrt(int(number)) + 1))


def at(place_of_end: int) -> Kind:
    """Return the kind of calls with a number at its lower or upper bound."""
    return lambda numbers, case: any(
        number == case.ends_of(place)[place_of_end] for place, number in enumerate(numbers)
    )


def beside(place_of_end: int) -> Kind:
    """Return the kind of calls with a number next to its lower or upper bound."""

    def kind(numbers: Numbers, case: Case) -> bool:
        for place, number in enumerate(numbers):
            end, other = case.ends_of(place)[place_of_end], case.ends_of(place)[1 - place_of_end]
            step = 1 if place_of_end == 0 else -1
            near = math.nextafter(end, other) if case.is_float() else end + step
            if number == near:
                return True
        return False

    return kind


def any_is(test: Callable[[float], bool]) -> Kind:
    return lambda numbers, case: any(map(test, numbers))


KINDS: dict[str, Kind] = {
    "lower": at(0),
    "edge+": beside(0),
    "edge-": beside(1),
    "upper": at(1),
    "zero": any_is(lambda number: number == 0),
    "one": any_is(lambda number: number == 1),
    "prime": any_is(is_prime),
    "power": any_is(POWERS.__contains__),
    "equal": lambda numbers, case: len(numbers) > 1 and min(numbers) == max(numbers) > 1,
    "differ": lambda numbers, case: len(numbers) > 1 and min(numbers) != max(numbers),
    "fewest": lambda numbers, case: len(numbers) == case.counts[0] != case.counts[1],
    "most": lambda numbers, case: len(numbers) == case.counts[1] != case.counts[0],
}
NOT_OF_FLOATS = {"prime", "power", "equal"}


def is_possible(name: str, case: Case) -> bool:
    """Say whether a call can be of a kind: whether some telling numbers are."""
    if case.is_float() and name in NOT_OF_FLOATS:
        return False
    low, high = case.ends[0]
    telling = {low, high, 0, 1, 2, 3, 4, low + 1, high - 1}
    if case.is_float():
        telling |= {math.nextafter(low, high), math.nextafter(high, low)}
    fitting = sorted(number for number in telling if low <= number <= high)
    for count in {case.counts[0], min(2, case.counts[1]), case.counts[1]}:
        several = product(fitting, repeat=min(count, 2))
        rows = [(*row, *[row[-1]] * (count - 2)) if count > 2 else row for row in several]
        if any(KINDS[name](row, case) and not case.invalid(row) for row in rows):
            return True
    return False


MODULE = """\
import json
from annotest import *


def note(place, numbers):
    with open({log!r}, "a") as file:
        file.write(json.dumps([place, [float(one) for one in numbers]]) + "\\n")


"""


BESIDE = "@arg(beside=strs(min_len=8, max_len=8))\n"


def calls_of(cases: list[Case], inputs: int, seed: int, beside: bool) -> list[list[Numbers]]:
    """Have every case tested, and return the numbers that its calls had, in their order."""
    with tempfile.TemporaryDirectory(prefix="annotest-diversity-") as temporary:
        folder = Path(temporary)
        log = folder / "calls"
        text = MODULE.format(log=str(log))
        for place, case in enumerate(cases):
            text += f"{BESIDE if beside else ''}{case.annotations}\n"
            text += f"def case_{place}({case.arguments}{', beside' if beside else ''}):\n"
            text += f"    note({place}, {case.numbers})\n\n\n"
        (folder / "cases.py").write_text(text)
        options = ["--seed", str(seed), "--max-examples", str(inputs), "--workers", "1"]
        command = [sys.executable, "-m", "annotest", "run", "cases.py", "--no-guard", *options]
        done = subprocess.run(command, cwd=folder, env=os.environ, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        found: list[list[Numbers]] = [[] for _ in cases]
        for line in log.read_text().splitlines():
            place, numbers = json.loads(line)
            found[place].append(numbers)
    return found


def share(kind: Kind, case: Case, calls: list[Numbers]) -> str:
    """Return the share of the calls that are of a kind, marked where it is small."""
    found = sum(kind(numbers, case) for numbers in calls) / max(1, len(calls))
    return f"{100 * found:.1f}{'!' if found < RARE else ' '}"


def first_call(kind: Kind, case: Case, calls: list[Numbers]) -> str:
    """Return the place of the first call of a kind."""
    places = (place for place, numbers in enumerate(calls, 1) if kind(numbers, case))
    return f"{next(places, 'never')} "


def print_table(title: str, cell: Cell, cases: list[Case], calls: list[list[Numbers]]) -> None:
    """Print one line for each case."""
    width = max(len(case.title) for case in cases)
    print(f"{title:{width}}{'calls':>7}" + "".join(f"{name:>7} " for name in KINDS))
    for case, found in zip(cases, calls, strict=True):
        cells = [
            cell(kind, case, found) if is_possible(name, case) else "– "
            for name, kind in KINDS.items()
        ]
        print(f"{case.title:{width}}{len(found):>7}" + "".join(f"{one:>8}" for one in cells))
    print()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=1000, help="for each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose title has this text")
    given = parser.parse_args()
    cases = [case for case in CASES if given.only in case.title]
    for title, cell, beside in (("shares in %", share, True), ("first calls", first_call, False)):
        print_table(title, cell, cases, calls_of(cases, given.inputs, given.seed, beside))


if __name__ == "__main__":
    main()
