"""Which targets are meant: by words in their names (`-k`), or by a name (`explain`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from annotest.errors import UsageError

_WORD = re.compile(r"[^\s()]+")


def matches(expression: str, name: str) -> bool:
    """Say whether a name satisfies `word`, `word and word`, `word or word`, `not word`, (…)."""
    if not expression.strip():
        return True

    def judged(match: re.Match[str]) -> str:
        word = match.group()
        if word in ("and", "or", "not"):
            return word
        return str(word.lower() in name.lower())

    try:
        return bool(eval(_WORD.sub(judged, expression), {"__builtins__": {}}))
    except (SyntaxError, TypeError):
        raise UsageError(
            f"-k {expression!r} cannot be read; write words joined by and, or, not"
        ) from None


def has_name(name: str, qualname: str) -> bool:
    """Say whether a name is that of a target: the whole of it, or what stands behind its class."""
    return name != "" and name in (qualname, qualname.rpartition(".")[2])


def meant(words: Iterable[str], qualnames: Iterable[str]) -> set[str]:
    """Return the names that words mean: just that name, or else those that match; all for none."""
    known, found = set(qualnames), set[str]()
    for word in words:
        exact = {name for name in known if has_name(word, name)}
        found |= exact or {name for name in known if matches(word, name)}
    return found if words else known
