"""What code under test does to the process that runs it, and what a run must make of it."""

from dataclasses import dataclass

ANY = "any"  # some finding on the input that did it, or none at all
SIX, HANG, SLEEP = 'raise ValueError("six")', "while True: pass", "time.sleep(1000)"

# a module without annotations, beside faulty.py: whatever the rows need
ACTS = '''\
import atexit, builtins, ctypes, gc, locale, os, random, resource, shutil, signal, socket
import subprocess, sys, tempfile, threading, time


def above(levels):
    """The process so many levels above this one; only a process of this very run will do."""
    pid = os.getpid()
    for _ in range(levels):
        pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
    assert b"ANNOTEST_FAULT=" in open(f"/proc/{pid}/environ", "rb").read()
    return pid


def top():
    """The topmost process of this run."""
    levels = 1
    while True:
        try:
            above(levels + 1)
        except (AssertionError, OSError, ValueError):
            return above(levels)
        levels += 1


def leave_daemon(closed=False):
    """Leave a process behind in a session of its own, whose parent has ended."""
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 1000 if closed else 0)
            time.sleep(1000)
        os._exit(0)
    os.waitpid(child, 0)


def leave_forty():
    """Leave forty processes behind, on two levels."""
    for _ in range(8):
        if os.fork() == 0:
            any(os.fork() == 0 for _ in range(4))
            time.sleep(1000)
            os._exit(0)


def grow():
    """Take memory bit by bit, but not all of the machine's."""
    kept = []
    while len(kept) < 60:
        kept.append(b"x" * (20 << 20))
        time.sleep(0.005)  # well within the time that a call has, also on a busy machine
    time.sleep(1000)


def recurse():
    return recurse()


class Odd:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def start(target, *args, daemon=True):
    thread = threading.Thread(target=target, args=args, daemon=daemon)
    thread.start()
    return thread


def print_for_ever():
    while True:
        print("for ever" * 100)


class Unwritable:
    def write(self, text):
        raise OSError("cannot be written to")


def replaced(*args, **kwargs):
    raise RuntimeError("replaced by the code under test")
'''
HEAD = "from acts import *\nfrom annotest import arg, example, froms, ints\n\n"

HEALTHY = """\
from annotest import arg, ints


@arg(n=ints(0, 9))
def passes(n):
    print("n is", n)


@arg(n=ints(0, 9))
def raises(n):
    if n == 7:
        raise ValueError("seven")
"""


@dataclass(frozen=True)
class Fault:
    """What fault(4) does, and the kind of the finding that comes of it: None for no finding.

    Where there is none, fault(6) does `then` after it, in the same process if that is still there,
    and that becomes the finding. `prevented` is what the report says that the guard prevented.
    """

    name: str
    body: str
    kind: str | None = None
    then: str = SIX
    prevented: str = ""
    before: str = ""
    argument: str = ""

    @property
    def finding(self) -> tuple[str, str]:
        """The kind of the one finding, and the input it is on."""
        if self.kind is not None:
            return self.kind, "4"
        return ("timeout" if self.then in (HANG, SLEEP) else "exception"), "6"

    def source(self, name: str) -> str:
        """A function of this name, which does it."""
        more, _, constraint = self.argument.partition("=")
        harmless = self.kind in (None, ANY)
        lines = [self.before, f"@arg(n=ints(0, 9){f', {more}={constraint}' if more else ''})"]
        lines += ["@example(n=4)"] * harmless  # so that it comes before the 6
        lines += [f"def {name}(n{f', {more}' if more else ''}):", "    if n == 4:"]
        lines += [f"        {line}" for line in self.body.splitlines()]
        lines += ["    if n == 6:", f"        {self.then}"] * harmless
        return "\n".join(lines).replace("Bad", f"Bad_{name}") + "\n"


ENDS = [
    Fault("segfault", "ctypes.string_at(0)", "died"),
    Fault("abort", "os.abort()", "died"),
    Fault("os._exit(0)", "os._exit(0)", "died"),
    Fault("os._exit(7)", "os._exit(7)", "died"),
    Fault("sys.exit(0)", "sys.exit(0)"),
    Fault("sys.exit(3)", "sys.exit(3)", "exit"),
    Fault("KeyboardInterrupt", "raise KeyboardInterrupt", "exception"),
    Fault("SIGINT to itself", "os.kill(os.getpid(), signal.SIGINT)", "exception"),
    Fault("SIGTERM to itself", "os.kill(os.getpid(), signal.SIGTERM)", "died"),
]

