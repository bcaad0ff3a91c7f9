"""`@raises` with a condition: where that holds of the arguments, the exception is required."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from annotest.plan.preconditions import Precondition, compile_precondition
from annotest.records import record
from annotest.spec import Raises


@record
class Raising:
    """Exceptions that are required where a condition holds; allowed anywhere if there is none."""

    annotation: Raises
    when: Precondition | None

    def is_due(self, names: Mapping[str, Any]) -> bool:
        """Say whether the exceptions are required of a call in which names mean this."""
        return self.when is not None and self.when.holds(dict(names))


def compile_raises(
    annotation: Raises,
    names: Collection[str],
    function: Any,
    where: str,
    starred: Mapping[str, str],
    dimensions: Collection[str],
) -> Raising:
    """Return what `@raises` says of a function whose arguments and dimensions have these names."""
    if annotation.when is None:
        return Raising(annotation, None)
    known = names, function, where, starred, dimensions
    return Raising(annotation, compile_precondition(annotation, *known))


def allowed(
    notes: Iterable[Raises], promises: Iterable[Any], names: Callable[[], Mapping[str, Any]]
) -> tuple[Raises, ...]:
    """Return those of some `@raises` whose exceptions are no failures of a call."""
    raisings = [each for each in promises if isinstance(each, Raising) and each.when is not None]
    due = [raising.annotation for raising in raisings if raising.is_due(names())]
    return tuple(note for note in notes if note.when is None or note in due)
