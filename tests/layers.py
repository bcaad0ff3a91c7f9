"""The layers of the house: a module imports its own row and the rows above it.

python tests/layers.py    write the tables into ARCHITECTURE.md
"""

import sys
from pathlib import Path
from typing import NamedTuple

ARCHITECTURE = Path(__file__).resolve().parent.parent / "ARCHITECTURE.md"


class Layer(NamedTuple):
    """The packages and modules of one row, and what they hold."""

    names: tuple[str, ...]
    holds: str


LAYERS = [
    Layer(("records",), "classes compared, hashed and shown by their fields, made fast"),
    Layer(
        ("errors", "expr", "large"),
        "exceptions, `Site`, `Mistake`, recording of mistakes; expression trees and their evaluation; "
        "recipes of large arrays",
    ),
    Layer(("frameworks",), "one adapter per framework, loaded by name; others by entry point"),
    Layer(
        ("imports", "source"),
        "how modules are got at in written Python; values → trees → text: reprs, messages, printed calls, generated files",
    ),
    Layer(("constraints",), "one frozen class per constraint; what sizes mean (`_sizes.py`)"),
    Layer(
        ("promises", "spec", "decorators", "outside", "an_language"),
        "words for what calls promise; annotations as data, where they are kept, `annotate`, the two spellings",
    ),
    Layer(
        ("hints", "signature", "relations"),
        "precise type hints; one function's arguments with all that is said about them; arguments as "
        "variables, preconditions as conditions on them, and the search for values that fit",
    ),
    Layer(
        ("plan",),
        "steps, recipes, preconditions, planner, and the interpreter that draws with Hypothesis",
    ),
    Layer(
        ("simplify",),
        "recipes made simpler: what in them can change, what the annotations allow, the minimiser",
    ),
    Layer(("strategies",), "public: what generated tests may import"),
    Layer(("testing",), "public: conformance cases for constraints"),
    Layer(
        ("events", "facts", "kinds", "controls", "globs", "process", "guard", "config", "database"),
        "what happens, as data, and the words for it; control characters made visible; pipes, shared memory, forking, spawning, limits, killing; the accident "
        "guard; `[tool.annotest]`, patterns of files; failing inputs kept in the project",
    ),
    Layer(("discovery",), "files → modules (statically), modules → targets (in a worker)"),
    Layer(("writer",), "targets → pytest files"),
    Layer(("oracles",), "what a call came to → faults, each with its fingerprint"),
    Layer(("engine",), "lanes, workers, search, shrinking, replay, whole runs"),
    Layer(("triage",), "failures → findings"),
    Layer(("reports",), "findings → terminal and JSON"),
    Layer(("cli", "__main__"), "`annotest run`, `replay`, `list`, `explain`, `generate`, `config`"),
    Layer(
        ("checking",),
        "`annotest.check` and `check_call`, for tests that people write; `value`, for what they paste",
    ),
]
# the folders of the engine, one for each kind of process, from the inside of the tree out
ROOMS = [
    Layer(
        ("engine",), "what several kinds of process share: tasks, jobs, options, what a death is"
    ),
    Layer(
        ("child",), "jobs: searches, shrinking, attempts, calls, and what is put back after them"
    ),
    Layer(("worker",), "the import of a module, its plans, the children that do its jobs"),
    Layer(("base",), "what modules share, imported once, before workers are forked"),
    Layer(("lane",), "the worker of one module supervised, its targets, the journal of failures"),
    Layer(("parent",), "what is done when and where, results, replaying"),
]
ROW = {name: number for number, layer in enumerate(LAYERS) for name in layer.names}
ROOM = {name: number for number, room in enumerate(ROOMS) for name in room.names}

_TABLES = {"layers": LAYERS, "rooms": ROOMS}


def table(rows: list[Layer]) -> str:
    """Return layers as a table of Markdown."""
    lines = (f"| {', '.join(f'`{name}`' for name in row.names)} | {row.holds} |" for row in rows)
    return "\n".join(["| row | what it holds |", "|---|---|", *lines, ""])


def with_tables(page: str) -> str:
    """Return a page with the tables in their places."""
    for name, rows in _TABLES.items():
        begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
        before, _, rest = page.partition(begin)
        page = "".join((before, begin, table(rows), end, rest.partition(end)[2]))
    return page


if __name__ == "__main__":
    ARCHITECTURE.write_text(with_tables(ARCHITECTURE.read_text()))
    sys.exit()
