"""The console: how lines are printed, and those that are written over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from rich.console import Console

from annotest.errors import UsageError


class _ReportConsole(Console):
    """A console for a report, which is of no use if it cannot be written."""

    def print(self, *objects: Any, **options: Any) -> None:
        with to_standard_output():
            super().print(*objects, **options)


@contextmanager
def to_standard_output() -> Iterator[None]:
    """Say what is wrong if standard output cannot be written; that nobody reads it is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"standard output cannot be written: {error.strerror}") from error


def make_console(stderr: bool = False) -> Console:
    """Return a console that leaves long lines whole, so that they can be copied and searched."""
    kind = Console if stderr else _ReportConsole
    return kind(stderr=stderr, highlight=False, soft_wrap=True, emoji=False)


def plain_console(file: IO[str]) -> Console:
    """Return a console that writes text without colours, as wide as pytest shows it anywhere."""
    return Console(
        file=file,
        width=76,
        color_system=None,
        force_terminal=False,
        highlight=False,
        soft_wrap=True,
        emoji=False,
    )


class ProgressLines:
    """A few lines that are written over again and again; silent where nobody watches."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown = 0

    def show(self, lines: list[str]) -> None:
        """Show lines in place of the last ones."""
        if not self._console.is_terminal:
            return
        width = max(10, self._console.width - 1)
        lines = lines[: max(1, self._console.height - 1)]
        self._write(self._back() + "\n".join(line[:width] for line in lines))
        self._shown = len(lines)

    def clear(self) -> None:
        """Take the lines away."""
        if self._shown:
            self._write(self._back())
            self._shown = 0

    def _back(self) -> str:
        """Return what takes the cursor to where the first line began, with nothing after it."""
        up = f"\x1b[{self._shown - 1}A" if self._shown > 1 else ""
        return f"\r{up}\x1b[J" if self._shown else ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()


def plural(count: int, word: str) -> str:
    """Return "1 target" or "2 targets"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")
