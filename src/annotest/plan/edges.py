"""Numbers that stand in no relation, at the ends of their range more often than chance has it."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from annotest.constraints import Constraint, floats, ints
from annotest.plan.special import special_values

# of fewer values, each is drawn often enough by itself
FEW = 16
# one in so many numbers is special
SHARE = 6
# zero, the ends, one, and the neighbours of the ends come first among special values
MOST_SPECIAL = 8


def often_special(constraint: Constraint | None, strategy: Any) -> Any:
    """Return the strategy of a number which is at its ends, zero or one rather often."""
    if isinstance(constraint, ints) and len(constraint.values) > FEW:
        return _mixed(strategy, _some(constraint))
    if isinstance(constraint, floats) and None not in constraint.ends:
        return _mixed(strategy, _some(constraint))
    return strategy


def _some(constraint: Constraint) -> Any:
    return st.sampled_from(special_values(constraint)[:MOST_SPECIAL])


_ONE_OF_SHARE = st.integers(0, SHARE - 1)


@st.composite
def _mixed(draw: Any, strategy: Any, special: Any) -> Any:
    # the special ones last: what is shrunk is drawn from the whole range
    return draw(special if draw(_ONE_OF_SHARE) == SHARE - 1 else strategy)
