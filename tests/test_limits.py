"""Limits as whoever watches a child sees them."""

import os

import pytest

from annotest import process
from annotest.kinds import Kind
from annotest.process.limits import Limits, Watch


@pytest.fixture
def board():
    board = process.Blackboard()
    yield board
    board.close()


@pytest.mark.parametrize(
    ("phase", "seconds", "kind"),
    [
        (process.CALLING, 60.0, None),
        (process.CALLING, -1.0, Kind.TIMEOUT),
        (process.BUILDING, -1.0, None),  # it has the usual limit
        (process.IDLE, -1.0, None),
    ],
)
def test_a_call_has_its_time_and_what_comes_before_it_the_usual_one(board, phase, seconds, kind):
    board.write(phase, b"")
    watch = Watch(Limits(call=60.0), seconds, board, process.Output())
    assert watch.exceeded(os.getpid()) is kind
