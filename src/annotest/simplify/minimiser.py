"""The minimiser: from one failing call to the simplest that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from annotest.frameworks import Framed
from annotest.large import LargeArray
from annotest.plan.recipe import Applied, Made
from annotest.simplify import moves, sizing, trading
from annotest.simplify.arrays import is_wordy
from annotest.simplify.forms import Form, Recipes
from annotest.simplify.paths import put_all
from annotest.simplify.slots import Slot
from annotest.simplify.sweep import Sweep

# how often lists and arrays are cut in half
MOST_HALVED = 20
Move = Callable[[Sequence[Slot]], moves.Moving]


def _in_pieces(move: Callable[..., moves.Moving]) -> list[Move]:
    """Return a move on larger pieces first, then on smaller ones."""
    return [partial(move, pieces=2**power) for power in range(MOST_HALVED + 1)]


# from the largest gain to the smallest
MOVES: list[Move] = [
    moves.leave_out,
    moves.blank_arrays,
    *_in_pieces(moves.cut),
    moves.merge,
    *_in_pieces(moves.empty_arrays),
    moves.lower,
    moves.trade,
    sizing.cut_front,
    sizing.resize,
    sizing.scale,
    sizing.shift,
    sizing.trade_sides,
    trading.trade_shared,
    sizing.trade_for_numbers,
]


class Spent(Exception):
    """There is no more time, or no more calls may be made."""


class Minimiser:
    """Tries simpler calls until no move leads to one that still fails.

    `fails` makes a call, and says whether it fails as the first one did. `go_on` is called before
    each try. Both raise Spent when time is up.
    """

    def __init__(
        self,
        form: Form,
        recipes: Recipes,
        fails: Callable[[Recipes], bool],
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        self._form = form
        self._go_on = go_on
        self._fails = fails
        self.best = recipes
        self.told = recipes
        self._measure = form.measure(recipes)
        self._tried: set[int] = set()
        self._fitted = True  # whether the last call that was thought of was allowed

    def run(self) -> Recipes:
        """Return the simplest failing call that was found."""
        try:
            self._improve()
            while Sweep(self._form, self.best, self._measure).run(self._try):
                self._improve()
        except Spent:
            pass  # the best so far is what there is time for
        return self.told

    def _improve(self) -> None:
        """Make moves until none of them helps."""
        improved = True
        while improved:
            improved = False
            for move in MOVES:
                while self._moved(move):
                    improved = True

    def _moved(self, move: Move) -> bool:
        """Make one kind of move until it helps; say whether it did."""
        going = move(list(self._form.slots(self.best)))
        changes = next(going, None)
        while changes is not None:
            if self._try(put_all(self.best, changes)):
                return True
            try:
                changes = going.send(self._fitted)
            except StopIteration:
                break
        return False

    def _try(self, recipes: Recipes) -> bool:
        """Take a call for the best if it is simpler, fits and fails."""
        self._go_on()
        self._fitted = True
        if not self._is_simpler(recipes) or not self._is_new(recipes):
            return False
        self._fitted = self._form.fits(recipes, self.best)
        if not self._fitted:
            return False
        recipes = self._form.resized(recipes)
        if not self._fails(recipes):
            return False
        self.best, self._measure = recipes, self._form.measure(recipes)
        if not is_wordy(recipes):
            self.told = recipes
        return True

    def _is_simpler(self, recipes: Recipes) -> bool:
        size = self._form.size(recipes)  # what large arrays hold is added up only if it must be
        return size < self._measure[0] or (
            size == self._measure[0] and self._form.measure(recipes) < self._measure
        )

    def _is_new(self, recipes: Recipes) -> bool:
        name = hash(_shown(recipes))
        new = name not in self._tried
        self._tried.add(name)
        return new


_ATOMS = (int, float, complex, str, bytes, bool, type(None))


def _shown(recipe: Any) -> Any:
    """Return something that is equal for equal recipes, without asking the user's objects."""
    kind = type(recipe)
    if kind is dict:
        return kind, tuple((_shown(key), _shown(item)) for key, item in recipe.items())
    if kind in (list, tuple):
        return kind, tuple(map(_shown, recipe))
    if kind in (set, frozenset):
        return kind, frozenset(map(_shown, recipe))
    if kind is Made:
        return kind, id(recipe.factory), recipe.mode, _shown(recipe.values)
    if kind is Applied:
        return kind, _shown(recipe.function), _shown(recipe.value)
    if kind in _ATOMS:
        return kind, repr(recipe)  # 0.0 is not -0.0
    if kind in (LargeArray, Framed):
        return recipe
    if hasattr(recipe, "tobytes"):
        return recipe.shape, str(recipe.dtype), recipe.tobytes()
    return id(recipe)
