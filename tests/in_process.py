"""A search without processes: what the engine draws and calls, in the process of the test."""

import importlib
import math

from annotest import guard, process
from annotest.discovery.targets import discover
from annotest.engine import jobs
from annotest.engine.child.bench import Bench, Project
from annotest.engine.options import SearchOptions, shards_of
from annotest.events import FailureFound
from annotest.process.limits import Limits


def failures_found(name, folder, functions, seed, inputs):
    """Return the failures of functions of a module, as a search meets them."""
    found = discover(importlib.import_module(name), name, False, frozenset())
    project, board, output = Project((folder,), folder), process.Blackboard(), process.Output()
    failures = {}
    for target in found.targets:
        if target.info.qualname not in functions:
            continue
        events = []
        told = (guard.Log(), None, Limits(), events.append, tuple, None)
        bench = Bench(target, found, project, board, output, *told)
        jobs.search(bench, SearchOptions(seed, shards_of(inputs)), math.inf)
        met = [event.failure for event in events if isinstance(event, FailureFound)]
        failures[target.info.qualname] = met
    return failures
