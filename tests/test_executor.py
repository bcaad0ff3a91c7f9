"""A campaign needs an executor and nothing else: here one that runs no process at all."""

import pickle
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest
from patience import LONGEST

from annotest.database import Database
from annotest.discovery.scan import ModuleFile
from annotest.engine.keeping import JournalRecord, Keep, Keeper, Suspect, Withdraw
from annotest.engine.parent.announcing import Announcer
from annotest.engine.parent.campaign import Campaign
from annotest.engine.parent.options import RunOptions
from annotest.engine.parent.schedule import MOST_SHARDS, MOST_UNANSWERED, Schedule
from annotest.engine.parent.underway import merge_results
from annotest.engine.shards import SearchOptions, shards_of
from annotest.engine.tasks import (
    Answer,
    Lost,
    Open,
    Opened,
    Searched,
    SearchTarget,
    Settle,
    Settled,
    Task,
    TaskFailed,
)
from annotest.errors import Site
from annotest.events import (
    AnnotestFailed,
    Discovered,
    Event,
    FailureFound,
    FailureSuspected,
    Imported,
    JobEvent,
    JobResult,
    JobStarted,
    TargetFinished,
)
from annotest.facts import Failure, Origin, PreconditionRate, TargetInfo, TargetResult
from annotest.kinds import Kind, Status, Verdict
from annotest.process import Limits

# what crosses


