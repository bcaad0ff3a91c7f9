"""The minimiser: from one failing call to the simplest that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from annotest.simplify import moves
from annotest.simplify.forms import Form, Recipes
from annotest.simplify.paths import put_all
from annotest.simplify.slots import Slot
from annotest.simplify.sweep import Sweep

# from the largest gain to the smallest
MOVES = (moves.leave_out, moves.cut, moves.merge, moves.empty_arrays, moves.lower, moves.trade)


class Spent(Exception):
    """There is no more time, or no more calls may be made."""


class Minimiser:
    """Tries simpler calls until none of those it knows fails any more.

    `fails` makes a call, and says whether it fails in the way that is wanted; it raises Spent
    when it must make no more.
    """

    def __init__(self, form: Form, recipes: Recipes, fails: Callable[[Recipes], bool]) -> None:
        self._form = form
        self._fails = fails
        self.best = recipes
        self._measure = form.measure(recipes)
        self._tried: set[int] = set()

    def run(self) -> Recipes:
        """Return the simplest failing call that was found."""
        try:
            self._improve()
            while Sweep(self._form, self.best, self._measure).run(self._try):
                self._improve()
        except Spent:
            pass
        return self.best

    def _improve(self) -> None:
        """Make moves until none of them helps."""
        improved = True
        while improved:
            improved = False
            for move in MOVES:
                while self._moved(move):
                    improved = True

    def _moved(self, move: Callable[[Sequence[Slot]], Iterator[moves.Changes]]) -> bool:
        """Make one kind of move as long as it helps, going on from where it did."""
        helped = False
        for changes in move(list(self._form.slots(self.best))):
            if self._try(put_all(self.best, changes)):
                helped = True
                break
        return helped

    def _try(self, recipes: Recipes) -> bool:
        """Take a call for the best if it is simpler, fits and fails."""
        measure = self._form.measure(recipes)
        if measure >= self._measure or not self._is_new(recipes):
            return False
        recipes = self._form.resized(recipes)
        if not self._form.fits(recipes, self.best) or not self._fails(recipes):
            return False
        self.best, self._measure = recipes, measure
        return True

    def _is_new(self, recipes: Recipes) -> bool:
        name = hash(_shown(recipes))
        new = name not in self._tried
        self._tried.add(name)
        return new


def _shown(recipe: Any) -> Any:
    """Return something that is equal for equal recipes."""
    if type(recipe) is dict:
        return tuple((key, _shown(item)) for key, item in recipe.items())
    if type(recipe) in (list, tuple):
        return tuple(_shown(item) for item in recipe)
    if hasattr(recipe, "tobytes"):
        return recipe.shape, str(recipe.dtype), recipe.tobytes()
    return repr(recipe)
