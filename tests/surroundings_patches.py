"""What calls leave changed in their process, of what the interpreter keeps for it."""

import asyncio
import builtins
import decimal
import gc
import io
import os
import random
import sys
import tempfile
import threading
import time
import warnings

from surroundings_cases import case, nobody_called, raising


@case("sys.stdout")
def another_output():
    sys.stdout = io.StringIO()


@case("sys.stdout", "sys.stderr")
def no_output():
    sys.stdout = None
    del sys.stderr


@case(
    "sys.stdout",
    "sys.__stdout__",
    stays=("streams",),
    then=lambda: sys.stdout.close() or os.fstat(1).st_ino > 0,
)
def output_closed():
    sys.stdout.close()


@case("sys.stdin", "sys.__stdin__", stays=("streams",))
def input_closed():
    sys.stdin.close()


@case("sys.stderr", "sys.__stderr__", stays=("streams",))
def errors_detached():
    sys.stderr.detach()


@case("sys.stdout", "sys.__stdout__", stays=("streams",))
def output_wrapped():
    # its end closes the buffer, and with it the stream that was there
    sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")


@case("sys.excepthook", "sys.exit")
def hooks_replaced():
    sys.excepthook = sys.exit = raising


@case("sys.settrace", "sys.setprofile")
def tracers():
    sys.settrace(lambda *event: None)
    sys.setprofile(lambda *event: None)


@case("threading.settrace", "threading.setprofile")
def tracers_of_threads():
    threading.settrace(raising)
    threading.setprofile(raising)


@case("garbage collection", "garbage collection threshold")
def no_garbage_collection():
    gc.disable()
    gc.set_threshold(10, 1, 1)


@case("int digits", "sys.tracebacklimit")
def limits():
    sys.set_int_max_str_digits(0)
    sys.tracebacklimit = 0


@case("warning filters")
def warnings_ignored():
    warnings.simplefilter("ignore")


SHOWN = []


def show_always():
    warnings.simplefilter("always")
    warnings.showwarning = lambda *warning: SHOWN.append(warning)


def warn():
    """Warn, always in the same place; say whether it was shown."""
    before = len(SHOWN)
    warnings.warn("one place", UserWarning, stacklevel=1)
    return len(SHOWN) > before


@case("warning filters", before=show_always, then=warn)
def a_warning_is_shown_once():
    warnings.simplefilter("once")
    warn()


@case("warning filters")
def filters_replaced():
    warnings.filters = ()
    warnings.showwarning = raising


@case("decimal context")
def a_decimal_precision():
    decimal.getcontext().prec = 3


@case("decimal context")
def a_decimal_trap():
    decimal.getcontext().traps[decimal.Inexact] = True


@case("time.time", "time.sleep", "time.monotonic")
def time_stands_still():
    time.sleep = time.time = time.monotonic = raising


@case("builtins.isinstance", "builtins.len", "builtins.Exception")
def builtins_replaced():
    builtins.isinstance = builtins.len = builtins.Exception = raising


@case("builtins.sorted", "builtins.added")
def builtins_added_and_deleted():
    del builtins.sorted
    builtins.added = 1


@case("builtins.max", before=lambda: __import__("numpy"))
def a_builtin_that_cannot_be_compared():
    builtins.max = sys.modules["numpy"].array([1, 2])


def functions_of(module):
    return [name for name, value in vars(module).items() if callable(value)]


@case(f"{len(functions_of(builtins))} names of builtins", then=nobody_called)
def every_builtin_raises():
    vars(builtins).update(dict.fromkeys(functions_of(builtins), raising))


@case("os.getpid")
def getpid_lies():
    os.getpid = lambda: 1


@case(f"{len(functions_of(os))} names of os", then=nobody_called)
def every_function_of_os_raises():
    vars(os).update(dict.fromkeys(functions_of(os), raising))


@case("os.name")
def another_system():
    os.name = "nt"


@case("numpy.seterr", before=lambda: __import__("numpy"))
def numpy_raises():
    sys.modules["numpy"].seterr(all="raise")


@case(stays=("filters",))
def numpy_is_loaded():
    __import__("numpy")


@case(
    "numpy.seterr",
    stays=("filters",),
    then=lambda: sys.modules["numpy"].geterr()["divide"] == "warn",
)
def numpy_is_loaded_and_raises():
    __import__("numpy").seterr(all="raise")


@case("event loop policy")
def an_event_loop_policy():
    class Policy(asyncio.DefaultEventLoopPolicy):
        pass

    asyncio.set_event_loop_policy(Policy())


@case(stays=("loop",))
def asyncio_makes_its_own_policy():
    asyncio.get_event_loop_policy()


@case("running event loop")
def a_loop_said_to_run():
    asyncio._set_running_loop(object())


@case(
    "builtins.print",
    stays=("C variables", "builtins", "filters", "lists", "variables"),
    then=lambda: builtins.added == 1 and sys.path[0] == "/added" and not vars(os).get("added"),
)
def a_module_is_imported():
    # what it adds it will not add again when it is next asked for; what it replaces is put back
    source = "import builtins, os, sys, warnings"
    source += "; builtins.added = 1; builtins.print = None; os.environ['ADDED'] = '1'"
    source += "; sys.path.insert(0, '/added'); sys.meta_path.append(sys.meta_path[0])"
    source += "; warnings.simplefilter('ignore')"
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/imported_by_the_call.py", "w") as file:
            file.write(source)
        sys.path.append(folder)
        import imported_by_the_call  # noqa: F401

        sys.path.remove(folder)


@case("sys.path", "sys.argv")
def the_path_is_longer():
    sys.path.insert(0, "/nowhere")
    sys.argv[:] = ["program"]


@case("sys.path")
def the_path_is_replaced():
    sys.path = ["/nowhere"]


@case("sys.meta_path", "sys.path_hooks")
def another_finder():
    sys.meta_path.insert(0, object())
    sys.path_hooks.clear()


@case("recursion limit")
def a_high_recursion_limit():
    sys.setrecursionlimit(50_000)


@case("recursion limit")
def the_lowest_recursion_limit():
    for limit in range(1, 1000):
        try:
            sys.setrecursionlimit(limit)
        except RecursionError:
            continue
        return


@case()
def nothing_is_changed():
    # what ordinary code does, and puts back itself
    with warnings.catch_warnings(), tempfile.TemporaryFile(), decimal.localcontext():
        warnings.simplefilter("ignore")
        decimal.Decimal(1) / decimal.Decimal(3)
    random.random()
    gc.collect()
