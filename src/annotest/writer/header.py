"""What stands at the top of a generated test file."""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable

from annotest.discovery.scan import MARKER
from annotest.records import record

WIDTH = 88


@record
class Header:
    """How a test file is made, and where it will lie."""

    version: str
    command: str
    source: str
    folder: str
    project_folders: tuple[str, ...]


def header_text(header: Header, module: str) -> str:
    """Return the opening comment and the docstring."""
    lines = [
        f"{MARKER} {header.version} from {header.source}",
        f"# with: {header.command}",
        "# Generating again overwrites this file: change the annotations instead.",
    ]
    lines = [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines]
    title = f'"""Property-based tests of {module}."""'
    if len(title) > WIDTH:
        title = '"""Property-based tests."""'
    return "\n".join([*lines, title])


# rules about how expressions should be written; RUF100 says that not each of them is broken
FOOTER = """\
# The preconditions and argument names above are the annotated program's own words.
# ruff: noqa: RUF100, E711, E712, E713, E714, E721, E731, E741, F632, B015, C400, C401
# ruff: noqa: C402, C403, C404, C405, C408, C409, C410, C411, C413, C414, C415, C416
# ruff: noqa: C417, C418, C419, FURB168, FURB169, FURB192, PLC0208, PLR0124, PLR0133
# ruff: noqa: PLR1716, PLW0177, RUF007, RUF015, RUF046, RUF057, SIM101, SIM118, SIM201
# ruff: noqa: SIM202, SIM208, SIM210, SIM211, SIM220, SIM221, SIM222, SIM223, UP018
# ruff: noqa: UP034"""


def place_of(path: str, header: Header) -> str:
    """Return the expression by which a test file finds a file or folder of the project."""
    parts = [part for part in os.path.relpath(path, header.folder).split(os.sep) if part != "."]
    ups = parts.count("..")
    rest = "".join(f' / "{part}"' for part in parts[ups:])
    return f"str(Path(__file__).resolve().parents[{ups}]{rest})"


def path_lines(header: Header) -> list[str]:
    """Return the statements that put the project's folders on the path."""
    lines = []
    for folder in reversed(header.project_folders):
        place = f"0, {place_of(folder, header)}"
        line = f"sys.path.insert({place})"
        lines.append(line if len(line) <= WIDTH else f"sys.path.insert(\n    {place}\n)")
    return lines


def import_blocks(lines: Iterable[str], project_modules: frozenset[str]) -> tuple[str, str]:
    """Return the imports of libraries and those of the project, sorted as isort would."""
    standard, library, project, computed = [], [], [], []
    for line in lines:
        top = re.split(r"[ .]", line)[1]
        if " = " in line:
            computed.append(line)
        elif top in sys.stdlib_module_names:
            standard.append(line)
        elif top in project_modules:
            project.append(line)
        else:
            library.append(line)
    groups = [_sorted_group(group) for group in (standard, library) if group]
    ours = [_sorted_group(project)] if project else []
    return "\n\n".join(groups), "\n\n".join(ours + ["\n".join(sorted(computed))] * bool(computed))


def _sorted_group(lines: list[str]) -> str:
    modules = {line.removeprefix("import ") for line in lines if line.startswith("import ")}
    members: dict[str, set[str]] = defaultdict(set)
    aliased: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if line.startswith("from "):
            module, _, names = line[5:].partition(" import ")
            for name in names.split(", "):
                (aliased if " as " in name else members)[module].add(name)
    written = [f"import {module}" for module in sorted(modules, key=_natural)]
    for module in sorted({*members, *aliased}, key=_natural):
        together = [sorted(members[module], key=_member_key)] if members[module] else []
        groups = [*together, *([name] for name in aliased[module])]
        for group in sorted(groups, key=lambda names: _member_key(names[0])):
            written.append(_from_line(module, group))
    return "\n".join(written)


def _natural(name: str) -> tuple[str, str]:
    return name.lower(), name


def _member_key(name: str) -> tuple[int, str, str]:
    # isort's order by type: CONSTANTS, Classes, then the rest
    plain = name.split(" as ")[0]
    rank = 0 if plain.isupper() and len(plain) > 1 else 1 if plain[:1].isupper() else 2
    return rank, plain.lower(), plain


def _from_line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])


def spaced(blocks: list[str]) -> str:
    """Join top-level blocks as formatters do: two blank lines around definitions."""
    text = "\n\n\n".join(blocks) + "\n"
    return "\n" + text if blocks and blocks[0].startswith(("@", "def ", "#")) else text
