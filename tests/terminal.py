"""annotest on a terminal of its own."""

import os
import pty
import select
import sys
import time

from patience import patience


def on_a_terminal(folder, *words, seconds=60, **env):
    """Run annotest on a terminal; return what the terminal got, and the status."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ.update({"TERM": "xterm", "COLUMNS": "90", "LINES": "24", **env})
        os.execv(sys.executable, [sys.executable, "-m", "annotest", *words])
    shown, until = b"", time.monotonic() + patience(seconds)
    while time.monotonic() < until:
        if select.select([terminal], [], [], 0.5)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                break
    return shown.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
