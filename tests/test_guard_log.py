"""What the guard says: its log, the line that allows more, which exceptions it explains."""

import errno
import os
import pickle
import sqlite3
import tempfile
from pathlib import Path

import pytest
from guarded import needs_landlock, new_ground, sqlite, write

from annotest import guard
from annotest.guard import Allowed, Blocked, BlockedByGuard
from annotest.guard.data import blocked_in


@pytest.fixture
def ground(tmp_path):
    return new_ground(tmp_path)


# the line that allows it

LINES = [
    ("model.pt", 'outputs = ["model.pt"]'),
    ("runs/model.pt", 'outputs = ["runs"]'),
    ("runs/7/model.pt", 'outputs = ["runs/7"]'),
    ("package/model.pt", 'outputs = ["package/model.pt"]'),
    ('odd "name".pt', 'outputs = ["odd \\"name\\".pt"]'),
    ("/elsewhere/a/b.pt", 'outputs = ["/elsewhere/a/b.pt"]'),
]


@pytest.mark.parametrize(("path", "line"), LINES)
def test_the_line_names_a_folder_of_outputs_but_not_one_of_sources(tmp_path, path, line):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "module.py").write_text("")
    root = str(tmp_path)
    assert Allowed(root=root).line_for_path(os.path.join(root, path)) == line


def test_the_line_repeats_what_is_declared_already():
    allowed = Allowed(("/scratch", "/p/runs"), programs=True, root="/p")
    assert allowed.line_for_path("/p/log.txt") == 'outputs = ["runs", "log.txt"]'
    assert allowed.line_for_word("network") == 'allow = ["network", "programs"]'
    assert Allowed().line_for_path("/p/a/b") == 'outputs = ["/p/a/b"]'


# the log and its explanations


def test_a_blocked_thing_reads_well(ground):
    seen = ground.run(lambda log: write("model.pt"))
    blocked = Blocked("write", f"{ground.project}/model.pt", 'outputs = ["model.pt"]')
    assert seen.blocked == (blocked,)
    assert str(blocked) == f"write {ground.project}/model.pt"
    assert seen.text == (
        f"annotest blocked: write {ground.project}/model.pt (to allow it, write "
        'outputs = ["model.pt"] below [tool.annotest] in pyproject.toml)'
    )


def test_the_log_forgets_at_the_start_of_a_call_and_keeps_each_thing_once(ground):
    def attempt(name):
        try:
            write(name)
        except PermissionError:
            return

    def act(log):
        for name in ("a", "b", "a"):
            attempt(name)
        first = [os.path.basename(blocked_act.what) for blocked_act in log.blocked]
        log.start_call()
        attempt("c")
        return first, [os.path.basename(blocked_act.what) for blocked_act in log.blocked]

    assert ground.run(act).value == (["a", "b"], ["c"])


def test_the_log_does_not_grow_without_end(ground):
    def act(log):
        for number in range(500):
            try:
                write(f"file{number}")
            except PermissionError:
                continue
        return len(log.blocked)

    assert ground.run(act).value == 100


def test_a_log_of_no_guard_explains_nothing():
    log = guard.Log()
    log.start_call()
    assert (log.blocked, bool(log.kernel), log.explains(PermissionError(13, "no", "/x"))) == (
        (),
        False,
        None,
    )


def test_data_and_error_survive_pickling():
    blocked = Blocked("run", "g++ -o (x)", 'allow = ["programs"]')
    error = pickle.loads(pickle.dumps(BlockedByGuard(blocked.message)))
    assert (error.blocked, error.errno) == (blocked, errno.EACCES)
    for one in (blocked, Allowed(("/a",), network=True), guard.Kernel(7)):
        assert pickle.loads(pickle.dumps(one)) == one
    assert blocked_in("no such text") is None
    odd = Blocked("write", "/a\nb (c)", 'outputs = ["/a\\nb (c)"]')
    assert blocked_in(f"Caught this:\n{odd.message}\nin a worker") == odd


def chained(log, wrap):
    try:
        write("model.pt")
    except OSError as error:
        wrap(error)


def raise_from(error):
    raise ValueError("cannot save") from error


