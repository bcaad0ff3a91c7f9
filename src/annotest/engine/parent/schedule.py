"""Which lane does what next: the tasks that wait, and those that lanes have."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotest.discovery.scan import ModuleFile
from annotest.engine.tasks import Open, SearchTarget, Settle, Task

# a lane answers after so many at the latest: what it keeps until then does not grow with budgets
MOST_SHARDS = 100
# so many lanes begin with a target; further ones join them when the first has answered, perhaps
# that there is nothing left to draw
MOST_UNANSWERED = 16


@dataclass
class _Lane:
    """What a lane has been given, or the module that it has imported for its last task."""

    task: Task | None = None
    module: int | None = None
    is_second_time: bool = False


@dataclass
class Schedule:
    """The tasks of a run; failures are settled first, or `settles_last` after all searches."""

    size: int
    files: list[ModuleFile]
    settles_last: bool = False
    _searches: list[SearchTarget] = field(default_factory=list)
    _settles: list[Settle] = field(default_factory=list)
    _answered: set[tuple[int, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._unopened = deque(Open(number, file.path) for number, file in enumerate(self.files))
        self._lanes: dict[int, _Lane] = {}  # those that have been given a task

    @property
    def is_done(self) -> bool:
        """Whether nothing waits and no lane has a task."""
        waits = self._unopened or self._searches or self._settles
        return not waits and all(lane.task is None for lane in self._lanes.values())

    @property
    def idle(self) -> Iterator[int]:
        """The lanes that have no task, those first that have had one."""
        for number in range(self.size):
            if self._lane(number).task is None:
                yield number

    def _lane(self, number: int) -> _Lane:
        return self._lanes.get(number, _Lane())

    def searches_beside(self, task: SearchTarget) -> int:
        """Return how many searches wait; the rest of this one, where another lane may have it."""
        beside = sum(waiting.target != task.target for waiting in self._searches)
        return len(self._searches) if self.size > 1 else beside

    def is_searching(self, task: SearchTarget) -> bool:
        """Say whether shards of the target of a task are searched, or wait for it."""
        tasks = [*self._searches, *(lane.task for lane in self._lanes.values())]
        return any(isinstance(held, SearchTarget) and held.target == task.target for held in tasks)

    def drop_rest(self, task: SearchTarget) -> None:
        """Have no more shards of the target of a task searched."""
        self._searches = [waiting for waiting in self._searches if waiting.target != task.target]

    @property
    def settles(self) -> int:
        """How many failures wait to be settled."""
        return len(self._settles)

    def add_search(self, task: SearchTarget) -> None:
        """Have a target searched some time."""
        self._searches.append(task)

    def add_settle(self, task: Settle) -> None:
        """Have a failure settled some time."""
        self._settles.append(task)

    def next_for(self, lane: int) -> Task | None:
        """Take a lane's next task: of its own module, a module nobody has seen, another's."""
        ready: list[SearchTarget | Settle] = [*self._not_crowded()]
        if not self.settles_last:  # else when nothing is left to be given its time
            ready = [*self._settles, *ready]
        own = [task for task in ready if task.module == self._lane(lane).module]
        if not own and self._unopened:
            return self._unopened.popleft()
        task = next(iter([*own, *ready, *self._settles]), None)
        if isinstance(task, Settle):
            self._settles.remove(task)
        elif task is not None:
            self._searches.remove(task)
            return self._share_of(task)
        return task

    def _not_crowded(self) -> list[SearchTarget]:
        """Return the searches that wait, but not for the first answer of their target."""
        tasks = (lane.task for lane in self._lanes.values())
        lanes = Counter(task.target for task in tasks if isinstance(task, SearchTarget))
        return [
            task
            for task in self._searches
            if task.target in self._answered or lanes[task.target] < MOST_UNANSWERED
        ]

    def _share_of(self, task: SearchTarget) -> SearchTarget:
        """Take some shards only: of many, or where other lanes would have nothing to do."""
        shards, count = task.options.shards, MOST_SHARDS
        if len(self._searches) + len(self._unopened) < self.size:
            count = min(count, -(-shards.count // self.size))
        share, rest = shards.split(count)
        if rest.count:
            self._searches.insert(0, task.of_shards(rest))
        return task.of_shards(share)

    def gave(self, lane: int, task: Task) -> None:
        """Note what a lane has been given."""
        self._lanes[lane] = _Lane(task)

    def done(self, lane: int) -> Task:
        """Note that a lane has come to the end of its task; return that."""
        task = self._lanes[lane].task
        assert task is not None
        self._lanes[lane] = _Lane(module=task.module)
        if isinstance(task, SearchTarget):
            self._answered.add(task.target)
        return task

    def again(self, lane: int) -> Task | None:
        """Return the task of a lane that has ended, to be given to it once more, but only once."""
        held = self._lane(lane)
        if held.task is None or held.is_second_time:
            return None
        self._lanes[lane] = _Lane(held.task.kept_apart(), is_second_time=True)
        return self._lanes[lane].task

    def dropped(self, lane: int) -> Task | None:
        """Take a lane that has ended for a new one; return the task that it had."""
        task, self._lanes[lane] = self._lane(lane).task, _Lane()
        return task
