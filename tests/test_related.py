"""`annotest generate` for related arguments: what is written is valid, reached, and in a known shape."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
import related_calls
import related_kinds
from conftest import generated
from related_files import Relation, composites_in, run_ruff, shape_of
from relations_cases import CASES

CHECK = "def check(holds):\n    assert holds\n\n\n"
CHECK_NOT = "def check(holds):\n    assert not holds, 'reached'\n\n\n"

MODULES = {
    "kinds": CHECK + related_kinds.TEXT,
    "calls": CHECK + related_calls.TEXT,
    **{name: CHECK + text for name, text in related_calls.CLASHING.items()},
}

# what is drawn by a composite, as a whole call, or without relations; everything else by `inputs`
COMPOSITES = {
    "kinds": """
        unfold quoted otherwise ambiguous sides_below_zero
        sides_divided two_ends falling more_different_than_there_are outside_its_range
        whole_and_half in_steps texts_to_compare lengths_that_differ whole_shapes unique_elements
        quantities not_one_value_and_below_others one_value_left chosen_side few_that_differ
        Attention_init Attention_forward Attention_of_width interval unbounded
        """,
    "calls": """
        a_side_that_is_chosen scalars long choices by_lambda by_name of_module Dense_init interval
        named length_is_an_argument defaults positional lazy later rare rare_sum
        """,
    "a_dimension_is_called_st": "f",
    "a_dimension_is_called_hnp": "f",
    "a_dimension_is_called_reject": "f",
    "an_argument_is_called_draw": "f",
    "an_argument_is_called_related": "f",
}
CALLS = {
    "kinds": "Attention_cut Attention_apply Pair_like Pair_same",
    "calls": "Dense_cut Dense_apply spread positional_list",
}
PLAIN = {
    "kinds": "from_factories",
    "calls": "inside",
    "a_list_of_the_module_is_called_others": "Layer_init",
}
FILTERED = {"kinds": "each_below_an_element"}
# few inputs there are, or few that an array of this kind has
MANY_INVALID = {"test_too_many", "test_long", "test_a_filter_beside_a_relation"}

# always the same inputs, and no time spent on small ones
CONFTEST = """\
from hypothesis import Phase, settings

PHASES = [Phase.explicit, Phase.generate]
settings.register_profile(
    "fixed", max_examples=EXAMPLES, derandomize=True, phases=PHASES, database=None
)
settings.load_profile("fixed")
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("related"), MODULES)


@pytest.fixture(scope="module")
def shapes(written):
    return {
        (module, test): shape
        for module in MODULES
        for test, shape in shapes_in(written, module).items()
    }


def expected(module, test):
    shapes = {"composite": COMPOSITES, "calls": CALLS, "plain": PLAIN, "assume": FILTERED}
    fitting = [name for name, tests in shapes.items() if test in tests.get(module, "").split()]
    return fitting[0] if fitting else "inputs"


