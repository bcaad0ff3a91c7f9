"""`same_device`: arrays in the result lie where the arrays do that were given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotest.oracles.judging import Unjudgeable, devices_in, given
from annotest.oracles.protocol import TargetCall
from annotest.oracles.words import judges_values
from annotest.promises import same_device


@judges_values(same_device)
def what_is_elsewhere(value: Any, call: TargetCall, of: str = "") -> Iterator[str]:
    """Yield the arrays that lie elsewhere; where none of their framework was given, nothing."""
    results = list(devices_in(value))
    if not results and value is not None:
        raise Unjudgeable("arrays", value)
    names = {name: list(devices_in(argument)) for name, argument in given(call, of).items()}
    for at, framework, device in results:
        there = {name: _devices(found, framework) for name, found in names.items()}
        wanted = dict.fromkeys(place for places in there.values() for place in places)
        if wanted and device not in wanted:
            told = ", ".join(name for name, places in there.items() if places)
            yield f"{at} is on {device}, {' or '.join(wanted)} expected, as in {told}"


def _devices(found: list[tuple[str, str, str]], framework: str) -> list[str]:
    return [device for _, of, device in found if of == framework]
