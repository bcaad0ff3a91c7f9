"""The console: how lines are printed, and those that are written over."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

from annotest.controls import escaped, on_one_line
from annotest.errors import UsageError

if TYPE_CHECKING:  # imported late: a run has processes to start before it has something to print
    from rich.console import Console as RichConsole
    from rich.console import ConsoleOptions
    from rich.segment import Segment

Piece = str | tuple[str, str]  # a text, or a text and its style


class Console:
    """A terminal, or what stands for one: whatever we show is printed through it.

    Long lines stay whole, so that they can be copied and searched. Of what others wrote no control
    character comes through: it is escaped.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    @cached_property
    def _rich(self) -> RichConsole:
        from rich.console import Console as RichConsole

        return RichConsole(highlight=False, soft_wrap=True, emoji=False, **self._options)

    def prepare(self) -> None:
        """Import what prints: better now than with the first line."""
        _ = self._rich

    def say(self, *pieces: Piece, style: str = "") -> None:
        """Print a line of pieces, those without a style of their own in this one."""
        self.say_lines([pieces], style)

    def say_lines(self, lines: Iterable[tuple[Piece, ...]], style: str = "") -> None:
        """Print many lines at once, which is a lot faster than one by one."""
        self._rich.print(_Lines(lines, style))

    @property
    def width(self) -> int:
        """How many characters fit on a line."""
        return self._rich.width

    @property
    def height(self) -> int:
        """How many lines fit on the screen."""
        return self._rich.height

    @property
    def can_move(self) -> bool:
        """Whether lines can be written over: on a real terminal, colours or not."""
        stream = self._options.get(
            "file", sys.stderr if self._options.get("stderr") else sys.stdout
        )
        if stream is None or not stream.isatty():
            return False
        return self._rich.is_terminal and not self._rich.is_dumb_terminal

    def write(self, text: str) -> None:
        """Write a text of our own as it is, with the controls in it."""
        self._rich.file.write(text)
        self._rich.file.flush()


class _Lines:
    """Lines of styled pieces: a rich Text of as many takes ten times as long to print."""

    def __init__(self, lines: Iterable[tuple[Piece, ...]], style: str) -> None:
        self._lines = lines
        self._style = style

    def __rich_console__(self, console: RichConsole, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.segment import Segment

        for line in self._lines:
            for piece in line:
                text, style = (piece, self._style) if isinstance(piece, str) else piece
                kind = console.get_style(style) if style else None
                for number, part in enumerate(escaped(text).split("\n")):
                    if number:
                        yield Segment.line()
                    yield Segment(part.expandtabs(), kind)
            yield Segment.line()


class _ReportConsole(Console):
    """A console for a report, which is of no use if it cannot be written."""

    def say_lines(self, lines: Iterable[tuple[Piece, ...]], style: str = "") -> None:
        with to_standard_output():
            super().say_lines(lines, style)


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
    """Return the console of a standard stream."""
    return Console(stderr=True) if stderr else _ReportConsole()


def plain_console(file: IO[str]) -> Console:
    """Return a console that writes text without colours, as wide as pytest shows it anywhere."""
    return Console(
        file=file,
        width=76,
        color_system=None,
        force_terminal=False,
    )


class ProgressLines:
    """A few lines that are written over again and again; silent where nothing can move."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown = 0

    def show(self, lines: list[str]) -> None:
        """Show lines in place of the last ones."""
        if not self._console.can_move:
            return
        width = max(10, self._console.width - 1)
        lines = lines[: max(1, self._console.height - 1)]
        shown = [on_one_line(line)[:width] for line in lines]
        self._console.write(self._back() + "\n".join(shown))
        self._shown = len(lines)

    def clear(self) -> None:
        """Take the lines away."""
        if self._shown:
            self._console.write(self._back())
            self._shown = 0

    def _back(self) -> str:
        """Return what takes the cursor to where the first line began, with nothing after it."""
        up = f"\x1b[{self._shown - 1}A" if self._shown > 1 else ""
        return f"\r{up}\x1b[J" if self._shown else ""


def plural(count: int, word: str) -> str:
    """Return "1 target" or "2 targets"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")
