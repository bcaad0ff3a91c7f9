"""Named dimensions: in one call a name means one size."""

import pytest
from conftest import run_json

AGREE = '''
import numpy as np
from annotest import *


def arrays(shape):
    return np_arrays("float32", shape)


@arg(x=arrays("n k"), y=arrays("k m"))
def by_name(x, y):
    assert (x @ y).shape == (len(x), y.shape[1])

@arg(x=arrays("n k"), y=arrays("k m"), m=ints(3, 40))
def with_an_argument(x, y, m):
    assert x.shape[1] == y.shape[0] and y.shape[1] == m

@arg(x=arrays("b 2*h w+1 3"), y=arrays("h w"))
def arithmetic(x, y):
    assert x.shape[1:] == (2 * y.shape[0], y.shape[1] + 1, 3)

@arg(x=arrays("... c"), y=arrays("c"))
def any_sides(x, y):
    assert x.shape[-1:] == y.shape

@arg(x=arrays("*batch n"), y=arrays("*batch m"))
def same_sides(x, y):
    assert x.shape[:-1] == y.shape[:-1]

@arg(x=arrays("_ n _"), y=arrays("n _"))
def unnamed(x, y):
    assert x.ndim == 3 and x.shape[1] == y.shape[0]

@arg(x=arrays("b 3"), sizes=int_lists(len="b", min=1, max=9))
def lengths(x, sizes):
    assert len(x) == len(sizes)

@dims(h=ints(5, 6), w=froms([8, 16]))
@arg(x=arrays("h w"), y=arrays("w h"))
def ranges(x, y):
    assert x.shape[0] in (5, 6) and x.shape[1] in (8, 16) and x.shape == y.shape[::-1]

@arg(x=np_arrays(same("T", of=["float32", "float64"]), "n"), y=np_arrays(same("T", of=["float32", "float64"]), "n"))
def dtypes(x, y):
    assert x.dtype == y.dtype and x.shape == y.shape

@arg(x=np_arrays(same("T", of=["float32", "int8"]), "n", elements=ints(0, 3)), y=np_arrays(same("T"), "n"))
def dtypes_and_elements(x, y):
    assert x.dtype == y.dtype and set(x.tolist()) <= {0, 1, 2, 3}

@arg(xs=lists(np_arrays(same("T", of=["float32", "int8"]), (2,)), min_len=1), y=np_arrays(same("T"), anys((2,), (3, 3))))
def dtypes_inside(xs, y):
    assert {x.dtype for x in xs} == {y.dtype}

@arg(x=np_arrays("float32", "n", elements=floats(0, 1)), k=ints(1, 99))
@require("x.shape[0] == 2 * k")
def sides_beside_elements(x, k):
    assert len(x) == 2 * k

@arg(x=np_arrays("int8", (ints(2, 3), 4)), y=np_arrays("int8", (2, ints(1, 5))))
def tuples_as_shapes(x, y):
    assert x.shape[0] in (2, 3) and x.shape[1] == 4 and y.shape[0] == 2 and y.shape[1] <= 5

@arg(x=arrays("n k"), heads=ints(1, 8))
@require("k % heads == 0 and n > heads")
def in_preconditions(x, heads):
    assert x.shape[1] % heads == 0 and x.shape[0] > heads

@arg(x=arrays("n"), name=strs())
@require("name.isalpha() or n > 3")
def beside_what_is_drawn(x, name):
    assert name.isalpha() or len(x) > 3

@arg(x=arrays("n k"), y=arrays("k m"), name=strs())
@require("name.isalpha() or k > 3")
def with_a_condition_on_what_is_drawn(x, y, name):
    assert x.shape[1] == y.shape[0]

@arg(x=anys(None, arrays("n 2")), y=arrays("n"))
def in_a_union(x, y):
    assert x is None or x.shape == (len(y), 2)

@arg(xs=lists(arrays("n 2"), min_len=2), y=arrays("n"))
def in_a_list(xs, y):
    assert all(x.shape == (len(y), 2) for x in xs)

@arg(xs=int_lists(len="n"), n=ints(100, 200))
def as_long_as_it_takes(xs, n):
    assert len(xs) == n

@arg(x=arrays("h w"), h=ints(-4, 4))
def never_negative(x, h):
    assert x.shape[0] == h

@arg(x=arrays("h*w 3"))
@require("h > w")
def inside_arithmetic(x):
    assert len(x) > 1

@arg(x=arrays("n"), y=arrays("n"))
def beside_a_default(x, y=np.ones(3, "float32")):
    assert x.shape == y.shape


class Layer:
    @arg(units=ints(1, 9), groups=ints(1, 3))
    @require("units % groups == 0")
    def __init__(self, units, groups=1):
        self.units = units
        self.groups = groups
        self.dtype = "float16" if units % 2 else "float32"

    @arg(x=arrays("n self.units"), y=arrays("self.units//self.groups n"))
    def forward(self, x, y):
        assert x.shape[1] == self.units
        assert y.shape == (self.units // self.groups, len(x))

    @arg(x=np_arrays(froms(["float16", "float32", "int8"]), "n self.units"))
    @require("x.dtype == self.dtype")
    def of_a_dtype(self, x):
        assert x.dtype == self.dtype

    @arg(n=ints(0, 9))
    @require("n < self.units")
    def unit(self, n):
        assert n < self.units


@arg(layer=objs(Layer), x=arrays("n layer.units"))
def of_what_a_generator_builds(layer, x):
    assert x.shape[1] == layer.units
'''  # fmt: skip
FUNCTIONS = [
    line.split("(")[0].removeprefix("def ")
    for line in AGREE.splitlines()
    if line.startswith("def ") and line != "def arrays(shape):"
]
METHODS = ["Layer.__init__", "Layer.forward", "Layer.of_a_dtype", "Layer.unit"]


