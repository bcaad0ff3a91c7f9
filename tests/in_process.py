"""A search without processes: what the engine draws and calls, in the process of the test."""

import importlib
import math

from annotest import guard, process
from annotest.discovery.discover import discover
from annotest.engine.child.bench import Bench
from annotest.engine.child.doing import do
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import FailureFound
from annotest.oracles.project import Project
from annotest.process.limits import Limits


def failures_found(name, folder, functions, seed, inputs):
    """Return the failures of functions of a module, as a search meets them."""
    found = discover(importlib.import_module(name), name, False, frozenset())
    project, board, output = Project((folder,), folder), process.Blackboard(), process.Output()
    failures = {}
    options = SearchOptions(seed, shards_of(inputs))
    for place, target in enumerate(found.targets):
        if target.info.qualname not in functions:
            continue
        events = []
        told = (guard.Log(), None, Limits(), events.append, tuple, None)
        bench = Bench(target, found, project, board, output, *told)
        do(bench, RunTarget(place, options, math.inf))
        met = [event.failure for event in events if isinstance(event, FailureFound)]
        failures[target.info.qualname] = met
    return failures
