"""Control characters made visible: what a terminal would obey, it shows."""

from __future__ import annotations

import re

# all but newline and tab; the last ones turn the direction of writing, or end lines
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_IN_A_LINE = re.compile(f"\n|\t|{_CONTROLS.pattern}")


def escaped(text: str) -> str:
    """Return a text with its control characters as Python writes them, lines and tabs left."""
    return _CONTROLS.sub(_written, text)


def on_one_line(text: str) -> str:
    r"""Return a text with all of its control characters as Python writes them, `\n` too."""
    return _IN_A_LINE.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
