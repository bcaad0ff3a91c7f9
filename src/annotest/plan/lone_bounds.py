"""Names that only bounds mention: misspelt most likely, as they then mean any number."""

from __future__ import annotations

import difflib
import functools
from dataclasses import replace

from annotest.constraints import Constraint
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.errors import InvalidAnnotation, Mistake
from annotest.plan.relating import (
    argument_notes,
    dimension_names,
    dimension_values,
    known_sizes,
    mistake_of,
    names_in_preconditions,
)
from annotest.plan.steps import INIT
from annotest.signature import VAR_KEYWORD, VAR_POSITIONAL, Signature, constructor_signature
from annotest.spec import static_attribute

_STARRED = (VAR_POSITIONAL, VAR_KEYWORD)
_PROPERTIES = (property, functools.cached_property)


def lone_bounds(signature: Signature, owner: type | None = None) -> list[Mistake]:
    """Return warnings of the dimensions of a function that nothing but bounds mention.

    `owner` is the class of whose instances the function is a method.
    """
    lone = _only_in_bounds(signature)
    if not lone:
        return []
    meant = [name for name in dimension_names(signature) if name not in lone]
    words = {name: name for name in [*meant, *known_sizes(signature)]}
    words = (_of_instances(signature, owner) if owner is not None else {}) | words
    return [
        replace(mistake_of(signature, note, _told(name, words)), warning=True)
        for note in argument_notes(signature)
        for name in note.constraint.size_names
        if name in lone
    ]


def _only_in_bounds(signature: Signature) -> list[str]:
    """Return the dimensions that are no sides and lengths, and no part of any condition."""
    constraints = [p.constraint for p in signature.parameters if p.constraint is not None]
    sides = {name for constraint in constraints for name in _in_sides(constraint)}
    used = sides.union(dimension_values(signature), names_in_preconditions(signature))
    return [name for name in dimension_names(signature) if name not in used]


def _in_sides(constraint: Constraint) -> set[str]:
    sides = (side for part in constraint.with_parts() for side in part.named_sides())
    return {name for side in sides for name in side.names}


def _of_instances(signature: Signature, owner: type) -> dict[str, str]:
    """Return the names that instances and their constructors have, and how bounds call them."""
    parameters = constructor_signature(owner).parameters
    words = {p.name: f"{INIT}.{p.name}" for p in parameters if p.kind not in _STARRED}
    for name in dir(owner):
        value = static_attribute(owner, name)
        if type(value) is int or isinstance(value, _PROPERTIES):
            words[name] = f"{signature.self_name}.{name}"
    return words


def _told(name: str, words: dict[str, str]) -> InvalidAnnotation:
    close = difflib.get_close_matches(name, words, n=1)
    hint = f" Did you mean {words[close[0]]!r}?" if close else ""
    return InvalidAnnotation(
        f"nothing but a bound mentions {name!r}, so it is any number from {SMALLEST_SIDE} to "
        f"{LARGEST_SIDE}.{hint}",
        f"name an argument or a side; if any number will do, say which: "
        f"@dims({name}=ints({SMALLEST_SIDE}, {LARGEST_SIDE}))",
    )
