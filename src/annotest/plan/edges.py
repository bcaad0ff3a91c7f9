"""Numbers that stand in no relation, at the ends of their range more often than chance has it."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from annotest.constraints import Constraint

# of fewer values, each is drawn often enough by itself
FEW = 100
# one in so many numbers is special; and so many numbers are decided upon each by itself, the
# others with one of them: Hypothesis draws evenly only from few values
SHARE, APART = 8, 2
# zero, the ends, one, and the neighbours of the ends come first among special values
MOST_SPECIAL = 7


class Edges:
    """What to draw arguments from in one call: special values for some of the numbers."""

    def __init__(self, drawing: dict[str, Any], constraints: dict[str, Constraint | None]) -> None:
        self._drawing = drawing
        self._special = {
            key: st.sampled_from(constraint.special_values()[:MOST_SPECIAL])
            for key, constraint in constraints.items()
            if key in drawing and constraint is not None and _is_wide(constraint)
        }
        self._codes = st.integers(0, SHARE ** min(APART, len(self._special)) - 1)
        self._by_code: dict[int, dict[str, Any]] = {}

    def drawn(self, draw: Any) -> dict[str, Any]:
        """Decide by one draw which numbers are special, and draw all of them."""
        drawing = self._drawing
        if self._special:
            code: int = draw(self._codes)
            if code not in self._by_code:
                self._by_code[code] = self._decided(code)
            drawing = self._by_code[code]
        return {key: draw(strategy) for key, strategy in drawing.items()}

    def _decided(self, code: int) -> dict[str, Any]:
        drawing = dict(self._drawing)
        for place, (key, special) in enumerate(self._special.items()):
            # the last digit that there is: what is shrunk is drawn from the whole range
            if code // SHARE ** (place % APART) % SHARE == SHARE - 1:
                drawing[key] = special
        return drawing


def _is_wide(constraint: Constraint) -> bool:
    count = constraint.count()
    return constraint.structure.is_bounded and (count is None or count > FEW)
