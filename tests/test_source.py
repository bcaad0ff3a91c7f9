"""Values as text over several lines, for a screen."""

import pytest

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
