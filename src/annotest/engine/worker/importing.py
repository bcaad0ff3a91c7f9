"""A module whose import ended its process, or would not end: what is said of it."""

from __future__ import annotations

from annotest.discovery.loading import folders_of_text
from annotest.discovery.scan import ModuleFile, SourceFile
from annotest.discovery.targets import MODULE, MODULE_TEST
from annotest.engine.child.calling import written_import
from annotest.errors import Site
from annotest.events import ImportFailed
from annotest.facts import TargetInfo
from annotest.kinds import Kind
from annotest.oracles.crash import died
from annotest.process.own import os


def import_death(
    file: ModuleFile, kind: Kind, message: str, ending: str = "", output: str = ""
) -> ImportFailed:
    """Return the failure of an import of which no exception tells."""
    info = module_info(file, 1)
    here = os.getcwd()
    call = written_import(file, folders_of_text(file, here), here)
    failure = died(kind, info, message, ending, output).on(info.id, call)
    return ImportFailed(failure, Site(file.path, 1))


def module_info(file: SourceFile, line: int) -> TargetInfo:
    """Return a module as a target."""
    return TargetInfo(file.module, MODULE_TEST, MODULE, file.path, line)
