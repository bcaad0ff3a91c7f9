"""The guard on files: which ways to write are blocked, and what stays possible."""

import asyncio
import builtins
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context, resource_tracker, shared_memory
from pathlib import Path

import pytest
from guarded import new_ground, run_in_thread, sqlite, temporary_in, write

from annotest.guard import BlockedByGuard


@pytest.fixture
def ground(tmp_path):
    return new_ground(tmp_path)


def in_folder(act):
    """Make an act on the names in a folder one on the folder's path: through a dir_fd."""

    def through_descriptor(folder):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            act(descriptor)
        finally:
            os.close(descriptor)

    return through_descriptor


def in_working_folder(act):
    """Make an act on relative paths one on a folder: by going there first."""

    def after_chdir(folder):
        os.chdir(folder)
        act()

    return after_chdir


def through_link(folder, name):
    """Return a path into a folder by a link that lies where links may be made."""
    link = os.path.join(os.environ["LINKS"], "link")
    if not os.path.lexists(link):
        os.symlink(folder, link)
    return os.path.join(link, name)


def os_open(path, flags, **options):
    os.close(os.open(path, flags, **options))


def bind_path(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


# name: (what is done to the files of a folder, how it is told, to which of its paths)
ACTS = {
    "open w": (lambda f: write(f / "keep.txt"), "write", "keep.txt"),
    "open new": (lambda f: write(f / "new.txt"), "write", "new.txt"),
    "open a": (lambda f: write(f / "keep.txt", "a"), "write", "keep.txt"),
    "open r+": (lambda f: write(f / "keep.txt", "r+"), "write", "keep.txt"),
    "open x": (lambda f: write(f / "new.txt", "x"), "write", "new.txt"),
    "open bytes": (lambda f: write(os.fsencode(f / "keep.txt"), "wb"), "write", "keep.txt"),
    "os.open": (lambda f: os_open(f / "keep.txt", os.O_WRONLY), "write", "keep.txt"),
    "os.open truncating": (lambda f: os_open(f / "keep.txt", os.O_TRUNC), "write", "keep.txt"),
    "os.open creating": (lambda f: os_open(f / "new", os.O_CREAT), "write", "new"),
    "nameless": (lambda f: os_open(f, os.O_TMPFILE | os.O_RDWR), "write", ""),
    "relative": (in_working_folder(lambda: write("keep.txt")), "write", "keep.txt"),
    "through a link": (lambda f: write(through_link(f, "keep.txt")), "write", "keep.txt"),
    "through ..": (lambda f: write(through_link(f, "sub/../new")), "write", "new"),
    "delete by link": (lambda f: os.remove(through_link(f, "keep.txt")), "delete", "keep.txt"),
    "write_text": (lambda f: (f / "keep.txt").write_text("x"), "write", "keep.txt"),
    "touch": (lambda f: (f / "keep.txt").touch(), "change", "keep.txt"),
    "touch new": (lambda f: (f / "new").touch(), "write", "new"),
    "remove": (lambda f: os.remove(f / "keep.txt"), "delete", "keep.txt"),
    "unlink": (lambda f: (f / "keep.txt").unlink(), "delete", "keep.txt"),
    "remove in": (in_folder(lambda d: os.remove("keep.txt", dir_fd=d)), "delete", "keep.txt"),
    "rmdir": (lambda f: os.rmdir(f / "empty"), "delete", "empty"),
    "rmdir in": (in_folder(lambda d: os.rmdir("empty", dir_fd=d)), "delete", "empty"),
    "rmtree": (lambda f: shutil.rmtree(f / "sub"), "delete", "sub"),
    "rmtree quiet": (lambda f: shutil.rmtree(f / "sub", ignore_errors=True), "delete", "sub"),
    "rename": (lambda f: os.rename(f / "keep.txt", f / "new"), "move", "keep.txt"),
    "replace": (lambda f: os.replace(f / "keep.txt", f / "new"), "move", "keep.txt"),
    "rename in": (
        in_folder(lambda d: os.rename("keep.txt", "new", src_dir_fd=d, dst_dir_fd=d)),
        "move",
        "keep.txt",
    ),
    "move": (lambda f: shutil.move(f / "keep.txt", f / "new"), "move", "keep.txt"),
    "copy": (lambda f: shutil.copy2(f / "keep.txt", f / "new"), "write", "new"),
    "copytree": (lambda f: shutil.copytree(f / "sub", f / "new"), "create", "new"),
    "truncate": (lambda f: os.truncate(f / "keep.txt", 1), "write", "keep.txt"),
    "link": (lambda f: os.link(f / "keep.txt", f / "new"), "link", "keep.txt"),
    "symlink": (lambda f: os.symlink("keep.txt", f / "new"), "create", "new"),
    "symlink in": (in_folder(lambda d: os.symlink("keep.txt", "new", dir_fd=d)), "create", "new"),
    "mkdir": (lambda f: os.mkdir(f / "new"), "create", "new"),
    "mkdir in": (in_folder(lambda d: os.mkdir("new", dir_fd=d)), "create", "new"),
    "makedirs": (lambda f: os.makedirs(f / "new" / "deep"), "create", "new"),
    "chmod": (lambda f: os.chmod(f / "keep.txt", 0o600), "change", "keep.txt"),
    "chown": (lambda f: os.chown(f / "keep.txt", os.getuid(), -1), "change", "keep.txt"),
    "utime": (lambda f: os.utime(f / "keep.txt", (1, 1)), "change", "keep.txt"),
    "utime in": (in_folder(lambda d: os.utime("keep.txt", dir_fd=d)), "change", "keep.txt"),
    "sqlite": (lambda f: sqlite(f / "new.db"), "write", "new.db"),
    "socket": (lambda f: bind_path(f / "new"), "create", "new"),
    "temporary": (lambda f: tempfile.NamedTemporaryFile(dir=f, delete=False), "write", None),
    "temporary folder": (lambda f: tempfile.mkdtemp(dir=f), "create", None),
}


def links_in(folder):
    return lambda: os.environ.update(LINKS=str(folder / "empty"))


@pytest.mark.parametrize("name", ACTS)
def test_writing_outside_is_blocked_by_the_hook_alone(ground, name):
    act, action, path = ACTS[name]
    before = ground.snapshot()
    seen = ground.run(lambda log: act(ground.project), before=links_in(ground.scratch))
    assert seen.error == "BlockedByGuard", seen.text
    assert seen.actions[:1] == [action]
    assert seen.text.startswith(f"annotest blocked: {seen.actions[-1]} {ground.project}")
    if path is not None:
        assert seen.blocked[0].what == str(ground.project / path)
    assert ground.snapshot() == before


@pytest.mark.parametrize("name", ACTS)
def test_writing_inside_is_allowed_by_hook_and_kernel(ground, name):
    act, _, _ = ACTS[name]
    seen = ground.run(lambda log: act(ground.scratch) and None, True, links_in(ground.scratch))
    assert (seen.error, seen.blocked) == ("", ()), seen.text


# acts that fail by themselves: code must see the error that it would see without the guard
FAILING = {
    "delete nothing": (lambda f: os.remove(f / "nothing"), FileNotFoundError),
    "delete a folder of nothing": (lambda f: shutil.rmtree(f / "nothing"), FileNotFoundError),
    "rename nothing": (lambda f: os.rename(f / "nothing", f / "new"), FileNotFoundError),
    "make what is there": (lambda f: os.mkdir(f / "sub"), FileExistsError),
    "link to what is there": (lambda f: os.symlink("a", f / "sub"), FileExistsError),
    "open x what is there": (lambda f: write(f / "keep.txt", "x"), FileExistsError),
    "open r+ nothing": (lambda f: write(f / "nothing", "r+"), FileNotFoundError),
    "open in no folder": (lambda f: write(f / "no" / "new"), FileNotFoundError),
    "make in no folder": (lambda f: os.mkdir(f / "no" / "new"), FileNotFoundError),
    "open a folder": (lambda f: write(f / "sub"), IsADirectoryError),
    "run nothing": (lambda f: subprocess.run(["no-such-program-xyz"]), FileNotFoundError),
    "run no file": (lambda f: os.execv(str(f / "nothing"), ["nothing"]), FileNotFoundError),
}


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
@pytest.mark.parametrize("name", FAILING)
def test_what_fails_anyway_fails_as_it_would_without_the_guard(ground, name, kernel):
    act, error = FAILING[name]
    seen = ground.run(lambda log: act(ground.project), kernel)
    assert (seen.error, seen.blocked, seen.explained) == (error.__name__, (), None), seen.text


HARMLESS = {
    "read": lambda f: (f / "keep.txt").read_text(),
    "list": lambda f: os.listdir(f),
    "makedirs of what is there": lambda f: os.makedirs(f / "sub", exist_ok=True),
    "Path.mkdir of what is there": lambda f: (f / "sub").mkdir(exist_ok=True),
    "unlink of what may be missing": lambda f: (f / "nothing").unlink(missing_ok=True),
    "null": lambda f: write(os.devnull),
    "shared memory folder": lambda f: tempfile.TemporaryFile(dir="/dev/shm").close(),
    "own name": lambda f: write("/proc/self/comm"),
    "an open file's descriptor": lambda f: open(os.pipe()[1], "w").close(),
    "delete a link to it": lambda f: linked(f / "keep.txt", os.remove),
    "a database in memory": lambda f: sqlite(":memory:"),
    "an anonymous socket": lambda f: bind_path(f"\0annotest-{os.getpid()}"),
    "cache": lambda f: write(Path.home() / ".cache" / "file"),
    "terminal": lambda f: os.openpty(),
    "temporary file": lambda f: tempfile.NamedTemporaryFile().close(),
    "temporary folder": lambda f: tempfile.TemporaryDirectory().cleanup(),
    "shared memory": lambda f: use_shared_memory(),
    "fork": lambda f: forked_status(lambda: 7) == 7,
    "pool": lambda f: get_context("fork").Pool(2).map(abs, [-1, -2]) == [1, 2] or 1 / 0,
    "facts about the machine": lambda f: subprocess.run(["uname", "-p"], check=True),
    "event loop": lambda f: asyncio.run(asyncio.sleep(0)),
    "threads": lambda f: run_in_thread(lambda: None),
}


def linked(path, act):
    """Do something to a link, in the folder for temporary files, that leads to a path."""
    link = os.path.join(tempfile.mkdtemp(), "link")
    os.symlink(path, link)
    act(link)


def use_shared_memory():
    # not the helper process of the tests themselves, which this one inherits if they have one
    resource_tracker._resource_tracker._fd = None
    memory = shared_memory.SharedMemory(create=True, size=10)
    memory.close()
    memory.unlink()
    time.sleep(0.1)
    # the helper process that Python starts for shared memory must live
    assert os.waitpid(resource_tracker._resource_tracker._pid, os.WNOHANG) == (0, 0)


def forked_status(act):
    pid = os.fork()
    if not pid:
        os._exit(act())
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_things_stay_possible(ground, name, kernel):
    (ground.home / ".cache").mkdir()
    act = HARMLESS[name]
    seen = ground.run(
        lambda log: act(ground.project) and None, kernel, temporary_in(ground.scratch)
    )
    assert (seen.error, seen.blocked) == ("", ()), seen.text


def test_the_temporary_folder_is_not_free_by_itself(ground):
    seen = ground.run(lambda log: tempfile.mkdtemp(), before=temporary_in(ground.project))
    assert seen.actions and all(blocked_act.what.startswith("/") for blocked_act in seen.blocked)
    assert seen.error in ("BlockedByGuard", "FileNotFoundError")


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_python_may_keep_its_bytecode_beside_the_project_or_go_without(ground, kernel):
    (ground.project / "module.py").write_text("x = 1\n")

    def act(log):
        sys.dont_write_bytecode = False
        sys.path.insert(0, str(ground.project))
        import module

        return module.x

    seen = ground.run(act, kernel)
    assert (seen.value, seen.blocked, seen.error) == (1, (), "")
    assert bool(list(ground.project.glob("__pycache__/module.*.pyc"))) == (not kernel)
    if not kernel:
        again = ground.run(lambda log: write(ground.project / "__pycache__" / "data.bin"))
        assert again.actions == ["write"]


def test_a_forked_child_is_guarded_too(ground):
    def act(log):
        def in_child():
            try:
                os.remove(ground.project / "keep.txt")
            except BlockedByGuard:
                return 42
            return 0

        status = forked_status(in_child)
        told = [str(blocked_act) for blocked_act in log.blocked]
        log.start_call()
        return status, told, log.blocked

    told = [f"delete {ground.project / 'keep.txt'}"]
    assert ground.run(act).value == (42, told, ())


def test_a_thread_is_guarded_too(ground):
    seen = ground.run(lambda log: run_in_thread(lambda: os.remove(ground.project / "keep.txt")))
    assert seen.actions == ["delete"]
    assert (ground.project / "keep.txt").exists()


def test_no_link_to_an_outside_file_is_made_to_write_through(ground):
    seen = ground.run(lambda log: os.link(ground.project / "keep.txt", ground.scratch / "new"))
    assert (seen.error, seen.actions) == ("BlockedByGuard", ["link"])


def test_nothing_is_moved_in_from_outside_nor_copied_instead(ground):
    seen = ground.run(lambda log: shutil.move(ground.project / "keep.txt", ground.scratch / "new"))
    assert seen.actions == ["move"]
    assert not (ground.scratch / "new").exists()


def test_nothing_is_moved_out(ground):
    target = ground.project / "keep.txt"
    seen = ground.run(lambda log: os.replace(ground.scratch / "keep.txt", target))
    assert str(seen.blocked[0]) == f"write {target}"


def test_changing_a_file_by_a_link_to_it_is_blocked(ground):
    change = lambda link: os.chmod(link, 0o600)  # noqa: E731
    act = lambda log: linked(ground.project / "keep.txt", change)  # noqa: E731
    seen = ground.run(act, before=temporary_in(ground.scratch))
    assert [str(blocked_act) for blocked_act in seen.blocked] == [
        f"change {ground.project / 'keep.txt'}"
    ]


def test_files_that_are_open_for_writing_stay_so(ground):
    with open(ground.project / "keep.txt", "r+") as opened:

        def act(log):
            os.ftruncate(opened.fileno(), 2)
            write(f"/dev/fd/{opened.fileno()}")

        assert ground.run(act).blocked == ()
    assert (ground.project / "keep.txt").read_text() == "x"


def test_a_folder_with_a_similar_name_is_outside(ground):
    beside = Path(f"{ground.scratch}-2")
    beside.mkdir()
    seen = ground.run(lambda log: write(beside / "new"))
    assert seen.actions == ["write"]


def test_what_fails_within_the_guard_passes(ground):
    class Odd:
        def __fspath__(self):
            raise ZeroDivisionError

    def act(log):
        sys.audit("shutil.rmtree", Odd(), None)
        sys.audit("open", None, None, os.O_WRONLY)
        sys.audit("open")
        sys.audit("os.remove", 3.5, -1)
        sys.audit("os.remove", "x\0y", -1)
        sys.audit("os.rename", "x")
        sys.audit("socket.connect", None, ())
        sys.audit("subprocess.Popen", 1, 2, 3, 4)
        sys.audit("os.system", None)
        os.rmdir(os.getcwd())
        return "passed"

    gone = ground.scratch / "gone"
    gone.mkdir()
    seen = ground.run(act, before=lambda: os.chdir(gone))
    assert (seen.value, seen.blocked) == ("passed", ())


def broken(*args, **options):
    raise AssertionError("code under test has replaced this")


def test_replaced_functions_do_not_fool_the_guard(ground):
    real_open, real_remove, real_connect = open, os.remove, socket.socket.connect
    made, keep = socket.socket(), str(ground.project / "keep.txt")

    def tries():
        yield lambda: real_open(b"keep.txt", "w")
        yield lambda: real_remove(keep)
        yield lambda: real_connect(made, ("192.0.2.1", 80))
        yield lambda: sys.audit("subprocess.Popen", "ls", ["ls"], None, None)

    def act(log):
        errors = []
        patched = [(builtins, name) for name in ("isinstance", "len", "str", "any", "map", "open")]
        names = ("lstat", "stat", "fspath", "fsdecode", "getcwd", "readlink", "listdir", "getpid")
        patched += [(os, name) for name in names]
        patched += [(os.path, name) for name in ("realpath", "join", "dirname", "isdir", "exists")]
        kept = [(module, name, getattr(module, name)) for module, name in patched]
        acts = list(tries())
        for module, name in patched:
            setattr(module, name, broken)
        for one in acts:
            try:
                one()
            except BaseException as error:
                errors.append(type(error))
        for module, name, value in kept:
            setattr(module, name, value)
        return [error.__name__ for error in errors]

    seen = ground.run(act)
    assert seen.value == ["BlockedByGuard"] * 4, seen.text
    assert seen.actions == ["write", "delete", "connect to", "run"]


def test_in_the_caches_what_was_there_before_is_not_lost(ground):
    cache = ground.home / ".cache" / "models"
    cache.mkdir(parents=True)
    for name in ("old", "fetched"):
        write(cache / name)
    time.sleep(1.2)  # that is how far the clocks of file systems may lag behind

    def tried(action):
        try:
            action()
        except BlockedByGuard:
            return "blocked"
        return "done"

    def act(log):
        write(cache / "new")
        actions = [
            lambda: os.remove(cache / "new"),
            lambda: write(cache / "fetched"),
            lambda: os.rename(cache / "old", cache / "away"),
            lambda: shutil.rmtree(cache),
        ]
        return [tried(one) for one in actions]

    assert ground.run(act).value == ["done", "done", "blocked", "blocked"]
    assert (cache / "old").exists()
    declared = ground.run(lambda log: shutil.rmtree(cache), folders=[cache.resolve()])
    assert declared.error in ("", "BlockedByGuard") and not (cache / "old").exists()
