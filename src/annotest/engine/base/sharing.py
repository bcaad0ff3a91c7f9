"""What modules share is imported once, before their workers are forked."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterable
from contextlib import suppress

from annotest import frameworks
from annotest.discovery.scan import ModuleFile
from annotest.engine.worker.environment import set_up_hypothesis, use_one_thread
from annotest.errors import MissingFramework


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
