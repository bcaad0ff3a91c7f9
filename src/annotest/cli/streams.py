"""The standard streams of the command: closed, full, or with nobody at the other end."""

from __future__ import annotations

import os
import sys
from typing import IO

import click

from annotest.controls import escaped
from annotest.reports.console import to_standard_output


def prepare_streams() -> None:
    """Open what was closed when we were started, and print whatever there is to print."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _to_nowhere(number))
    for stream in (sys.stdout, sys.stderr):  # a file may be named in no encoding at all
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _to_nowhere(number: int) -> IO[str]:
    """Return a stream to nowhere; it takes its usual number, which a pipe of ours might get."""
    mode = "r" if number == 0 else "w"
    try:
        os.fstat(number)
    except OSError:
        silence(number)
        return open(number, mode, closefd=False, encoding="utf-8")
    return open(os.devnull, mode, encoding="utf-8")


def silence(number: int) -> None:
    """Let whatever is written to this standard stream from now on go nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere == number:
        os.set_inheritable(number, True)
    else:
        os.dup2(nowhere, number)
        os.close(nowhere)


def say_error(text: str) -> None:
    """Print to standard error, if that can be written."""
    try:
        click.echo(escaped(text), err=True)
    except OSError:
        silence(2)


def flush_report() -> None:
    """Write out what is left of the report."""
    with to_standard_output():
        sys.stdout.flush()


def drop_unwritten() -> None:
    """Forget what standard output does not take: Python would try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        silence(1)
