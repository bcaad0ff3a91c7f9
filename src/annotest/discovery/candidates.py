"""What in a module may be a target: its functions, and its classes' constructors and methods."""

from __future__ import annotations

import enum
import functools
import inspect
import os
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotest.decorators import AnnotationDecorator
from annotest.discovery.syntax import is_public
from annotest.discovery.targets import (
    CLASS_METHOD,
    CONSTRUCTOR,
    FUNCTION,
    METHOD,
    PROPERTY,
    STATIC_METHOD,
)
from annotest.errors import InvalidAnnotation, Site
from annotest.expr import resolve
from annotest.outside import annotations_of, member_key
from annotest.records import record
from annotest.signature import (
    Signature,
    constructor_signature,
    is_written,
    own_signature,
    read_signature,
    site_of,
)
from annotest.spec import (
    Annotation,
    Exclude,
    attached,
    own_annotations,
    static_attribute,
    underlying,
)


@record
class Obstacle:
    """Why annotest makes no instance of a class: what the class is, and what to do instead."""

    cls: str
    what: str
    instead: str
    is_left_to_subclasses: bool = False

    @property
    def reason(self) -> str:
        """Why, for a person."""
        return f"{self.cls} is {self.what}"


def obstacle_to_making(cls: type) -> Obstacle | None:
    """Return why no instance of a class is made; None where one can be."""
    name = cls.__qualname__
    is_protocol = static_attribute(cls, "_is_protocol") is True
    if inspect.isabstract(cls) or is_protocol:
        inherited = "a class that inherits it, on which it is then tested"
        return Obstacle(name, "a protocol" if is_protocol else "abstract", inherited, True)
    if issubclass(cls, enum.Enum):
        member = f"a function that takes a member, with @arg(member=froms(list({name})))"
        return Obstacle(name, "an enumeration", member)
    if issubclass(cls, type):
        return Obstacle(name, "a metaclass", "a function that makes a class with it")
    return None


def _is_left_to_subclasses(cls: type) -> bool:
    obstacle = obstacle_to_making(cls)
    return obstacle is not None and obstacle.is_left_to_subclasses


