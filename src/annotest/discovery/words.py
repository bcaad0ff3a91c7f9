"""Words of the command line: paths, and the names of targets in them.

`FILE.py:NAME` and `module:NAME` are targets: a function, a method, or a class with all its methods.
`FILE.py::NAME` and `FILE.py::Class::method` are the same.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

from annotest.errors import UsageError
from annotest.records import record


@record
class Word:
    """A word of the command line: a path, or a target in the file or the module of that name."""

    text: str
    path: str = ""
    module: str = ""
    name: str = ""

    @property
    def place(self) -> str:
        """The path that is meant, or where its module is looked for."""
        return self.path or "."

    @property
    def head(self) -> str:
        """What stands before the name."""
        return self.path or self.module

    def is_of(self, path: str, module: str) -> bool:
        """Say whether a file is the one in which the target is, by its whole name."""
        return path == os.path.realpath(self.path) if self.path else module == self.module

    def may_be_of(self, module: str) -> bool:
        """Say whether a module is seen under this name from a folder below."""
        return bool(self.module) and module.endswith(f".{self.module}")


def read_word(text: str) -> Word:
    """Read a word; what is there under that name is a path, whatever signs it has."""
    if os.path.exists(text) or ":" not in text:
        return Word(text, path=text)
    heads = [text[:place] for place, sign in enumerate(text) if sign == ":"]
    head = next((head for head in reversed(heads) if os.path.isfile(head)), heads[0])
    name = text[len(head) :].lstrip(":").replace("::", ".")
    is_path = head.endswith(".py") or os.sep in head
    if not name or not head:
        raise UsageError(f"{text}: write FILE.py:NAME or module:NAME")
    return Word(text, head, "", name) if is_path else Word(text, "", head, name)


def is_meant(wanted: str, module: str, qualname: str) -> bool:
    """Say whether a target is one that is wanted: by its name, its id, or those of its class."""
    names = (qualname, f"{module}:{qualname}")
    return any(name == wanted or name.startswith(f"{wanted}.") for name in names)


def unknown_name(word: Word, known: Iterable[str]) -> UsageError:
    """Return the error for a name that its file does not have."""
    names = sorted({*known})
    alike = [name for name in names if name.lower().rpartition(".")[2] == word.name.lower()]
    close = alike or difflib.get_close_matches(word.name, names)
    remedy = f"Did you mean {word.head}:{close[0]}?" if close else "`annotest list` names targets."
    return UsageError(f"{word.text}: {word.head} has no {word.name!r}. {remedy}")
