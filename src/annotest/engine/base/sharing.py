"""What modules share: imported once, before the processes are forked that need it."""

from __future__ import annotations

import gc
import importlib
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress

from annotest import frameworks, guard
from annotest.discovery.leading import leading_imports
from annotest.discovery.scan import ModuleFile
from annotest.engine.worker.environment import set_up_hypothesis, use_one_thread
from annotest.errors import MissingFramework

# imports in steps, each of which several modules share; of the paths of their files
Chain = tuple[tuple[str, ...], ...]
Chains = Mapping[str, Chain]


def import_shared(files: Iterable[ModuleFile], forks: bool) -> None:
    """Import here what takes no adapting to and every process may have: NumPy, above all."""
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
    if not forks:
        return
    gc.disable()
    # imported late: listing and writing need no Hypothesis
    doing = importlib.import_module("annotest.engine.child.doing")
    gc.enable()
    gc.freeze()  # Hypothesis collects garbage when it first draws: it finds little to look through
    doing.warm_up()
    guard.kernel_programs()


def chains_of(files: list[ModuleFile]) -> Chains:
    """Return what is to be imported before each module, where another module imports it too.

    A module's chain has nothing that the module does not import itself, and in its own order.
    """
    if len(files) < 2:
        return {}
    wanted = {file.path: _not_yet_imported(leading_imports(file)) for file in files}
    chains: dict[str, Chain] = {}
    _grow({path: imports for path, imports in wanted.items() if imports}, (), chains)
    return chains


def together(files: list[ModuleFile], chains: Chains) -> list[ModuleFile]:
    """Return the files in an order in which those that share a base come one after the other."""
    first = {file.path: chains.get(file.path, (file.path,))[0] for file in files}
    places = list(first.values())
    return sorted(files, key=lambda file: places.index(first[file.path]))


def _not_yet_imported(imports: Iterable[str]) -> list[str]:
    return [text for text in imports if _library(text) not in sys.modules]


def _library(text: str) -> str:
    """Return the top-level name in "import torch.nn" or "from torch.nn import Linear"."""
    return text.splitlines()[-1].split()[1].partition(".")[0]


def _grow(wanted: dict[str, list[str]], chain: Chain, chains: dict[str, Chain]) -> None:
    """Give modules, which have a chain in common, longer ones with what most of them share.

    `wanted` are the imports of each module that come after those of the chain.
    """
    wanted = dict(wanted)
    while True:
        counts = Counter(text for imports in wanted.values() for text in imports)
        most = max(counts, key=counts.__getitem__, default="")
        if counts[most] < 2:
            return
        sharing = {path: imports for path, imports in wanted.items() if most in imports}
        step = _common(most, list(sharing.values()))
        longer = (*chain, step)
        for path in sharing:
            chains[path] = longer
            del wanted[path]
        _grow({path: _after(step, imports) for path, imports in sharing.items()}, longer, chains)


def _common(first: str, lists: list[list[str]]) -> tuple[str, ...]:
    """Return the imports, from this one on, that all lists have in one order."""
    step = [first]
    for text in _after((first,), lists[0]):
        if all(text in _after(tuple(step), imports) for imports in lists):
            step.append(text)
    return tuple(step)


def _after(step: tuple[str, ...], imports: list[str]) -> list[str]:
    return imports[imports.index(step[-1]) + 1 :]
