"""The jobs of a child without processes: what the engine does, in the process of the test."""

import importlib
import math

from annotest import guard, process
from annotest.discovery.discover import discover
from annotest.engine.child import explaining
from annotest.engine.child.bench import Bench
from annotest.engine.child.doing import do
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import FailureFound
from annotest.oracles.project import Project
from annotest.process.limits import Limits


def benches(name, folder):
    """Yield the place, the name and the bench of each target of a module, with its events."""
    found = discover(importlib.import_module(name), name, False, frozenset())
    project, board, output = Project((folder,), folder), process.Blackboard(), process.Output()
    for place, target in enumerate(found.targets):
        events = []
        told = (guard.Log(), None, Limits(), events.append, tuple, None)
        bench = Bench(target, found, project, board, output, *told)
        yield place, target.info.qualname, bench, events


def failures_found(name, folder, functions, seed, inputs):
    """Return the failures of functions of a module, as a search meets them."""
    options, failures = SearchOptions(seed, shards_of(inputs)), {}
    for place, qualname, bench, events in benches(name, folder):
        if qualname in functions:
            do(bench, RunTarget(place, options, math.inf))
            met = [event.failure for event in events if isinstance(event, FailureFound)]
            failures[qualname] = met
    return failures


def steps_told(name, folder, monkeypatch):
    """Return the steps in which inputs are made, as `annotest explain` tells them."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(explaining, "INPUTS", 1)  # the steps do not depend on them
    steps = {}
    for _, qualname, bench, events in benches(name, str(folder)):
        explaining.explain(bench, 0)
        steps[qualname] = [
            (step.name, step.values, list(step.conditions)) for step in events[0].steps
        ]
    return steps
