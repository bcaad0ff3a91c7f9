"""Nothing kills a run: whatever a function does, it is found, and nothing is left behind."""

import functools
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest
from faults_table import ACTS, ANY, DISK, GENTLE, HANGING, HEAD, HEALTHY, REACHING, Fault
from patience import LONGEST, patience

pytestmark = pytest.mark.slow

OPTIONS = ("--seed", "1", "--max-memory", "300MB", "--workers", "2")


class Place:
    """A project with a temporary folder, a home and a mark of its own."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"ANNOTEST_FAULT={uuid.uuid4().hex}"
        for name in ("project", "temporary", "home", "kept"):
            setattr(self, name, folder / name)
            (folder / name).mkdir()
        self.folder = folder
        self.session = 0

    def write(self, *functions: str) -> None:
        """Write the project, with these functions in its module faulty.py."""
        faulty = "\n\n".join([HEAD, *functions])
        files = {"faulty.py": faulty, "acts.py": ACTS, "healthy.py": HEALTHY, "data.txt": "kept"}
        for name, text in files.items():
            (self.project / name).write_text(text)
        self.before = self.contents()

    def contents(self) -> dict[str, bytes]:
        """Return every file of the project but bytecode, with what it holds."""
        return {
            str(path.relative_to(self.project)): path.read_bytes() if path.is_file() else b""
            for path in self.project.rglob("*")
            if "__pycache__" not in path.parts
        }

    def start(self, *options: str, within: tuple[str, ...] = ()) -> subprocess.Popen:
        """Start `annotest run`, perhaps within another program."""
        environment = {
            **os.environ,
            **dict([self.mark.split("=")]),
            "TMPDIR": str(self.temporary),
            "HOME": str(self.home),
            "ANNOTEST_DATABASE": str(self.kept),
        }
        environment.pop("XDG_CACHE_HOME", None)
        report = str(self.folder / "report.json")
        command = [sys.executable, "-m", "annotest", "run", ".", *OPTIONS, "--json", report]
        # files, not pipes: what is left behind would keep a pipe open
        with self.said("out").open("wb") as out, self.said("err").open("wb") as err:
            run = subprocess.Popen(
                [*within, *command, *options],
                cwd=self.project,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                # a shell that starts tests in the background has them ignore SIGINT
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        self.session = run.pid
        return run

    def said(self, name: str) -> Path:
        """The file that takes standard output or standard error."""
        return self.folder / f"{name}.txt"

    def report(self) -> dict:
        """Return the JSON that the run wrote."""
        return json.loads((self.folder / "report.json").read_text())

    def running(self) -> dict[int, str]:
        """Return the processes that bear the mark, and ended ones of the session, with states."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                marked = self.mark.encode() in (entry / "environ").read_bytes()
            except OSError:
                continue  # it has just ended
            if marked or (stat[0] == "Z" and int(stat[3]) == self.session):
                found[int(entry.name)] = f"{stat[0]}, child of {stat[1]}"
        return found

    def kill_all(self) -> None:
        """Kill what is left."""
        for pid in self.running():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def check_nothing_left(self, seconds: float = 2) -> None:
        """Check that no process, no temporary file and no change is left, soon."""
        wait_until(lambda: not self.running(), seconds, "processes are left", self.running)
        wait_until(lambda: not self.scratch(), seconds, "files are left", self.scratch)
        contents = self.contents()
        assert sorted(contents.keys() ^ self.before.keys())[:3] == []
        assert contents == self.before

    def scratch(self) -> list[str]:
        """Return what is in the temporary folder."""
        return [str(one.relative_to(self.temporary)) for one in self.temporary.rglob("*")]

    def check_no_traceback(self) -> None:
        """Check that annotest shows nothing of its own inside."""
        for name in ("out", "err"):
            text = self.said(name).read_text(errors="replace")
            assert "Traceback" not in text, text
            assert "annotest itself failed" not in text, text


def wait_until(holds, seconds, what, shown=lambda: ""):
    until = time.monotonic() + patience(seconds)
    while not holds():
        assert time.monotonic() < until, f"{what} after {seconds:g} s: {shown()}"
        time.sleep(0.02)


@pytest.fixture
def place(tmp_path):
    """Return a place; what a failing test leaves running there is killed."""
    made = Place(tmp_path)
    yield made
    made.kill_all()


# a small file system at TMPDIR, whose contents at the end are told; 77 where that is not permitted
SMALL_DISK = """
mount -t tmpfs -o size=30m tmpfs "$TMPDIR" || exit 77
"$@"; status=$?
test -z "$(ls -A "$TMPDIR")" || { ls -AR "$TMPDIR" >&2; exit 78; }
exit $status
"""
WITH_SMALL_DISK = ("unshare", "-m", "sh", "-c", SMALL_DISK, "sh")


@functools.cache
def can_mount() -> bool:
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


ALONE = [
    pytest.param([fault], ("--timeout", "2"), id=fault.name, marks=pytest.mark.exhaustive)
    for fault in (*GENTLE, *REACHING, *HANGING, *DISK)
]


