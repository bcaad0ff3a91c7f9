"""What in a recipe can be made simpler: numbers, choices, lengths, arrays, what may be left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._arrays import NpArrays
from annotest.constraints._choices import Anys, Chosen, Froms, Objs, Transformed, same_value
from annotest.constraints._containers import Lists, Sets, Tuples, _Shorthand
from annotest.constraints._mappings import Dicts
from annotest.constraints._numbers import Bools, Floats, Ints
from annotest.constraints._shapes import NpShapes
from annotest.constraints._text import Strs
from annotest.frozen import frozen
from annotest.large import LARGE, LargeArray
from annotest.plan.recipe import LEFT_OUT, Applied, Made
from annotest.simplify.fitting import Plans, arguments_of, built, fits

# from the outside in: an argument, an index, a key, an argument of a generator
Path = tuple[Any, ...]
# the distance of what is no finite number
FAR = 1e300
# beyond that, only the magnitude of a float is looked at
LARGEST_COUNTED = 1e15


@frozen
class Number:
    """A number; `values` are all that it may be where it is a whole one."""

    path: Path
    value: Any
    simplest: Any
    values: range | None = None
    width: int = 64

    @property
    def distance(self) -> float:
        """How far it is from the simplest value."""
        return distance(self.value, self.simplest)


@frozen
class Choice:
    """One of listed values, the first being the simplest."""

    path: Path
    place: int
    options: Sequence[Any]

    @property
    def distance(self) -> float:
        """How many options come before it."""
        return self.place


@frozen
class Items:
    """A list, tuple, set, dict or text of any length from `least` on."""

    path: Path
    recipe: Any
    least: int
    element: Constraint | None = None

    @property
    def size(self) -> int:
        """How many items it has."""
        return len(self.recipe)


@frozen
class Array:
    """An array; `simplest` is the simplest element, None where it is not known.

    `recipe` is the array itself, or that of a large one.
    """

    path: Path
    recipe: Any
    array: Any
    simplest: Any
    element: Constraint
    constraint: NpArrays

    @property
    def size(self) -> int:
        """How many elements it has."""
        return int(self.array.size)

    @property
    def distance(self) -> float:
        """How far all its elements are from the simplest one."""
        return 0.0 if self.simplest is None else array_distance(self.array, self.simplest)


@frozen
class Optional:
    """An argument or a key that is given, and may be left out; `without` is what is then there."""

    path: Path
    without: Any


Slot = Number | Choice | Items | Array | Optional


def distance(value: Any, simplest: Any) -> float:
    """Return how far a number is from the simplest one; many digits count as one more."""
    if type(value) is int and abs(value) >= FAR:  # too large for a float: its digits count
        return FAR * (1 + value.bit_length())
    if abs(value) >= FAR or value != value:
        return FAR
    return float(abs(value - simplest)) + (type(value) is float and is_rough(value))


def is_rough(value: float) -> bool:
    """Say whether a float has more digits after the point than anybody wants to read."""
    cents = value * 100
    return abs(value) < LARGEST_COUNTED and abs(cents - round(cents)) > 1e-6 * abs(cents)


def array_distance(array: Any, simplest: Any) -> float:
    """Return how far the elements of an array are from the simplest one, all together."""
    import numpy as np  # late: there are arrays, so it is loaded

    if array.dtype.kind in "iu" and array.size <= LARGE:  # exactly
        return float(sum(abs(item - simplest) for item in array.ravel().tolist()))
    wide = array.astype("complex128" if array.dtype.kind == "c" else "float64")
    with np.errstate(all="ignore"):
        found = np.abs(wide - simplest)
        if array.dtype.kind == "f":
            cents = wide * 100
            found += (np.abs(cents - np.round(cents)) > 1e-6 * np.abs(cents)) & (
                np.abs(wide) < LARGEST_COUNTED
            )
        return float(np.minimum(np.where(np.isfinite(found), found, FAR), FAR).sum())


def simplest_of(constraint: Constraint) -> Any:
    """Return the simplest number that a constraint allows, or None where it is about others."""
    if isinstance(constraint, Ints):
        return nearest_to_zero(constraint.values)
    if isinstance(constraint, Bools):
        return False
    return _simplest_real(*constraint.ends) if isinstance(constraint, Floats) else None


def nearest_to_zero(values: range) -> int:
    """Return the value of a range that is nearest to zero."""
    if values[0] >= 0:
        return values[0]
    if values[-1] <= 0:
        return values[-1]
    above = values[-(values[0] // values.step)]  # the first that is not negative
    below = above - values.step
    return above if above <= -below else below


def _simplest_real(low: float | None, high: float | None) -> float:
    """Return the whole number nearest to zero, or the end that is."""
    if (low is None or low <= 0) and (high is None or high >= 0):
        return 0.0
    if low is not None and low > 0:
        whole = float(math.ceil(low))
        return whole if high is None or whole <= high else low
    assert high is not None
    whole = float(math.floor(high))
    return whole if low is None or whole >= low else high


def slots_of(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    """Yield what can be made simpler in a recipe of a constraint, itself before its parts."""
    if recipe is LEFT_OUT:
        return
    for kind, find in _FINDING.items():
        if isinstance(constraint, kind):
            yield from find(constraint, recipe, path, plans)
            return


def _int(constraint: Ints, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Number(path, recipe, nearest_to_zero(constraint.values), constraint.values)


def _float(constraint: Floats, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Number(path, recipe, _simplest_real(*constraint.ends), width=constraint.width)


def _bool(constraint: Bools, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Choice(path, int(recipe), (False, True))


def _listed(constraint: Froms, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    listed = constraint.listed()
    for place, option in enumerate(listed):
        if same_value(option, recipe):
            yield Choice(path, place, listed)
            return


def _list(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Items(path, recipe, constraint.lengths[0], constraint.elements)
    for place, item in enumerate(recipe):
        yield from slots_of(constraint.elements, item, (*path, place), plans)


def _tuple(constraint: Tuples, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    elements = constraint.elements
    if not constraint.is_fixed:
        yield Items(path, recipe, constraint.lengths[0], elements[0])
        elements = elements * len(recipe)
    for place, (element, item) in enumerate(zip(elements, recipe, strict=False)):
        yield from slots_of(element, item, (*path, place), plans)


def _set(constraint: Sets, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Items(path, recipe, constraint.lengths[0])


def _text(constraint: Strs, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Items(path, recipe, constraint.lengths[0])


def _dict(constraint: Dicts, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    if not isinstance(constraint.keys, dict):
        yield Items(path, recipe, constraint.lengths[0])
        assert constraint.values is not None
        for key, item in recipe.items():
            yield from slots_of(constraint.values, item, (*path, key), plans)
        return
    for key, (inner, optional) in constraint.record.items():
        if key in recipe:
            if optional:
                yield Optional(path, {one: item for one, item in recipe.items() if one != key})
            yield from slots_of(inner, recipe[key], (*path, key), plans)


def _shape(constraint: NpShapes, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield Items(path, recipe, constraint.dims[0], Ints(*constraint.sides))
    low, high = constraint.sides
    for place, side in enumerate(recipe):
        yield Number((*path, place), side, low, range(low, high + 1))


def _array(constraint: NpArrays, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    element = constraint.element(str(recipe.dtype))
    if element is not None:
        array = built(recipe) if isinstance(recipe, LargeArray) else recipe
        simplest = simplest_of(element)
        if array.dtype.kind == "c" and constraint.elements is None:
            simplest = 0j
        yield Array(path, recipe, array, simplest, element, constraint)


def _union(constraint: Anys, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    alternatives = constraint.constraints
    for place, one in enumerate(alternatives):
        if not fits(one, recipe, plans):
            continue
        simpler = [other.listed()[0] for other in alternatives[:place] if isinstance(other, Froms)]
        if simpler:
            yield Choice(path, len(simpler), [*simpler, recipe])
        yield from slots_of(one, recipe, path, plans)
        return


def _made(constraint: Objs, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    plan = plans(recipe.factory) if type(recipe) is Made else None
    if plan is None or plan.calls:
        return
    for key, one, default in arguments_of(plan):
        if one is None or key not in recipe.values or recipe.values[key] is LEFT_OUT:
            continue
        if default:
            yield Optional((*path, key), LEFT_OUT)
        yield from slots_of(one, recipe.values[key], (*path, key), plans)


def _applied(constraint: Transformed, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    if type(recipe) is Applied:
        yield from slots_of(constraint.base, recipe.value, (*path, 0), plans)


def _chosen(constraint: Chosen, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield from slots_of(constraint.base, recipe, path, plans)


_FINDING: dict[type, Callable[[Any, Any, Path, Plans], Iterator[Slot]]] = {
    Ints: _int,
    Floats: _float,
    Bools: _bool,
    Froms: _listed,
    Lists: _list,
    _Shorthand: _list,
    Tuples: _tuple,
    Sets: _set,
    Strs: _text,
    Dicts: _dict,
    NpShapes: _shape,
    NpArrays: _array,
    Anys: _union,
    Objs: _made,
    Transformed: _applied,
    Chosen: _chosen,
}
