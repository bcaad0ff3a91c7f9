"""The generated tests of related arguments draw what fits together: they discard nothing."""

import re
import subprocess
import sys

import pytest
from conftest import generated

MODULE = """\
import math


class Attention:
    @arg(embed=ints(1, 64), heads=ints(1, 8), bias=bools())
    @require("embed % heads == 0")
    def __init__(self, embed, heads, bias):
        assert embed % heads == 0

    @arg(length=ints(1, 64), window=ints(1, 8))
    @require("length % window == 0")
    def forward(self, length, window):
        assert length % window == 0

    @classmethod
    @arg(width=ints(1, 64), parts=ints(1, 8))
    @require("width % parts == 0")
    def of_width(cls, width, parts):
        assert width % parts == 0


@generator
@exclude
@arg(vocab=ints(2, 64), groups=ints(1, 16))
@require("vocab % groups == 0")
def embeddings(vocab, groups):
    assert vocab % groups == 0
    return [groups] * vocab


@arg(table=objs(embeddings), attention=objs(Attention))
def from_factories(table, attention):
    pass


@arg(low=floats(0, 1), high=floats(0, 1))
@require("low < high")
def interval(low, high):
    assert 0 <= low < high <= 1


@arg(low=floats(), high=floats())
@require("low < high")
def unbounded(low, high):
    assert -math.inf < low < high < math.inf


@arg(train=floats(0, 1), val=floats(0, 1), test=floats(0, 1))
@require("train + val + test == 1.0")
def equation(train, val, test):
    assert train + val + test == 1.0 and min(train, val, test) >= 0


@arg(a=floats(0, 1), b=floats(0, 1), c=floats(0, 1))
@require("a + b + c <= 1")
def sums(a, b, c):
    assert a + b + c <= 1


@arg(rate=floats(0, 10), other=floats(0.5, 3))
@require("rate >= other + 0.25")
def differences(rate, other):
    assert rate >= other + 0.25


@arg(fractions=float_lists(min=0, max=1, min_len=2, max_len=5))
@require("sum(fractions) <= 1")
def items_up_to_one(fractions):
    assert sum(fractions) <= 1


@arg(probabilities=float_lists(min=0, max=1, min_len=2, max_len=6))
@require("abs(sum(probabilities) - 1) < 1e-6")
def items_that_make_one(probabilities):
    assert abs(sum(probabilities) - 1) < 1e-6


@arg(top_k=anys(None, ints(1, 100)), vocab=ints(1, 80), greedy=bools())
@require("top_k is None or top_k <= vocab")
def option(top_k, vocab, greedy=False):
    assert top_k is None or top_k <= vocab


@arg(size=anys(None, ints(1, 64), froms(["same", "valid"])), stride=ints(1, 8))
@require("not isinstance(size, int) or size % stride == 0")
def union(size, stride):
    assert not isinstance(size, int) or size % stride == 0


@arg(x=np_arrays("int8", "t b"), mask=anys(None, np_arrays("bool", "t b")))
def optional_array(x, mask):
    assert mask is None or mask.shape == x.shape


class Schedule:
    @arg(start=floats(0, 1), end=floats(0, 1))
    @require("start <= end")
    def __init__(self, start, end):
        assert start <= end
"""

DRAWN = {
    "the_constructor": "Attention_init",
    "a_method_and_its_instance": "Attention_forward",
    "a_class_method": "Attention_of_width",
    "a_generator_and_a_class": "from_factories",
    "floats_in_order": "interval",
    "floats_without_bounds": "unbounded",
    "floats_that_make_one": "equation",
    "a_sum_of_floats": "sums",
    "differences_of_floats": "differences",
    "items_up_to_one": "items_up_to_one",
    "items_that_make_one": "items_that_make_one",
    "floats_of_a_constructor": "Schedule_init",
    "an_option": "option",
    "a_union": "union",
    "an_optional_array": "optional_array",
}

CONFTEST = """\
from hypothesis import settings

settings.register_profile("fixed", derandomize=True, database=None)
settings.load_profile("fixed")
"""

INSTANCES = """\
@st.composite
def instances_of_Attention(draw):
    heads = draw(st.integers(min_value=1, max_value=8))
    fitting = [embed for embed in range(1, 65) if embed % heads == 0]
    embed = draw(st.sampled_from(fitting or reject()))
    bias = draw(st.booleans())
    return Attention(embed=embed, heads=heads, bias=bias)
"""

EQUATION = """\
@st.composite
def related_arguments_of_equation(draw):
    train = draw(st.floats(min_value=0.0, max_value=1.0))
    val = draw(st.floats(min_value=0.0, max_value=1.0 - train))
    test = max(0.0, 1.0 - (train + val))
    assume(train + val + test == 1.0)
    return train, val, test
"""

OPTION = """\
@st.composite
def related_arguments_of_option(draw):
    if draw(st.booleans()):
        top_k = draw(st.integers(min_value=1, max_value=80))
        vocab = draw(st.integers(min_value=top_k, max_value=80))
    else:
        top_k = None
        vocab = draw(st.integers(min_value=1, max_value=80))
    return top_k, vocab
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("discards"), {"drawn": MODULE})


@pytest.fixture(scope="module")
def counted(written):
    """Return how many inputs of each test passed and failed, and why others were discarded."""
    (written / "conftest.py").write_text(CONFTEST)
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-show-statistics"]
    command = [sys.executable, "-m", "pytest", *options, str(written)]
    shown = subprocess.run(command, cwd=written, capture_output=True, text=True).stdout
    found = {}
    for part in shown.split("test_drawn.py::test_")[1:]:
        passed, failed = re.search(r"(\d+) passing, (\d+) failing", part).groups()
        reasons = re.findall(r"gave up because: (.*)", part)
        found[part.partition(":")[0]] = int(passed), int(failed), reasons
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_no_input_is_discarded(counted, name):
    assert counted[DRAWN[name]] == (100, 0, [])


@pytest.mark.parametrize("composite", [INSTANCES, EQUATION, OPTION])
def test_composites_draw_in_the_order_of_the_plan(written, composite):
    assert composite in (written / "test_drawn.py").read_text()
