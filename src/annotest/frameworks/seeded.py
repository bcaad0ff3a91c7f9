"""Random number generators of several libraries, each made from a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotest.expr import Expr, Method, Ref, tree
from annotest.records import record


def _numpy(seed: int) -> Any:
    import numpy as np  # late: annotations stand in production code

    return np.random.default_rng(seed)


def _torch(seed: int) -> Any:
    import torch

    return torch.Generator().manual_seed(seed)


_MAKING: dict[str, Callable[[int], Any]] = {"numpy": _numpy, "torch": _torch}
_WRITING: dict[str, Callable[[int], Expr]] = {
    "numpy": lambda seed: Ref("numpy", "random.default_rng", "np")(seed),
    "torch": lambda seed: Method(
        Ref("torch", "Generator", "torch")(), "manual_seed", (tree(seed),)
    ),
}
KINDS = tuple(_MAKING)


@record
class Seeded:
    """Makes a generator of random numbers from its seed; a function that recipes can hold."""

    kind: str

    def __call__(self, seed: int) -> Any:
        """Return a generator that nobody has drawn from."""
        return _MAKING[self.kind](seed)

    def source(self, seed: int) -> Expr:
        """Return the source of the generator with this seed."""
        return _WRITING[self.kind](seed)
