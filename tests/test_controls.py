"""Control characters of the code under test reach no terminal: they are shown escaped."""

import re

import pytest
from conftest import annotest
from terminal import on_a_terminal

from annotest.controls import escaped, on_one_line

NAME = "m\x1b[1m\n.py"
SHOWN = r"m\x1b[1m\n.py"
MODULE = r"""
from annotest import *


class Red:
    def __repr__(self):
        return "\x1b[31mRed"


@arg(n=ints(0, 9))
def fails(n):
    print("\x1b[2Jcleared", n, flush=True)
    raise ValueError("a\x1b[31m\x07\r\u202e\x9b31m[bold]")


@arg(x=froms([Red()]))
def red(x):
    assert False


@require("x not in '\x1b[5m'")
@arg(x=ints(0, 3))
def wrong(x):
    pass


@arg(n=ints(1, 9))
def warned(n=type("Zero", (int,), {"__repr__": lambda zero: "\x1b[41m0"})(0)):
    pass


def unannotated(n: "\x1b[3m"):
    pass
"""
COMMANDS = {
    "run . --seed 1 -v": (
        r"ValueError: a\x1b[31m\x07\r\u202e\x9b31m[bold]",
        r"    \x1b[2Jcleared 0",
        r"    red(x=annotest.value('m\x1b[1m\n:red(x) ",
        rf"{SHOWN}:27: ",
        r"got \x1b[41m0 (Zero)",
        r"'\x1b[5m'",
        rf"{SHOWN}: 4 targets",
        r"found in m\x1b[1m\n:fails: ValueError: a\x1b[31m",
    ),
    "list .": (SHOWN, r"froms([\x1b[31mRed])", r"'\x1b[5m'"),
    "explain red .": (rf"{SHOWN}:16", r"red(x=\x1b[31mRed)"),
    "generate .": (r"/test_m\x1b[1m", r"got \x1b[41m0 (Zero)"),
    "run nowhere\x1b[31m": (r"annotest: nowhere\x1b[31m: there is no such file or folder",),
}
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / NAME).write_text(MODULE)
    return tmp_path


def test_control_characters_are_written_as_python_writes_them():
    assert escaped("a\tb\n\x00\x1b\r\x7f\x85\x9b\u2028\u202e\u2066é·") == (
        "a\tb\n\\x00\\x1b\\r\\x7f\\x85\\x9b\\u2028\\u202e\\u2066é·"
    )
    assert on_one_line("a\tb\n") == "a\\tb\\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_what_others_wrote_is_shown_escaped(folder, command):
    done = annotest(*command.split(), cwd=folder)
    shown = done.stdout + done.stderr
    assert not _CONTROLS.findall(shown), shown
    missing = [text for text in COMMANDS[command] if text not in shown]
    assert not missing, shown


def test_replay_shows_escaped_what_it_lists_and_what_fails(folder):
    annotest("run", ".", "-k", "fails", cwd=folder)
    listed = annotest("replay", cwd=folder).stdout
    replayed = annotest("replay", listed[:10], cwd=folder).stdout
    for shown in (listed, replayed):
        assert r"ValueError: a\x1b[31m\x07\r\u202e\x9b31m[bold]" in shown
        assert not _CONTROLS.findall(shown)


def test_a_dumb_terminal_gets_no_control_characters(folder):
    shown, status = on_a_terminal(folder, "run", ".", "--seed", "1", TERM="dumb")
    assert status == 1
    assert not _CONTROLS.findall(shown.replace("\r\n", "\n")), shown
    assert f"{SHOWN}: 4 targets" in shown  # as where there is no terminal


def test_without_colours_lines_still_move(folder):
    shown, _ = on_a_terminal(folder, "run", ".", "--seed", "1", NO_COLOR="1")
    assert "\x1b[J" in shown
    # bold, dim, and the end of either
    assert set(re.findall(r"\x1b\[([\d;]*)m", shown)) <= {"0", "1", "2"}


def test_colours_that_are_forced_into_a_file_come_without_lines_that_move(folder):
    done = annotest("run", ".", "--seed", "1", cwd=folder, env={"FORCE_COLOR": "1"})
    assert "\x1b[1;31m" in done.stdout
    assert f"{SHOWN}: 4 targets\n" in done.stderr
    assert "\x1b" not in done.stderr


USES = {
    "a path in place of a command": ("a\x1b[31m",),
    "a word too many": ("replay", "abc", "a\x1b[31m"),
    "an option of no such name": ("list", "--a\x1b[31m"),
    "a value of another kind": ("run", "--seed", "a\x1b[31m"),
}


@pytest.mark.parametrize("how", USES)
def test_arguments_that_are_refused_are_shown_harmless(how, tmp_path):
    (tmp_path / "a\x1b[31m").mkdir()
    done = annotest(*USES[how], cwd=tmp_path)
    assert done.status == 2
    assert r"a\x1b[31m" in done.stderr
    assert not _CONTROLS.findall(done.stderr)
