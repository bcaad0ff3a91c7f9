"""A process between a parent and its child: what the child does to its parent befalls it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NoReturn

from annotest.process.children import (
    REQUESTS_TO_END,
    fork,
    is_stopped,
    kill,
    processes,
    reap,
    send_signal,
)
from annotest.process.own import open_file, os, signal

# elsewhere a child does not end with its parent
CAN_SHIELD = sys.platform == "linux" and hasattr(os, "fork")


def shielded(start: Callable[[], int], failed: Callable[[str], None], adopted_by: int = 0) -> int:
    """Start a child behind another one, which ends as the child ends; return that one's id.

    With `adopted_by` that one becomes a child of the process named, when this one ends.
    """

    def stand_between() -> None:
        for number in REQUESTS_TO_END:
            signal.signal(number, signal.SIG_DFL)  # whatever the process does that started us
        _end_as(start())

    return fork(stand_between, failed, adopted_by=adopted_by)


def _end_as(pid: int) -> NoReturn:
    """Wait for a child, and end as it does."""
    status = reap(pid)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def behind(pid: int) -> int:
    """Return the child that a shield has started; the shield itself while there is none."""
    try:
        with open_file(f"/proc/{pid}/task/{pid}/children", "rb") as file:
            children = [int(number) for number in file.read().split()]
    except OSError:
        children = [process.pid for process in processes() if process.parent == pid]
    return children[0] if children else pid


def status_if_ended(pid: int) -> int | None:
    """Return the status of a child that has ended or is about to; None if it goes on.

    A process that has just been sent SIGKILL still looks alive for a moment. So we try to stop it:
    only one that will go on can be stopped, and is resumed. One that somebody else has stopped is
    of no use any more, and is killed.
    """
    if is_stopped(pid):
        kill(pid)
    try:
        os.kill(pid, signal.SIGSTOP)
        status = os.waitpid(pid, os.WUNTRACED)[1]
    except (ProcessLookupError, ChildProcessError):
        return reap(pid)
    if not os.WIFSTOPPED(status):
        return status
    send_signal(pid, signal.SIGCONT)
    return None
