"""Judges of program starts, and watches on the two kinds of start that raise no audit event."""

from __future__ import annotations

import builtins
import functools
import glob
import os
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from os import environ
from typing import Any

from annotest.guard.data import BlockedByGuard, Judge
from annotest.guard.paths import is_there, text_of
from annotest.guard.telling import PROGRAMS, is_telling
from annotest.process.spawning import ENTRY

globals()["__builtins__"] = vars(builtins).copy()

# native code starts these (XLA, CUDA, Open MPI), and without them fails in ways nobody can explain
_HELPERS = ("ptxas", "nvlink", "fatbinary", "nvidia-modprobe", "orted")
_HELPER_FOLDERS = ("nvidia/*/bin", "triton/backends/*/bin")
_CUDA_FOLDERS = "/usr/local/cuda*/bin"
_LOADERS = ("/lib*/ld-linux*.so*", "/lib*/ld-musl-*.so*")
_TRACKER = "from multiprocessing.resource_tracker import main"
_SHOWN = 200


def kernel_programs() -> list[str]:
    """Return what may be run even where programs are not allowed: files, and folders of them.

    Python is among them for the helper process of multiprocessing, which shared memory needs: the
    audit hook keeps Python code from starting it for anything else.
    """
    return _looked_up(os.environ.get("PATH", ""), tuple(sys.path))


@functools.cache  # by whoever forks the processes that ask for it
def _looked_up(path: str, packages: tuple[str, ...]) -> list[str]:
    system = f"{path}:/usr/sbin:/sbin"
    named = [shutil.which(name, path=system) for name in (*PROGRAMS, *_HELPERS)]
    files = [os.path.realpath(path) for path in (*named, sys.executable) if path]
    patterns = [os.path.join(entry, folder) for entry in packages for folder in _HELPER_FOLDERS]
    others = [path for each in (*patterns, _CUDA_FOLDERS, *_LOADERS) for path in glob.glob(each)]
    return [*files, *filter(None, map(_interpreter, files)), *others]


def _interpreter(program: str) -> str:
    """Return what runs a program that is a script, as ldconfig is on some systems."""
    try:
        with open(program, "rb") as file:
            head = file.read(256).splitlines()
    except OSError:
        return ""
    words = head[0][2:].split() if head and head[0].startswith(b"#!") else []
    return os.path.realpath(os.fsdecode(words[0])) if words else ""


class ProgramJudges:
    """Block the start of a program, one that only tells facts or is not there excepted."""

    def __init__(self, block: Callable[[str, str], None]) -> None:
        self._block = block

    def by_event(self) -> dict[str, Judge]:
        """Return a judge for each event."""
        return {
            "subprocess.Popen": lambda args: self._look_at(args[0], args[1]),
            "os.exec": lambda args: self._look_at(args[0], args[1]),
            "os.posix_spawn": lambda args: self._look_at(args[0], args[1]),
            "os.spawn": lambda args: self._look_at(args[1], args[2]),
            "os.startfile": lambda args: self._block("run", _shown([text_of(args[0])])),
            "os.system": lambda args: self._look_at_command(text_of(args[0])),
            "pty.spawn": lambda args: self._look_at(args[0][0], args[0]),
        }

    def watch_the_others(self) -> None:
        """Look at the starts that raise no event: of multiprocessing, and os.spawn* on POSIX."""
        self._watch("_posixsubprocess", "fork_exec", lambda args: (args[0][0], args[0]))
        self._watch("os", "_spawnvef", lambda args: (args[1], args[2]))

    def _watch(self, module: str, name: str, command: Callable[[Any], tuple[Any, Any]]) -> None:
        try:
            holder = import_module(module)
            start = getattr(holder, name)
        except (ImportError, AttributeError):
            return  # not on this system

        @functools.wraps(start)
        def watched(*args: Any, **options: Any) -> Any:
            try:
                self._look_at(*command(args))
            except BlockedByGuard:
                raise
            except Exception:
                pass  # arguments that make no sense: the function itself says so
            return start(*args, **options)

        setattr(holder, name, watched)

    def _look_at(self, program: Any, args: Any) -> None:
        name, words = text_of(program), [text_of(word) for word in args]
        is_ours = any(_on_one_line(word).startswith((_TRACKER, ENTRY)) for word in words)
        if is_ours or not _is_found(name) or is_telling(name, words[1:]):
            return
        self._block("run", _shown([name, *words[1:]]))

    def _look_at_command(self, command: str) -> None:
        if not is_telling("sh", ["-c", command]):
            self._block("run", _shown([command]))


def _is_found(name: str) -> bool:
    """Say whether there is such a program; where there is none, the start fails by itself."""
    if not name:
        return False
    if "/" in name:
        return is_there(name)
    try:
        folders = environ.get("PATH", "/bin:/usr/bin").split(":")
    except Exception:
        return True  # code under test replaced what the environment is read with
    return any(is_there(f"{folder or '.'}/{name}") for folder in folders)


def _shown(words: list[str]) -> str:
    return _on_one_line(" ".join(words))[:_SHOWN].strip() or "a program without a name"


def _on_one_line(text: str) -> str:
    return " ".join(text.split("\n"))