HANGS = [
    Fault("endless loop", HANG, "timeout"),
    Fault("native call that keeps the GIL", "ctypes.PyDLL(None).pause()", "timeout"),
    Fault("native call that releases the GIL", "ctypes.CDLL(None).sleep(1000)", "timeout"),
    Fault("lock acquired twice", "lock = threading.Lock()\nwith lock, lock: pass", "timeout"),
    Fault("join of a thread that waits", "start(threading.Event().wait).join()", "timeout"),
    Fault("SIGSTOP to itself", "os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
    Fault(
        "sleep with all signals blocked",
        f"signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n{SLEEP}",
        "timeout",
    ),
]

THREADS = [
    Fault("daemon thread", "start(time.sleep, 1000)"),
    Fault("non-daemon thread", "start(time.sleep, 1000, daemon=False)"),
    Fault("thread that prints for ever", "start(print_for_ever)"),
]

TOO_MUCH = [
    Fault("10 GB at once", 'b"x" * (10 << 30)', "memory"),
    Fault("memory that grows", "grow()", "memory"),
    Fault("memory that grows in a forked child", "os.fork() or grow()\nos.wait()", "memory"),
    Fault("1 GB to stdout", 'for _ in range(1000): print("x" * (1 << 20))', "output"),
    Fault("recursion", "recurse()", "exception"),
    Fault("stack overflow", "sys.setrecursionlimit(10**8)\nOdd().x", "died"),
]


def class_with(method: str, body: str, base: str = "object") -> str:
    """A class Bad with one method."""
    return f"class Bad({base}):\n    def {method}(self, *others):\n        {body}\n"


REPRS = {
    "repr that recurses": "return repr(self)",
    "repr that raises": "raise RuntimeError",
    "repr of 20 MB": "return 'x' * 20_000_000",
}
TEXTS = [
    *(
        Fault(
            f"argument with a {name}",
            'raise RuntimeError("four")',
            "exception",
            before=class_with("__repr__", body),
            argument="bad=froms([Bad()])",
        )
        for name, body in REPRS.items()
    ),
    *(
        Fault(
            f"message with a {name}",
            "raise RuntimeError(Bad())",
            "exception",
            before=class_with("__repr__", body),
        )
        for name, body in REPRS.items()
    ),
    *(
        Fault(
            f"exception whose __str__ {name}",
            "raise Bad",
            kind,
            before=class_with("__str__", body, "Exception"),
        )
        for name, body, kind in [
            ("raises", "raise RuntimeError", "exception"),
            ("leaves", "sys.exit(0)", "exception"),
            ("calls os._exit", "os._exit(7)", "died"),
            ("hangs", SLEEP, "timeout"),
        ]
    ),
    Fault(
        "sys.exit with what cannot be compared",
        "sys.exit(Bad())",
        "exit",
        before=class_with("__eq__", "raise RuntimeError"),
    ),
]

SIGNALS = [
    *(
        Fault(f"{name} ignored", f"signal.signal(signal.{name}, signal.SIG_IGN)", then=SLEEP)
        for name in ("SIGTERM", "SIGINT", "SIGUSR2", "SIGCHLD")
    ),
    Fault("alarm pending", "signal.alarm(1)", then=SLEEP),
    Fault(
        "all signals blocked",
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
        then=SLEEP,
    ),
]

CHANGES = [
    Fault("chdir to /", 'os.chdir("/")'),
    Fault("chdir to a deleted folder", "os.chdir(tempfile.mkdtemp())\nos.rmdir(os.getcwd())"),
    Fault("sys.path emptied", "sys.path.clear()"),
    Fault("sys.argv emptied", "sys.argv.clear()"),
    Fault("os.environ emptied", "os.environ.clear()"),
    Fault("locale changed", 'locale.setlocale(locale.LC_ALL, "C")'),
    Fault(
        "recursion limit lowered",
        "for limit in range(50, 1000):\n"
        "    try: sys.setrecursionlimit(limit); break\n"
        "    except RecursionError: pass",
    ),
    Fault("random.seed", "random.seed(0)"),
    Fault("np.random.seed", "import numpy\nnumpy.random.seed(0)"),
    *(
        Fault(f"builtins.{name} replaced", f"builtins.{name} = replaced")
        for name in ("len", "isinstance", "print", "open", "Exception")
    ),
    Fault("time stopped", "time.monotonic = time.time = lambda: 0.0"),
    Fault("os.getpid replaced", "os.getpid = lambda: 1"),
    Fault("os.write replaced", "os.write = replaced"),
    Fault("pickle.dumps replaced", "import pickle\npickle.dumps = replaced"),
    Fault("sys.stdout cannot be written to", "sys.stdout = Unwritable()"),
    Fault("gc disabled", "gc.disable()"),
    Fault("sys.settrace", "sys.settrace(lambda *args: None)"),
    Fault("os._exit at exit", "atexit.register(os._exit, 7)"),
    Fault(
        "our modules deleted",
        "for name in list(sys.modules):\n"
        '    if name.startswith(("annotest", "hypothesis")): del sys.modules[name]',
    ),
    Fault(
        "Hypothesis patched",
        "from hypothesis.internal.conjecture.data import ConjectureData\n"
        "ConjectureData.draw = ConjectureData.draw_integer = replaced",
    ),
]

PREVENTED = [
    Fault("os.execv", 'os.execv("/bin/true", ["true"])', prevented="run /bin/true"),
    Fault("subprocess.run", 'subprocess.run(["/bin/true"])', prevented="run /bin/true"),
    Fault("a connection", 'socket.create_connection(("192.0.2.1", 80), 1)', prevented="192.0.2.1"),
]

# these harm the process that makes the call, and no other
INSIDE = [*ENDS, *HANGS, *THREADS, *TOO_MUCH, *TEXTS, *SIGNALS, *CHANGES, *PREVENTED]
HANGING = [fault for fault in INSIDE if fault.finding[0] == "timeout"]
GENTLE = [fault for fault in INSIDE if fault.finding[0] != "timeout"]

RELATIVES = [
    Fault(
        "segfault with a process left behind",
        "if os.fork() == 0:\n    time.sleep(60)\n    os._exit(0)\nctypes.string_at(0)",
        "died",
    ),
    Fault("SIGTERM to the zygote", "os.kill(above(1), signal.SIGTERM)\ntime.sleep(60)", "died"),
    Fault("SIGKILL to the zygote", "os.kill(above(1), signal.SIGKILL)\ntime.sleep(60)", "died"),
    Fault("SIGKILL to the zygote, and goes on", "os.kill(above(1), signal.SIGKILL)", "died"),
    Fault("SIGKILL to the shield", "os.kill(above(2), signal.SIGKILL)\ntime.sleep(60)", "died"),
    Fault("SIGKILL to the lane", "os.kill(above(3), signal.SIGKILL)\ntime.sleep(60)", "died"),
    Fault("SIGSTOP to its parent", "os.kill(above(1), signal.SIGSTOP)", ANY),
]

LEFT_BEHIND = [
    Fault("forty processes", "leave_forty()"),
    Fault("daemon with stdout open", "leave_daemon()"),
    Fault("daemon with all descriptors closed", "leave_daemon(closed=True)"),
    Fault("fork that returns twice", "os.fork()"),
]

FILL_DISK = """\
try: open(tempfile.mkstemp()[1], "wb", 0).write(b"x" * (64 << 20))
except OSError: pass"""
DISK = [
    Fault("full disk", 'tempfile.TemporaryFile().write(b"x" * (64 << 20))', "exception"),
    Fault("full disk left full", FILL_DISK),
    Fault("printing on a full disk", f'{FILL_DISK}\nprint("said", flush=True)'),
]

DESCRIPTORS = [
    Fault("descriptors 0 to 2 closed", "os.closerange(0, 3)"),
    Fault("descriptors 3 to 999 closed", "os.closerange(3, 1000)", ANY),
    Fault("descriptors 3 to 99 replaced", "for one in range(3, 100): os.dup2(0, one)", ANY),
    Fault(
        "descriptors 3 to 99 written to",
        "for one in range(3, 100):\n    try: os.write(one, b'junk' * 10)\n    except OSError: pass",
        ANY,
    ),
    Fault("no more descriptors", "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))", ANY),
    Fault("sleep after closing all files", f"os.closerange(3, 4096)\n{SLEEP}", "timeout"),
]

# the project's own folder is where the module lies
FILES = [
    Fault(
        "rmtree of the project",
        "shutil.rmtree(os.path.dirname(__file__))",
        prevented="delete",
    ),
    Fault(
        "a project file overwritten",
        'open(os.path.join(os.path.dirname(__file__), "data.txt"), "w")',
        prevented="data.txt",
    ),
]

# these reach other processes of the run, or what these share with it; FILES would, if they could
REACHING = [*RELATIVES, *LEFT_BEHIND, *DESCRIPTORS, *FILES]
