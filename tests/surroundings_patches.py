"""What calls leave changed in their process, of what the interpreter keeps for it."""

import builtins
import decimal
import gc
import os
import random
import sys
import tempfile
import warnings

from surroundings_cases import case, line, nobody_called

CLOSED = {"stays": ("streams",)}
IS_OPEN = lambda: sys.stdout.close() or os.fstat(1).st_ino > 0  # noqa: E731
NUMPY = lambda: __import__("numpy")  # noqa: E731

# streams
line("sys.stdout = io.StringIO()", "sys.stdout")
line("sys.stdout = None; del sys.stderr", "sys.stdout", "sys.stderr")
line("sys.stdout.close()", "sys.stdout", "sys.__stdout__", **CLOSED, then=IS_OPEN)
line("sys.stdin.close()", "sys.stdin", "sys.__stdin__", **CLOSED)
line("sys.stderr.detach()", "sys.stderr", "sys.__stderr__", **CLOSED)
# the end of it closes the buffer, and with it the stream that was there
line(
    "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
    *("sys.stdout", "sys.__stdout__"),
    **CLOSED,
)
# hooks, limits, paths
line("sys.excepthook = sys.exit = raising", "sys.excepthook", "sys.exit")
line(
    "sys.settrace(lambda *event: None); sys.setprofile(lambda *event: None)",
    *("sys.settrace", "sys.setprofile"),
)
line(
    "threading.settrace(raising); threading.setprofile(raising)",
    *("threading.settrace", "threading.setprofile"),
)
line(
    "gc.disable(); gc.set_threshold(10, 1, 1)",
    *("garbage collection", "garbage collection threshold"),
)
line("sys.set_int_max_str_digits(0); sys.tracebacklimit = 0", "int digits", "sys.tracebacklimit")
line("sys.setrecursionlimit(50_000)", "recursion limit")
line("sys.path.insert(0, '/nowhere'); sys.argv[:] = ['program']", "sys.path", "sys.argv")
line("sys.path = ['/nowhere']", "sys.path")
line("sys.meta_path.insert(0, object()); sys.path_hooks.clear()", "sys.meta_path", "sys.path_hooks")
# warnings, decimals, event loops, NumPy
line("warnings.simplefilter('ignore')", "warning filters")
line("warnings.filters = (); warnings.showwarning = raising", "warning filters")
line("decimal.getcontext().prec = 3", "decimal context")
line("decimal.getcontext().traps[decimal.Inexact] = True", "decimal context")
line(
    "asyncio.set_event_loop_policy(type('Policy', (asyncio.DefaultEventLoopPolicy,), {})())",
    "event loop policy",
)
line("asyncio.get_event_loop_policy()", stays=("loop",))
line("asyncio._set_running_loop(object())", "running event loop")
line("sys.modules['numpy'].seterr(all='raise')", "numpy.seterr", before=NUMPY)
line("__import__('numpy')", stays=("filters",))
line(
    "__import__('numpy').seterr(all='raise')",
    "numpy.seterr",
    stays=("filters",),
    then=lambda: sys.modules["numpy"].geterr()["divide"] == "warn",
)
# names of modules
line(
    "time.sleep = time.time = time.monotonic = raising",
    *("time.time", "time.sleep", "time.monotonic"),
)
line(
    "builtins.isinstance = builtins.len = builtins.Exception = raising",
    *("builtins.isinstance", "builtins.len", "builtins.Exception"),
)
line("del builtins.sorted; builtins.added = 1", "builtins.sorted", "builtins.added")
line("builtins.max = sys.modules['numpy'].array([1, 2])", "builtins.max", before=NUMPY)
line("os.getpid = lambda: 1", "os.getpid")
line("os.name = 'nt'", "os.name")


def functions_of(module):
    return [name for name, value in vars(module).items() if callable(value)]


for module in (builtins, os):
    line(
        f"vars({module.__name__}).update(dict.fromkeys({functions_of(module)}, raising))",
        f"{len(functions_of(module))} names of {module.__name__}",
        then=nobody_called,
    )

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
