"""Long traces made short: of calls that go round in a circle, one round is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from annotest.reports.console import plural


class TraceStep(NamedTuple):
    """What is shown as one step of a trace, and how many frames that is."""

    lines: tuple[str, ...]
    frames: int = 1


# a circle has at most so many steps, and is folded where it is gone round so often
_LONGEST, _OFTEN = 100, 3
# of a trace that is still longer, so many steps are shown at either end
_ENDS = 15


def folded(steps: list[TraceStep]) -> list[TraceStep]:
    """Return steps with one round of each circle, and of what is left no more than a screen."""
    shown = list(_rounds_folded(steps))
    between = shown[_ENDS:-_ENDS]
    if len(between) <= 1:
        return shown
    frames = sum(step.frames for step in between)
    left_out = TraceStep((f"… {plural(frames, 'more frame')}",), frames)
    return [*shown[:_ENDS], left_out, *shown[-_ENDS:]]


def _rounds_folded(steps: list[TraceStep]) -> Iterator[TraceStep]:
    place = 0
    while place < len(steps):
        length, rounds = _circle(steps, place)
        circle = steps[place : place + length]
        yield from circle
        if rounds > 1:
            frames = sum(step.frames for step in circle)
            last = "frame repeats" if frames == 1 else f"{frames:,} frames repeat"
            told = f"… the last {last} {plural(rounds - 1, 'more time')}"
            yield TraceStep((told,), frames * (rounds - 1))
        place += length * rounds


def _circle(steps: list[TraceStep], start: int) -> tuple[int, int]:
    """Return the length of the circle that takes up most of what follows, and its rounds."""
    best, left = (1, 1), len(steps) - start
    for length in range(1, min(_LONGEST, left // _OFTEN) + 1):
        rounds = _rounds(steps, start, length)
        if rounds >= _OFTEN and length * rounds > best[0] * best[1]:
            best = (length, rounds)
        if left - length * rounds < length:
            break  # a longer one is only the same, several times
    return best


def _rounds(steps: list[TraceStep], start: int, length: int) -> int:
    """Return how often so many steps come one after the other, the first time included."""
    end = start + length
    while end < len(steps) and steps[end] == steps[end - length]:
        end += 1
    return (end - start) // length
