"""Type hints that are precise by themselves → constraints."""

from annotest.hints.precise import Hinted
from annotest.hints.reading import hint_constraints
from annotest.hints.records import where_hints_are

__all__ = ["Hinted", "hint_constraints", "where_hints_are"]
