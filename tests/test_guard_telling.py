"""Programs that only tell facts are let through, as people start them, and nothing else is."""

import os
import shutil
import subprocess

import pytest
from guarded import needs_landlock, new_ground

TELLING = """
ldconfig -p
/sbin/ldconfig -p
g++ -v
g++ --version
gcc -dumpfullversion -dumpversion
x86_64-linux-gnu-gcc -dumpmachine
gcc-12 --version
cc --version
c++ -v
nvcc --version
ninja --version
uname -a
lsb_release -a
which g++
fc-list
fc-list : family
nvidia-smi
nvidia-smi -L
nvidia-smi --query-gpu=memory.used --format=csv,noheader
nvidia-smi -i 0 -q -d MEMORY
nvidia-smi topo -m
git rev-parse HEAD
git -C . rev-parse --short HEAD
git describe --always --dirty
git --version
""".strip().splitlines()

IN_SHELL_ONLY = """
g++ -v 2>&1 | head -1
ldconfig -p | grep libc.so | wc -l
nvidia-smi > /dev/null 2>&1 || true
command -v g++ && echo "there it is; use it"
which nvcc >/dev/null; uname
""".strip().splitlines()

# each of them would do something else, or might
DOING = r"""
g++ x.cpp -o x
g++ -v x.cpp
gcc -v -E -
ldconfig
nvidia-smi -pm 1
nvidia-smi drain -m 1
nvidia-smi -f file
git commit -m x
git -c alias.rev-parse=!ls rev-parse
nvcc x.cu
sleep 0
./g++x -v
""".strip().splitlines()

DOING_IN_SHELL = (
    r"""
uname > file
uname >> file
uname >/dev/null.txt
uname; sleep 0
uname & sleep 0
uname | tee file
uname $(sleep 0)
uname `sleep 0`
uname < file
echo "x" ">" y > z
(sleep 0)
X=1 uname
uname 'unclosed
true && sleep 0 # uname
""".strip().splitlines()
    + ["uname\nsleep 0"]
)


@pytest.fixture
def ground(tmp_path):
    return new_ground(tmp_path)


def tried(start):
    """Say whether the guard blocked a start; whether the program is there, is another matter."""
    try:
        start()
    except FileNotFoundError:
        return ""
    except PermissionError as error:
        return str(error)
    return ""


def blocked(ground, starts, kernel=False):
    return ground.run(lambda log: [tried(start) for start in starts], kernel).value


def starts_of(commands):
    return [
        start
        for command in commands
        for start in (
            lambda command=command: os.system(f"{command} 2>/dev/null >/dev/null"),
            lambda command=command: os.popen(f"{command} 2>&1").read(),
            lambda command=command: subprocess.run(command, shell=True, capture_output=True),
        )
    ]


def words_of(commands):
    return [
        lambda command=command: subprocess.run(command.split(), capture_output=True)
        for command in commands
    ]


def test_what_only_tells_is_let_through_however_it_is_started(ground):
    starts = words_of(TELLING) + starts_of(TELLING + IN_SHELL_ONLY)
    assert set(blocked(ground, starts)) == {""}


def test_what_does_anything_else_is_blocked(ground):
    programs = [command for command in DOING if shutil.which(command.split()[0])]
    commands = DOING + DOING_IN_SHELL
    starts = words_of(programs) + [lambda c=c: os.system(c) for c in commands]
    assert [text.partition(" (to allow")[0] for text in blocked(ground, starts)] == [
        f"annotest blocked: run {' '.join(command.splitlines())}" for command in programs + commands
    ]


THERE = ["uname -s", "g++ -dumpmachine", "lsb_release -i -s", "which sh", "git --version"]


@needs_landlock
def test_the_kernel_lets_them_run_too(ground):
    commands = [command for command in THERE if shutil.which(command.split()[0])]
    seen = ground.run(lambda log: [os.popen(command).read() for command in commands], True)
    assert seen.value == [os.popen(command).read() for command in commands]


@pytest.mark.parametrize("kernel", [False, True], ids=["hook", "kernel"])
def test_a_program_without_a_name_fails_as_it_would_without_the_guard(ground, kernel):
    seen = ground.run(lambda log: subprocess.run([""]), kernel)
    assert (seen.error, seen.blocked, seen.explained) == ("PermissionError", (), None)
    assert seen.text == "[Errno 13] Permission denied: ''"
    assert ground.run(lambda log: os.system(""), kernel).value == 0


def test_what_is_blocked_without_a_name_reads_as_such(ground):
    program = ground.project / " "
    program.write_text("#!/bin/sh\n")
    before = lambda: os.environ.update(PATH=str(ground.project))  # noqa: E731
    seen = ground.run(lambda log: subprocess.run([" "]), before=before)
    assert seen.text == (
        "annotest blocked: run a program without a name "
        '(to allow it, write allow = ["programs"] below [tool.annotest] in pyproject.toml)'
    )
