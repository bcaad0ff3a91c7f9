"""Writing generated test files, without ever overwriting somebody else's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from annotest import __version__
from annotest.discovery.scan import MARKER, ModuleFile
from annotest.engine.parent.run import Run
from annotest.errors import UsageError
from annotest.reports.paths import relative
from annotest.writer.header import Header


def write_files(run: Run, folder: Path, force: bool, command: str) -> list[dict[str, Any]]:
    """Write one test file for each module that has tests; return what was written."""

    def header_of(file: ModuleFile) -> Header:
        source = relative(file.path)
        return Header(__version__, command, source, str(folder.resolve()), file.folders)

    written = [(file, made) for file, made in run.write(header_of) if made.tests]
    names = _file_names([file for file, _ in written])
    if not force:
        _refuse_foreign([folder / names[file.path] for file, _ in written])
    records = []
    for file, made in written:
        target = folder / names[file.path]
        folder.mkdir(parents=True, exist_ok=True)
        target.write_text(made.text, encoding="utf-8")
        records.append({"file": relative(str(target.resolve())), "tests": made.tests})
    return records


def _file_names(files: list[ModuleFile]) -> dict[str, str]:
    names: dict[str, str] = {}
    for file in files:
        name = f"test_{file.module.replace('.', '_').replace('-', '_')}.py"
        while name in names.values():
            name = f"{name.removesuffix('.py')}_.py"
        names[file.path] = name
    return names


def _refuse_foreign(targets: list[Path]) -> None:
    for target in targets:
        if target.exists() and not _is_ours(target):
            raise UsageError(
                f"{target}: this file was not made by annotest; "
                "move it, choose another folder with --out, or overwrite it with --force"
            )


def _is_ours(target: Path) -> bool:
    with open(target, "rb") as file:
        return file.read(len(MARKER)) == os.fsencode(MARKER)
