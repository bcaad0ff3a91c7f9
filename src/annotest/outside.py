"""`annotate`, for code that one cannot edit; and all that is said about a function."""

from __future__ import annotations

import sys
import types
from dataclasses import replace
from types import CodeType
from typing import Any

from annotest.decorators import AnnotationDecorator, refuse
from annotest.errors import (
    InvalidAnnotation,
    Mistake,
    Site,
    call_site,
    did_you_mean,
    is_recording,
    keep,
)
from annotest.expr import resolve
from annotest.records import record
from annotest.source import shown
from annotest.spec import (
    Annotation,
    Ensure,
    Raises,
    Require,
    attached,
    calling_module,
    underlying,
)


@record
class Outside:
    """Annotations given from outside to a target named by module and qualified name."""

    module: str
    qualname: str
    annotations: tuple[Annotation, ...]
    site: Site
    registered_by: str

    @property
    def key(self) -> str:
        """`module:qualname`."""
        return f"{self.module}:{self.qualname}"

    def is_about(self, function: Any, key: str) -> bool:
        """Say whether it is about a function with this key, whatever name it was given by.

        A method belongs to the class that the name leads to: one that the class inherits is
        annotated for this class only.
        """
        if key == self.key:
            return True
        owner_name, _, attribute = self.qualname.rpartition(".")
        owner = _imported(self.module, owner_name)
        if isinstance(owner, type):
            return key == member_key(owner, attribute)
        return function is not None and _imported(self.module, self.qualname) is function

    def is_inside(self, cls: type) -> bool:
        """Say whether it is about what a class has, whatever name leads to that class."""
        return _imported(self.module, self.qualname.rpartition(".")[0]) is cls

    def value(self) -> Any:
        """Import what it names; InvalidAnnotation where the module has no such thing."""
        value, path = resolve(self.module, ""), self.module
        for part in self.qualname.split("."):
            if not hasattr(value, part):
                raise _without(value, path, part)
            value, path = getattr(value, part), part
        return value


OUTSIDE: list[Outside] = []


def member_key(owner: type, attribute: str) -> str:
    """Return `module:qualname` of what a class has, as the class itself says where it lives."""
    return f"{owner.__module__}:{owner.__qualname__}.{attribute}"


def _imported(module: str, qualname: str) -> Any:
    """Return what a name leads to; None where that is not imported."""
    value: Any = sys.modules.get(module)
    for part in filter(None, qualname.split(".")):
        value = getattr(value, part, None)
    return value


def from_outside(function: Any, key: str) -> tuple[Annotation, ...]:
    """Return what `annotate` said about a function that is known as `module:qualname`."""
    entries = [entry for entry in OUTSIDE if entry.is_about(function, key)]
    return tuple(note for entry in entries for note in entry.annotations)


def annotations_of(function: Any, key: str = "") -> tuple[Annotation, ...]:
    """Return all that is said about a function: attached to it, and from outside."""
    return attached(function) + (from_outside(function, key) if key else ())


def annotate(target: Any, /, *notes: Any) -> None:
    """Annotate code one cannot edit: an object, or its name as "module:qualname"."""
    try:
        module, qualname = _named_target(target)
    except InvalidAnnotation as wrong:
        if not is_recording():
            raise
        text = f"annotate({shown(target)})"
        keep(Mistake(call_site(), text, wrong.reason, wrong.remedy))
        return
    annotations: list[Annotation] = []
    for note in notes:
        if isinstance(note, AnnotationDecorator):
            annotations += map(_as_written_here, note.annotations)
        else:
            annotations += refuse(
                f"annotate({qualname!r}, {shown(note)})",
                f"expects annotations such as arg(…), got {type(note).__name__}",
                "pass what would stand above the def, without the @",
            ).annotations
    OUTSIDE.append(Outside(module, qualname, tuple(annotations), call_site(), calling_module()))


def _as_written_here(note: Annotation) -> Annotation:
    """Return an annotation that uses the names of this module, and not those of the library.

    In torch `max` and `all` are functions of tensors.
    """
    if not isinstance(note, Require | Ensure | Raises):
        return note
    return replace(note, module=calling_module())


def _named_target(target: Any) -> tuple[str, str]:
    if isinstance(target, str):
        module, colon, qualname = target.partition(":")
        if colon and module and qualname:
            if "<locals>" in qualname:
                raise _nested(target, qualname)
            return module, qualname
        module, _, qualname = target.rpartition(".")
        raise InvalidAnnotation(
            f"annotate({target!r}) does not name a module and a function",
            f'write annotate("{module or "module"}:{qualname or "function"}", …)',
        )
    target = underlying(target)
    home = getattr(target, "__module__", None)
    # native functions may be known by another name than the one they were made with
    for name in (getattr(target, "__qualname__", None), getattr(target, "__name__", None)):
        if isinstance(home, str) and isinstance(name, str) and _leads_somewhere(home, name):
            return home, name
    raise _homeless(target)


def _homeless(target: Any) -> InvalidAnnotation:
    """Say that no name of its own leads to an object, and what to do."""
    qualname = str(getattr(target, "__qualname__", ""))
    if "<locals>" in qualname:
        return _nested(target, qualname)
    cls = type(target)
    if callable(target) and not qualname and hasattr(cls.__call__, "__code__"):
        return InvalidAnnotation(
            f"annotate({shown(target)}) names an object of {cls.__qualname__}, not a function",
            f'annotate its method: annotate("{cls.__module__}:{cls.__qualname__}.__call__", …)',
        )
    return InvalidAnnotation(
        f"annotate({shown(target)}) cannot tell where that object lives",
        'name it as text: annotate("module:qualname", …)',
    )


def _nested(target: Any, qualname: str) -> InvalidAnnotation:
    outer, _, inner = qualname.rpartition(".<locals>.")
    return InvalidAnnotation(
        f"annotate({shown(target)}) names {inner}, which {outer} makes anew at each call",
        _instead_of(outer, inner),
    )


def _instead_of(outer: str, inner: str) -> str:
    """Say what to annotate where a function makes another one."""
    return (
        f"annotate a function of a module that calls {outer} and {inner}; or, if a module keeps "
        f'what {outer} returns, the name that it has there: annotate("module:name", …)'
    )


def _without(value: Any, path: str, part: str) -> InvalidAnnotation:
    """Say that what a path leads to has no such part, and what to do."""
    if isinstance(value, types.FunctionType):
        inside = [code.co_name for code in value.__code__.co_consts if isinstance(code, CodeType)]
        if part in inside:
            return InvalidAnnotation(
                f"{path} makes {part} anew at each call", _instead_of(path, part)
            )
    return InvalidAnnotation(
        f"{path} has no {part!r}.{did_you_mean(part, dir(value))}",
        "correct the name: module:qualname, as it can be imported",
    )


def _leads_somewhere(module: str, qualname: str) -> bool:
    try:
        resolve(module, qualname)
    except (ImportError, AttributeError):
        return False
    return True