@dataclass
class Candidate:
    """A function, constructor or method, with all that is said about it."""

    function: Any
    qualname: str
    kind: str
    signature: Signature
    owner: type | None = None
    annotated_at: Site | None = None  # where it is annotated from outside

    @property
    def site(self) -> Site:
        """Where it stands."""
        site = self.signature.site
        if site.file == "<string>" or not site.file:  # made by dataclass and the like
            site = site_of(self.owner if self.owner is not None else self.function)
        if site.file and not isinstance(self.function, functools.partial):
            return site
        # what no `def` stands for, such as a function that is not Python, is where it is annotated
        noted = (note.site for note in self.signature.annotations)
        return self.annotated_at or next(noted, site)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What it is, whatever names lead to it."""
        return id(self.function), self.kind, self.owner

    @property
    def obstacle(self) -> Obstacle | None:
        """What keeps annotest from calling it: that no instance of its class is made."""
        cls = self.function if self.kind == CONSTRUCTOR else self.owner
        obstacle = None if cls is None else obstacle_to_making(cls)
        if self.kind == STATIC_METHOD or obstacle is None:
            return None
        # a class method needs no instance, but may need what subclasses define
        is_needed = self.kind != CLASS_METHOD or obstacle.is_left_to_subclasses
        return obstacle if is_needed else None


class Candidates:
    """The candidates of one module, known to its project by `name`.

    `scanned` are the files that others look at; what is defined there is left to them.
    """

    def __init__(self, module: types.ModuleType, name: str, scanned: frozenset[str]) -> None:
        self._module = module
        self._name = name
        self._scanned = scanned
        self.bare: list[tuple[str, AnnotationDecorator]] = []  # decorators that stand for a name

    def all(self) -> Iterator[Candidate]:
        """Yield the candidates, each once, whatever names lead to it."""
        seen: set[int] = set()
        # what is named after itself first
        named = list(vars(self._module).items())
        named.sort(key=lambda item: static_attribute(item[1], "__name__") != item[0])
        for name, value in named:
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, AnnotationDecorator):
                self.bare.append((name, value))
            if isinstance(value, type):
                if self._is_ours(value):
                    yield from self._of_class(value, name)
            elif self._is_function(name, value):
                notes = annotations_of(value, f"{self._name}:{name}")
                yield Candidate(value, name, FUNCTION, read_signature(value, notes, name))

    def _is_function(self, name: str, value: Any) -> bool:
        if not callable(value) or isinstance(value, types.ModuleType):
            return False
        if attached(value):
            if self._is_ours(value) or isinstance(value, functools.partial):
                return self._is_ours(value)
            return os.path.realpath(site_of(value).file) not in self._scanned
        # a lambda, or a wrapper that hides the function it wraps, is nothing a person wrote here
        plain = isinstance(value, types.FunctionType) and "<" not in value.__qualname__
        return plain and self._is_ours(value) and is_public(name)

    def _is_ours(self, value: Any) -> bool:
        if isinstance(value, functools.partial):  # it belongs where it was annotated
            return any(note.site.file == self._module.__file__ for note in attached(value))
        return bool(static_attribute(value, "__module__") == self._module.__name__)

    def _of_class(self, cls: type, name: str) -> Iterator[Candidate]:
        if any(isinstance(note, Exclude) for note in own_annotations(cls)):
            return
        for attribute, value in vars(cls).items():
            qualname = f"{name}.{attribute}"
            if isinstance(value, type):
                if self._is_ours(value) and value.__qualname__.startswith(cls.__qualname__ + "."):
                    yield from self._of_class(value, qualname)
            elif attribute in ("__init__", "__new__"):
                yield from _constructor(cls, attribute, qualname)
            elif (kind := method_kind(value)) and _is_meant(cls, attribute, value):
                notes = annotations_of(value, f"{self._name}:{qualname}")
                yield _method(cls, value, kind, qualname, notes)
        for attribute, value, notes in _left_to_subclasses(cls):
            if attribute == "__init__":
                yield Candidate(cls, f"{name}.{attribute}", CONSTRUCTOR, constructor_signature(cls))
            else:
                yield _method(cls, value, method_kind(value), f"{name}.{attribute}", notes)


def _left_to_subclasses(cls: type) -> Iterator[tuple[str, Any, tuple[Annotation, ...]]]:
    """Yield the annotated methods that are tested on a class because no parent can be made."""
    parents = cls.__mro__[1:]
    for parent in parents if not _is_left_to_subclasses(cls) else ():
        for attribute, value in vars(parent).items() if _is_left_to_subclasses(parent) else ():
            notes = annotations_of(value, member_key(parent, attribute))
            makers = (c for c in (cls, *parents) if not _is_left_to_subclasses(c))
            having = [c for c in makers if inspect.getattr_static(c, attribute, None) is value]
            if notes and method_kind(value) not in ("", STATIC_METHOD) and having == [cls]:
                yield attribute, value, notes


def _constructor(cls: type, attribute: str, qualname: str) -> Iterator[Candidate]:
    """Yield the constructor; `__new__` is one of classes that make themselves, as a NamedTuple."""
    signature = own_signature(cls)
    if not is_written(vars(cls)[attribute]):
        return
    if attribute == "__init__" or ("__init__" not in vars(cls) and signature.explicit):
        yield Candidate(cls, qualname, CONSTRUCTOR, signature)


def _is_meant(cls: type, attribute: str, value: Any) -> bool:
    """Say whether a method is one that a person wrote to be called."""
    function = underlying(value)
    if static_attribute(function, "__isabstractmethod__"):
        return False
    if attached(value):
        return True
    made_elsewhere = "<" in str(static_attribute(function, "__qualname__"))
    return is_public(attribute) and (not made_elsewhere or "<" in cls.__qualname__)


def _method(cls: type, value: Any, kind: str, qualname: str, notes: Any) -> Candidate:
    function = underlying(value)
    signature = read_signature(function, notes, qualname, kind != STATIC_METHOD)
    return Candidate(function, qualname, kind, signature, cls)


def method_kind(value: Any) -> str:
    """Return what sort of method an attribute of a class is; nothing for another attribute."""
    if isinstance(value, staticmethod):
        return STATIC_METHOD
    if isinstance(value, classmethod):
        return CLASS_METHOD
    if isinstance(value, property) or type(value).__name__ == "cached_property":
        return PROPERTY
    if isinstance(value, types.FunctionType) or (callable(value) and attached(value)):
        return METHOD
    return ""


def outside_candidate(entry: Any) -> Candidate:
    """Return the candidate that is annotated from outside."""
    value = entry.value()
    owner_name, _, attribute = entry.qualname.rpartition(".")
    owner = resolve(entry.module, owner_name) if owner_name else None
    notes = annotations_of(value, entry.key)
    if isinstance(owner, type):
        if attribute == "__init__":
            return Candidate(owner, entry.qualname, CONSTRUCTOR, constructor_signature(owner))
        raw = inspect.getattr_static(owner, attribute)
        return _method(owner, raw, method_kind(raw) or METHOD, entry.qualname, notes)
    if isinstance(value, type):
        raise InvalidAnnotation(
            f"{entry.qualname} is a class",
            f'annotate its constructor: annotate("{entry.key}.__init__", …)',
        )
    return Candidate(value, entry.qualname, FUNCTION, read_signature(value, notes, entry.qualname))
