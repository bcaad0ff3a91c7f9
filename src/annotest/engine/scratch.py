"""Folders for the temporary files of the code under test."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


def make_scratch() -> str:
    """Make a folder for temporary files, and return its path."""
    return os.path.realpath(tempfile.mkdtemp(prefix="annotest-"))


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Have a folder for temporary files, for a while."""
    folder = make_scratch()
    try:
        yield folder
    finally:
        remove_scratch(folder)


def remove_scratch(path: str) -> None:
    """Remove a scratch file or folder, whatever its permissions."""

    def allow(function: Any, name: str, _: Any) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)
            os.chmod(name, 0o700)
            function(name)

    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, onerror=allow)
    else:
        with suppress(OSError):
            os.unlink(path)
