"""Oracles by name, as they stand in annotations: which of them can judge no call of a function."""

from __future__ import annotations

from collections.abc import Iterator

from annotest import frameworks
from annotest.constraints import ArrayConstraint, Constraint
from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.promises import OracleWord
from annotest.signature import Signature
from annotest.spec import Ensure


def refuse_word(note: Ensure, signature: Signature, owner: type | None) -> None:
    """Raise where an oracle can judge no call of a function, or of a method of `owner`."""
    word = note.condition
    assert isinstance(word, OracleWord)
    refuse = _REFUSING.get(word.name)
    if refuse is not None:
        refuse(word, signature, owner)


def _without_mode(word: OracleWord, signature: Signature, owner: type | None) -> None:
    if owner is None:
        reason = f"{signature.function} is called on no instance that could be in eval mode"
        raise InvalidAnnotation(reason, "put it on a method, or on the class")
    if frameworks.module_kind(owner) is None:
        reason = f"{owner.__qualname__} has no modes: it is no module of a framework"
        raise InvalidAnnotation(reason, "leave it out")


def _without_instance(word: OracleWord, signature: Signature, owner: type | None) -> None:
    if owner is None:
        reason = f"{signature.function} is called on no instance that could be saved"
        raise InvalidAnnotation(reason, "put it on a method, or on the class")


def _without_batch(word: OracleWord, signature: Signature, owner: type | None) -> None:
    axis = word.options.get("axis", 0)
    arrays = list(_arrays(signature))
    if _is_all_known(signature) and not any(_may_have(array, axis) for array in arrays):
        of_axis = f" with an axis {axis}" if arrays else ""
        reason = f"no argument of {signature.function} is an array{of_axis}: there is no batch"
        raise InvalidAnnotation(reason, "leave it out, or name the axis of the batch")


def _without_named(word: OracleWord, signature: Signature, owner: type | None) -> None:
    of, names = word.options.get("of"), [p.name for p in signature.parameters]
    if of and of not in names:
        reason = f"{signature.function} has no argument {of!r}.{did_you_mean(of, names)}"
        raise InvalidAnnotation(reason, f"name one of: {', '.join(names)}")


def _without_gradient(word: OracleWord, signature: Signature, owner: type | None) -> None:
    needs = any(getattr(array, "requires_grad", False) for array in _arrays(signature))
    if owner is None and _is_all_known(signature) and not needs:
        reason = f"no argument of {signature.function} requires a gradient"
        raise InvalidAnnotation(reason, "write tensors(…, requires_grad=True)")


_PLAIN = int, float, bool, str, type(None)
_REFUSING = {
    "eval_is_stable": _without_mode,
    "round_trips": _without_instance,
    "batch_independent": _without_batch,
    "differentiable": _without_gradient,
    "same_dtype": _without_named,
    "same_device": _without_named,
}


def _constraints(signature: Signature) -> Iterator[Constraint]:
    for p in signature.parameters:
        if p.constraint is not None:
            yield from p.constraint.with_parts()


def _arrays(signature: Signature) -> Iterator[ArrayConstraint]:
    return (part for part in _constraints(signature) if isinstance(part, ArrayConstraint))


def _is_all_known(signature: Signature) -> bool:
    """Say whether the annotations show all arrays: in objects and defaults there may be others."""
    known = (p.constraint is not None or type(p.default) in _PLAIN for p in signature.parameters)
    return all(known) and not any(part.is_built_late() for part in _constraints(signature))


def _may_have(array: ArrayConstraint, axis: int) -> bool:
    sides = array.named_sides()
    return not sides or any(side.starred for side in sides) or len(sides) > axis
