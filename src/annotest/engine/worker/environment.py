"""What our processes begin with: variables for libraries, and what is imported before forks."""

from __future__ import annotations

import gc
import importlib
import os
from collections.abc import Iterable
from contextlib import suppress

from annotest import frameworks
from annotest.discovery.scan import ModuleFile
from annotest.errors import MissingFramework

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


def import_shared(files: Iterable[ModuleFile], forks: bool) -> None:
    """Import the frameworks that the workers to be forked would each import."""
    use_one_thread()
    if not forks:
        return
    imported = {name for file in files for name in file.imports}
    for name in imported.intersection(frameworks.known()):
        with suppress(ImportError, MissingFramework):  # the modules that need it will say so
            for module in frameworks.load(name).preloaded:
                importlib.import_module(module)
    gc.freeze()  # the collector then leaves the pages alone that workers share with us


def warm_up(forks: bool) -> None:
    """Import what every search needs, and have done what every child would have to do."""
    set_up_hypothesis()
    if forks:
        # imported late: listing and writing need no Hypothesis
        importlib.import_module("annotest.engine.child.doing").warm_up()