def sample(hint):
    """Return some value of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return sample(next(kind for kind in arguments if kind is not NoneType))
    if origin is tuple:
        return tuple(sample(kind) for kind in arguments if kind is not Ellipsis)
    if origin is dict:
        return {sample(arguments[0]): sample(arguments[1])}
    if origin is not None:
        return origin([sample(arguments[0])])
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return hint(**{one.name: sample(hints[one.name]) for one in fields(hint)})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[-1]
    if isinstance(hint, type) and issubclass(hint, tuple):
        return hint(*map(sample, get_type_hints(hint).values()))
    return hint("7") if hint is not bytes else b"7"


CROSSING = [
    *Task.__subclasses__(),
    *Answer.__subclasses__(),
    *JournalRecord.__subclasses__(),
    Lost,
    *Event.__subclasses__(),
    *JobEvent.__subclasses__(),
    *JobResult.__subclasses__(),
]


@pytest.mark.parametrize("kind", CROSSING, ids=lambda kind: kind.__name__)
def test_what_crosses_can_be_pickled(kind):
    value = sample(kind)
    assert pickle.loads(pickle.dumps(value)) == value


def test_what_an_executor_passes_on_names_no_process():
    passed_on = [*Event.__subclasses__(), *Answer.__subclasses__(), *Task.__subclasses__(), Lost]
    assert [kind for kind in passed_on if "pid" in get_type_hints(kind)] == []
    assert "pid" in get_type_hints(JobStarted)  # which goes no further than the lane


# a campaign on answers from a script

FILE = ModuleFile("m.py", "m", "", ".", (".",), False, names=("f", "g"))
F, G = (TargetInfo("m", name, "function", "m.py", 1, (("n", "ints()"),)) for name in "fg")
FAILURE = Failure(F, Kind.EXCEPTION, "crash", "abc123", origin=Origin(size=9), seen_in=F.id)


def searched(task, *failures):
    status = Status.FAILED if failures else Status.PASSED
    result = TargetResult(task.info, status, inputs_run=50)
    return Searched({shard.number: result for shard in task.options.shards}, failures)


class Given(NamedTuple):
    lane: int
    task: Task


class Scripted:
    """An executor whose lanes answer by a function; what crosses is pickled on its way."""

    def __init__(self, answers, size=1):
        self.size = size
        self.given = []
        self._answers, self._waiting = answers, []
        self.is_stopped = False

    def start(self):
        """Have nothing ready."""

    def give(self, lane, task):
        task = pickle.loads(pickle.dumps(task))
        self.given.append(Given(lane, task))
        self._waiting += [(lane, message) for message in self._answers(self, task)]

    def messages(self, timeout):
        while self._waiting:
            yield pickle.loads(pickle.dumps(self._waiting.pop(0)))

    def stop(self):
        self.is_stopped = True
        return list(self.messages(0))


def well(executor, task):
    """Answer as lanes do to which nothing happens."""
    if isinstance(task, Open):
        return [Opened(Imported(0.1, 1, None), None, Discovered((F, G), (), ()))]
    if isinstance(task, Settle):
        return [FailureFound(replace(task.failure, final=True)), Settled()]
    if task.info == F:
        return [FailureFound(FAILURE), searched(task, FAILURE)]
    return [searched(task)]


def run(answers, size=1, **options):
    told, executor = [], Scripted(answers, size)
    chosen = RunOptions(("m.py",), seed=1, **options)
    keeper = Keeper(None, ".", Limits())
    Campaign(chosen, [FILE], Announcer("", told.append), executor, keeper).run()
    assert executor.is_stopped
    return told, executor.given


def statuses(told):
    return {
        event.result.target.qualname: event.result.status
        for event in told
        if isinstance(event, TargetFinished)
    }


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_campaign_runs_on_answers_alone(size):
    told, given = run(well, size)
    assert statuses(told) == {"f": Status.FAILED, "g": Status.PASSED}
    assert [event.failure.final for event in told if isinstance(event, FailureFound)][-1]
    searched_shards = sorted(
        (one.task.info.qualname, shard.number)
        for one in given
        if isinstance(one.task, SearchTarget)
        for shard in one.task.options.shards
    )
    assert searched_shards == [("f", 0), ("f", 1), ("g", 0), ("g", 1)]
    assert sum(isinstance(one.task, Settle) for one in given) == 1


def test_shards_are_shared_out_where_lanes_have_nothing_else_to_do():
    _, given = run(well, size=4)
    assert {one.lane for one in given if isinstance(one.task, SearchTarget)} == {0, 1, 2, 3}


def test_the_task_of_a_lost_lane_is_given_once_more_with_its_calls_kept_apart():
    def answers(executor, task):
        first = isinstance(task, SearchTarget) and not task.options.isolated
        return [Lost("was killed")] if first else well(executor, task)

    told, given = run(answers)
    assert statuses(told) == {"f": Status.FAILED, "g": Status.PASSED}
    searches = [one.task for one in given if isinstance(one.task, SearchTarget)]
    assert [task.options.isolated for task in searches] == [False, True, False, True]


def test_a_task_that_costs_two_lanes_is_given_up():
    def answers(executor, task):
        is_f = isinstance(task, SearchTarget) and task.info == F
        return [Lost("was killed")] if is_f else well(executor, task)

    told, given = run(answers)
    assert statuses(told) == {"f": Status.ERROR, "g": Status.PASSED}
    what = "m:f: the process that watches over it was killed, twice"
    assert [event.text for event in told if isinstance(event, AnnotestFailed)] == [what]
    assert sum(one.task.module == 0 and getattr(one.task, "info", None) == F for one in given) == 2


def test_a_task_on_which_annotest_fails_costs_its_target_alone():
    def answers(executor, task):
        is_f = isinstance(task, SearchTarget) and task.info == F
        return [TaskFailed("planted")] if is_f else well(executor, task)

    told, _ = run(answers)
    assert statuses(told) == {"f": Status.ERROR, "g": Status.PASSED}


def test_an_idle_lane_that_ends_costs_nothing():
    def answers(executor, task):
        return [*well(executor, task), Lost("was killed")]

    told, _ = run(answers)
    assert statuses(told) == {"f": Status.FAILED, "g": Status.PASSED}
    assert not any(isinstance(event, AnnotestFailed) for event in told)


def test_what_is_suspected_when_the_time_is_spent_is_told():
    def answers(executor, task):
        if isinstance(task, SearchTarget):
            return [FailureSuspected(replace(FAILURE, message="slow"))]
        return well(executor, task)

    told, _ = run(answers, run_seconds=0.2)
    assert statuses(told) == {"f": Status.UNFINISHED, "g": Status.UNFINISHED}
    messages = [event.failure.message for event in told if isinstance(event, FailureFound)]
    assert messages == ["slow; the run ended before the call was made again"]


# the journal


def test_a_journal_that_travels_is_written_as_one_on_the_spot(tmp_path):
    other = replace(FAILURE, fingerprint="def456")
    late = Suspect(replace(FAILURE, message="late"), "m.py")
    records = [Keep(FAILURE, "m.py"), late, Keep(other, "m.py")]
    dropped = replace(FAILURE, fingerprint="0123ab", origin=Origin())
    records += [Suspect(dropped, "m.py"), Withdraw(dropped, "m.py")]
    keeper = Keeper(Database(str(tmp_path)), str(tmp_path), Limits())
    for record in pickle.loads(pickle.dumps(records)):
        keeper.write(record)
    entries = {entry.id: entry.message for entry in Database(str(tmp_path)).all()}
    assert entries == {"abc123": "", "def456": ""}


def test_how_often_a_precondition_held_is_counted_over_all_shards():
    def shard(asked, held):
        return TargetResult(F, Status.PASSED, preconditions=(rate(asked, held),))

    def rate(asked, held):
        return PreconditionRate("n > 0", Site("m.py", 3), asked, held)

    assert merge_results({0: shard(50, 40), 1: shard(10, 1)}).preconditions == (rate(60, 41),)


def test_a_lane_goes_on_with_the_module_that_it_has_imported():
    schedule = Schedule(1, [FILE, FILE])
    for _ in range(2):
        schedule.gave(0, schedule.next_for(0))
        schedule.done(0)
    shards = SearchOptions(1, shards_of(50))
    for module in (0, 1):
        schedule.add_search(SearchTarget(module, 0, F, shards))
    assert schedule.next_for(0).module == 1


# budgets of any size

HUGE = 10**20


def test_a_huge_budget_is_given_out_in_parts_and_dropped_when_nothing_is_left_to_draw():
    def answers(executor, task):
        if isinstance(task, SearchTarget):
            searches = sum(isinstance(given.task, SearchTarget) for given in executor.given)
            result = TargetResult(task.info, Status.PASSED, 50, exhausted=searches > 3)
            return [Searched({shard.number: result for shard in task.options.shards}, ())]
        return well(executor, task)

    told, given = run(answers, max_examples=HUGE)
    shards = [one.task.options.shards for one in given if isinstance(one.task, SearchTarget)]
    assert [(part.first, part.end) for part in shards] == [
        *((first, first + MOST_SHARDS) for first in range(0, 4 * MOST_SHARDS, MOST_SHARDS)),
        (0, MOST_SHARDS),
    ]
    results = [event.result for event in told if isinstance(event, TargetFinished)]
    # of the last answer of f only the first shard counts, and of g one
    counts = {result.target.qualname: result.inputs_run for result in results}
    assert counts == {"f": 50 * (3 * MOST_SHARDS + 1), "g": 50}


def test_few_lanes_begin_with_a_target_and_more_join_when_one_has_answered():
    schedule = Schedule(1000, [])
    schedule.add_search(SearchTarget(0, 0, F, SearchOptions(1, shards_of(HUGE))))

    def give():
        for lane in schedule.idle:
            task = schedule.next_for(lane)
            if task is None:
                return
            schedule.gave(lane, task)

    give()
    assert next(schedule.idle) == MOST_UNANSWERED
    schedule.done(0)
    give()
    assert list(schedule.idle) == []


STARTING = """
import os, sys
from annotest.discovery.scan import scan
from annotest.engine.keeping import Keeper
from annotest.engine.parent.local import LocalExecutor
from annotest.engine.tasks import Open
from annotest.engine.ways import AUTO, way_of
from annotest.engine.worker.worker import WorkerOptions
from annotest.process import Limits

