"""Generated draws of numbers that seldom fit one after the other: in another order, or together."""

import math
import random
import re
import runpy
from collections import Counter

import pytest
from conftest import generated
from hypothesis import given, settings
from related_files import is_drawn, run_tests

IMPORTS = "import math\n\nLIMIT = 3\n\n\n"

# every function checks its own precondition, so that an invalid input fails its test
DRAWN = {
    "triple": """\
@arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40))
@require("a * a + b * b == c * c")
def triple(a, b, c):
    assert a * a + b * b == c * c
""",
    "few": """\
@arg(r=ints(1, 3), groups=ints(1, 4), c=ints(1, 8))
@require("c % (r * r * groups) == 0")
def few(r, groups, c):
    assert c % (r * r * groups) == 0
""",
    "reshaped": """\
@arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40), d=ints(1, 40))
@require("a * b == c * d")
def reshaped(a, b, c, d):
    assert a * b == c * d
""",
    "grouped": """\
@arg(x=np_arrays("int8", np_shapes(min_dims=2, max_dims=2, max_side=6)))
@arg(w=np_arrays("int8", np_shapes(min_dims=2, max_dims=2, max_side=6)), groups=ints(1, 6))
@require("x.shape[1] == w.shape[1] * groups and w.shape[0] % groups == 0")
def grouped(x, w, groups):
    assert x.shape[1] == w.shape[1] * groups and w.shape[0] % groups == 0
""",
    "parallel": """\
@arg(world=ints(1, 64), tp=ints(1, 64), pp=ints(1, 64), dp=ints(1, 64))
@require("tp * pp * dp == world")
def parallel(world, tp, pp, dp):
    assert tp * pp * dp == world
""",
    "aspect": """\
@arg(h=ints(1, 64), w=ints(1, 64), area=ints(1, 1024))
@require("h * w == area and abs(h - w) <= 4")
def aspect(h, w, area):
    assert h * w == area and abs(h - w) <= 4
""",
    "more_of_one": """\
@arg(a=ints(1, 30), b=ints(1, 30), c=ints(1, 30), n=ints(1, 20))
@require("a * a + b * b == c * c and n < a and n < b")
def more_of_one(a, b, c, n):
    assert a * a + b * b == c * c and n < min(a, b)
""",
    "guarded": """\
@arg(a=ints(0, 12), b=ints(0, 12), c=ints(0, 12), d=ints(0, 12))
@require("a * d != 0 and b * b // a == c * c // d and b * c % 7 == 3")
def guarded(a, b, c, d):
    assert a * d and b * b // a == c * c // d and b * c % 7 == 3
""",
    "in_one_of_two_ways": """\
@arg(a=anys(None, ints(1, 40)), b=ints(1, 40), c=ints(1, 40))
@require("a * a + b * b == c * c if a is not None else b ** 2 == c ** 3")
def in_one_of_two_ways(a, b, c):
    assert a * a + b * b == c * c if a is not None else b**2 == c**3
""",
    "sides": """\
@dims(h=ints(1, 30), w=ints(1, 30))
@arg(x=np_arrays("int8", "h w"), r=ints(1, 30))
@require("h * h + w * w == r * r")
def sides(x, r):
    assert math.hypot(*x.shape) == r
""",
    "words": """\
@arg(word=froms(["a", "bb", "ccc"]), n=ints(1, 50), k=ints(1, 50))
@require("(len(word) * n * n) % 47 == k * k")
def words(word, n, k):
    assert (len(word) * n * n) % 47 == k * k
""",
    "Box.__init__": """\
class Box:
    @arg(a=ints(1, 40), b=ints(1, 40), c=ints(1, 40))
    @require("a * a + b * b == c * c + LIMIT")
    def __init__(self, a, b, c):
        assert a * a + b * b == c * c + LIMIT
""",
    "near": """\
@arg(a=floats(0, 1), b=floats(0, 1), eps=floats(1e-6, 0.1))
@require("abs(a - b) < eps")
def near(a, b, eps):
    assert abs(a - b) < eps
""",
    "below_one": """\
@arg(p=floats(0, 1), q=floats(0, 1), r=floats(0, 1))
@require("p + q + r < 1")
def below_one(p, q, r):
    assert p + q + r < 1
""",
    "shares_of_data": """\
@arg(train=floats(0, 1), val=floats(0, 1))
@require("train + val <= 1")
def shares_of_data(train, val):
    assert train + val <= 1
""",
    "warm_and_hold": """\
@arg(warmup=floats(0, 1), hold=floats(0, 1), total=floats(0, 2))
@require("warmup + hold <= total")
def warm_and_hold(warmup, hold, total):
    assert warmup + hold <= total
""",
    "made_items": """\
@generator
@exclude
@arg(size=ints(1, 9), half=ints(1, 9))
@require("half * 2 <= size")
def pairs(size, half):
    return [half] * size


@arg(xs=lists(objs(pairs), min_len=1, max_len=3), a=ints(1, 30), b=ints(1, 30), c=ints(1, 30))
@require("a * a + b * b == c * c and len(xs) <= a")
def made_items(xs, a, b, c):
    assert a * a + b * b == c * c and len(xs) <= a
""",
    "decayed": """\
@arg(lr=floats(1e-6, 1), end_lr=floats(0, 1), decay=floats(0.5, 1), steps=ints(1, 20))
@require("lr * decay ** steps >= end_lr")
def decayed(lr, end_lr, decay, steps):
    assert lr * decay**steps >= end_lr
""",
    "some_weight": """\
@arg(a=floats(0, 1), b=floats(0, 1))
@require("a + b > 0")
def some_weight(a, b):
    assert a + b > 0
""",
    "nesterov": """\
@arg(momentum=floats(0, 1), dampening=floats(0, 1), nesterov=bools())
@require("not nesterov or (momentum > 0 and dampening == 0)")
def nesterov(momentum, dampening, nesterov):
    assert not nesterov or (momentum > 0 and dampening == 0)
""",
}

