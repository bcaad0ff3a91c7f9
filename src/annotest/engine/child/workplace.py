"""Where calls work: a scratch folder that shows what the working folder holds, by links.

What a call makes there is seen by the rest of the call and removed after it. The links lead to the
real files, which the guard protects; a link that a call takes away is put back.
"""

from __future__ import annotations

from contextlib import suppress
from os import chdir, lstat
from shutil import copy2, copytree
from stat import S_ISDIR

from annotest.engine.scratch import remove_scratch
from annotest.guard import Mirror
from annotest.process.own import os

# in a folder that holds more, the links take too long: calls work in the folder itself
MOST = 5000
# of the folders above it so many are shown, if they hold no more: others .. do not lead to; nor
# to the root and the folder of temporary files, which hold nothing of a program's
LEVELS, MOST_ABOVE = 3, 500
_NOBODYS = ("/", "/tmp", "/var/tmp")
# the time of a clean folder: whatever changes what it holds sets another, at any speed
_CLEAN = 10**18


class Workplace:
    """The scratch folder in which the calls of a worker's children work, one after the other."""

    def __init__(self, mirror: Mirror, shown: str, outputs: tuple[str, ...]) -> None:
        self._shown, self._outputs = shown, outputs
        self._folder = mirror.root + shown.rstrip("/")
        mirror.folder = mirror.root  # all of it is filled now, and never again
        self._show_those_above(mirror.root)
        mirror.folder = self._folder
        self._show()
        self.enter()

    @classmethod
    def made(cls, mirror: Mirror, outputs: tuple[str, ...]) -> Workplace | None:
        """Make one for the working folder and go there; None where calls must work in that itself.

        That is where it may be filled, where it holds too much, and where the disk is full.
        """
        shown = os.path.realpath(os.getcwd())
        may_be_filled = any(f"{shown}/".startswith(f"{path.rstrip('/')}/") for path in outputs)
        if may_be_filled or _entries(shown, MOST) is None:
            return None
        try:
            return cls(mirror, shown, outputs)
        except OSError:
            mirror.folder = ""
            return None

    def enter(self, folder: str = "") -> None:
        """Go there; should it have been deleted, make it anew."""
        if not os.path.isdir(self._folder):
            self._show()
        chdir(self._folder)

    def clear(self) -> None:
        """Remove what a call has left, and put back what it took away."""
        try:
            state = lstat(self._folder)
            if state.st_mtime_ns == _CLEAN and S_ISDIR(state.st_mode):
                return
        except OSError:
            pass  # deleted
        with suppress(OSError):  # the call may have left a full disk, or no more descriptors
            self._keep_outputs()
            self._show()

    def _show_those_above(self, root: str) -> None:
        """Show what the folders above hold, so that paths with .. lead where they lead there."""
        os.mkdir(root)
        above, place = "/", root
        names = list(filter(None, self._shown.split("/")))
        for depth, name in enumerate(names):
            named = [path for path in self._outputs if os.path.dirname(path) == above.rstrip("/")]
            is_near = len(names) - depth <= LEVELS and above not in _NOBODYS
            shown = (_entries(above, MOST_ABOVE) if is_near else None) or ()
            for entry in {*shown, *map(os.path.basename, named)} - {name}:
                _link(os.path.join(above, entry), os.path.join(place, entry))
            above, place = os.path.join(above, name), os.path.join(place, name)
            os.mkdir(place)

    def _show(self) -> None:
        """Have a link to each entry of the working folder, and nothing else."""
        self._ensure_folder()
        names = _entries(self._shown, MOST) or ()
        missing = {name: os.path.join(self._shown, name) for name in names}
        with os.scandir(self._folder) as entries:
            for entry in list(entries):
                if _leads_to(entry.path, missing.get(entry.name)):
                    del missing[entry.name]
                else:
                    remove_scratch(entry.path)
        for name, path in missing.items():
            _link(path, os.path.join(self._folder, name))
        os.utime(self._folder, ns=(_CLEAN, _CLEAN))

    def _ensure_folder(self) -> None:
        if os.path.isdir(self._folder) and not os.path.islink(self._folder):
            os.chmod(self._folder, 0o700)
            return
        remove_scratch(self._folder)
        os.makedirs(self._folder)

    def _keep_outputs(self) -> None:
        """Copy to the project what was made here, and is to be kept there."""
        for path in self._outputs:
            made = os.path.join(self._folder, os.path.basename(path))
            is_here = os.path.dirname(path) == self._shown and os.path.lexists(made)
            if is_here and not _leads_to(made, path):
                with suppress(OSError):
                    if os.path.isdir(made):
                        copytree(made, path, symlinks=True, dirs_exist_ok=True)
                    else:
                        copy2(made, path)


def _entries(folder: str, most: int) -> list[str] | None:
    """Return the names in a folder, unless there are too many, or they may not be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return None
    return names if len(names) <= most else None


def _leads_to(link: str, path: str | None) -> bool:
    try:
        return path is not None and os.readlink(link) == path
    except OSError:  # no link
        return False


def _link(path: str, link: str) -> None:
    with suppress(OSError):
        os.symlink(path, link)