def children():
    return len(open(f"/proc/self/task/{os.getpid()}/children").read().split())

options = WorkerOptions(way_of(AUTO), False, (), frozenset(), None)
files = tuple(scan([sys.argv[1]], every_module=True).modules)
executor = LocalExecutor(1000, files, options, Limits(), Keeper(None, ".", Limits()), {})
executor.start()
before = children()
executor.give(7, Open(0, "m.py"))
print(before, children())
executor.stop()
"""


def test_a_lane_is_started_when_it_has_a_task(tmp_path):
    # in a process of its own: an executor ends all that is below its process when it stops
    (tmp_path / "m.py").write_text("")
    command = [sys.executable, "-c", STARTING, str(tmp_path)]
    assert subprocess.check_output(command, text=True, timeout=LONGEST) == "0 1\n"


# --fail-fast


def test_the_first_finding_that_is_settled_ends_a_run():
    told, given = run(well, fail_fast=True)
    assert statuses(told) == {"f": Status.FAILED, "g": Status.UNFINISHED}
    assert [type(one.task) for one in given] == [Open, SearchTarget, Settle]
    assert given[1].task.options.fail_fast
    reasons = [event.result.unfinished for event in told if isinstance(event, TargetFinished)]
    assert reasons == ["", "the run ended with its first finding"]


def test_a_limit_of_time_does_not_put_off_the_finding_that_ends_a_run():
    _, given = run(well, fail_fast=True, run_seconds=60)
    assert [type(one.task) for one in given] == [Open, SearchTarget, Settle]


def test_what_is_no_finding_does_not_end_a_run():
    aside = replace(FAILURE, verdict=Verdict.NOTE)

    def answers(executor, task):
        is_f = isinstance(task, SearchTarget) and task.info == F
        return [searched(task, aside)] if is_f else well(executor, task)

    told, _ = run(answers, fail_fast=True)
    assert Status.UNFINISHED not in statuses(told).values()
