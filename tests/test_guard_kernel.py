"""The guard with Landlock: native code raises no audit event, and is held all the same."""

import ctypes
import os
import shutil
import subprocess
import sys

import numpy
import pytest
from guarded import needs_landlock, new_ground, run_guarded, write

from annotest import guard
from annotest.guard import Allowed, Blocked


@pytest.fixture
def ground(tmp_path):
    return new_ground(tmp_path)


libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def native_path(folder, name):
    return os.fsencode(os.path.join(folder, name))


NATIVE_ACTS = {
    "open": lambda f: checked(libc.open(native_path(f, "keep.txt"), os.O_WRONLY)),
    "create": lambda f: checked(libc.open(native_path(f, "new"), os.O_CREAT | os.O_RDWR, 0o600)),
    "truncate": lambda f: checked(libc.truncate(native_path(f, "keep.txt"), 0)),
    "unlink": lambda f: checked(libc.unlink(native_path(f, "keep.txt"))),
    "rmdir": lambda f: checked(libc.rmdir(native_path(f, "empty"))),
    "mkdir": lambda f: checked(libc.mkdir(native_path(f, "new"), 0o700)),
    "rename": lambda f: checked(libc.rename(native_path(f, "keep.txt"), native_path(f, "new"))),
    "move": lambda f: checked(libc.rename(native_path(f, "keep.txt"), native_path(f, "sub/new"))),
    "symlink": lambda f: checked(libc.symlink(b"keep.txt", native_path(f, "new"))),
    "link": lambda f: checked(libc.link(native_path(f, "keep.txt"), native_path(f, "new"))),
    "mkfifo": lambda f: os.mkfifo(f / "new"),
    "mknod": lambda f: os.mknod(f / "new"),
}


@needs_landlock
@pytest.mark.parametrize("name", NATIVE_ACTS)
def test_native_writing_outside_is_refused_by_the_kernel(ground, name):
    before = ground.snapshot()
    seen = ground.run(lambda log: NATIVE_ACTS[name](ground.project), True)
    assert seen.error == "PermissionError", seen
    assert seen.blocked == ()
    assert seen.explained is not None
    assert ground.snapshot() == before


@pytest.mark.parametrize("name", NATIVE_ACTS)
def test_native_writing_inside_is_allowed(ground, name):
    seen = ground.run(lambda log: NATIVE_ACTS[name](ground.scratch), True)
    assert (seen.error, seen.blocked) == ("", ()), seen.text


@pytest.mark.parametrize("name", NATIVE_ACTS)
def test_without_the_kernel_native_writing_is_not_seen(ground, name):
    seen = ground.run(lambda log: NATIVE_ACTS[name](ground.project))
    assert (seen.error, str(seen.kernel)) == ("", "off: not asked for")


@needs_landlock
def test_the_kernel_refuses_native_starts_of_programs(ground):
    # the shell itself may be allowed, for a harmless script: it cannot start anything else
    command = b"ls / > /dev/null 2> /dev/null"
    system = lambda log: os.waitstatus_to_exitcode(libc.system(command))  # noqa: E731
    assert ground.run(system, True).value in (126, 127)
    assert ground.run(system, True, programs=True).value == 0
    assert ground.run(system).value == 0


