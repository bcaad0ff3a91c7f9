"""What in a recipe can be made simpler: numbers, choices, lengths, arrays, what may be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints import _structure as structures
from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._choices import same_value
from annotest.frameworks import Framed
from annotest.large import LARGE, LargeArray
from annotest.plan.recipe import LEFT_OUT, Applied, Made
from annotest.records import record
from annotest.simplify.fitting import PlannedArgument, Plans, arguments_of, built, fits

# from the outside in: an argument, an index, a key, an argument of a generator
Path = tuple[Any, ...]
# the distance of what is no finite number
FAR = 1e300
# beyond that, only the magnitude of a float is looked at
LARGEST_COUNTED = 1e15


@record
class NumberSlot:
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


@record
class ChoiceSlot:
    """One of listed values, the first being the simplest."""

    path: Path
    place: int
    options: Sequence[Any]

    @property
    def distance(self) -> float:
        """How many options come before it."""
        return self.place


@record
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


@record
class ArraySlot:
    """An array of a dtype; `simplest` is the simplest element, None where it is not known.

    `recipe` is the array itself, or that of a large one.
    """

    path: Path
    recipe: Any
    array: Any
    dtype: str
    simplest: Any
    element: Constraint
    constraint: ArrayConstraint

    @property
    def size(self) -> int:
        """How many elements it has."""
        return int(self.array.size)

    @property
    def distance(self) -> float:
        """How far all its elements are from the simplest one."""
        return 0.0 if self.simplest is None else array_distance(self.array, self.simplest)


@record
class Optional:
    """An argument or a key that is given, and may be left out; `without` is what is then there."""

    path: Path
    without: Any


Slot = NumberSlot | ChoiceSlot | Items | ArraySlot | Optional


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
        distances = np.abs(wide - simplest)
        if array.dtype.kind == "f":
            cents = wide * 100
            distances += (np.abs(cents - np.round(cents)) > 1e-6 * np.abs(cents)) & (
                np.abs(wide) < LARGEST_COUNTED
            )
        return float(np.minimum(np.where(np.isfinite(distances), distances, FAR), FAR).sum())


def slots_of(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    """Yield what can be made simpler in a recipe of a constraint, itself before its parts."""
    if recipe is not LEFT_OUT:
        yield from FINDING[type(constraint.structure)](constraint, recipe, path, plans)


def slots_of_call(
    arguments: Iterable[PlannedArgument], recipes: dict[str, Any], path: Path, plans: Plans
) -> Iterator[Slot]:
    """Yield what can be made simpler in the arguments of a call."""
    for key, constraint, optional in arguments:
        recipe = recipes.get(key, LEFT_OUT)
        if constraint is not None and recipe is not LEFT_OUT:
            if optional:
                yield Optional((*path, key), LEFT_OUT)
            yield from slots_of(constraint, recipe, (*path, key), plans)


def _nothing(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield from ()


def _undivided(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    simpler = list(constraint.simpler(recipe))
    if simpler:
        yield ChoiceSlot(path, len(simpler), [*simpler, recipe])


def _whole(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield NumberSlot(path, recipe, constraint.simplest(), constraint.structure.numbers)


def _real(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield NumberSlot(path, recipe, constraint.simplest(), width=constraint.structure.width)


def _listed(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    listed = constraint.structure.values
    for place, option in enumerate(listed):
        if same_value(option, recipe):
            yield ChoiceSlot(path, place, listed)
            return


def _parts(constraint: Constraint, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    for key, inner, item in constraint.parts(recipe):
        yield from slots_of(inner, item, (*path, key), plans)


def _repeated(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    structure = constraint.structure
    yield Items(path, recipe, structure.lengths[0], getattr(structure, "element", None))
    yield from _parts(constraint, recipe, path, plans)


def _fields(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    for key, (inner, optional) in constraint.structure.record.items():
        if key in recipe:
            if optional:
                yield Optional(path, {k: item for k, item in recipe.items() if k != key})
            yield from slots_of(inner, recipe[key], (*path, key), plans)


def _array(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    dtype = ""
    if type(recipe) is Applied:  # of a framework: what can be simpler is what it is made from
        framed: Framed = recipe.function
        if framed.layout is not None:
            plain = Applied(framed.laid_out(None), recipe.value)
            yield ChoiceSlot(path, 1, [plain, recipe])
        recipe, path, dtype = recipe.value, (*path, 0), framed.dtype
    dtype = dtype or str(recipe.dtype)
    element = constraint.element(dtype)
    if element is not None:
        array = built(recipe) if isinstance(recipe, LargeArray) else recipe
        yield ArraySlot(path, recipe, array, dtype, element.simplest(), element, constraint)


def _union(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    alternatives = constraint.structure.constraints
    for place, alternative in enumerate(alternatives):
        if not fits(alternative, recipe, plans):
            continue
        listed = (other.listed() for other in alternatives[:place])
        simpler = [values[0] for values in listed if values]
        if simpler:
            yield ChoiceSlot(path, len(simpler), [*simpler, recipe])
        yield from slots_of(alternative, recipe, path, plans)
        return


def _made(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    plan = plans(recipe.factory) if type(recipe) is Made else None
    if plan is None:
        return
    simplest, *_ = constraint.structure.modes
    if recipe.mode != simplest:
        plain = Made(recipe.factory, recipe.values, simplest)
        yield ChoiceSlot(path, 1, [plain, recipe])
    if not plan.calls:
        yield from slots_of_call(arguments_of(plan), recipe.values, path, plans)


def _derived(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    if type(recipe) is Applied:
        yield from slots_of(constraint.structure.base, recipe.value, (*path, 0), plans)


def _narrowed(constraint: Any, recipe: Any, path: Path, plans: Plans) -> Iterator[Slot]:
    yield from slots_of(constraint.structure.base, recipe, path, plans)


# for each structure; a test sees to it that none is missing
FINDING: dict[type, Callable[[Any, Any, Path, Plans], Iterator[Slot]]] = {
    structures.Undivided: _undivided,
    structures.Wholes: _whole,
    structures.Reals: _real,
    structures.ListedValues: _listed,
    structures.Row: _parts,
    structures.Repeated: _repeated,
    structures.Fields: _fields,
    structures.Maps: _repeated,
    structures.Alternatives: _union,
    structures.Shaped: _array,
    structures.NamedSides: _nothing,
    structures.Broadcasting: _nothing,
    structures.Narrowed: _narrowed,
    structures.Derived: _derived,
    structures.Built: _made,
}