@pytest.fixture(scope="module")
def agreed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agree")
    (folder / "agree.py").write_text(AGREE)
    return run_json("agree.py", "--seed", 3, "--max-examples", 30, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_dimensions_agree(agreed, name):
    target = agreed.target(name)
    found = [finding["call"] for finding in agreed.findings(name)]
    assert (target["status"], found) == ("passed", [])
    assert target["inputs_run"] >= 10
    assert target["inputs_discarded"] == 0


ENDS = """
from annotest import *

@dims(h=ints(2, 900), w=ints(3, 4))
@arg(x=np_arrays("uint8", "h w"))
def ends(x):
    if len(x) == 2:
        raise KeyError
    if len(x) == 900:
        raise ValueError

@arg(x=np_arrays("uint8", "h"))
def unsaid(x):
    if len(x) == 1:
        raise KeyError
    if len(x) == 8:
        raise ValueError
    if not 1 <= len(x) <= 8:
        raise TypeError

@arg(x=np_arrays("float32", "n"), y=np_arrays("float32", "n-9"))
def impossible(x, y):
    raise TypeError

@dims(n=ints(1, 3))
@arg(x=lists(ints(0, 9), len="n"), n2=ints(1, 9))
@require("n == n2 + 5")
def contradicted(x, n2):
    raise TypeError
"""


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    (folder / "ends.py").write_text(ENDS)
    return run_json("ends.py", "--seed", 3, cwd=folder, tmp_path=folder)


@pytest.mark.parametrize("name", ["ends", "unsaid"])
def test_a_dimension_takes_the_ends_of_its_range(ends, name):
    found = sorted(finding["exception"]["type"] for finding in ends.findings(name))
    assert found == ["KeyError", "ValueError"]


@pytest.mark.parametrize("name", ["impossible", "contradicted"])
def test_dimensions_that_cannot_agree_make_no_call(ends, name):
    assert ends.findings(name) == []
    assert ends.target(name)["inputs_run"] == 0


SIZES = """
from annotest import *


class Layer:
    def __init__(self):
        self.units, self.kind, self.few = 3, "dense", 1

    @arg(x=np_arrays("float32", "n self.unit"))
    def misspelt(self, x):
        pass

    @arg(x=np_arrays("float32", "n self.kind"))
    def text(self, x):
        pass

    @arg(x=np_arrays("float32", "n self.few-9"))
    def negative(self, x):
        pass


@arg(x=np_arrays("float32", "n d"), k=ints(1, 8))
@require("x.shape[0] == k and x.size < k")
def contradictory(x, k):
    pass
"""
WHY = {
    "Layer.misspelt": "self.unit: AttributeError: 'Layer' object has no attribute 'unit'",
    "Layer.text": "self.kind is 'dense', which is no size",
    "Layer.negative": "no sizes were found that fit together",
    "contradictory": "no sizes were found that fit together and meet "
    '@require("x.shape[0] == k and x.size < k")',
}


def test_it_is_told_why_no_sizes_are_found(project, tmp_path):
    done = run_json("m.py", cwd=project(m=SIZES), tmp_path=tmp_path)
    assert {name: done.target(name)["reason"] for name in WHY} == {
        name: f"0 of 8 inputs were valid; {why}" for name, why in WHY.items()
    }


GUARDED = """
from annotest import *


class Layer:
    @arg(k=ints(1, 4), padding=anys(None, ints(0, 2), "same"), mode=froms(["zeros", "reflect"]))
    def __init__(self, k, padding, mode):
        self.k, self.padding, self.mode = k, padding, mode

    @arg(x=np_arrays("float32", "n t"))
    @require("init.padding == 'same' or init.padding is None or init.k < t + 2 * init.padding")
    @require("self.mode != 'reflect' or type(self.padding) is int and self.padding < t")
    def forward(self, x):
        assert self.padding != "same"


class Optional:
    @arg(least=anys(None, ints(1, 8)))
    def __init__(self, least):
        self.least = least

    @arg(x=np_arrays("float32", "n"))
    @require("self.least is None or n >= self.least")
    def forward(self, x):
        assert self.least is not None
"""


def test_a_size_that_is_no_number_may_be_guarded_against(project, tmp_path):
    done = run_json("m.py", "--seed", "1", cwd=project(m=GUARDED), tmp_path=tmp_path)
    found = [finding["call"].splitlines()[-1] for finding in done.report["findings"]]
    assert found == [
        "Layer(k=1, padding='same', mode='zeros').forward(x=np.array([[0.0]], dtype='float32'))",
        "Optional(least=None).forward(x=np.array([0.0], dtype='float32'))",
    ]
    assert done.target("Optional.forward")["inputs_discarded"] == 0
