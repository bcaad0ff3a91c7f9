"""What a dead or hung child leaves behind: the stack that faulthandler dumped, and its output."""

from __future__ import annotations

import re
import signal

from annotest.events import Frame
from annotest.oracles.crash import is_own

# asked for before a hung child is killed; faulthandler answers even inside native code
DUMP_SIGNAL = getattr(signal, "SIGUSR2", None)

_STACK = re.compile(
    r"^(?:Current thread|Thread|Stack).*\(most recent call first\):\n((?:  File .*\n?)*)",
    re.MULTILINE,
)
_FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
_FATAL = re.compile(r"^Fatal Python error: ", re.MULTILINE)


def read_dump(output: str) -> tuple[tuple[Frame, ...] | None, str]:
    """Return the frames of the user's code, innermost last, and the output without the dump."""
    stack = _STACK.search(output)
    if stack is None:
        return None, output
    start = _FATAL.search(output) or stack
    frames = []
    for file, line, function in _FRAME.findall(stack.group(1)):
        if is_own(file):
            break  # from here on the stack is annotest's
        frames.append(Frame(file, int(line), function))
    return tuple(reversed(frames)) or None, output[: start.start()]
