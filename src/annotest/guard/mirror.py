"""A mirror: a scratch folder that shows the working folder, and those above it, by links."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from os import readlink

globals()["__builtins__"] = vars(builtins).copy()


@dataclass
class Mirror:
    """Where the mirror is: what `/a/b` holds is shown in `root/a/b`, by links to it.

    `folder` is the part of it that calls work in and may fill, "" until there is one.
    """

    root: str
    folder: str = ""

    def meant_by(self, path: str) -> str:
        """Return what is judged for a path: above the working folder, what is shown there."""
        is_shown = path.startswith(self.root + "/") and not self._is_filled(path)
        return path[len(self.root) :] if is_shown else path

    def folder_meant_by(self, path: str) -> str:
        """Return the same for what is done to folders: of the working folder, and of our links."""
        shown = path[len(self.root) :]
        is_ours = path == self.folder or (self._is_filled(path) and _leads_to(path, shown))
        return shown if is_ours else self.meant_by(path)

    def _is_filled(self, path: str) -> bool:
        return self.folder != "" and f"{path}/".startswith(self.folder + "/")


def _leads_to(link: str, path: str) -> bool:
    try:
        return readlink(link) == path
    except OSError:  # no link
        return False


NO_MIRROR = Mirror("/dev/null")
