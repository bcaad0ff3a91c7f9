"""What paths hold, narrowed to the targets that are named."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from annotest.discovery.scan import ModuleFile, Scan, Unsure, scan
from annotest.discovery.targets import MODULE_TEST
from annotest.discovery.words import Word, is_meant, read_word, unknown_name
from annotest.errors import UsageError, did_you_mean
from annotest.facts import NotTestable


def scan_words(
    texts: Iterable[str],
    every_module: bool = False,
    exclude: Collection[str] = (),
    known_as: Mapping[str, str] = MappingProxyType({}),
) -> Scan:
    """Return the modules of paths, and those of targets that are named, with the names."""
    words = [read_word(text) for text in texts]
    scanned = scan([word.place for word in words], every_module, exclude, known_as)
    named = [word for word in words if word.name]
    if not named:
        return scanned
    whole = [os.path.realpath(word.path) for word in words if not word.name]
    return _Narrowing(scanned, whole).narrowed(named)


def failed_before(files: list[ModuleFile], failing: Collection[str]) -> list[ModuleFile]:
    """Return the modules of targets that have failed before, each with the names of these."""
    own = {file.module for file in files}
    narrowed = []
    for file in files:
        wanted = [
            target
            for target in failing
            if _leads_to(file, target.partition(":")[0], own) and file.wants(*target.split(":", 1))
        ]
        if wanted:
            narrowed.append(replace(file, wanted=tuple(wanted)))
    return narrowed


def _leads_to(file: ModuleFile, module: str, own: set[str]) -> bool:
    """Say whether targets of a module are in a file, or may be annotated there from outside."""
    return module == file.module or (file.annotates_others and module not in own)


class _Narrowing:
    """Finds the files of names; files of the paths that were given too stay whole."""

    def __init__(self, scanned: Scan, whole: list[str]) -> None:
        self._scanned, self._whole = scanned, whole
        self._wanted: dict[str, list[str]] = defaultdict(list)
        sources = [*scanned.modules, *scanned.unparsable]
        self._modules = {source.path: source.module for source in sources}
        self._modules |= {function.file: function.module for function in scanned.not_testable}

    def narrowed(self, named: list[Word]) -> Scan:
        """Return what is named, and what is whole."""
        unsure = [name for name in map(self._find, named) if name is not None]
        scanned = self._scanned
        return replace(
            scanned,
            modules=[self._with_names(file) for file in scanned.modules if self._has(file.path)],
            unparsable=[file for file in scanned.unparsable if self._has(file.path)],
            not_testable=[function for function in scanned.not_testable if self._is_told(function)],
            unsure=unsure,
        )

    def _find(self, word: Word) -> Unsure | None:
        """Note which files a word means; say so where their text does not show the name."""
        paths = [path for path, module in self._modules.items() if word.is_of(path, module)]
        paths = paths or [path for path, name in self._modules.items() if word.may_be_of(name)]
        name = word.name
        if not paths and word.module:  # annotated from outside, perhaps
            paths = [file.path for file in self._scanned.modules if file.annotates_others]
            name = f"{word.module}:{word.name}"
        if not paths and word.module:
            hint = did_you_mean(word.module, self._modules.values())
            remedy = hint or " `annotest list` names targets."
            raise UsageError(f"{word.text}: there is no module {word.module!r} here.{remedy}")
        for path in paths:
            self._wanted[path].append(name)
        known = {shown for path in paths for shown in self._names_in(path)}
        if word.name in known or self._is_unread(paths):
            return None
        modules = [file for file in self._scanned.modules if file.path in paths]
        if not modules:
            raise unknown_name(word, known)
        return Unsure(word, name, modules)

    def _names_in(self, path: str) -> set[str]:
        shown = [file.names for file in self._scanned.modules if file.path == path]
        untested = [other.qualname for other in self._scanned.not_testable if other.file == path]
        classes = [name.rpartition(".")[0] for name in untested]
        return {name for names in shown for name in names} | {*untested, *classes, MODULE_TEST}

    def _is_unread(self, paths: list[str]) -> bool:
        return any(file.path in paths for file in self._scanned.unparsable)

    def _is_whole(self, path: str) -> bool:
        return any(path == given or path.startswith(given + os.sep) for given in self._whole)

    def _has(self, path: str) -> bool:
        return path in self._wanted or self._is_whole(path)

    def _with_names(self, file: ModuleFile) -> ModuleFile:
        names = () if self._is_whole(file.path) else tuple(self._wanted[file.path])
        return replace(file, wanted=names)

    def _is_told(self, function: NotTestable) -> bool:
        wanted = self._wanted.get(function.file, [])
        is_named = any(is_meant(name, function.module, function.qualname) for name in wanted)
        return is_named or self._is_whole(function.file)
