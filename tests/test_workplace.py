"""Calls work in a scratch folder that shows the working folder; what they make there is removed."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import annotest, run_json
from guarded import run_guarded

from annotest.engine.child import workplace
from annotest.engine.child.workplace import Workplace
from annotest.guard import Allowed, Mirror

HEAD = """
import os, shutil
from pathlib import Path
from annotest import *

HERE = Path(__file__).parent
IMPORTED_IN = Path.cwd()
"""


def module(bodies):
    """Return a module with a function of each name and body."""
    functions = [f"@arg(n=ints(0, 9))\ndef {name}(n):\n    {body}" for name, body in bodies.items()]
    return HEAD + "\n\n".join(functions)


def fill(folder):
    (folder / "data").mkdir()
    (folder / "runs").mkdir()
    (folder / "data" / "x.txt").write_text("deep")
    (folder / "kept.txt").write_text("kept")
    (folder.parent / "above.txt").write_text("above")
    (folder / "latest").symlink_to("data")
    return folder


@pytest.fixture
def project(tmp_path):
    """Make a folder with a module, below the one for reports."""

    def write(m):
        folder = tmp_path.resolve() / "project"
        folder.mkdir()
        (folder / "m.py").write_text(m)
        return folder

    return write


def snapshot(folder):
    """Return all that a change in a folder would change."""
    paths = [path for path in folder.rglob("*") if "__pycache__" not in path.parts]
    return {path: (path.lstat().st_mode, path.is_file() and path.read_bytes()) for path in paths}


# what works there as it would in the working folder
WORKING = {
    "new": "Path('ckpt/a').mkdir(parents=True); Path('ckpt/a/b.txt').write_text('x')",
    "new_again": "open('log.txt', 'x').close(); assert os.path.exists('log.txt')",
    "by_absolute_path": "Path('new.txt').absolute().write_text('x'); open('new.txt').close()",
    "by_getcwd": "os.makedirs(os.path.join(os.getcwd(), 'tensorboard', 'events'))",
    "reads": "assert Path('kept.txt').read_text() + Path('data/x.txt').read_text() == 'keptdeep'",
    "reads_links": "assert Path('latest/x.txt').read_text() == 'deep'",
    "really": "assert os.path.realpath('data/x.txt') == str(HERE / 'data' / 'x.txt')",
    "lists": "assert sorted(os.listdir()) == sorted(os.listdir(HERE))",
    "upwards": "assert open('../above.txt').read() == 'above' and os.path.isdir('../' * 20 + 'usr')",
    "deletes": "os.remove('kept.txt'); assert not os.path.exists('kept.txt')",
    "renames": "os.rename('data', 'old'); assert open('old/x.txt').read() == 'deep'",
    "replaces": "open('t', 'w').close(); os.replace('t', 'kept.txt'); assert not open('kept.txt').read()",
    "relinks": "os.remove('latest'); os.symlink('runs', 'latest'); assert not os.listdir('latest')",
    "hides": "os.mkdir('d'); open('d/f', 'w').close(); os.chmod('d', 0); os.chmod('.', 0o500)",
    "goes_away": "os.mkdir('d'); os.chdir('d'); open('f', 'w').close()",
    "forks": "open('a', 'x').close()\n    if os.fork(): os.wait()\n    else: return\n    os.remove('a')",
    "lazy": "open('a', 'w').close()\n    return (open('a') for _ in range(1))",
    "imported_in_place": "assert IMPORTED_IN == HERE != Path.cwd()",
    "names_itself": "assert Path(__file__).parent == HERE and os.path.samefile('kept.txt', HERE / 'kept.txt')",
}


SPAWNED = pytest.param(("--processes", "spawn", "--max-examples", "3"), marks=pytest.mark.slow)


@pytest.mark.parametrize("words", [(), SPAWNED])
def test_what_a_call_makes_is_seen_by_it_and_removed_after_it(project, tmp_path, words):
    folder = fill(project(m=module(WORKING)))
    before = snapshot(folder)
    done = run_json("m.py", *words, cwd=folder, tmp_path=tmp_path)
    assert [(each["target"]["qualname"], each["message"]) for each in done.report["findings"]] == []
    assert (done.status, done.report["prevented"]) == (0, [])
    assert snapshot(folder) == before


PREVENTED = {
    "overwrites": ("open('kept.txt', 'w')", "write kept.txt"),
    "appends": ("open('kept.txt', 'a')", "write kept.txt"),
    "absolutely": ("open(HERE / 'new.txt', 'w')", "write new.txt"),
    "in_a_folder": ("open('runs/new.txt', 'w')", "write runs/new.txt"),
    "through_a_link": ("open('latest/x.txt', 'w')", "write data/x.txt"),
    "after_chdir": ("os.chdir('data'); open('new.txt', 'w')", "write data/new.txt"),
    "above": ("open('../above.txt', 'w')", "write ../above.txt"),
    "new_above": ("os.mkdir('../new')", "create ../new"),
    "deletes_above": ("os.remove('../above.txt')", "delete ../above.txt"),
    "a_folder": ("shutil.rmtree('data')", "delete data"),
    "an_empty_folder": ("os.rmdir('runs')", "delete runs"),
    "everything": ("shutil.rmtree(os.getcwd())", "delete ."),
    "changes": ("os.chmod('kept.txt', 0)", "change kept.txt"),
    "links": ("os.link('kept.txt', 'same.txt')", "link kept.txt"),
}


def test_what_is_there_is_protected_as_ever(project, tmp_path):
    folder = fill(project(m=module({name: body for name, (body, _) in PREVENTED.items()})))
    before = snapshot(folder)
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    told = {
        thing["target"]["qualname"]: f"{thing['action']} {thing['what']}"
        for thing in done.report["prevented"]
    }
    assert told == {name: said for name, (_, said) in PREVENTED.items()}
    assert (done.report["findings"], done.status) == ([], 2)
    assert snapshot(folder) == before
    assert sorted(os.listdir(tmp_path)) == ["above.txt", "project", "report.json"]


OUTPUTS = {
    "a_folder": "os.makedirs('ckpt', exist_ok=True); open('ckpt/a.txt', 'w').write('x')",
    "a_file": "open('model.pt', 'w').write('x')",
    "a_file_in_one_go": "open('t', 'w').write('x'); os.replace('t', 'whole.pt')",
    "a_file_in_a_folder": "os.makedirs('runs/1', exist_ok=True); open('runs/1/m.pt', 'w').write('x')",
    "a_folder_like_a_file": "os.makedirs('v1.0', exist_ok=True); open('v1.0/a.txt', 'w').write('x')",
    "above": "open('../above.csv', 'w').write('x')",
    "others": "open('other.pt', 'w').write('x')",
}
DECLARED = ["ckpt", "model.pt", "whole.pt", "runs/1/m.pt", "v1.0", "../above.csv"]
KEPT = ["ckpt/a.txt", "model.pt", "whole.pt", "runs/1/m.pt", "v1.0/a.txt", "../above.csv"]


def test_outputs_are_kept_in_the_project_and_nothing_else(project, tmp_path):
    folder = project(m=module(OUTPUTS))
    (folder / "pyproject.toml").write_text(f"[tool.annotest]\noutputs = {DECLARED}")
    done = run_json("m.py", cwd=folder, tmp_path=tmp_path)
    assert (done.report["findings"], done.report["prevented"]) == ([], [])
    assert [(folder / path).read_text() for path in KEPT] == ["x"] * len(KEPT)
    assert not (folder / "other.pt").exists()


@pytest.mark.parametrize("line", ["", 'work-in = "project"'])
@pytest.mark.parametrize("word", ["", "scratch", "project"])
def test_calls_may_work_in_the_project(project, tmp_path, line, word):
    folder = project(m=module({"f": "open('new.txt', 'w')"}))
    (folder / "pyproject.toml").write_text(f"[tool.annotest]\n{line}")
    words = ("--work-in", word) if word else ()
    done = run_json("m.py", *words, cwd=folder, tmp_path=tmp_path)
    in_project = (word or line) not in ("", "scratch")
    assert [thing["what"] for thing in done.report["prevented"]] == ["new.txt"] * in_project
    assert not (folder / "new.txt").exists()


DYING = """
@arg(n=ints(0, 30))
def dies(n):
    open("trace", "x").close()
    if n > 20:
        os.abort()


