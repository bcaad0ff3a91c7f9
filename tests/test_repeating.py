"""How often a failing input is run again."""

import pytest

from annotest.engine.lane import repeating
from annotest.engine.lane.repeating import Repeating
from annotest.facts import Repeats


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until somebody moves it."""
    now = [0.0]
    monkeypatch.setattr(repeating, "monotonic", lambda: now[0])
    return now


def scripted(clock, results, seconds, is_slow=False):
    """Return an input that fails as told, the last result for ever; each run takes so long."""
    left = list(results)

    def fails():
        clock[0] += seconds
        return left.pop(0) if len(left) > 1 else left[0]

    return Repeating(fails, is_slow)


SOLID = [
    # seconds of each run, whether it goes to a limit, how often it is run
    (0.01, False, 10),
    (0.3, False, 7),
    (1.0, False, 3),
    (15.0, False, 2),
    (60.0, False, 1),
    (0.01, True, 10),
    (1.0, True, 2),
    (60.0, True, 1),
]


@pytest.mark.parametrize(("seconds", "is_slow", "times"), SOLID)
def test_an_input_that_always_fails_is_run_often_where_it_is_cheap(clock, seconds, is_slow, times):
    assert scripted(clock, [True], seconds, is_slow).fails_always()
    assert clock[0] == pytest.approx(times * seconds)


def test_an_input_that_passes_once_is_not_solid_and_has_a_rate(clock):
    input = scripted(clock, [True] * 5 + [False, True], 0.01)
    assert not input.fails_always()
    assert clock[0] == pytest.approx(0.06)  # it ends with the run that passed
    assert input.rate() == Repeats(9, 10)


def test_a_rate_is_told_of_few_runs_where_they_take_long(clock):
    input = scripted(clock, [False, True], 30)
    assert not input.fails_always()
    assert input.rate() == Repeats(1, 2)
