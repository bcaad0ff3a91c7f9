"""What a hint is when it says which values are valid, and when it does not."""

from __future__ import annotations

from typing import NamedTuple

from annotest.constraints import Constraint


class NotPrecise(Exception):
    """A hint that does not say which values are valid; the text says why, where that is news."""


class Hinted(NamedTuple):
    """What the hint of one argument says about its values."""

    constraint: Constraint | None
    is_ours: bool = False  # aN is written in it
    unread: str = ""  # why it gives no constraint
    is_of_array: bool = False  # jaxtyping is written in it

    def in_framework(self, framework: str) -> Hinted:
        """Return what it says where arrays of any framework are of this one."""
        if self.constraint is None:
            return self
        return self._replace(constraint=self.constraint.in_framework(framework))