# those that hang take time and nothing else: more of them at once
@pytest.mark.parametrize(
    ("faults", "options"),
    [
        pytest.param(HANGING, ("--timeout", "3", "--workers", "6"), id="hanging"),
        pytest.param(REACHING, ("--timeout", "3", "--max-memory", "4GB"), id="reaching"),
        pytest.param(GENTLE, ("--timeout", "30"), id="gentle"),
        pytest.param(DISK, ("--timeout", "10"), id="disk"),
        *ALONE,
    ],
)
def test_a_run_survives(place, faults, options):
    small_disk = faults[0] in DISK
    if small_disk and not can_mount():
        pytest.skip("a file system cannot be mounted here")
    named = {f"fault_{number}": fault for number, fault in enumerate(faults)}
    place.write(*(fault.source(name) for name, fault in named.items()))
    run = place.start(*options, within=WITH_SMALL_DISK if small_disk else ())
    check_survived(place, run, named)


def check_survived(place, run, faults):
    """Check that a run ends, with what it is to find, and leaves nothing behind."""
    status = run.wait(LONGEST)
    assert status == 1, place.said("out").read_text(errors="replace")
    report = place.report()
    check_healthy(report)
    for name, fault in faults.items():
        check_fault(report, name, fault)
    place.check_no_traceback()
    place.check_nothing_left()


def check_healthy(report):
    statuses = {target["qualname"]: target["status"] for target in report["targets"]}
    assert statuses["passes"] == "passed"
    assert statuses["raises"] == "failed"
    (finding,) = findings(report, "healthy.py")
    assert finding["target"]["qualname"] == "raises"
    assert finding["message"] == "seven"
    assert finding["inputs"] == {"n": "7"}


def findings(report, file):
    return [finding for finding in report["findings"] if finding["target"]["file"] == file]


def check_fault(report, name: str, fault: Fault):
    mine = [one for one in findings(report, "faulty.py") if one["target"]["qualname"] == name]
    found = {(one["kind"], one["inputs"].get("n")) for one in mine}
    if fault.kind == ANY:
        assert {number for _, number in found if number != "4"} == {"6"}, found
        return
    assert found == {fault.finding}, fault.name
    (finding,) = mine
    assert not finding["flaky"], (fault.name, finding["repeats"])
    if not fault.argument:
        number = finding["inputs"]["n"]
        assert finding["inputs"] == {"n": number}
        assert finding["call"].endswith(f"\n{name}(n={number})")
    prevented = [
        f"{one['action']} {one['what']}"
        for one in report["prevented"]
        if one["target"]["qualname"] == name
    ]
    assert len(prevented) == bool(fault.prevented), (fault.name, prevented)
    assert all(fault.prevented in one for one in prevented), prevented


# leaves a daemon behind, and then hangs: for ever, or until it is to kill the whole run
WAITING = """
@arg(n=ints(0, 9))
def fault(n):
    if n == 4:
        leave_daemon()
        open(os.path.expanduser("~/.cache/hangs"), "w").close()
        go = os.path.expanduser("~/.cache/go")
        while not os.path.exists(go):
            time.sleep(0.01)
        os.rename(go, go + "ne")  # two shards may hang: one of them kills the run, once
        os.kill(top(), signal.SIGKILL)
        time.sleep(1000)
"""


def started(place):
    """Start a run and wait until one function hangs and the other's failure has been found."""
    place.write(WAITING)
    run = place.start("--timeout", "60")
    wait_until((place.home / ".cache" / "hangs").exists, 20, "it does not hang")
    wait_until(lambda: kept(place), 20, "nothing is kept")
    time.sleep(0.5)  # it is kept before it is told
    return run


def kept(place):
    """Return the messages of the findings on disk."""
    return [json.loads(one.read_text())["message"] for one in place.kept.glob("findings/*.json")]


def test_sigkill_from_outside_leaves_nothing_but_the_findings(place):
    run = started(place)
    run.kill()
    assert run.wait(patience(5)) == -signal.SIGKILL
    assert kept(place) == ["seven"]
    place.check_nothing_left(5)


def test_sigkill_from_the_code_under_test_leaves_nothing_but_the_findings(place):
    run = started(place)
    (place.home / ".cache" / "go").touch()
    assert run.wait(patience(5)) == -signal.SIGKILL
    assert kept(place) == ["seven"]
    place.check_nothing_left(5)


ONCE = [(signals, False) for signals in ("SIGTERM", "SIGINT SIGINT")]
UNTIL_IT_ENDS = [(signals, True) for signals in ("SIGINT", "SIGTERM SIGINT")]
FURTHER = [
    pytest.param(signals, not again, marks=pytest.mark.exhaustive)
    for signals, again in (*ONCE, *UNTIL_IT_ENDS)
]


@pytest.mark.parametrize(("signals", "again"), [*ONCE, *UNTIL_IT_ENDS, *FURTHER])
def test_a_signal_ends_a_run_with_what_was_found(place, signals, again):
    run = started(place)
    for name in signals.split():
        run.send_signal(getattr(signal, name))
    while again and run.poll() is None:
        run.send_signal(getattr(signal, name))
        time.sleep(0.005)
    assert run.wait(patience(5)) in (130, 143)
    assert "ValueError: seven" in place.said("out").read_text()
    assert place.report()["interrupted"]
    place.check_no_traceback()
    place.check_nothing_left()
    assert kept(place) == ["seven"]


def test_a_reader_that_has_gone_costs_nothing(place):
    place.write(Fault("nothing", "pass").source("fault"))
    run = place.start(within=("bash", "-c", '"$@" | head -c 10; exit ${PIPESTATUS[0]}', "bash"))
    run.wait(LONGEST)
    assert len(place.said("out").read_bytes()) == 10
    check_healthy(place.report())
    place.check_no_traceback()
    place.check_nothing_left()
