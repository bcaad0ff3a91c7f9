"""Values against constraints whose sizes are named, given what the names mean in a call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.constraints import Constraint
from annotest.constraints._sizes import Meanings, NoSize


def against(constraint: Constraint, value: Any, at: str, meanings: Meanings) -> Iterator[str]:
    """Yield what is wrong with a value when the names in its sizes mean what they do here."""
    labels = [part.shared_dtype() for part in constraint.with_parts()]
    means = {name: meanings.names[name] for name in constraint.size_names}
    means |= {label: meanings.dtypes[label] for label in labels if label in meanings.dtypes}
    unknown = [name for name, meant in means.items() if meant is None]
    said = ", ".join(f"{name} = {meant}" for name, meant in means.items() if meant is not None)
    where = f", where {said}" if said else ""
    try:
        sized = constraint.sized(meanings)
    except NoSize as error:
        told = f"no {', '.join(unknown)} fits {error}" if unknown else f"{error} {error.told}"
        yield f"{at}: {told}{where}"
        return
    yield from (f"{mismatch}{where}" for mismatch in sized.mismatches(value, at))
