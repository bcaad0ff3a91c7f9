"""What the libraries in our processes find in their environment, and what they leave there."""

from __future__ import annotations

import threading

from annotest.process.own import os

_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def use_one_thread() -> None:
    """Have libraries that compute in threads start none, unless the user wants some."""
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")


def set_up_hypothesis() -> None:
    """Keep Hypothesis out of the user's project, and from work that is of no use here."""
    # it keeps tables that are slow to make
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(base, "annotest", "hypothesis")
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", folder)
    # a round ends with an exception: to trim its traceback, every module would be looked up
    os.environ.setdefault("HYPOTHESIS_NO_TRACEBACK_TRIM", "1")


def thread_count() -> int:
    """Return how many threads this process has, native ones included where the system tells."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()
