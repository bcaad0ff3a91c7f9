"""What is to be tested, as another process finds it again: by names, in the files of modules."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from typing import Any

from annotest.errors import UsageError, hides_from_pytest
from annotest.outside import OUTSIDE, Outside
from annotest.records import record
from annotest.source import shown
from annotest.spec import attached, calling_module, underlying

__tracebackhide__ = hides_from_pytest


@record
class Subject:
    """The names of what is to be tested, and the modules in which annotations say how.

    `modules` are names, as the program that asks knows them, by the paths of files.
    """

    name: str
    targets: tuple[str, ...]
    modules: dict[str, str]
    is_class: bool
    annotated: bool


def subject_of(value: Any) -> Subject:
    """Find a function, class or method again by name; UsageError where that cannot be done."""
    plain = _plain(value)
    entries = [entry for entry in OUTSIDE if _is_about(entry, plain)]
    own = _has_annotations(plain)
    names = [entry.qualname for entry in entries]
    modules = [entry.registered_by for entry in entries]
    is_class = isinstance(plain, type)
    if not entries or (is_class and own):  # of a function all is said where it is annotated
        home, name = _home_of(plain, value)
        names, modules = [name, *names], [home, *modules]
    name = plain.__qualname__ if is_class else names[0]
    paths = {_file_of(module): module for module in modules}
    return Subject(name, tuple(dict.fromkeys(names)), paths, is_class, own or bool(entries))


def _plain(value: Any) -> Any:
    """Return what a module or class holds; UsageError for what is no function, class or method."""
    if isinstance(value, types.MethodType):
        if not isinstance(value.__self__, type):
            name = value.__func__.__qualname__
            raise UsageError(
                f"check got {value.__func__.__name__} of one object, and tests it on all that the "
                f"annotations of the constructor allow; write check({name})"
            )
        return value.__func__
    plain = underlying(value)
    if not callable(plain):
        kind = type(value).__name__
        raise UsageError(f"check({shown(value)}) expects a function, class or method, got {kind}")
    return plain


def _is_about(entry: Outside, value: Any) -> bool:
    if isinstance(value, type):
        return entry.is_inside(value)
    key = f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
    return entry.is_about(value, key)


def _has_annotations(value: Any) -> bool:
    members = vars(value).values() if isinstance(value, type) else (value,)
    return any(attached(member) for member in members)


def _home_of(plain: Any, value: Any) -> tuple[str, str]:
    """Return the module and the name that lead to an object."""
    own = getattr(plain, "__module__", None)
    for module in dict.fromkeys((own, calling_module())):
        for name in _names_of(plain, module):
            return str(module), name
    qualname = getattr(plain, "__qualname__", "")
    outer, _, inner = qualname.rpartition(".<locals>.")
    if outer or inner == "<lambda>":
        what = f"is made anew by {outer}" if outer else "has no name"
        raise UsageError(
            f"check({inner}): {inner} {what}, so that no other process can find it; "
            "define it with def at the top of a module"
        )
    raise UsageError(
        f"check({shown(value)}): no name of {own or 'a module'} leads to this object, so that no "
        "other process can find it; pass what a module holds under a name of its own"
    )


def _names_of(plain: Any, module: str | None) -> Iterator[str]:
    """Yield the names by which a module leads to an object, its own name first."""
    namespace = vars(sys.modules[module]) if module in sys.modules else {}
    qualname = getattr(plain, "__qualname__", "")
    first, *rest = qualname.split(".")
    held = namespace.get(first)
    for part in rest:
        held = vars(held).get(part) if isinstance(held, type) else None
    if held is not None and _leads_to(held, plain):
        yield qualname
    yield from (name for name, held in namespace.items() if _leads_to(held, plain))


def _leads_to(held: Any, plain: Any) -> bool:
    return held is plain or (held is not None and underlying(held) is plain)


def _file_of(module: str) -> str:
    path: str | None = getattr(sys.modules.get(module), "__file__", None)
    if not path or not path.endswith(".py") or not os.path.isfile(path):
        raise UsageError(
            f"{module} is no Python file that another process could import; put what is to be "
            "tested in one, or name it in one: annotate(…)"
        )
    return os.path.realpath(path)
