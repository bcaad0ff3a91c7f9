"""What constructing a class needs, as its own constructor says, or that of a parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from annotest.outside import annotations_of, from_outside, member_key
from annotest.signature.parts import (
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    STARRED,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Signature,
)
from annotest.signature.reading import read_signature
from annotest.spec import Annotation, attached, static_attribute

_Constructor = tuple[type, Any, tuple[Annotation, ...]]


def constructor_signature(cls: type) -> Signature:
    """Return what constructing `cls` needs: the first constructor that does not only forward."""
    name = f"{cls.__qualname__}.__init__"
    init, new = _of(cls)
    if init is object.__init__ and new is not object.__new__:
        notes = annotations_of(new, member_key(cls, "__init__"))
        return read_signature(cls, notes, name, is_constructor=True)
    forwarding: list[Signature] = []
    for _, function, notes in _constructors(cls):
        signature = read_signature(function, notes, name, True, True)
        if not _only_forwards(signature):
            return _passed_through(signature, forwarding)
        forwarding.append(signature)
    if not forwarding:
        return Signature(cls.__qualname__, read_signature(_no_arguments, (), name).site, ())
    first, *_ = (owner for owner, _, _ in _constructors(cls))
    if not _is_neighbour(first, cls):
        # a library's, as of torch.nn.Module: what it might forward is nothing
        return replace(forwarding[0], missing=(), suggestions=(), unread=())
    return forwarding[0]


def own_signature(cls: type) -> Signature:
    """Return what the constructor itself takes: of one that only forwards, nobody says."""
    signature = constructor_signature(cls)
    own = vars(cls).get("__init__")
    if own is None or signature.explicit:
        return signature
    written = read_signature(own, attached(own), signature.function, True, True)
    return written if _only_forwards(written) else signature


def _of(cls: Any) -> tuple[Any, Any]:
    return cls.__init__, cls.__new__


def _constructors(cls: type) -> Iterator[_Constructor]:
    """Yield the constructors of a class and its parents, each with what is said about it.

    What `annotate` says about a class that inherits its constructor is about that constructor.
    """
    said: tuple[Annotation, ...] = ()
    for owner in cls.__mro__[:-1]:
        function = vars(owner).get("__init__")
        said = said or from_outside(None, member_key(owner, "__init__"))
        if function is not None and is_written(function):
            yield owner, function, (*attached(function), *said)
            said = ()


def is_written(constructor: Any) -> bool:
    """Say whether somebody wrote a constructor; of protocols Python itself makes one."""
    return bool(static_attribute(constructor, "__module__") != "typing")


def _only_forwards(signature: Signature) -> bool:
    """Say whether a constructor is `def __init__(self, *args, **kwargs)`, without annotations."""
    kinds = {p.kind for p in signature.parameters}
    return bool(kinds) and kinds.issubset(STARRED) and not signature.annotations


def _passed_through(signature: Signature, forwarding: list[Signature]) -> Signature:
    """Return what constructors that only forward take: each argument in a way that all pass on."""
    if forwarding:
        signature = replace(signature, site=forwarding[0].site)
    kinds = [{p.kind for p in other.parameters} for other in forwarding]
    if all(VAR_KEYWORD in taken for taken in kinds):
        return signature
    by_place = [
        replace(p, kind=POSITIONAL_ONLY) if p.kind is POSITIONAL_OR_KEYWORD else p
        for p in signature.parameters
    ]
    kept = [p for p in by_place if p.kind in (POSITIONAL_ONLY, VAR_POSITIONAL)]
    return replace(signature, parameters=tuple(kept))


def _is_neighbour(owner: type, cls: type) -> bool:
    return owner.__module__.partition(".")[0] == cls.__module__.partition(".")[0]


def _no_arguments() -> None:
    """Stands for the constructor of a class that has none."""
