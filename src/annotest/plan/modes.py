"""The modes of instances: in which ones a method is tested, and what is wrong with @modes."""

from __future__ import annotations

from collections.abc import Iterator

from annotest import frameworks
from annotest.errors import InvalidAnnotation, Mistake, did_you_mean
from annotest.plan.relating import mistake_of
from annotest.signature import Signature
from annotest.spec import Modes, own_annotations

ONLY_NEW = ("",)


def modes_of(signature: Signature, owner: type) -> tuple[str, ...]:
    """Return the modes in which a method is tested: "" for that of a new instance, the simplest."""
    kind, note = frameworks.module_kind(owner), _note(signature, owner)
    if kind is None:
        return ONLY_NEW
    names = kind.modes if note is None else note.names
    new = kind.modes[0]
    return tuple("" if mode == new else mode for mode in kind.modes if mode in names)


def mode_mistakes(signature: Signature, owner: type | None) -> list[Mistake]:
    """Return what is wrong with the modes that are named on a function, or on its class."""
    note = _note(signature, owner)
    if note is None:
        return []
    errors = _wrong_modes(note, signature, owner)
    return [mistake_of(signature, note, error) for error in errors]


def _note(signature: Signature, owner: type | None) -> Modes | None:
    """Return what is said of the modes, on the method itself or on the nearest class."""
    notes = list(signature.of_kind(Modes))
    for cls in () if owner is None else owner.__mro__:
        notes += [note for note in own_annotations(cls) if isinstance(note, Modes)]
    return notes[0] if notes else None


def _wrong_modes(
    note: Modes, signature: Signature, owner: type | None
) -> Iterator[InvalidAnnotation]:
    if owner is None:
        reason = f"{signature.function} is called on no instance that could be in a mode"
        yield InvalidAnnotation(reason, "put it on a method, or on the class")
        return
    kind = frameworks.module_kind(owner)
    if kind is None:
        reason = f"{owner.__qualname__} has no modes: it is no module of a framework"
        yield InvalidAnnotation(reason, "leave it out")
        return
    for name in note.names:
        if name not in kind.modes:
            reason = f"{owner.__qualname__} has no mode {name!r}.{did_you_mean(name, kind.modes)}"
            yield InvalidAnnotation(reason, f"its modes are: {', '.join(kind.modes)}")