def raise_during(error):
    raise ValueError("cannot save")


def raise_instead(error):
    raise ValueError("cannot save") from None


def raise_from_text(error):
    text = f"Caught BlockedByGuard in DataLoader worker process 0.\n{error}\n"
    raise type(error)(text)


@pytest.mark.parametrize("wrap", [raise_from, raise_during, raise_instead, raise_from_text])
def test_what_is_blocked_explains_what_follows_from_it(ground, wrap):
    seen = ground.run(lambda log: chained(log, wrap))
    assert seen.explained == Blocked(
        "write", f"{ground.project}/model.pt", 'outputs = ["model.pt"]'
    )


def test_what_is_blocked_is_found_in_a_group(ground):
    def act(log):
        try:
            write("model.pt")
        except OSError as error:
            kept = error
        raise ExceptionGroup("several", [KeyError("x"), kept, ValueError("y")])

    assert str(ground.run(act).explained) == f"write {ground.project}/model.pt"


def test_a_message_that_is_quoted_is_read(ground):
    def act(log):
        try:
            write("model.pt")
        except OSError as error:
            text = f"cannot save: {error}"
        raise ValueError(text)

    assert str(ground.run(act).explained) == f"write {ground.project}/model.pt"


def unprintable():
    class Odd(Exception):
        def __str__(self):
            raise ZeroDivisionError

    raise Odd


def cyclic():
    first, second = ValueError("a"), KeyError("b")
    first.__context__, second.__context__ = second, first
    raise first


def read_as_nobody(path):
    os.setuid(65534)
    path.read_text()


NOT_OURS = {
    "a bug": lambda f: 1 / 0,
    "a text of the program's own": lambda f: raise_text("Permission denied for this user"),
    "unprintable": lambda f: unprintable(),
    "cyclic": lambda f: cyclic(),
    "missing": lambda f: (f / "nothing").read_text(),
    "a refusal within the allowed": lambda f: raise_error(PermissionError(13, "x", "/dev/shm/x")),
}


def raise_text(text):
    raise ValueError(text)


def raise_error(error):
    raise error


@pytest.mark.parametrize("name", NOT_OURS)
def test_other_failures_are_not_explained(ground, name):
    seen = ground.run(lambda log: NOT_OURS[name](ground.project), True)
    assert seen.error
    assert seen.explained is None


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can become somebody else")
def test_a_file_closed_by_its_own_permissions_is_not_explained(ground):
    # not pytest's folder, which nobody else may enter
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        closed = Path(name) / "closed.txt"
        closed.write_text("x")
        closed.chmod(0o000)
        seen = ground.run(lambda log: read_as_nobody(closed), True)
    assert (seen.error, seen.explained) == ("PermissionError", None)


@needs_landlock
def test_a_database_that_the_kernel_makes_readonly_is_explained(ground):
    sqlite(ground.project / "data.db")

    def insert(connection):
        assert list(connection.execute("select * from t")) == []
        connection.execute("insert into t values (1)")

    def insert_into(path):
        insert(sqlite3.connect(path))

    seen = ground.run(lambda log: insert_into("data.db"), True)
    assert seen.error == "OperationalError"
    assert str(seen.explained) == f"write {ground.project}/data.db"
    seen = ground.run(lambda log: insert(sqlite3.connect("data.db")), True)
    assert str(seen.explained) == "write a file that native code does not name"


@needs_landlock
def test_a_program_that_is_looked_for_in_a_closed_folder_is_not_explained(ground):
    # what subprocess says where a folder of PATH is closed to this user
    failed = 'raise PermissionError(13, "Permission denied", "no-such-program")'
    seen = ground.run(lambda log: exec(failed, {"__name__": "subprocess"}), True)
    assert (seen.error, seen.explained) == ("PermissionError", None)


@needs_landlock
def test_of_a_temporary_file_beside_the_meant_one_the_meant_one_is_told(ground):
    def save(path):
        raise OSError(13, f"Permission denied at path {ground.project}/.tmp3xyz")

    seen = ground.run(lambda log: save("model.pt"), True)
    assert str(seen.explained) == f"write {ground.project}/model.pt"
