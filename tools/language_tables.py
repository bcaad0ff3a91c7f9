"""Write the tables of docs/language.md and docs/running.md from the code they describe.

    python tools/language_tables.py           rewrite the tables
    python tools/language_tables.py --check   fail when they are stale

Each table stands between two comments, `<!-- name:begin -->` and `<!-- name:end -->`. What is
between them is made here and overwritten; everything else on the page is left alone.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from annotest import an_language
from annotest.cli.keys import example_of, keys_of, taken_by
from annotest.cli.main import run_command
from annotest.cli.sources import Table
from annotest.constraints import REGISTRY, Constraint, ints

DOCS = Path(__file__).resolve().parents[1] / "docs"

# two arguments whose value when left out is a property of the constraint
ENDS = (
    ("min", "max", "bounds"),
    ("min_len", "max_len", "lengths"),
    ("min_size", "max_size", "lengths"),
    ("min_dims", "max_dims", "dims"),
    ("min_side", "max_side", "sides"),
)
METHODS = ("map", "where")

# the published tool's constraints, each in one call whose meaning the table shows
PUBLISHED_CALLS = {
    "integers": "integers()",
    "floats": "floats()",
    "sampled": "sampled(['same', 'valid'])",
    "array_shapes": "array_shapes()",
    "np_arrays": "np_arrays(dtype='float32', shape=(2, 3))",
    "tuples": "tuples(integers(1, 3), integers(1, 3))",
    "dictionaries": "dictionaries(sampled(['rate']), floats(0, 1))",
    "obj": "obj(networks)",
    "multiple": "multiple(integers(1, 5), integer_lists())",
    "integer_lists": "integer_lists()",
}
PUBLISHED_DECORATORS = {
    "arg": '`@arg("n", …)`; the default value is valid too, except with `obj`',
    "precondition": '`@require("…")`',
    "deadline": "`@timeout(seconds)`; a `timedelta` here; `None` sets nothing",
    "exclude": "`@exclude`",
    "generator": "`@generator`",
    "cc_example": "several `@cc_example([…])`; here a list of calls, one tuple each",
    "annotest_module_test": "`module_test()`",
}


def first_sentence(documented: Any) -> str:
    """Return the first sentence of a docstring, on one line."""
    paragraph = " ".join((inspect.getdoc(documented) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.]) (?=[A-Z])", paragraph)[0]


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in r)} |" for r in lines)


def constraints() -> str:
    """Return the table of the constraints: name, arguments with defaults, values."""
    listed = sorted(REGISTRY.items(), key=lambda item: item[0] in METHODS)
    return table(
        ("constraint", "arguments, with their defaults", "values"),
        ((_called(name), _arguments(name, cls), first_sentence(cls)) for name, cls in listed),
    )


def _called(name: str) -> str:
    return f"`T.{name}`" if name in METHODS else f"`{name}`"


def _arguments(name: str, cls: type[Constraint]) -> str:
    known = {field.name for field in dataclasses.fields(cls)}  # aliases are no fields
    parameters = [p for p in inspect.signature(cls).parameters.values() if p.name in known]
    if name in METHODS:
        parameters = parameters[1:]  # the constraint itself
    left_out = _left_out(cls, parameters)
    shown: list[str] = []
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not any(one.startswith("*") for one in shown):
            shown.append("*")
        stars = "*" if p.kind is p.VAR_POSITIONAL else ""
        default = left_out.get(p.name, "" if p.default is p.empty else repr(p.default))
        shown.append(f"{stars}{p.name}={default}" if default else f"{stars}{p.name}")
    return f"`{', '.join(shown)}`" if shown else "none"


def _left_out(cls: type[Constraint], parameters: list[inspect.Parameter]) -> dict[str, str]:
    """Return what the ends of a range are when left out, as the constraint itself says."""
    names = [p.name for p in parameters]
    needed = [ints()] * sum(p.default is p.empty for p in parameters)
    if "keys" in names:
        needed = [ints(), ints()]  # dicts takes keys and values, or one record
    found: dict[str, str] = {}
    for low, high, ends in ENDS:
        if low not in names or not hasattr(cls, ends) or cls.star:
            continue  # of several elements there is no length to leave out
        start, end = getattr(cls(*needed), ends)
        moved = getattr(cls(*needed, **{low: start + 7}), ends)[1]
        found[low] = str(start)
        found[high] = f"{low}+{end - start}" if moved == end + 7 else str(end)
    return found


def published() -> str:
    """Return the table of the published tool's spelling."""
    return table(("in `annotest.an_language`", "the same in `annotest`"), _published_rows())


def networks() -> None:
    """Stand for a generator of the user's."""


def _published_rows() -> Iterator[tuple[str, ...]]:
    names = {**vars(an_language), "networks": networks}
    for name, call in PUBLISHED_CALLS.items():
        parameters = inspect.signature(getattr(an_language, name)).parameters.values()
        plain = ", ".join(str(p.replace(annotation=p.empty)) for p in parameters)
        yield f"`{name}({plain})`", f"`{call}` is `{eval(call, names)!r}`"
    for name, meaning in PUBLISHED_DECORATORS.items():
        yield f"`{name}`", meaning
    missing = set(an_language.__all__) - {*PUBLISHED_CALLS, *PUBLISHED_DECORATORS}
    if missing:
        sys.exit(f"tools/language_tables.py says nothing of an_language's {sorted(missing)}")


def keys() -> str:
    """Return the table of what can be configured."""
    return table(("key, for instance", "when left out", "meaning"), _key_rows())


def _key_rows() -> Iterator[tuple[str, ...]]:
    for key, param in keys_of(run_command).items():
        written = Table("", "").assign(key, example_of(param))
        yield f"`{written}`", _default(param), _meaning(param)


def _default(param: click.Parameter) -> str:
    is_told = isinstance(param.default, int | float | str) and param.default != ""
    return f"`{taken_by(param).show(param.default)}`" if is_told else ""


def _meaning(param: click.Parameter) -> str:
    text = param.help if isinstance(param, click.Option) else "What is tested; the current folder."
    return str(text).partition("  [default")[0]


TABLES: dict[str, dict[str, Callable[[], str]]] = {
    "language.md": {"constraints": constraints, "an_language": published},
    "running.md": {"keys": keys},
}


def with_tables(page: Path) -> str:
    """Return the text of a page with every table made anew."""
    text = page.read_text(encoding="utf-8")
    for name, make in TABLES[page.name].items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            sys.exit(f"{page}: the markers {begin} and {end} are missing")
        text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


def main() -> None:
    """Rewrite the pages, or check them."""
    parser = argparse.ArgumentParser(description="Write the tables of the documentation.")
    parser.add_argument("--check", action="store_true", help="fail when they are stale")
    check = parser.parse_args().check
    for page in [DOCS / name for name in TABLES]:
        text = with_tables(page)
        if text == page.read_text(encoding="utf-8"):
            continue
        if check:
            sys.exit(f"{page.name}: its tables are stale; run python tools/language_tables.py")
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
