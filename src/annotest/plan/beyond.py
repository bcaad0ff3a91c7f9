"""Calls just outside the annotations: one argument or dimension of each lies beyond its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotest.constraints import Constraint, froms, ints
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE
from annotest.plan.relating import dimension_names, dimension_values
from annotest.records import record
from annotest.signature import Parameter, Signature
from annotest.spec import Dims


@record
class Beyond:
    """A signature that allows what another one does not; `said` is what it goes against."""

    said: str
    signature: Signature


def beyond(signature: Signature) -> Iterator[Beyond]:
    """Yield signatures that differ from one in a single argument or dimension."""
    for place, parameter in enumerate(signature.parameters):
        for constraint in _outside(parameter):
            parameters = list(signature.parameters)
            parameters[place] = replace(parameter, constraint=constraint, takes_default=False)
            assert parameter.constraint is not None
            said = parameter.constraint.said_of(parameter.name)
            yield Beyond(said, replace(signature, parameters=tuple(parameters)))
    values = dimension_values(signature)
    for name in dimension_names(signature):
        for constraint in values[name].beyond() if name in values else [ints(0, 0)]:
            usual = ints(SMALLEST_SIDE, LARGEST_SIDE)
            note = Dims({name: constraint}, site=signature.site)
            annotations = (*signature.annotations, note)
            yield Beyond(
                values.get(name, usual).said_of(name), replace(signature, annotations=annotations)
            )


def _outside(parameter: Parameter) -> Iterator[Constraint]:
    constraint = parameter.constraint
    if constraint is None:
        return
    yield from constraint.beyond()
    if parameter.default is None and constraint.decides() and None not in constraint:
        yield froms([None])
