"""What a dead or hung child leaves behind: the stack that faulthandler dumped, and its output."""

from __future__ import annotations

import re

from annotest.facts import Frame
from annotest.oracles.project import is_own

# what a program prints need not end with a newline: a dump may begin in the middle of a line
_CALLS = r" \(most recent call first\):\n(?:  [^\n]*\n?)*"
_THREAD = rf"(?:Current thread|Thread) 0x[^\n]*{_CALLS}"
_HEAD = r"Fatal Python error: [^\n]*\n(?:[^\n]+\n)?\n"
_DUMP = re.compile(rf"(?:{_HEAD})?(?:Stack{_CALLS}|{_THREAD}(?:\n{_THREAD})*)")
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)


def read_dump(output: str) -> tuple[tuple[Frame, ...] | None, str]:
    """Return the frames of the user's code, innermost last, and the output before the dump.

    The last dump counts: the program may have printed others.
    """
    dumps = list(_DUMP.finditer(output))
    if not dumps:
        return None, output
    dump = dumps[-1]
    # where it tells of several threads, the one that died or was asked counts
    threads = re.findall(_THREAD, dump.group())
    stack = next((text for text in threads if text.startswith("Current")), dump.group())
    frames = []
    for file, line, function in _FRAME.findall(stack):
        if is_own(file):
            break  # from here on the stack is annotest's
        frames.append(Frame(file, int(line), function))
    return tuple(reversed(frames)) or None, output[: dump.start()]
