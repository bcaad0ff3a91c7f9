"""Type hints that are precise by themselves → constraints."""

from annotest.hints.precise import Hinted
from annotest.hints.reading import RESULT, hint_constraints, result_hint
from annotest.hints.records import where_hints_are

__all__ = ["RESULT", "Hinted", "hint_constraints", "result_hint", "where_hints_are"]