@needs_landlock
def test_native_moves_between_two_allowed_folders_work(ground, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    source, target = native_path(ground.scratch, "keep.txt"), native_path(other, "new")
    seen = ground.run(lambda log: checked(libc.rename(source, target)), True, folders=[other])
    assert (seen.error, seen.text) == ("", "")


@needs_landlock
def test_open_files_stay_usable_and_libraries_loadable(ground):
    with open(ground.project / "keep.txt", "r+") as opened:

        def act(log):
            opened.write("more")
            opened.flush()
            return bool(ctypes.CDLL("libm.so.6").cos)

        assert ground.run(act, True).value is True
    assert (ground.project / "keep.txt").read_text() == "more"


def test_the_version_is_told(ground):
    seen = ground.run(lambda log: None, True)
    if seen.kernel:
        assert str(seen.kernel) == f"Landlock ABI {seen.kernel.abi}"
    else:
        assert str(seen.kernel).startswith("off: ")


def test_a_second_guard_is_refused(ground):
    seen = ground.run(lambda log: guard.install(Allowed()))
    assert (seen.error, seen.text) == (
        "RuntimeError",
        "the guard is installed in this process already, and stays",
    )


# declared outputs


@needs_landlock
def test_a_declared_folder_that_is_missing_opens_nothing_else(ground):
    act = lambda log: NATIVE_ACTS["open"](ground.project)  # noqa: E731
    assert ground.run(act, True, folders=[ground.project / "runs"]).error == "PermissionError"


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_a_declared_folder_that_is_missing_can_be_used(ground, kernel):
    runs = ground.project / "runs"

    def act(log):
        os.makedirs(runs, exist_ok=True)
        write(runs / "model.pt")
        checked(libc.open(native_path(runs, "native"), os.O_CREAT | os.O_RDWR, 0o600))
        if not kernel:
            shutil.rmtree(runs)

    seen = ground.run(act, kernel, folders=[runs])
    assert (seen.error, seen.blocked) == ("", ()), seen.text


@pytest.mark.parametrize("there", [False, True], ids=["missing", "there"])
@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_a_declared_file_may_be_written_and_deleted_its_neighbours_not(ground, kernel, there):
    model = ground.project / "model.pt"
    if there:
        model.write_text("old")

    def act(log):
        write(model)
        checked(libc.open(native_path(ground.project, "model.pt"), os.O_RDWR))
        os.remove(model)
        write(model)
        write(ground.project / "other.pt")

    seen = ground.run(act, kernel, folders=[model])
    assert [str(blocked_act) for blocked_act in seen.blocked] == [
        f"write {ground.project / 'other.pt'}"
    ]
    assert model.read_text() == "x"


@needs_landlock
def test_a_declared_folder_itself_is_not_deleted_under_the_kernel(ground):
    runs = ground.project / "runs"
    runs.mkdir()
    write(runs / "file")
    seen = ground.run(lambda log: shutil.rmtree(runs), True, folders=[runs])
    assert seen.blocked == (Blocked("delete", str(runs), 'outputs = ["runs", "."]'),)
    assert (runs / "file").exists()


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_the_caches_of_what_is_installed_are_made_and_open(ground, kernel):
    modules = ground.project / "installed"
    modules.mkdir()
    (modules / "triton.py").write_text("")

    def act(log):
        write(ground.home / ".triton" / "file")
        write(ground.home / ".cache" / "file")
        write(ground.home / "keras" / "file")
        checked(
            libc.open(native_path(ground.home, ".triton/native"), os.O_CREAT | os.O_RDWR, 0o600)
        )

    def before():
        sys.path[:] = [str(modules)]
        os.environ["KERAS_HOME"] = str(ground.home / "keras")

    seen = ground.run(act, kernel, before)
    assert (seen.error, seen.blocked) == ("", ()), seen.text
    assert sorted(path.name for path in ground.home.iterdir()) == [".cache", ".triton", "keras"]


@needs_landlock
def test_a_cache_that_is_missing_stays_closed_and_is_explained(ground):
    seen = ground.run(lambda log: os.mkdir(ground.home / ".nv"), True)
    assert (seen.error, seen.blocked) == ("PermissionError", ())
    assert str(seen.explained) == f"write {ground.home / '.nv'}"


@needs_landlock
def test_a_program_that_the_kernel_refuses_is_explained(ground):
    failed = f'raise PermissionError(13, "Permission denied", {shutil.which("ls")!r})'
    act = lambda log: exec(failed, {"__name__": "subprocess"})  # noqa: E731
    explained = ground.run(act, True).explained
    assert (explained.action, explained.allow) == ("run", 'allow = ["programs"]')


@needs_landlock
def test_a_harmless_program_may_be_a_script(ground):
    tools = ground.project / "tools"
    tools.mkdir()
    (tools / "lscpu").write_text("#!/bin/sh\necho facts\n")
    (tools / "lscpu").chmod(0o755)

    def act(log):
        return subprocess.run(["lscpu"], capture_output=True, check=True).stdout

    before = lambda: os.environ.update(PATH=f"{tools}:{os.environ['PATH']}")  # noqa: E731
    assert ground.run(act, True, before).value == b"facts\n"


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_folders_given_by_links_are_followed(ground, kernel):
    link = ground.project / "link"
    link.symlink_to(ground.scratch)

    def observe(log):
        write(link / "new")
        write(ground.scratch / "new")

    seen = run_guarded(observe, Allowed((str(link),)), kernel, ground.home)
    assert (seen.error, seen.blocked) == ("", ()), seen.text


def test_the_caches_follow_the_environment(monkeypatch, tmp_path):
    home = tmp_path.resolve()
    for name in [name for name in os.environ if name.endswith(("_HOME", "_DIR", "DIR", "_PATH"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("KERAS_HOME", "relative")
    monkeypatch.setenv("HF_HOME", f"{home}/models")
    names = [os.path.relpath(folder, home) for folder in guard.cache_folders()]
    assert names == [
        ".cache",
        "models",
        ".keras",
        ".config/matplotlib",
        ".triton",
        ".cupy",
        ".nv",
    ]
    monkeypatch.setenv("XDG_CACHE_HOME", f"{home}/c")
    assert guard.cache_folders()[0] == f"{home}/c"
    monkeypatch.setattr(sys, "pycache_prefix", f"{home}/bytecode")
    assert f"{home}/bytecode" in guard.cache_folders()


# frameworks


def test_numpy_works_under_the_guard(ground):
    def act(log):
        numpy.save(ground.scratch / "a.npy", numpy.ones(3))
        numpy.load(ground.scratch / "a.npy")
        numpy.save("a.npy", numpy.ones(3))

    seen = ground.run(act, True)
    assert [str(blocked_act) for blocked_act in seen.blocked] == [f"write {ground.project}/a.npy"]
