"""Values as text over several lines, for a screen."""

import math

import pytest

from annotest.expr import Opaque, Ref
from annotest.source import Names, Renderer, literal, loose_layout, source_tree

LONG = {
    "numbers": [1000 + number for number in range(40)],
    "tuple of floats": tuple(number / 7 for number in range(40)),
    "nested": [[number] * 30 for number in range(3)],
    "mixed": [None, True, *range(50), -0.5],
    "texts": ["a" * number for number in range(40)],
    "one long text": ["ab " * 60],
    "with labels": {number: number**9 for number in range(20)},
    "no numbers": [[1, 2], "x" * 100],
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("width", [60, 99])
def test_what_is_shown_fits_and_means_the_value(name, width):
    shown = loose_layout(source_tree(LONG[name]), Names(), width)
    assert eval(shown) == LONG[name]
    assert max(map(len, shown.splitlines())) <= width


def test_numbers_share_their_lines():
    shown = loose_layout(source_tree(LONG["numbers"]), Names(), 60)
    assert shown.splitlines()[:2] == [
        "[",
        "    1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008,",
    ]
    assert len(shown.splitlines()) == 7


def test_in_files_each_has_its_line_as_formatters_have_it():
    written = Renderer(Names(), 60).layout(source_tree(LONG["numbers"]))
    assert len(written.splitlines()) == 42


def test_a_range_from_zero_is_written_without_its_start():
    texts = [literal(range(65)), literal(range(1, 65)), literal(range(0, 65, 8))]
    assert texts == ["range(65)", "range(1, 65)", "range(0, 65, 8)"]


def renamed():
    """Known by another name than the one it was made with, as torch.from_numpy is."""


renamed.__qualname__ = "_Functions.renamed"


class Maker:
    @classmethod
    def make(cls):
        """A class method: bound anew each time that it is looked up."""


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (renamed, f"{__name__}:renamed"),
        (Maker.make, f"{__name__}:Maker.make"),
        (str.upper, "builtins:str.upper"),
        (math.sqrt, "math:sqrt"),
    ],
)
def test_a_function_is_written_by_the_name_that_leads_to_it(function, name):
    tree = source_tree(function)
    assert isinstance(tree, Ref) and f"{tree.module}:{tree.qualname}" == name


def test_a_method_of_one_object_has_no_name():
    assert isinstance(source_tree([].append), Opaque)
