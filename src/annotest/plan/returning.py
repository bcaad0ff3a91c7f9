"""`@returns`: a constraint on the result, whose named sizes are those of the call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
class InCall:
    """What a call settles for its result: names and dtypes, and the sizes of parts like *batch."""

    meanings: Meanings
    starred: Mapping[Any, tuple[int, ...]]


@record
class Returning:
    """A constraint on the result of a function whose arguments have these constraints."""

    annotation: Returns
    arguments: Mapping[str, Constraint]

    text = ""  # it is no condition whose parts could be told

    def known(self, names: Callable[[], Mapping[str, Any]]) -> InCall:
        """Return what names mean in a call; asked before it, as it may change its arguments."""
        constraint = self.annotation.constraint
        if not constraint.is_named:
            return InCall(Meanings({}), {})
        meant = names()
        told = [(c, meant.get(name)) for name, c in self.arguments.items() if c.is_named]
        dtypes = {s.label: dtype for c, v in told for s, dtype in shared_dtypes_of(c, v)}
        starred = {group: sizes for c, v in told for group, sizes in starred_sides_of(c, v)}
        wanted = (*constraint.size_names, *constraint.size_roots)
        sizes = {name: meant[name] for name in wanted if name in meant}
        return InCall(Meanings(sizes, dtypes, shapes_of(meant, constraint.shape_names)), starred)

    def reasons(self, value: Any, known: InCall, is_ordinary: bool = True) -> Iterator[str]:
        """Yield why a result is not as it is said to be.

        On inputs that are not ordinary NaN and infinity do not count.
        """
        constraint = self._strict if is_ordinary else self._lenient
        try:
            yield from _reasons(constraint, _plain(value), known)
        except Exception as error:  # a predicate of the user's
            raise PostconditionFailed(self.annotation, error) from error

    @cached_property
    def _strict(self) -> Constraint:
        """The constraint, for which nothing counts that it leaves out."""
        return self._lenient if self.is_plain_hint else self.annotation.constraint.as_result()

    @property
    def is_hint(self) -> bool:
        """Whether it is a type hint."""
        return isinstance(self.annotation, HintedReturns)

    @property
    def is_plain_hint(self) -> bool:
        """Whether it is a hint of others, which says nothing of NaN and infinity."""
        note = self.annotation
        return isinstance(note, HintedReturns) and not note.is_ours

    @cached_property
    def _lenient(self) -> Constraint:
        """The same with NaN and infinity."""
        return self.annotation.constraint.as_result().with_nonfinite()


def _reasons(constraint: Constraint, value: Any, known: InCall) -> Iterator[str]:
    if not constraint.is_named:
        yield from map(str, constraint.mismatches(value, RESULT))
        return
    reasons = [
        *_against_starred(constraint, value, known),
        *_against_sized(constraint, value, known),
    ]
    if reasons:  # what is wrong in any call says more
        yield from [*map(str, constraint.mismatches(value, RESULT))] or reasons


def _against_starred(constraint: Constraint, value: Any, known: InCall) -> Iterator[str]:
    for group, sizes in starred_sides_of(constraint, value):
        wanted = known.starred.get(group, sizes)
        if wanted != sizes:
            yield f"{RESULT}: expected {group} = {wanted}, got {sizes}"


def _against_sized(constraint: Constraint, value: Any, known: InCall) -> Iterator[str]:
    names, optional = known.meanings.names, constraint.optional_names
    if any(name in names for name in optional):
        constraint = constraint.with_sides({n for n in optional if names.get(n) is not None})
    yield from against(constraint, value, RESULT, _completed(constraint, value, known))


def _completed(constraint: Constraint, value: Any, known: InCall) -> Meanings:
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