def run_all(folder, count, *tests):
    """Run generated tests; return what was wrong with each, and what pytest printed."""
    (folder / "conftest.py").write_text(CONFTEST.replace("EXAMPLES", str(count)))
    options = ["-q", "-p", "no:cacheprovider", "--tb=short", "--continue-on-collection-errors"]
    options += ["--hypothesis-show-statistics", "--junitxml=found.xml"]
    command = [sys.executable, "-m", "pytest", *options, *(tests or ["."])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    problems = {}
    for case in ET.parse(folder / "found.xml").iter("testcase"):
        wrong = [part.get("message") for part in case if part.tag in ("failure", "error")]
        home = case.get("classname").rpartition(".")[2] or case.get("name").rpartition(".")[2]
        problems[home, case.get("name")] = "".join(wrong)
    return problems, done.stdout


@pytest.fixture(scope="module")
def ran(written):
    return run_all(written, 30)


def test_every_relation_has_a_test_of_a_known_shape(shapes):
    assert shapes == {(module, test): expected(module, test) for module, test in shapes}
    assert len(shapes) == 113


def test_the_files_are_clean(written):
    done = run_ruff(written, "check")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_no_invalid_input_is_made(ran):
    problems, _ = ran
    assert {name: wrong for name, wrong in problems.items() if wrong} == {}
    assert len(problems) == 113


@pytest.mark.slow
def test_few_inputs_are_discarded(ran):
    _, shown = ran
    counted = {}
    for part in shown.split(".py::")[1:]:
        numbers = re.search(r"(\d+) passing, (\d+) failing, and (\d+) invalid", part)
        counted[part.partition(":")[0]] = int(numbers[1]), int(numbers[3])
    assert len(counted) > 90
    assert {name for name, (passing, invalid) in counted.items() if invalid > passing} <= (
        MANY_INVALID
    )
    assert all(passing for passing, _ in counted.values())


# that their calls are valid, the tests of relations see; here, that what is written for them is
PLANNED = {
    f"case_{number}": Relation(
        ", ".join(f"{name}={constraint!r}" for name, constraint in case.constraints.items()),
        case.condition,
    )
    for number, case in enumerate(CASES)
    if isinstance(case.condition, str) and "dtype" not in case.condition
}
# how many of them are written in each shape; a change is to be seen in review
SHAPES = {"composite": 32, "inputs": 183}


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    text = "import math\n\nimport numpy as np\n\n\n" + CHECK
    text += "".join(case.source(name) for name, case in PLANNED.items())
    return generated(tmp_path_factory.mktemp("planned"), {"planned": text})


def shapes_in(folder, module):
    blocks = composites_in((folder / f"test_{module}.py").read_text())
    return {test: shape_of(block) for test, block in blocks.items()}


def test_every_precondition_is_written_in_a_known_shape(planned):
    assert Counter(shapes_in(planned, "planned").values()) == SHAPES


@pytest.mark.slow
def test_no_composite_makes_an_invalid_input(planned):
    shapes = shapes_in(planned, "planned")
    tests = [f"test_planned.py::test_{name}" for name in shapes if shapes[name] != "inputs"]
    problems, _ = run_all(planned, 30, *tests)
    assert {name: wrong for name, wrong in problems.items() if wrong} == {}
    assert len(problems) == len(tests)


@pytest.fixture(scope="module")
def inverted(tmp_path_factory):
    """Return what was wrong with the tests of functions that fail for each valid input."""
    modules = {"inverted": CHECK_NOT + related_calls.TEXT, "mistaken": related_calls.MISTAKEN}
    return run_all(generated(tmp_path_factory.mktemp("inverted"), modules), 100)[0]


@pytest.mark.slow
def test_valid_inputs_reach_the_function(inverted):
    said = {test: wrong for (module, test), wrong in inverted.items() if module == "test_inverted"}
    assert [test for test, wrong in said.items() if "reached" not in wrong] == []
    assert len(said) == 41
    # and what a constructor or a generator raises is shown
    for test in ("test_Dense_apply", "test_Dense_cut", "test_inside"):
        assert said[test].startswith("AssertionError: reached")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conv", "matmul", "split"])
def test_a_mistake_is_found(inverted, name):
    assert inverted["test_mistaken", f"test_{name}"].startswith(("AssertionError", "assert"))


INSTANCES = """\
@st.composite
def instances_of_Attention(draw):
    heads = draw(st.integers(min_value=1, max_value=8))
    fitting = [embed for embed in range(1, 65) if embed % heads == 0]
    embed = draw(st.sampled_from(fitting or reject()))
    bias = draw(st.booleans())
    return Attention(embed=embed, heads=heads, bias=bias)
"""
UNFOLD = """\
    fitting = [
        width
        for width in range(1, 99)
        if (width - patch) % stride == 0 and height - width in (patch, stride)
    ]
"""
OTHERWISE = """\
    fitting = [x for x in range(100) if (x % 2 == 0 if mode == "a" else x > 3)]
"""
BELOW_ZERO = """\
    n = draw(st.integers(min_value=3, max_value=9))
    k = draw(st.integers(min_value=1, max_value=8))
    x = draw(arrays(dtype="int8", shape=(n - 3, k)))
"""
ENDS = "st.lists(st.integers(min_value=lo, max_value=hi - 1), min_size=1, max_size=3)"


@pytest.mark.parametrize(
    "lines",
    [INSTANCES, UNFOLD, OTHERWISE, BELOW_ZERO, ENDS],
    ids=["instances", "long words", "a choice", "sides", "each item"],
)
def test_the_draws_are_in_the_words_of_the_annotations(written, lines):
    assert lines in (written / "test_kinds.py").read_text()


LAMBDAS = """\
LIMIT = 9


def apart(low):
    return lambda n, k: k - n > low


@arg(n=ints(1, 64), k=ints(1, 64))
@require(lambda n, k: k % n == 0 and n < LIMIT)
def divided(n, k):
    assert k % n == 0 and n < 9


@arg(n=ints(1, 64), k=ints(1, 64))
@require(apart(40))
def away(n, k):
    assert k - n > 40
"""


def test_a_lambda_is_written_as_it_stands_where_the_file_knows_its_names(tmp_path):
    folder = generated(tmp_path, {"m": LAMBDAS})
    blocks = composites_in((folder / "test_m.py").read_text())
    assert "if k % n == 0]" in blocks["divided"]
    assert shape_of(blocks["away"]) == "inputs"
    assert set(run_all(folder, 30)[0].values()) == {""}
