"""Messages of exceptions, without what differs from call to call."""

from __future__ import annotations

import re

_LONGEST = 200
_QUOTED = r"""(?<!\w)[bru]{0,2}(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)(?!\w)"""
_PATH = r"(?<![\w.])~?/[\w.@+~/-]+"
# not `long` and `short`, which are words
_DTYPE = (
    r"\b(?:Bool|BFloat|Byte|Char|Double|Float|Half|Int|Long|Short)(?:\d*)\b"
    r"|\b(?:bool|bfloat|complex|double|float|uint|int)\d*\b"
)
_DIGEST = r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b"
_NUMBER = r"(?i:0x[0-9a-f]+|[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?|[-+]?\b(?:nan|inf)\b)"
_CONSTANT = r"\b(?:True|False|None)\b"
_CHANGING = re.compile("|".join((_QUOTED, _PATH, _DTYPE, _DIGEST, _NUMBER, _CONSTANT)))
_SEVERAL = re.compile(r"#(?:\s*[,x]?\s*#)*,?")
_COLLECTION = re.compile(r"\bset\(\)|[\[({]\s*(?:#[\s,:]*)*[\])}]")
_CUT_OFF = re.compile(r"[\[({][\[({#\s,:…]*$")


def alike(message: str) -> str:
    """Return a message with numbers, quoted words, paths and data types made equal.

    So are lists, shapes and dicts of these, whatever their length.
    """
    text = _SEVERAL.sub("#", _CHANGING.sub("#", _first_line(message)))
    before = ""
    while text != before:
        before, text = text, _SEVERAL.sub("#", _COLLECTION.sub("#", text))
    return _SEVERAL.sub("#", _CUT_OFF.sub("#", text))[:_LONGEST]


def _first_line(message: str) -> str:
    """Return the first line, with the next where it only announces that."""
    said = ""
    for line in message.strip().splitlines():
        said = f"{said} {line.strip()}".lstrip()
        if not said.endswith(":"):
            break
    return said
