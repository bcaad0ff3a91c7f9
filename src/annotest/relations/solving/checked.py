"""Conditions that are known as Python only: source text, with variables and live values in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotest.records import record
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.terms import Namer
from annotest.relations.solving.variables import Name


@dataclass(frozen=True, eq=False)
class Checked(Condition):
    """A condition that is known only as Python: it is checked when all its variables have values.

    `pieces` is its source, with variables and constants in it: names, and wrapped values.
    """

    pieces: tuple[Any, ...]

    def variables(self) -> Iterator[Name]:
        return (piece.name for piece in self.pieces if isinstance(piece, Hole))

    def state(self, box: Box) -> bool | None:
        return None

    def narrow(self, box: Box) -> None:
        """Nothing is known before the values are."""

    def text(self, name: Namer) -> str:
        written = (
            piece if isinstance(piece, str) else name(_named(piece)) for piece in self.pieces
        )
        return f"({''.join(written)})"


@record
class Hole:
    """The place of a variable in source text."""

    name: Name


@dataclass(frozen=True, eq=False)
class ConstantPiece:
    """A live value in source text."""

    value: Any


def _named(piece: Hole | ConstantPiece) -> Any:
    return piece.name if isinstance(piece, Hole) else piece


def is_opaque(condition: Condition) -> bool:
    """Say whether a part of a condition is known as Python only."""
    return isinstance(condition, Checked) or any(map(is_opaque, condition.inside()))