TAKEN = """\
@arg(cache=ints(1, 40), range=ints(1, 40), draw=ints(1, 40))
@require("cache * cache + range * range == draw * draw")
def taken(cache, range, draw):
    assert cache * cache + range * range == draw * draw
"""

# the last place of 0.9 is odd, and 1 / total is rounded
CHECKED = {
    "odd_bound": """\
@arg(x=floats(0, 1), y=floats(0, 1))
@require("x + y <= 0.9")
def odd_bound(x, y):
    assert x + y <= 0.9
""",
    "one_part": """\
@arg(total=ints(1, 100), a=floats(0, 1), b=floats(0, 1))
@require("a + b < 1 and total * a >= 1")
def one_part(total, a, b):
    assert a + b < 1 and total * a >= 1
""",
}

LEFT = {
    "too_many": """\
@arg(a=ints(1, 500), b=ints(1, 500), c=ints(1, 500))
@require("a * a + b * b == c * c")
def too_many(a, b, c):
    assert a * a + b * b == c * c
""",
    "changed_by_the_call": """\
@arg(pair=froms([[1, 2], [3, 4], [5]]), n=ints(1, 60), k=ints(1, 60))
@require("(sum(pair) * n * n) % 47 == k * k")
def changed_by_the_call(pair, n, k):
    assert (sum(pair) * n * n) % 47 == k * k
    pair.append(1)
""",
}

# where k is 0, it is only the condition on x that says so
UNGUARDED = """\
@arg(k=ints(-20, 20), x=ints(-500, 500), n=ints(0, 120))
@require("k * x > 5 and n * n % k == 0")
def unguarded(k, x, n):
    assert k * x > 5 and n * n % k == 0
"""

