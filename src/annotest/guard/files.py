"""Judges of file events: which of Python's own file operations are accidents."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable
from typing import Any

from annotest.guard.data import Judge
from annotest.guard.mirror import Mirror
from annotest.guard.paths import folder_of, full_path, is_folder, is_there, text_of
from annotest.guard.places import Writable
from annotest.records import record

globals()["__builtins__"] = vars(builtins).copy()

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_TRUNC | os.O_CREAT | os.O_APPEND
_NAMELESS = getattr(os, "O_TMPFILE", -1)  # a file in a folder, without a name
_CREATE, _ALONE = os.O_CREAT, os.O_EXCL


@record
class _Use:
    """What an event does to one of its paths: where among its arguments that path is."""

    action: str
    path: int
    dir_fd: int | None = None
    follow: bool = False
    there: bool | None = None  # must something be there, or nothing, for it to succeed?
    folder: bool = False  # it is done to folders only, and fails for a link to one


_EVENTS = {
    "os.remove": (_Use("delete", 0, 1, there=True),),
    "os.rmdir": (_Use("delete", 0, 1, there=True, folder=True),),
    "shutil.rmtree": (_Use("delete", 0, 1, there=True, folder=True),),
    "os.rename": (_Use("move", 0, 2, there=True), _Use("write", 1, 3)),
    # before os.rename: when that is refused, shutil copies and deletes instead
    "shutil.move": (_Use("move", 0, there=True), _Use("write", 1)),
    # the file itself too: who writes to the new name writes to the old
    "os.link": (_Use("link", 0, 2, follow=True, there=True), _Use("create", 1, 3, there=False)),
    "os.symlink": (_Use("create", 1, 2, there=False),),
    "os.mkdir": (_Use("create", 0, 2, there=False),),
    "os.truncate": (_Use("write", 0, follow=True, there=True),),
    "os.chmod": (_Use("change", 0, 2, follow=True, there=True),),
    "os.chown": (_Use("change", 0, 3, follow=True, there=True),),
    "os.utime": (_Use("change", 0, 3, follow=True, there=True),),
    "os.setxattr": (_Use("change", 0, follow=True, there=True),),
    "os.removexattr": (_Use("change", 0, follow=True, there=True),),
}


class FileJudges:
    """Block what would write, make, move or delete outside the places.

    What fails anyway is let through, so that code sees the error it would see without the guard:
    no file to delete, a folder that is there already. `fixed` are places that may be filled and
    emptied but not themselves deleted or moved.
    """

    def __init__(
        self,
        writable: Writable,
        fixed: tuple[str, ...],
        mirror: Mirror,
        block: Callable[[str, str], None],
    ) -> None:
        self._writable = writable
        self._fixed = frozenset(fixed)
        self._mirror = mirror
        self._block = block

    def by_event(self) -> dict[str, Judge]:
        """Return a judge for each event."""
        judges = {event: self._judge_of(uses) for event, uses in _EVENTS.items()}
        special = {"open": self._open, "sqlite3.connect": self._sqlite, "socket.bind": self._bind}
        return {**judges, **special}

    def _judge_of(self, uses: tuple[_Use, ...]) -> Judge:
        def judge(args: tuple[Any, ...]) -> None:
            uses_of_paths = []
            for use in uses:
                if use.action == "write" and isinstance(args[use.path], int):
                    return  # a file that is open for writing already
                dir_fd = None if use.dir_fd is None else args[use.dir_fd]
                named = full_path(args[use.path], dir_fd, use.follow)
                meant_by = self._mirror.folder_meant_by if use.folder else self._mirror.meant_by
                path = meant_by(named)
                if _fails_anyway(path, use.there):
                    return
                # a folder that is shown by a link cannot be deleted there, and is not to be here
                uses_of_paths.append((use.action, path, use.folder and path != named))
            for look in uses_of_paths:
                self._look_at(*look)

        return judge

    def _look_at(self, action: str, path: str, is_shown: bool = False) -> None:
        lost = action in ("delete", "move")
        gone = is_shown or (lost and (path in self._fixed or not self._writable.may_lose(path)))
        if gone or not self._writable.holds(path):
            self._block(action, path)

    def _open(self, args: tuple[Any, ...]) -> None:
        path, _, flags = args
        if not flags & _WRITING or isinstance(path, int):
            return
        real = self._mirror.meant_by(full_path(path))
        if self._writable.holds(real):
            return
        if is_folder(real):
            # without a name in it, it fails, or asks an opener, whose own opening is looked at
            fails = flags & _NAMELESS != _NAMELESS
        else:
            fails = _fails_anyway(real, _needed(flags))
        if not fails:
            self._block("write", real)

    def _sqlite(self, args: tuple[Any, ...]) -> None:
        name = text_of(args[0])
        # one that is there may be meant for reading: the kernel then refuses the writing
        if name and name != ":memory:" and not name.startswith("file:"):
            real = self._mirror.meant_by(full_path(name))
            if not is_there(real) and is_folder(folder_of(real)):
                self._look_at("write", real)

    def _bind(self, args: tuple[Any, ...]) -> None:
        address = args[1]
        if isinstance(address, str | bytes) and address[:1] not in ("", b"", "\0", b"\0"):
            path = self._mirror.meant_by(full_path(address, None, False))
            if not _fails_anyway(path, False):
                self._look_at("create", path)


def _needed(flags: int) -> bool | None:
    if not flags & _CREATE:
        return True
    return False if flags & _ALONE else None


def _fails_anyway(path: str, there: bool | None) -> bool:
    if is_there(path):
        return there is False
    return there is True or not is_folder(folder_of(path))
