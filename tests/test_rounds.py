"""Rounds of drawing: the same from the same seed, and nothing done that is of no use."""

import inspect

import hypothesis.strategies as st
import pytest

from annotest import arg, ints, np_arrays, objs, require
from annotest.engine.child.rounds import Rounds, Stop, run_round
from annotest.engine.worker.environment import set_up_hypothesis
from annotest.outside import annotations_of
from annotest.plan.planner import Planner
from annotest.plan.strategy import Interpreter, Tally
from annotest.signature import read_signature

NUMBERS = st.tuples(st.integers(), st.text())


def stop(drawn):
    raise Stop


def test_rounds_made_once_draw_what_single_rounds_draw():
    kept = []
    rounds = Rounds(NUMBERS, kept.append, 9)
    for seed in (3, 1, 3):
        kept.clear()
        rounds(seed)
        alone = []
        run_round(NUMBERS, alone.append, seed, 9)
        assert kept == alone and len(alone) == 9


def test_the_end_of_a_round_looks_up_no_modules(monkeypatch):
    monkeypatch.setenv("HYPOTHESIS_NO_TRACEBACK_TRIM", "")  # as it is now comes back afterwards
    monkeypatch.delenv("HYPOTHESIS_NO_TRACEBACK_TRIM")
    set_up_hypothesis()
    looked_up = []
    monkeypatch.setattr(inspect, "getmodule", lambda one, file: looked_up.append(one))
    with pytest.raises(Stop):
        run_round(NUMBERS, stop, 0, 9)
    assert not [one for one in looked_up if inspect.isframe(one)]  # a function names its module


class Layer:
    @arg(n=ints(1, 9))
    def __init__(self, n):
        self.n = n


@arg(layer=objs(Layer), x=np_arrays("float32", (ints(1, 3), ints(1, 3))), k=ints(1, 9))
@require("k <= x.shape[0]")
def scaled(layer, x, k):
    return x


def test_a_targets_strategy_is_made_without_reading_source(monkeypatch):
    planner = Planner()
    notes = annotations_of(scaled, f"{__name__}:scaled")
    signature = read_signature(scaled, notes, "scaled", False)
    plan = planner.plan_function(scaled, signature, None, None)
    interpreter = Interpreter(planner, Tally())
    read, getsource = [], inspect.getsource
    monkeypatch.setattr(inspect, "getsource", lambda one: read.append(one) or getsource(one))
    strategy = interpreter.recipes(plan, lambda: None, lambda: None)
    drawn = []
    run_round(strategy, drawn.append, 0, 3)
    assert len(drawn) == 3
    assert {one.__name__ for one in read} == {"holds"}  # which has none
