"""Which lane does what next: the tasks that wait, and those that lanes have."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from math import ceil

from annotest.discovery.scan import ModuleFile
from annotest.engine.tasks import Open, SearchTarget, Settle, Task


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

    def __post_init__(self) -> None:
        self._unopened = deque(Open(number, file.path) for number, file in enumerate(self.files))
        self._lanes = [_Lane() for _ in range(self.size)]

    @property
    def is_done(self) -> bool:
        """Whether nothing waits and no lane has a task."""
        waits = self._unopened or self._searches or self._settles
        return not waits and all(lane.task is None for lane in self._lanes)

    @property
    def idle(self) -> list[int]:
        """The lanes that have no task."""
        return [number for number, lane in enumerate(self._lanes) if lane.task is None]

    @property
    def searches(self) -> int:
        """How many searches wait."""
        return len(self._searches)

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
        ready: list[SearchTarget | Settle] = [*self._searches]
        if not self.settles_last:  # else when nothing is left to be given its time
            ready = [*self._settles, *ready]
        own = [task for task in ready if task.module == self._lanes[lane].module]
        if not own and self._unopened:
            return self._unopened.popleft()
        task = next(iter([*own, *ready, *self._settles]), None)
        if isinstance(task, Settle):
            self._settles.remove(task)
        elif task is not None:
            self._searches.remove(task)
            return self._share_of(task)
        return task

    def _share_of(self, task: SearchTarget) -> SearchTarget:
        """Take some shards only, where other lanes would have nothing to do."""
        shards = task.options.shards
        if self.searches + len(self._unopened) >= self.size or len(shards) == 1:
            return task
        count = ceil(len(shards) / self.size)
        if shards[count:]:
            rest = replace(task.options, shards=shards[count:])
            self._searches.insert(0, replace(task, options=rest))
        return replace(task, options=replace(task.options, shards=shards[:count]))

    def gave(self, lane: int, task: Task) -> None:
        """Note what a lane has been given."""
        self._lanes[lane] = _Lane(task)

    def done(self, lane: int) -> Task:
        """Note that a lane has come to the end of its task; return that."""
        task = self._lanes[lane].task
        assert task is not None
        self._lanes[lane] = _Lane(module=task.module)
        return task

    def again(self, lane: int) -> Task | None:
        """Return the task of a lane that has ended, to be given to it once more, but only once."""
        held = self._lanes[lane]
        if held.task is None or held.is_second_time:
            return None
        self._lanes[lane] = _Lane(held.task.kept_apart(), is_second_time=True)
        return self._lanes[lane].task

    def dropped(self, lane: int) -> Task | None:
        """Take a lane that has ended for a new one; return the task that it had."""
        task, self._lanes[lane] = self._lanes[lane].task, _Lane()
        return task
