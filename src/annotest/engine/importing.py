"""A module whose import ended its process, or would not end: what is said of it."""

from __future__ import annotations

import os

from annotest.discovery.loading import folders_of_text
from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import MODULE
from annotest.engine.calling import written_import
from annotest.engine.deaths import fingerprint
from annotest.errors import Site
from annotest.events import Failure, ImportFailed, TargetInfo


def import_death(
    file: ModuleFile, kind: str, message: str, ending: str = "", output: str = ""
) -> ImportFailed:
    """Return the failure of an import of which no exception tells."""
    info = TargetInfo(file.module, "<module>", MODULE, file.path, 1)
    failure = Failure(
        info,
        kind,
        fingerprint(kind, info, ending),
        message=message,
        call=written_import(file.module, folders_of_text(file, os.getcwd())),
        seen_in=info.id,
        output=output,
    )
    return ImportFailed(failure, Site(file.path, 1))


def module_info(file: ModuleFile, line: int) -> TargetInfo:
    """Return a module as a target."""
    return TargetInfo(file.module, "<module>", MODULE, file.path, line)
