"""The places where code under test may write."""

from __future__ import annotations

import builtins
import glob
import os
import re
import sys
from importlib.util import find_spec
from os import getpid, lstat
from time import time

from annotest.guard.paths import folder_of, is_folder, is_there

globals()["__builtins__"] = vars(builtins).copy()

# devices that hold nothing, terminals, shared memory, accelerators
_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
    "/dev/shm",
    "/dev/dri",
    "/dev/kfd",
)
_NVIDIA = "/dev/nvidia"  # and whatever follows: nvidia0, nvidiactl, nvidia-uvm
_CACHE_VARIABLES = (
    "MPLCONFIGDIR",
    "TORCH_HOME",
    "TORCHINDUCTOR_CACHE_DIR",
    "TRITON_CACHE_DIR",
    "KERAS_HOME",
    "HF_HOME",
    "JAX_COMPILATION_CACHE_DIR",
    "NUMBA_CACHE_DIR",
    "CUPY_CACHE_DIR",
    "CUDA_CACHE_PATH",
)
# where in the home folder, and which module makes the folder when it is imported or used
_HOME_CACHES = {
    ".keras": "keras",
    ".config/matplotlib": "matplotlib",
    ".triton": "triton",
    ".cupy": "cupy",
    ".nv": "",
}
_is_bytecode = re.compile(r"/__pycache__(/[^/]+\.pyc(\.\d+)?)?$").search


def cache_folders() -> tuple[str, ...]:
    """Return the folders where Python and frameworks keep what they make or fetch on import."""
    homely = [os.path.join(os.path.expanduser("~"), name) for name in _HOME_CACHES]
    return tuple(dict.fromkeys(map(os.path.realpath, [*_named_caches(), *homely])))


def _named_caches() -> list[str]:
    """Return the user's cache folder, and those that the environment names."""
    user = os.environ.get("XDG_CACHE_HOME", "")
    named = [os.environ.get(name, "") for name in _CACHE_VARIABLES] + [sys.pycache_prefix or ""]
    if not os.path.isabs(user):
        user = os.path.join(os.path.expanduser("~"), ".cache")
    # a relative one would open whatever folder a call happens to be in
    return [user, *filter(os.path.isabs, named)]


def make_caches() -> None:
    """Make the caches of what is installed: a place cannot be opened before it is there."""
    home = os.path.expanduser("~")
    for folder in _named_caches():
        _make(folder, mode=0o700)
    for name, module in _HOME_CACHES.items():
        if module and _is_installed(module):
            _make(os.path.join(home, name), mode=0o700)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def is_within(path: str, places: tuple[str, ...]) -> bool:
    """Say whether a real path is at or below one of the places."""
    return _prefix(path).startswith(tuple(map(_prefix, places)))


class Writable:
    """The folders given, the caches, harmless devices, this process's own files, and bytecode.

    In the caches and in shared memory, what was there before stays there: frameworks write to
    them, but fetched models and the memory of other programs are nothing to be lost by accident.
    """

    def __init__(self, folders: tuple[str, ...]) -> None:
        shared = (*cache_folders(), "/dev/shm", os.path.realpath("/dev/shm"))
        places = (*folders, *shared, *_DEVICES)
        self._prefixes = (*map(_prefix, places), _NVIDIA)
        self._own, self._shared = tuple(map(_prefix, folders)), tuple(map(_prefix, shared))
        self._since = time() - 1  # file systems' clocks lag behind

    def may_lose(self, path: str) -> bool:
        """Say whether code under test may delete or move what is at a real path."""
        if not path.startswith(self._shared) or path.startswith(self._own):
            return True
        try:
            return lstat(path).st_ctime >= self._since
        except OSError:
            return True

    def holds(self, path: str) -> bool:
        """Say whether code under test may write to a real path."""
        return (
            (path + "/").startswith(self._prefixes)
            or path.startswith(f"/proc/{getpid()}/")
            or _is_bytecode(path) is not None
        )


def _prefix(place: str) -> str:
    return place.rstrip("/") + "/"


def kernel_places(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return what Landlock must allow for the folders given, the caches and harmless devices.

    A rule is about something that exists, and cannot tell the names in a folder apart. So a missing
    folder is made first, and a file (or what looks like one) has the kernel allow the folder it is
    in: there the audit hook alone guards the other files.
    """
    caches = cache_folders()
    declared = [_folder_for(folder) for folder in folders if folder not in caches]
    others = [*caches, *_DEVICES, *glob.glob(_NVIDIA + "*")]
    # not /proc/self: that would be this process without the children it forks
    return tuple(dict.fromkeys([*declared, *filter(is_there, others), "/proc"]))


def make_outputs(paths: tuple[str, ...]) -> None:
    """Make the folders given, and those that the files given are to be in."""
    for path in paths:
        if not is_there(path):
            _make(folder_of(path) if _looks_like_file(path) else path)


def _looks_like_file(path: str) -> bool:
    return "." in path.rpartition("/")[2].lstrip(".")


def _folder_for(path: str) -> str:
    if not is_there(path) and not _looks_like_file(path):
        _make(path)
    while not is_folder(path):
        path = folder_of(path)
    return path


def _make(folder: str, mode: int = 0o777) -> None:
    try:
        os.makedirs(folder, mode, exist_ok=True)
    except OSError:
        return  # the nearest folder above it serves, or the place stays closed
