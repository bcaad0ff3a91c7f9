"""The scratch folder of a lane: parts for temporary files, for calls to work in, for compiled code.

What frameworks compile in one process of a lane the next ones find in the last part.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from annotest import guard, process
from annotest.frameworks.caches import keep_compiled
from annotest.process.own import os

_TEMPORARY, _WORK, _COMPILED = _PARTS = "tmp", "work", "compiled"
# of compiled code: where there is more it is removed, and compiled again when it is needed
MOST_COMPILED = 256 * process.MEGABYTE


def new_scratch() -> str:
    """Return a new folder for the scratch folders of a run."""
    return os.path.realpath(tempfile.mkdtemp(prefix="annotest-"))


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Make a scratch folder, and remove it at the end."""
    scratch = new_scratch()
    try:
        make_scratch(scratch)
        yield scratch
    finally:
        remove_scratch(scratch)


@dataclass
class _Removal:
    """Removes a scratch folder when the process that has asked for it has ended."""

    scratch: str
    asked: process.Channel

    def run(self) -> None:
        """Wait and remove; nothing comes but the end of the process that could write."""
        self.asked.reading_end()
        with suppress(process.Gone):
            self.asked.receive()
        remove_scratch(self.scratch)

    def failed(self, text: str) -> None:
        """Leave the folder: nobody is there who could be told."""


def scratch_until_the_end() -> str:
    """Make a scratch folder; another process removes it when this one, to be guarded, has ended."""
    scratch = new_scratch()
    make_scratch(scratch)
    removal = _Removal(scratch, process.Channel())
    process.spawn(removal, parent_death=0, ground=process.Ground.here())
    removal.asked.writing_end()
    return scratch


def make_scratch(scratch: str) -> None:
    """Make the parts of a scratch folder."""
    for part in _PARTS:
        os.makedirs(os.path.join(scratch, part), exist_ok=True)


def allowing(allowed: guard.Allowed | None, scratch: str) -> guard.Allowed | None:
    """Return what is allowed, and the scratch folder too."""
    if allowed is None:
        return None
    parts = (os.path.join(scratch, part) for part in _PARTS)
    return replace(allowed, folders=(*parts, *allowed.folders))


def use_scratch(scratch: str) -> None:
    """Have this process, and what it starts, put temporary files and compiled code there."""
    os.environ["TMPDIR"] = tempfile.tempdir = os.path.join(scratch, _TEMPORARY)
    keep_compiled(os.path.join(scratch, _COMPILED))


def mirror_in(scratch: str) -> guard.Mirror:
    """Return where in a scratch folder the calls of this process work."""
    return guard.Mirror(os.path.join(scratch, _WORK, str(os.getpid())))


def clear_scratch(scratch: str) -> None:
    """Remove temporary files, and where processes worked that have ended."""
    for name in os.listdir(os.path.join(scratch, _TEMPORARY)):
        remove_scratch(os.path.join(scratch, _TEMPORARY, name))
    for name in os.listdir(os.path.join(scratch, _WORK)):
        if not (name.isdigit() and _is_running(int(name))):
            remove_scratch(os.path.join(scratch, _WORK, name))


def tidy_compiled(scratch: str, is_whole: bool) -> None:
    """Remove compiled code if it is not whole, as its writer was killed, or has become much."""
    folder = os.path.join(scratch, _COMPILED)
    files = [*os.scandir(folder)] if scratch and os.path.isdir(folder) else []
    size = sum(file.stat(follow_symlinks=False).st_size for file in files)
    if not is_whole or size > MOST_COMPILED:
        for file in files:
            remove_scratch(file.path)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def remove_scratch(path: str) -> None:
    """Remove a scratch file or folder, whatever its permissions."""

    def allow(function: Any, name: str, _: Any) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)
            if not os.path.islink(name):  # which leads to a file of the user's
                os.chmod(name, 0o700)
            function(name)

    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, onerror=allow)
    else:
        with suppress(OSError):
            os.unlink(path)
