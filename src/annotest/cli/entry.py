"""Where the command starts and ends."""

from __future__ import annotations

import gc
import os


def main() -> None:
    """Run the command.

    It is left without the interpreter's own end, which takes time to take everything apart, and
    during which a second Ctrl-C would kill us.
    """
    gc.disable()  # modules stay: to look them through again and again takes a tenth of the time
    from annotest.cli.main import main as command
    from annotest.process.output import flush

    gc.enable()
    try:
        command(prog_name="annotest")
    except SystemExit as end:
        flush()
        os._exit(end.code if isinstance(end.code, int) else 0)