TRIPLE = """\
@cache
def fitting_arguments_of_triple():
    return [
        (a, b, c)
        for a in range(1, 41)
        for b in range(1, 41)
        for c in range(1, 41)
        if a * a + b * b == c * c
    ]


@st.composite
def related_arguments_of_triple(draw):
    a, b, c = draw(st.sampled_from(fitting_arguments_of_triple()))
    return a, b, c
"""
FEW = """\
    fitting = [
        (r, groups, c)
        for r in range(1, 4)
        for groups in range(1, 5)
        for c in range(1, 9)
        if c % (r * r * groups) == 0
    ]
    r, groups, c = draw(st.sampled_from(fitting))
"""
RESHAPED = """\
    a = draw(st.integers(min_value=1, max_value=40))
    b = draw(st.integers(min_value=1, max_value=40))
    fitting = [(c, d) for c in range(1, 41) for d in range(1, 41) if a * b == c * d]
    c, d = draw(st.sampled_from(fitting or reject()))
"""
PARALLEL = """\
    tp = draw(st.integers(min_value=1, max_value=64))
    pp = draw(st.integers(min_value=1, max_value=64 // tp))
    dp = draw(st.integers(min_value=1, max_value=64 // (tp * pp)))
    world = tp * pp * dp
"""
ASPECT = """\
        if abs(h - w) <= 4 and w <= 1024 // h
    ]
    h, w = draw(st.sampled_from(fitting))
    area = h * w
"""
SHARES = """\
    train = draw(st.floats(min_value=0.0, max_value=1.0))
    val = draw(st.floats(min_value=0.0, max_value=1.0 - train))
    return train, val
"""
NEAR = """\
    eps = draw(
        st.floats(
            min_value=min(0.1, max(1e-06, a - b, b - a)),
            max_value=0.1,
        ).filter(lambda eps: abs(a - b) < eps),
    )
"""
WEIGHT = """\
    b = draw(st.floats(min_value=0.0, max_value=1.0).filter(lambda b: a + b > 0))
"""
PART = """\
    assume(total * a >= 1)
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("combined")
    module = "".join([IMPORTS, *(DRAWN | CHECKED | LEFT).values()])
    return generated(folder, {"combined": module, "taken": TAKEN, "unguarded": UNGUARDED})


@pytest.fixture(scope="module")
def text(written):
    return (written / "test_combined.py").read_text()


def blocks_of(text, name):
    name = name.replace(".__init__", "_init")
    found = rf"^def (related_arguments_of|test)_{name}\("
    return "\n".join(one for one in text.split("\n\n\n") if re.search(found, one, re.MULTILINE))


@pytest.mark.parametrize("name", DRAWN)
def test_values_that_fit_are_drawn(text, name):
    assert is_drawn(blocks_of(text, name))


@pytest.mark.parametrize("name", CHECKED)
def test_what_may_be_rounded_is_drawn_and_checked(text, name):
    found = blocks_of(text, name)
    assert re.search(r"@st.composite.* = draw\(.*    assume\(.*    return ", found, re.S)


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_listed_is_left_to_the_annotations(text, name):
    assert "calls(" in blocks_of(text, name)


@pytest.mark.parametrize(
    "lines",
    [TRIPLE, FEW, RESHAPED, PARALLEL, ASPECT, SHARES, NEAR, WEIGHT, PART],
    ids=lambda one: one[4:20],
)
def test_the_draws_are_easy_to_read(text, lines):
    assert lines in text


def test_names_that_the_file_needs_may_be_arguments(written):
    text = (written / "test_taken.py").read_text()
    assert "for range in builtins.range(1, 41)" in text and "@cache_" in text


def test_nothing_is_divided_before_what_keeps_it_from_zero(written):
    text = (written / "test_unguarded.py").read_text()
    assert "calls(unguarded)" in text


def test_no_value_takes_the_place_of_most_others(written):
    composite = runpy.run_path(str(written / "test_combined.py"))["related_arguments_of_grouped"]
    found = Counter()

    @settings(max_examples=200, derandomize=True, database=None)
    @given(composite())
    def count(related):
        found[related[2]] += 1

    count()
    assert set(found) == {1, 2, 3, 4, 5, 6} and max(found.values()) < 0.4 * found.total()


@pytest.mark.parametrize("bound", [1.0, 0.75, 3.0, 2.0**-30])
def test_a_sum_up_to_an_even_bound_is_not_broken_by_rounding(bound):
    assert int(math.frexp(bound)[0] * 2**53) % 2 == 0
    chance = random.Random(0)
    for _ in range(20_000):
        one = chance.uniform(0, bound) * 2.0 ** -chance.randrange(60)
        assert one + (bound - one) <= bound


def test_only_valid_inputs_are_made(written):
    done = run_tests(written)
    assert done.returncode == 0, done.stdout
