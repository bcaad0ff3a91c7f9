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


def write_files(
    run: Run, folder: Path, force: bool, command: str
) -> tuple[list[dict[str, Any]], str]:
    """Write one test file for each module that has tests; return those, and why no more."""

    def header_of(file: ModuleFile) -> Header:
        source = relative(file.path)
        return Header(__version__, command, source, str(folder.resolve()), file.folders)

    written = [(file, made) for file, made in run.write(header_of) if made.tests]
    names = _file_names([file for file, _ in written])
    if not force:
        _refuse_foreign([folder / names[file.path] for file, _ in written])
    records: list[dict[str, Any]] = []
    for file, made in written:
        target = folder / names[file.path]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(target, made.text)
        except OSError as error:
            return records, f"{target}: cannot be written: {error.strerror}"
        records.append({"file": relative(str(target.resolve())), "tests": made.tests})
    return records, ""


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; to a device or a pipe, as it comes."""
    target = Path(os.path.realpath(path))  # a link stays one
    # where /dev/stdout leads to has no path that could be followed, if it is a pipe
    is_special = os.path.exists(path) and not path.is_file()
    unfinished = path if is_special else target.with_name(target.name + ".partial")
    unfinished.write_text(text, encoding="utf-8", errors="backslashreplace")
    if not is_special:
        unfinished.replace(target)


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
        if os.path.exists(target) and not _is_ours(target):
            raise UsageError(
                f"{target}: this file was not made by annotest; "
                "move it, choose another folder with --out, or overwrite it with --force"
            )


def _is_ours(target: Path) -> bool:
    if not target.is_file():
        return False
    with open(target, "rb") as file:
        return file.read(len(MARKER)) == os.fsencode(MARKER)
