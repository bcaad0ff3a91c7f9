"""`-k`: which targets to run, by words in their names."""

from __future__ import annotations

import re

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
