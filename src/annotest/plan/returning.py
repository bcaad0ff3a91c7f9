"""`@returns`: a constraint on the result, whose named sizes are those of the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint, ints
from annotest.constraints._sizes import Meanings
from annotest.plan.postconditions import RESULT, PostconditionFailed
from annotest.plan.sized import against
from annotest.records import record
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.relations.arguments.model import dimension_domain
from annotest.relations.arguments.sides import shapes_of, shared_dtypes_of, starred_sides_of
from annotest.signature.parts import HintedReturns
from annotest.spec import Returns

ANY_SIZE = dimension_domain(ints(0, 1 << 40))


class NotCallable(Exception):
    """What a function returned was to be called, and is nothing that can be."""

    def __init__(self, result: Any) -> None:
        super().__init__(result)
        self.result = result


@record
class Settled:
    """What a call settles for its result: names and dtypes, and the sizes of parts like *batch."""

    meanings: Meanings
    starred: Mapping[Any, tuple[int, ...]]


@record
class Returning:
    """A constraint on the result of a function whose arguments have these constraints."""

    annotation: Returns
    arguments: Mapping[str, Constraint]

    text = ""  # it is no condition whose parts could be told

    def known(self, names: Mapping[str, Any]) -> Settled:
        """Return what names mean in a call; asked before it, as it may change its arguments."""
        constraint = self.annotation.constraint
        told = [(c, names.get(name)) for name, c in self.arguments.items() if c.is_named]
        dtypes = {s.label: dtype for c, v in told for s, dtype in shared_dtypes_of(c, v)}
        starred = {group: sizes for c, v in told for group, sizes in starred_sides_of(c, v)}
        wanted = (*constraint.size_names, *constraint.size_roots)
        meant = {name: names[name] for name in wanted if name in names}
        shapes = shapes_of(names, constraint.shape_names)
        return Settled(Meanings(meant, dtypes, shapes), starred)

    def reasons(self, value: Any, known: Settled, is_ordinary: bool = True) -> Iterator[str]:
        """Yield why a result is not as it is said to be.

        On inputs that are not ordinary NaN and infinity do not count.
        """
        constraint = self._constraint if is_ordinary else self._constraint.with_nonfinite()
        try:
            yield from _reasons(constraint, _plain(value), known)
        except Exception as error:  # a predicate of the user's
            raise PostconditionFailed(self, error) from error

    @cached_property
    def _constraint(self) -> Constraint:
        """The constraint; a hint does not say that numbers are finite."""
        constraint = self.annotation.constraint
        is_hint = isinstance(self.annotation, HintedReturns) and not self.annotation.is_ours
        return constraint.with_nonfinite() if is_hint else constraint


def _reasons(constraint: Constraint, value: Any, known: Settled) -> Iterator[str]:
    anywhere = constraint.as_result()
    if not constraint.is_named:
        yield from map(str, anywhere.mismatches(value, RESULT))
        return
    reasons = [
        *_against_starred(constraint, value, known),
        *_against_sized(constraint, value, known),
    ]
    if reasons:  # what is wrong in any call says more
        yield from [*map(str, anywhere.mismatches(value, RESULT))] or reasons


def _against_starred(constraint: Constraint, value: Any, known: Settled) -> Iterator[str]:
    for group, sizes in starred_sides_of(constraint, value):
        wanted = known.starred.get(group, sizes)
        if wanted != sizes:
            yield f"{RESULT}: expected {group} = {wanted}, got {sizes}"


def _against_sized(constraint: Constraint, value: Any, known: Settled) -> Iterator[str]:
    names, optional = known.meanings.names, constraint.optional_names
    if any(name in names for name in optional):
        constraint = constraint.with_sides({n for n in optional if names.get(n) is not None})
    yield from against(constraint.as_result(), value, RESULT, _completed(constraint, value, known))


def _completed(constraint: Constraint, value: Any, known: Settled) -> Meanings:
    """Return what names mean, those too that the result alone has: they are what it says."""
    meanings = known.meanings
    names = meanings.names
    unknown = [name for name in constraint.size_names if names.get(name) is None]
    if unknown:
        sizes = NamedSizes({RESULT: constraint}, dict.fromkeys(unknown, ANY_SIZE))
        names = {**names, **sizes.of({**names, RESULT: value})}
    dtypes = {shared.label: dtype for shared, dtype in shared_dtypes_of(constraint, value)}
    return Meanings(names, {**dtypes, **meanings.dtypes}, meanings.shapes)


def _plain(value: Any) -> Any:
    """Return a result with Python's numbers for NumPy's, which mean the same."""
    kind = type(value)
    if kind in (list, tuple):
        return kind(map(_plain, value))
    if kind is dict:
        return {key: _plain(item) for key, item in value.items()}
    is_number = kind.__module__ == "numpy" and frameworks.view(value) is None
    return value.item() if is_number and hasattr(value, "item") else value
