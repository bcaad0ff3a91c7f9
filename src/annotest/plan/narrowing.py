"""What a constraint can be narrowed to: its ends, each of few values, each alternative, lengths.

A **factor** is one such choice inside an argument, found by its path; its **pins** are what it
can be pinned to. Several factors of one argument can be pinned at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from annotest.constraints import Constraint, dicts, floats, froms, lists, tuples
from annotest.constraints import _structure as structures
from annotest.errors import InvalidAnnotation
from annotest.records import record
from annotest.source import shown

# of so many whole numbers, or listed values, each is a pin; of more, the ends
FEW_NUMBERS, FEW_LISTED = 8, 16
# a list of so many items at most is a pin; and so many of what its items can be
LONGEST, MOST_ITEMS = 100, 8
# where in a path the constraint goes on that another one is made of
BASE, *MARKS = ".base", ".shape", ".dtype", ".elements", ".layout"
SHAPE, DTYPE, ELEMENTS, LAYOUT = MARKS

Path = tuple[Any, ...]


@record
class Pin:
    """What a choice is pinned to: values of a narrower constraint, or (None) being left out.

    An argument of which only the values are pinned `may_be_left_out` as it was before.
    """

    text: str
    constraint: Constraint | None = None
    may_be_left_out: bool = False


LEFT_OUT = Pin("left out")
Pins = dict[Path, Pin]
Factors = Iterator[tuple[Path, tuple[Pin, ...]]]


def factors_in(constraint: Constraint, path: Path, optional: bool = False) -> Factors:
    """Yield the choices inside an argument, or a part of one, that may be `optional`."""
    inside = list(_factors(constraint, path))
    if not optional:
        yield from inside
    elif [place for place, _ in inside] == [path]:
        yield path, (LEFT_OUT, *inside[0][1])
    else:
        yield path, (LEFT_OUT, Pin("given", constraint))
        yield from inside


def _factors(constraint: Constraint, path: Path) -> Factors:
    match constraint.structure:
        case structures.Row(elements):
            for place, element in enumerate(elements):
                yield from factors_in(element, (*path, place))
        case structures.Fields(record):
            for key, (part, optional) in record.items():
                yield from factors_in(part, (*path, key), optional)
        case structures.Narrowed(base) | structures.Derived(base):
            yield from factors_in(base, (*path, BASE))
        case structures.Shaped():
            yield from _array_factors(constraint, path)
        case _:
            pins = tuple(pins_of(constraint))
            if len(pins) > 1:
                yield path, pins


def _array_factors(constraint: Any, path: Path) -> Factors:
    yield from factors_in(constraint.structure.shape, (*path, SHAPE))
    if len(constraint.dtypes) > 1 and not constraint.shared_dtype():
        yield (*path, DTYPE), tuple(map(single, constraint.dtypes))
    if constraint.layouts():
        yield (*path, LAYOUT), tuple(map(single, constraint.layouts()))
    if constraint.unique:
        return  # they cannot all be the same
    if constraint.elements is not None:
        yield from factors_in(constraint.elements, (*path, ELEMENTS))
        return
    pins = tuple(map(single, _ends(constraint)))
    if pins:
        yield (*path, ELEMENTS), pins


def _ends(arrays: Any) -> list[Any]:
    """Return the bounds of arrays that elements can have."""
    given = ((arrays.min, arrays.exclude_min), (arrays.max, arrays.exclude_max))
    if arrays.named_bounds() and any(excluded for _, excluded in given):
        return []  # whether there is something beside an end is known when the names are
    return [end for end, excluded in given if end is not None and not excluded]


def _at_end(arrays: Any, end: Any) -> dict[str, Any]:
    """Return what to change for all elements to be at one of the ends."""
    never = ("exclude_min", "exclude_max", "allow_nan", "allow_infinity")
    changed = {"min": end, "max": end, **dict.fromkeys(never, False)}
    ends = _ends(arrays)
    if arrays.named_bounds() and len(ends) == 2:  # where the ends cross, there is no array
        low, high = ends
        return changed | (
            {"max": f"min({low},{high})"} if end == low else {"min": f"max({low},{high})"}
        )
    return changed


def pins_of(constraint: Constraint) -> Iterator[Pin]:
    """Yield what a constraint can be narrowed to that is one choice as a whole."""
    match constraint.structure:
        case structures.Wholes(values):
            few = list(islice(values, FEW_NUMBERS + 1))  # a huge range has no length
            yield from map(single, few if len(few) <= FEW_NUMBERS else ends_of(values))
        case structures.Reals() as reals:
            yield from _real_pins(constraint, reals)
        case structures.ListedValues() as listed:
            every = listed.values
            yield from map(single, every if len(every) <= FEW_LISTED else (every[0], every[-1]))
        case structures.Alternatives(constraints):
            for part in constraints:
                whole = [Pin(repr(part), part)]
                yield from list(narrower(part)) or list(pins_of(part)) or whole
        case structures.Repeated() as repeated if repeated.side is None:
            yield from _sized_pins(constraint, repeated)
        case structures.Maps(_, _, lengths):
            yield from _of_lengths(constraint, lengths)


def ends_of(values: Sequence[int]) -> list[int]:
    """Return the ends of a range, and zero and one where they are in it."""
    return [value for value in dict.fromkeys((values[0], values[-1], 0, 1)) if value in values]


def single(value: Any) -> Pin:
    """Return the pin of one value."""
    return Pin(shown(value), froms([value]))


def _real_pins(constraint: Constraint, reals: structures.Reals) -> Iterator[Pin]:
    for value in dict.fromkeys((reals.low, reals.high, 0.0, 1.0)):
        if value is not None and math.isfinite(value) and value in constraint:
            yield Pin(shown(value), floats(value, value, width=reals.width))
    # NaN and the infinities lie between no ends
    endless = (value for value in constraint.special_values() if not math.isfinite(value))
    yield from map(single, endless)


def _sized_pins(constraint: Constraint, repeated: structures.Repeated) -> Iterator[Pin]:
    if repeated.element is None or repeated.kind not in (list, tuple):
        yield from _of_lengths(constraint, repeated.lengths)
        return
    for length in _lengths(repeated.lengths):
        yield from _series(repeated, repeated.element, length, f"length {length}")
    low, high = repeated.lengths
    for pin in list(narrower(repeated.element))[:MOST_ITEMS] if high else ():
        assert pin.constraint is not None
        yield from _series(repeated, pin.constraint, max(1, low), f"of {pin.text}")


def _series(
    repeated: structures.Repeated, element: Constraint, length: int, text: str
) -> Iterator[Pin]:
    """Yield lists or tuples of one length, if there are any."""
    try:
        if repeated.kind is tuple:
            made: Constraint = tuples(element, min_len=length, max_len=length)
        else:
            made = lists(element, min_len=length, max_len=length, unique=repeated.differ)
    except InvalidAnnotation:
        return  # not so many differ
    yield Pin(text, made)


def _of_lengths(constraint: Constraint, lengths: tuple[int, int]) -> Iterator[Pin]:
    for length in _lengths(lengths):
        try:
            made = constraint.of_length(length)
        except InvalidAnnotation:
            continue  # none is so: items that must differ and are known only when they are built
        if made is not None:
            yield Pin(f"length {length}", made)


def _lengths(lengths: tuple[int, int]) -> list[int]:
    low, high = lengths
    wanted = dict.fromkeys((low, 1, min(high, max(low, LONGEST))))
    return [length for length in wanted if low <= length <= high]


def narrower(constraint: Constraint) -> Iterator[Pin]:
    """Yield a constraint with each of its choices pinned, one at a time."""
    for path, pins in factors_in(constraint, ()):
        for pin in pins:
            try:
                yield Pin(pin.text, narrowed(constraint, {path: pin}, ()))
            except InvalidAnnotation:
                continue  # no value is so, such as a bound that a dtype does not have


def narrowed(constraint: Constraint, pins: Pins, path: Path) -> Constraint:
    """Return a constraint with the choices inside it pinned."""
    if not is_pinned(pins, path, inside=True):
        pin = pins.get(path)
        return pin.constraint if pin and pin.constraint else constraint
    match constraint.structure:
        case structures.Row(elements):
            places = enumerate(elements)
            return tuples(*(narrowed(part, pins, (*path, place)) for place, part in places))
        case structures.Fields(record):
            return dicts(dict(_fields(record, pins, path)))
        case structures.Narrowed(base, predicate):
            return narrowed(base, pins, (*path, BASE)).where(predicate)
        case structures.Derived(base, function):
            return narrowed(base, pins, (*path, BASE)).map(function)
    return _narrowed_array(constraint, pins, path)


def _fields(record: dict[Any, Any], pins: Pins, path: Path) -> Iterator[tuple[Any, Constraint]]:
    for key, (part, optional) in record.items():
        here = (*path, key)
        if pins.get(here) is not LEFT_OUT:
            mark = "?" if optional and not is_pinned(pins, here) else ""
            yield f"{key}{mark}" if mark else key, narrowed(part, pins, here)


def _narrowed_array(constraint: Any, pins: Pins, path: Path) -> Constraint:
    changed: dict[str, Any] = {}
    if is_pinned(pins, (*path, SHAPE)):
        changed["shape"] = narrowed(constraint.structure.shape, pins, (*path, SHAPE))
    if (*path, DTYPE) in pins:
        changed["dtype"] = pins[*path, DTYPE].constraint
    if (*path, LAYOUT) in pins:
        changed["layout"] = tuple(pins[*path, LAYOUT].constraint.listed())  # type: ignore[union-attr]
    here = (*path, ELEMENTS)
    if constraint.elements is not None:
        changed["elements"] = narrowed(constraint.elements, pins, here)
    elif here in pins:
        (end,) = pins[here].constraint.listed()  # type: ignore[union-attr]
        changed |= _at_end(constraint, end)
    made: Constraint = dataclasses.replace(constraint, **changed)
    return made


def is_pinned(pins: Iterable[Path], path: Path, inside: bool = False) -> bool:
    """Say whether a choice at a path, or inside it, is pinned."""
    length = len(path)
    return any(pin[:length] == path and len(pin) >= length + inside for pin in pins)
