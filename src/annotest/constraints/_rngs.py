"""Generators of random numbers, as arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._numbers import Ints
from annotest.constraints._structure import Derived
from annotest.errors import InvalidAnnotation, MissingFramework, did_you_mean
from annotest.expr import ByRecipe, Expr, Ref, ours
from annotest.frameworks.seeded import KINDS, Seeded
from annotest.source import shown

_SEEDS = Ints(0, 2**16 - 1)


@dataclass(frozen=True, eq=False, repr=False)
class Rngs(Constraint, name="rngs"):
    """Generators of random numbers, each made from a seed: NumPy's, or torch's."""

    kind: ClassVar[type | None] = object
    positional: ClassVar[tuple[str, ...]] = ("of",)
    of: str = KINDS[0]

    def __post_init__(self) -> None:
        if self.of not in KINDS:
            raise InvalidAnnotation(
                f"rngs({shown(self.of)}): there are none of that name."
                f"{did_you_mean(str(self.of), KINDS)}",
                f"use {' or '.join(map(repr, KINDS))}",
            )
        try:
            frameworks.load(self.of)
        except MissingFramework as error:
            raise InvalidAnnotation(f"rngs: {error}") from error

    def strategy(self) -> Expr:
        return ByRecipe(ours.seeded(self.of), Ref("annotest.plan.arrays", "seeded_recipes"))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        kind = type(value)
        if (kind.__module__.partition(".")[0], kind.__name__) != (self.of, "Generator"):
            yield Mismatch(at, f"a generator of {self.of}'s random numbers", value)

    def is_built_late(self) -> bool:
        return True

    @cached_property
    def structure(self) -> Derived:
        return Derived(_SEEDS, Seeded(self.of))
