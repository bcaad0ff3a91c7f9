"""What modules and targets have come to, told to a listener."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotest.discovery.scan import ModuleFile
from annotest.engine.parent.selection import matches
from annotest.engine.tasks import Opened
from annotest.errors import Mistake
from annotest.events import (
    Event,
    FailureFound,
    ImportFailed,
    MistakeFound,
    NotTestableFound,
    TargetFinished,
)
from annotest.facts import NotTestable, TargetInfo, TargetResult
from annotest.kinds import Status, status_of


@dataclass
class Announcer:
    """Tells of modules and targets, of those alone that the user has selected."""

    select: str
    listen: Callable[[Event], None]
    only: tuple[str, ...] = ()

    def selects(self, file: ModuleFile, target: TargetInfo | NotTestable) -> bool:
        """Say whether a target that a module has led to is one of those that are meant."""
        is_wanted = file.wants(target.module, target.qualname) and self._is_named(target.qualname)
        return is_wanted and matches(self.select, target.id)

    def _is_named(self, qualname: str) -> bool:
        """Say whether a target, or a class that it belongs to, is one of those named."""
        inside = (qualname == name or qualname.startswith(f"{name}.") for name in self.only)
        return not self.only or any(inside)

    def module(self, file: ModuleFile, opened: Opened) -> None:
        """Tell what a worker has found out about its module."""
        if opened.import_failed is not None:
            self._import_failed(file, opened.import_failed)
        if opened.discovered is not None:
            for function in opened.discovered.not_testable:
                if self.selects(file, function):
                    self.listen(NotTestableFound(function))
            for mistake in opened.discovered.mistakes:
                if self._concerns(mistake, opened.discovered.targets):
                    self.listen(MistakeFound(mistake))

    def _concerns(self, mistake: Mistake, targets: tuple[TargetInfo, ...]) -> bool:
        """Say whether a mistake is about a target that was named, or keeps it from being tested."""
        meant = (info for info in targets if self._is_named(info.qualname))
        return self._is_named(mistake.function) or any(str(mistake) in info.error for info in meant)

    def _import_failed(self, file: ModuleFile, failed: ImportFailed) -> None:
        info = failed.failure.target
        wanted = [info.id, *(f"{info.module}:{name}" for name in file.wanted_names)]
        if not any(matches(self.select, name) for name in wanted):
            self.skipped(info)
            return
        for prevented in failed.prevented:
            self.listen(prevented)
        if any(prevented.broke for prevented in failed.prevented):
            self.finish(TargetResult(info, Status.PREVENTED, reason="the guard stopped its import"))
        elif failed.exited_normally and failed.module_test is not None:
            self.finish(TargetResult(info, Status.PASSED, inputs_run=1))
        else:
            self.listen(FailureFound(failed.failure))
            self.finish(TargetResult(info, status_of(failed.failure.verdict), inputs_run=1))

    def skipped(self, info: TargetInfo) -> None:
        """Tell that a target is not meant."""
        self.finish(TargetResult(info, Status.SKIPPED, reason="not selected"))

    def finish(self, result: TargetResult) -> None:
        """Tell that a target has been dealt with."""
        self.listen(TargetFinished(result))