@generator
@arg(n=ints(0, 9))
def made(n):
    Path("made.txt").write_text(str(n))
    return n


@arg(n=objs(made))
def uses(n):
    assert Path("made.txt").read_text() == str(n)
    assert len(os.listdir()) == len(os.listdir(HERE)) + 1
"""


@pytest.mark.parametrize("processes", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
def test_what_a_dead_call_left_is_gone_for_the_next(project, tmp_path, processes):
    folder = project(m=HEAD + DYING)
    words = ("--processes", processes, "--seed", "1")
    done = run_json("m.py", *words, cwd=folder, tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert (finding["kind"], finding["call"].splitlines()[-1]) == ("died", "dies(n=21)")


def test_each_process_has_a_folder_of_its_own(project, tmp_path):
    body = "open('alone', 'x').close(); import time; time.sleep(0.001); os.remove('alone')"
    text = module({"f": body}).replace("ints(0, 9)", "ints()")
    words = ("--workers", "2", "--max-examples", "300")
    done = run_json("m.py", *words, cwd=project(m=text), tmp_path=tmp_path)
    assert done.status == 0
    assert done.target("f")["inputs_run"] > 200  # of three shards


def test_a_message_has_the_real_path_and_says_where_the_call_worked(project, tmp_path):
    folder = project(m=module({"f": "return HERE.relative_to(Path.cwd() / 'sub')"}))
    done = run_json("m.py", "--seed", "1", cwd=folder, tmp_path=tmp_path)
    (finding,) = done.report["findings"]
    assert f"'{folder}/sub'" in finding["message"]
    assert finding["remarks"] == [
        "it names the folder that the call worked in, a scratch folder in place of the one shown "
        'here: should that matter, write work-in = "project" below [tool.annotest] in pyproject.toml'
    ]


def test_a_finding_is_replayed_and_debugged_where_it_was_found(project, tmp_path):
    folder = fill(project(m=module({"f": "os.mkdir('new'); os.remove('kept.txt'); 1 // 0"})))
    before, env = snapshot(folder), {"ANNOTEST_DATABASE": str(tmp_path / "kept")}
    (finding,) = run_json("m.py", cwd=folder, tmp_path=tmp_path).report["findings"]
    again = annotest("replay", finding["id"], cwd=folder, env=env)
    assert again.stdout.startswith(f"STILL FAILING finding {finding['id']} in m:f\n")
    there = annotest("replay", finding["id"], "--work-in", "project", cwd=folder, env=env)
    assert there.stdout.startswith(f"PREVENTED finding {finding['id']} in m:f\n")
    (tmp_path / "temporary").mkdir()
    debugged = subprocess.run(
        [sys.executable, "-m", "annotest", "replay", finding["id"], "--debug"],
        cwd=folder,
        env={**os.environ, **env, "TMPDIR": str(tmp_path / "temporary")},
        input="p 'seen', os.listdir('new')\nq\n",
        capture_output=True,
        text=True,
    )
    assert "('seen', [])" in debugged.stdout
    assert "ZeroDivisionError" in debugged.stdout
    assert list((tmp_path / "temporary").iterdir()) == []
    assert snapshot(folder) == before


# the folder itself, in this process and without a guard


@pytest.fixture
def place(tmp_path, monkeypatch):
    tmp_path = tmp_path.resolve()
    shown = tmp_path / "shown"
    shown.mkdir()
    fill(shown)
    monkeypatch.chdir(shown)
    made = Workplace.made(Mirror(str(tmp_path / "mirror")), ())
    assert os.getcwd() == f"{tmp_path}/mirror{shown}"
    return made


def test_where_nothing_changed_nothing_is_looked_at(place, monkeypatch):
    with monkeypatch.context() as patched:
        for name in ("listdir", "scandir", "readlink", "utime"):
            patched.delattr(workplace.os, name)
        for _ in range(3):
            place.clear()


def test_a_change_is_seen_however_soon_it_comes(place):
    for number in range(100):
        os.mkdir(str(number))
        place.clear()
        assert not os.path.exists(str(number))


def test_what_appears_in_the_working_folder_is_shown_after_the_next_change(place, tmp_path):
    (tmp_path / "shown" / "late.txt").write_text("late")
    os.remove("kept.txt")
    os.remove(tmp_path / "shown" / "data" / "x.txt")
    os.rmdir(tmp_path / "shown" / "data")
    place.clear()
    assert sorted(os.listdir()) == ["kept.txt", "late.txt", "latest", "runs"]


def test_a_folder_that_is_no_longer_one_is_made_again(place, tmp_path):
    folder = os.getcwd()
    for name in os.listdir():
        os.remove(name)
    os.rmdir(folder)
    os.symlink(tmp_path / "shown", folder)
    place.clear()
    place.enter()
    assert os.getcwd() == folder
    assert sorted(os.listdir(tmp_path / "shown")) == sorted(os.listdir())


def test_a_folder_that_holds_too_much_is_not_mirrored(tmp_path, monkeypatch):
    monkeypatch.setattr(workplace, "MOST", 3)
    shown = tmp_path / "shown"
    shown.mkdir()
    monkeypatch.chdir(shown)
    for number in range(4):
        (shown / str(number)).touch()
    assert Workplace.made(Mirror(str(tmp_path / "mirror")), ()) is None
    assert os.getcwd() == str(shown.resolve())


@pytest.mark.parametrize("declared", ["", "..", "../.."])
def test_a_working_folder_that_may_be_filled_is_not_mirrored(tmp_path, monkeypatch, declared):
    monkeypatch.chdir(tmp_path)
    outputs = (os.path.realpath(tmp_path / declared),)
    assert Workplace.made(Mirror(str(tmp_path / "mirror")), outputs) is None


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_a_folder_that_is_shown_is_not_deleted_even_where_it_may_be_filled(tmp_path, kernel):
    tmp_path = tmp_path.resolve()
    shown, work, outputs = tmp_path / "shown", tmp_path / "work", tmp_path / "shown" / "data"
    shown.mkdir()
    work.mkdir()
    fill(shown)
    allowed, mirror = Allowed((str(work), str(outputs)), root=str(shown)), Mirror(f"{work}/1")

    def act(log):
        Workplace.made(mirror, (str(outputs),))
        (outputs / "more.txt").write_text("x")
        shutil.rmtree("data")

    before = lambda: os.chdir(shown)  # noqa: E731
    seen = run_guarded(act, allowed, kernel, before=before, mirror=mirror)
    assert [str(thing) for thing in seen.blocked] == [f"delete {outputs}"]
    assert sorted(os.listdir(outputs)) == ["more.txt", "x.txt"]


def test_what_vanishes_while_the_folder_is_made_is_no_accident_of_the_code(tmp_path):
    tmp_path = tmp_path.resolve()
    mirror, listed = Mirror(f"{tmp_path}/work/1"), os.listdir

    def act(log):
        workplace.os.listdir = lambda folder: [*listed(folder), "gone"]
        Workplace.made(mirror, ())
        return os.getcwd() == f"{mirror.root}{tmp_path}"

    allowed, before = Allowed((f"{tmp_path}/work",)), lambda: os.chdir(tmp_path)
    seen = run_guarded(act, allowed, before=before, mirror=mirror)
    assert (seen.value, seen.blocked) == (True, ())
