"""The bases of a process that supervises workers: made when a module needs them, and kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic

from annotest import process
from annotest.engine.base.base import Base, Prepared, Started
from annotest.engine.base.sharing import Chain, Chains
from annotest.engine.worker.worker import Worker, WorkerOptions
from annotest.process.limits import Limits

POLL = 0.05


@dataclass
class Bases:
    """Starts workers from bases that have imported what their modules import, and nothing else.

    Each step of a chain is a base, forked from that of the step before. Those that the last module
    had no use for are ended: with a framework in each they are large.
    """

    chains: Chains
    options: WorkerOptions
    limits: Limits
    _of: dict[Chain, _Hold | None] = field(default_factory=dict)

    def start(self, worker: Worker) -> int:
        """Start a worker from the base of its module; return its id, 0 where there is none."""
        chain = self.chains.get(worker.file.path, ())
        base = self._longest(chain)
        if base is None:
            return 0
        pid = base.start(worker)
        if not pid:  # the base has ended: the next module gets a new one
            self._end(chain)
        return pid

    def _longest(self, chain: Chain) -> _Hold | None:
        self._end_others(chain)
        base: _Hold | None = None
        for length in range(1, len(chain) + 1):
            known = chain[:length]
            if known not in self._of:
                self._of[known] = self._made(chain[length - 1], base)
            if self._of[known] is None:
                return base
            base = self._of[known]
        return base

    def _made(self, imports: tuple[str, ...], below: _Hold | None) -> _Hold | None:
        """Return a base with these imports too; the one below if that had them already.

        None is for imports that fail, take too long, or leave threads behind, which do not survive
        a fork: the modules that need them import them by themselves.
        """
        base = _Hold.started(imports, self.options, below)
        prepared = base.prepared(self.limits) if base else None
        if prepared and prepared.threads == 1 and (prepared.modules or below is None):
            return base
        if base:
            base.end()
        return below if prepared and not prepared.modules else None

    def _end_others(self, chain: Chain) -> None:
        needed = {id(self._of.get(chain[:length])) for length in range(1, len(chain) + 1)}
        for known, base in list(self._of.items()):
            if base is not None and id(base) not in needed:
                base.end()
                del self._of[known]

    def _end(self, chain: Chain) -> None:
        for length in range(1, len(chain) + 1):
            base = self._of.pop(chain[:length], None)
            if base is not None:
                base.end()

    def close(self) -> None:
        """End all bases."""
        for base in self._of.values():
            if base is not None:
                base.end()
        self._of.clear()


@dataclass
class _Hold:
    """The hold on the process of one base."""

    pid: int
    programs: process.Wire
    answers: process.Channel
    output: process.Output

    @classmethod
    def started(
        cls, imports: tuple[str, ...], options: WorkerOptions, below: _Hold | None
    ) -> _Hold | None:
        """Start a base, from the one below if there is one, whose guard it keeps."""
        shared = process.Wire(), process.Channel(), process.Output()
        if below is None:
            pid = options.way.start(Base(imports, options, *shared))
        else:
            pid = below.start(Base(imports, replace(options, allowed=None), *shared))
        base = cls(pid, *shared)
        base.programs.writing_end()
        base.answers.reading_end()
        if not pid:
            base.end()
            return None
        process.keep(pid)
        return base

    def prepared(self, limits: Limits) -> Prepared | None:
        """Wait until the base has imported what it should; None if it could not."""
        until = monotonic() + limits.imports
        while monotonic() < until:
            try:
                answer = self.answers.receive(POLL)
            except process.Gone:
                return None
            if answer is not None:
                return answer if isinstance(answer, Prepared) else None
            if 0 < limits.memory < process.resident(self.pid):
                return None
        return None

    def start(self, program: process.Program) -> int:
        """Have a program started as a child of this process; return its id, 0 if it could not."""
        with process.file_in_memory() as file:
            passed = process.write_program(program, file)
            if not self.programs.send([file.fileno(), *passed]):
                return 0
        try:
            answer = self.answers.receive()
        except process.Gone:
            return 0
        return answer.pid if isinstance(answer, Started) else 0

    def end(self) -> None:
        """End the base and give everything back."""
        if self.pid:
            process.let_go(self.pid)
            self.pid = 0
        self.programs.close()
        self.answers.close()
        self.output.close()
