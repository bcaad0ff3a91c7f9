"""What calls leave changed in their process, of what the system keeps for it."""

import fcntl
import locale
import os
import shutil
import signal
import tempfile
from dataclasses import dataclass
from typing import Any

from annotest.engine.child.surroundings import system

REPLACED = RuntimeError("replaced by the code under test")
CALLED: list[Any] = []


def raising(*args, **kwargs):
    """Stand for functions that the code under test has replaced; nobody must call them."""
    CALLED.append(args)
    raise REPLACED


def nobody_called():
    return not CALLED


@dataclass
class Case:
    change: Any
    names: tuple[str, ...]
    before: Any = None
    stays: tuple[str, ...] = ()
    then: Any = None


CASES: dict[str, Case] = {}


def case(*names, before=None, stays=(), then=None):
    """A change: what is reported, what runs before, what must stay different, what holds then."""

    def register(change):
        CASES[change.__name__] = Case(change, names, before, stays, then)
        return change

    return register


@case("working folder")
def another_folder():
    os.chdir("/")


@case("working folder")
def another_folder_which_is_deleted():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    shutil.rmtree(folder)


@case("environment variable KEPT", before=lambda: os.environ.update(KEPT="1"))
def a_variable_is_changed():
    os.environ["KEPT"] = "2"


@case("environment variable KEPT", before=lambda: os.environ.update(KEPT="1"))
def a_variable_is_deleted():
    del os.environ["KEPT"]


@case("environment variable ADDED")
def a_variable_is_added():
    os.environ["ADDED"] = "1"


@case("4 environment variables", before=lambda: os.environ.clear() or os.environ.update(a_to_d()))
def all_variables_are_deleted():
    os.environ.clear()


def a_to_d():
    return dict.fromkeys("ABCD", "1")


@case("os.environ")
def the_variables_are_replaced():
    vars(os)["environ"] = {"HOME": "/nowhere"}


@case("locale")
def another_locale():
    locale.setlocale(locale.LC_NUMERIC, "C.UTF-8")


@case("handler of SIGINT")
def another_handler():
    signal.signal(signal.SIGINT, raising)


@case("handler of SIGTERM", "handler of SIGPIPE")
def signals_ignored():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


@case("timer")
def an_alarm():
    signal.alarm(100)


@case("timer", "handler of SIGALRM")
def a_timer_with_its_handler():
    signal.signal(signal.SIGALRM, raising)
    signal.setitimer(signal.ITIMER_REAL, 100, 100)


@case("handler of SIGVTALRM", "handler of SIGPROF")
def timers_of_a_profiler():
    signal.signal(signal.SIGVTALRM, raising)
    signal.setitimer(signal.ITIMER_VIRTUAL, 100, 100)
    signal.signal(signal.SIGPROF, raising)
    signal.setitimer(signal.ITIMER_PROF, 100, 100)


@case("signal mask")
def a_blocked_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


@case("signal mask")
def a_blocked_signal_that_waits():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    os.kill(os.getpid(), signal.SIGTERM)


@case("descriptor 0", "descriptor 1", "descriptor 2")
def descriptors_closed():
    os.closerange(0, 3)


@case("descriptor 1")
def a_descriptor_leads_elsewhere():
    other = os.open("/dev/null", os.O_WRONLY)
    os.dup2(other, 1)
    os.close(other)


@case("descriptor 2")
def a_descriptor_leads_to_another():
    os.dup2(1, 2)


def without_marks():
    """Have the files told apart as on systems other than Linux."""
    system._marked = lambda numbers: False
    for number in range(3):  # marks of an earlier case, which stay with the files
        fcntl.fcntl(number, fcntl.F_SETSIG, 0)


for change in (descriptors_closed, a_descriptor_leads_elsewhere, a_descriptor_leads_to_another):
    CASES[f"{change.__name__}_without_marks"] = Case(
        change, CASES[change.__name__].names, before=without_marks
    )


@case("descriptor 1", stays=("descriptors",))
def the_copies_are_lost_as_well():
    os.closerange(200, 256)
    other = os.open("/dev/null", os.O_WRONLY)
    os.dup2(other, 1)


@case("working folder", before=lambda: os.chdir(tempfile.mkdtemp()), stays=("folder",))
def the_folder_itself_is_deleted():
    folder = os.getcwd()
    os.chdir("/")
    os.rmdir(folder)


@case(before=lambda: signal.alarm(100), then=lambda: signal.alarm(0) > 90)
def nothing_is_changed_while_a_timer_runs():
    return


@case("umask")
def another_umask():
    os.umask(0o123)
