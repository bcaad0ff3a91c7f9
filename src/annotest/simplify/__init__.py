"""Making failing inputs simpler: a minimiser that works on recipes, and keeps relations.

What Hypothesis leaves is often not the smallest: it knows choices, and neither how large a list
is nor how arguments depend on each other. Here candidates are made from recipes and the
constraints they belong to; those that fit are called, and the smallest that fails wins.
"""

from annotest.simplify.forms import Form
from annotest.simplify.minimiser import Minimiser, Spent

__all__ = ["Form", "Minimiser", "Spent"]
