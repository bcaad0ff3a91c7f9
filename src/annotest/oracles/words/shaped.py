"""`shaped`: the arrays of the result have a shape whose names mean what they do in the call."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any

from annotest.constraints._dims import NamedShape, presences
from annotest.constraints._sizes import NoSize, Side, aligned
from annotest.oracles.judging import shapes_in
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import shaped
from annotest.relations.arguments.sides import starred_sides_of
from annotest.relations.solving.variables import Group

Shape = tuple[int, ...]
Names = dict[str, Any]  # what names mean: of several sides, with a star before them, all of these
_FAR = 64  # so many times its size is looked for what a name in the arithmetic of a side may be


@judges_values(shaped)
def what_is_of_another_shape(value: Any, call: TargetCall, shape: str) -> Iterator[str]:
    """Yield the arrays that have another shape; names that are new mean the same in all of them."""
    wanted, known = NamedShape(shape), _known(call)
    for at, actual in shapes_in(value):
        bound = _bound(wanted, actual, known)
        if bound is None:
            yield f"{at} has the shape {actual}, {shape!r} expected{_meant(wanted, known)}"
        else:
            known = bound


def _known(call: TargetCall) -> Names:
    """Return what names mean before anything is known of the result."""
    known = {**call.values, **call.names}
    for p in call.target.signature.parameters:
        if p.constraint is not None and p.constraint.is_named:
            for group, sizes in starred_sides_of(p.constraint, call.seen.get(p.name)):
                assert isinstance(group, Group)
                known[f"*{group.name}"] = sizes
    return known


def _bound(wanted: NamedShape, actual: Shape, known: Names) -> Names | None:
    """Return what names mean with those that a shape binds; None if it is another one."""
    for present in presences(wanted.optional_names):
        if all(_may_be(name in present, known.get(name, 1)) for name in wanted.optional_names):
            bound = _matched(wanted.with_sides(present).sides, actual, known)
            if bound is not None:
                return bound
    return None


def _may_be(is_there: bool, meant: Any) -> bool:
    """Say whether an optional side may be there, or not; one that means None in the call is not."""
    return not (is_there and meant is None)


def _matched(sides: tuple[Side, ...], actual: Shape, known: Names) -> Names | None:
    starred = [place for place, side in enumerate(sides) if side.starred]
    if len(actual) < len(sides) - len(starred) or (not starred and len(actual) > len(sides)):
        return None
    bound = dict(known)
    for place in starred:
        rest = actual[place : len(actual) - (len(sides) - 1 - place)]
        if sides[place].text != "..." and bound.setdefault(f"*{sides[place].text}", rest) != rest:
            return None
    placed = aligned(sides, len(actual))
    for place, side in placed:
        if side.names == (side.text,) and not _is_size(bound.get(side.text)):
            bound[side.text] = actual[place]
    fits = all(side.text == "_" or _fits(side, actual[place], bound) for place, side in placed)
    return bound if fits else None


def _fits(side: Side, size: int, bound: Names) -> bool:
    """Say whether a side has a size; a name that stands in its arithmetic alone is bound to fit."""
    new = [name for name in side.names if not _is_size(bound.get(name))]
    if len(new) > 1:
        return True
    for tried in range(_FAR * (size + 1)) if new else (0,):
        names = {**bound, **dict.fromkeys(new, tried)}
        try:
            is_so = side.size(names) == size
        except NoSize:
            continue
        if is_so:
            bound.update(names)
            return True
    return False


def _is_size(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        operator.index(value)
    except Exception:  # an array, or whatever a class of the user's does
        return False
    return True


def _meant(wanted: NamedShape, known: Names) -> str:
    """Say what is known of the names in a shape."""
    names = [name for side in wanted.sides for name in _names_of(side)]
    listed = [f"{name} = {_value(name, known)}" for name in dict.fromkeys(names)]
    told = [line for line in listed if not line.endswith("None")]
    return f" where {', '.join(told)}" if told else ""


def _names_of(side: Side) -> Iterator[str]:
    if side.starred:
        yield f"*{side.text}"
    elif not side.is_open:
        yield from side.names
        yield from (f"{root}.{attribute}" for root, attribute in side.attributes)


def _value(name: str, known: Mapping[str, Any]) -> Any:
    root, dot, attribute = name.partition(".")
    if name.startswith("*"):
        return known.get(name)
    value = getattr(known.get(root), attribute, None) if dot else known.get(name)
    return value if _is_size(value) else None
