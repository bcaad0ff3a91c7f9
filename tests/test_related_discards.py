"""The generated tests of related arguments draw what fits together: they discard nothing."""

import re
import subprocess
import sys

import pytest
from conftest import generated

MODULE = """\
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
"""

DRAWN = {
    "the_constructor": "Attention_init",
    "a_method_and_its_instance": "Attention_forward",
    "a_class_method": "Attention_of_width",
    "a_generator_and_a_class": "from_factories",
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


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("discards"), {"drawn": MODULE})


@pytest.fixture(scope="module")
def counted(written):
    """Return how many inputs of each test passed, failed and were discarded."""
    (written / "conftest.py").write_text(CONFTEST)
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-show-statistics"]
    command = [sys.executable, "-m", "pytest", *options, str(written)]
    shown = subprocess.run(command, cwd=written, capture_output=True, text=True).stdout
    counts = r"::test_(\w+):\n.*?(\d+) passing, (\d+) failing, and (\d+) invalid"
    found = re.findall(counts, shown, re.DOTALL)
    return {name: tuple(map(int, numbers)) for name, *numbers in found}


@pytest.mark.parametrize("name", DRAWN)
def test_no_input_is_discarded(counted, name):
    assert counted[DRAWN[name]] == (100, 0, 0)


def test_instances_are_drawn_in_the_order_of_the_plan(written):
    assert INSTANCES in (written / "test_drawn.py").read_text()
