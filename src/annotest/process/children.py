"""Child processes: started in a group of their own, killed with all that they left behind."""

from __future__ import annotations

import ctypes
import resource
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple, NoReturn

from annotest.process.output import Output, flush
from annotest.process.own import open_file, os, signal, time

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None

_TRIM = getattr(_LIBC, "malloc_trim", None)  # there is none beside glibc

REQUESTS_TO_END = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# asked for before a hung child is killed; faulthandler answers even inside native code
DUMP_SIGNAL = signal.SIGUSR2
DUMP_PATIENCE = 1.0
_OWN_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)


# children that are no strays: they wait for what this process asks of them
_kept: set[int] = set()


def keep(pid: int) -> None:
    """Take a child for one of ours, which stays until it is let go."""
    _kept.add(pid)


def let_go(pid: int) -> None:
    """End a child that was kept."""
    _kept.discard(pid)
    kill(pid)
    reap(pid)


def trim() -> None:
    """Give the memory back to the system that was freed in this process, where that can be done."""
    if _TRIM is not None:
        _TRIM(0)


def can_fork() -> bool:
    """Say whether this system can fork."""
    return hasattr(os, "fork")


def fork(
    run: Callable[[], None],
    failed: Callable[[str], None],
    parent_death: int = signal.SIGKILL,
    adopted_by: int = 0,
) -> int:
    """Run a function in a child process of its own group; return the child's process id.

    The child gets the signal `parent_death` when this process ends, however it ends; or, where this
    process is about to end and another one adopts its orphans, when that one ends. An exception
    that `run` lets through is our own fault: `failed` is told, in the child.
    """
    flush()
    parent = os.getpid()
    # a signal that comes while we fork must not be answered by the child too
    before = signal.pthread_sigmask(signal.SIG_BLOCK, REQUESTS_TO_END)
    pid = -1
    try:
        pid = os.fork()
    finally:
        if pid:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if pid:
        return pid

    def begin() -> None:
        # not before: what a signal raises here must not reach whoever called us
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.setpgid(0, 0)
        _kept.clear()  # they are our parent's
        if adopted_by:
            _wait_while_child_of(parent)
        signal_when_parent_ends(adopted_by or parent, parent_death)
        run()

    run_and_leave(begin, failed)


def _wait_while_child_of(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.0005)


def run_and_leave(run: Callable[[], None], failed: Callable[[str], None]) -> NoReturn:
    """Run a function and end this process; `failed` is told what the function lets through."""
    status = 1
    try:
        run()
        status = 0
    except BaseException:
        with suppress(Exception):  # of nobody listening any more
            failed(traceback.format_exc())
    finally:
        flush()
        os._exit(status)


def signal_when_parent_ends(parent: int, number: int) -> None:
    """Have this process sent a signal when the process that started it ends."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os.kill(os.getpid(), number)  # it ended before we could ask for the signal


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, where the system can."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def write_no_core_files() -> None:
    """Let a crash of this process, or of one it starts, leave no core file behind."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def usual_signals() -> None:
    """Treat signals as any Python program does, whatever the process that started us does."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def kill(pid: int) -> None:
    """Kill a child and its group at once."""
    for send in (os.killpg, os.kill):
        try:
            send(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def reap(pid: int) -> int:
    """Wait for a child and return its status."""
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return 0


def reap_if_ended(pid: int) -> int | None:
    """Return the status of a child that has ended, or None while it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return 0
    return status if ended else None


def reap_within(pid: int, seconds: float) -> int:
    """Wait for a child, but not for ever: kill it then; return its status."""
    until = time.monotonic() + seconds
    while (status := reap_if_ended(pid)) is None:
        if time.monotonic() > until:
            kill(pid)
            return reap(pid)
        time.sleep(0.01)
    return status


def is_stopped(pid: int) -> bool:
    """Say whether a process has been stopped by a signal."""
    return _state(str(pid))[:1] == [b"T"]


def _state(pid: str) -> list[bytes]:
    """Return what the system tells of a process behind its name; nothing when it has ended."""
    try:
        with open_file(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def send_signal(pid: int, number: int) -> None:
    """Send a process a signal, unless it has gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def end_strays(but: Iterable[int] = ()) -> int:
    """Kill and reap every child that is not to be kept, adopted ones too; return how many."""
    kept, ended = {*but, *_kept}, 0
    while strays := [pid for pid in _own_children() if pid not in kept]:
        for pid in strays:
            kill(pid)
            reap(pid)
            ended += 1
    return ended


def _own_children() -> list[int]:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []  # the usual case, and much faster than looking through all processes
    me = os.getpid()
    return [process.pid for process in processes() if process.parent == me]


class Process(NamedTuple):
    """One process of the system, as /proc shows it."""

    pid: int
    parent: int
    memory: int


PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def processes() -> Iterator[Process]:
    """Yield the processes of the system, where it lists them."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return
    for name in names:
        if name.isdigit() and (fields := _state(name)):
            yield Process(int(name), int(fields[1]), int(fields[21]) * PAGE)


def all_started(pid: int) -> list[Process]:
    """Return a process that this one started, and all others that came of it.

    They may have left it for another parent, so all that is below this process counts, except for
    the processes between this one and that, and for children that are kept.
    """
    everyone = {process.pid: process for process in processes()}
    below: dict[int, list[Process]] = {}
    for process in everyone.values():
        below.setdefault(process.parent, []).append(process)
    started, waiting = [], [os.getpid()]
    while waiting:
        children = [child for child in below.get(waiting.pop(), []) if child.pid not in _kept]
        started += children
        waiting += [child.pid for child in children]
    between = set()
    while pid in everyone and (pid := everyone[pid].parent) != os.getpid():
        between.add(pid)
    return [process for process in started if process.pid not in between]


def ask_for_dump(pid: int, output: Output, hangs: bool) -> None:
    """Have a child write down its stack, and give it a moment to do so.

    One that hangs may take longer, on a busy machine; any other takes more memory meanwhile. One
    that blocks the signal writes nothing.
    """
    before, until = output.size, time.monotonic() + (DUMP_PATIENCE if hangs else 0)
    send_signal(pid, DUMP_SIGNAL)
    while output.size == before and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)  # for the rest of it


def is_own_fault(status: int) -> bool:
    """Say whether a process ended by a fault of its own, of which faulthandler dumps the stack."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in _OWN_FAULTS


def was_sent(status: int) -> bool:
    """Say whether a process ended by a signal that some process sent, and no fault of its own."""
    return os.WIFSIGNALED(status) and not is_own_fault(status)


def describe_status(status: int) -> str:
    """Say in words how a process ended."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"was killed by signal {signal.Signals(number).name}"
        except ValueError:
            return f"was killed by signal {number}"
    return f"exited with status {os.waitstatus_to_exitcode(status)}"
