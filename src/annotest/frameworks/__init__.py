"""One adapter per framework, loaded by name when first needed.

An adapter knows one framework's arrays; all else about arrays is the same for every framework, and
done with the NumPy array of the same elements. Adapters are modules of this package, or of others
through the entry-point group `annotest.frameworks`. A framework has the name of its module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple, Protocol, cast

from annotest.errors import MissingFramework, needs
from annotest.expr import Expr, Literal, Method, Ref
from annotest.frameworks.dtypes import DType
from annotest.records import record

BUILTIN = ("numpy", "torch")
# those of which `tensors` makes arrays; the first where nothing says of which
WITH_TENSORS = ("torch",)

_device = ""


class ArrayView(NamedTuple):
    """What any framework's array looks like from outside."""

    framework: str
    shape: tuple[int, ...]
    dtype: str


@record
class ModuleKind:
    """How a framework's modules are used: objects that are called, and are in one of some modes.

    To call one runs its method `called`, and more. Each of the `modes` is a method that brings it
    into that mode; a new one is in the first, and its attribute `tells` says whether it still is.
    `trained` gives the arrays that are trained, by name, `state` these and all else that is saved
    with an instance, and `restore` puts the state of one instance into another.
    """

    called: str
    modes: tuple[str, ...]
    tells: str
    trained: Callable[[Any], Mapping[str, Any]]
    state: Callable[[Any], Mapping[str, Any]]
    restore: Callable[[Any, Any], None]

    def is_new(self, instance: Any) -> bool:
        """Say whether an instance is in the mode of a new one, in which it is trained."""
        return bool(getattr(instance, self.tells))


@record
class RandomSource:
    """Random numbers that all code in a process shares: how to seed them, what they will be next.

    `source` is the function that a person calls with a seed.
    """

    name: str
    seed: Callable[[int], object]
    state: Callable[[], Any]
    source: Ref


class Adapter(Protocol):
    """What annotest asks of a framework; to load an adapter does not import the framework.

    What is given to `view`, `copy`, `same` and `source` exists, so that the framework is imported.
    """

    name: str  # of the framework, and of its module
    alias: str  # by which written source imports it
    called: str  # how a message speaks of an array: "a NumPy array"
    hint: str  # the name of its arrays' type, for which an annotation is suggested
    dtypes: Mapping[str, DType]
    short_names: Mapping[str, str]  # of dtypes
    preferred: Mapping[str, str]  # of each kind of number, the dtype that its programs mostly have
    layouts: tuple[str, ...]  # in which arrays may stand in memory, the plain one first
    usual_layouts: tuple[str, ...]  # those that are tried without being asked for
    devices: tuple[str, ...]  # the kinds of them on which arrays may lie
    preloaded: tuple[str, ...]  # modules to import once, before forking: importing does nothing

    def view(self, value: Any) -> ArrayView | None:
        """Describe `value` when it is this framework's array."""

    def dtype(self, name: str) -> Any:
        """Return the dtype of a name as its arrays have it."""

    def build(self, elements: Any, **options: Any) -> Any:
        """Return an array with the elements of a NumPy array, which nobody else has."""

    def elements(self, value: Any) -> Any:
        """Return a NumPy array with the elements of an array, to be looked at only."""

    def has_device(self, device: str) -> bool:
        """Say whether there is a device here; not asked where there is only one kind."""

    def has_layout(self, layout: str, shape: tuple[int, ...]) -> bool:
        """Say whether arrays of a shape can have a layout; not asked where there is only one."""

    def in_layout(self, value: Any, layout: str) -> bool:
        """Say whether an array stands in a layout, which its shape can have; nor is this."""

    def device(self, value: Any) -> str:
        """Return where an array lies."""

    def state(self, value: Any) -> Any:
        """Return what is another when the elements have been changed; None if that takes long."""

    def copy(self, value: Any) -> Any:
        """Return an array equal to `value` that shares no memory with it."""

    def same(self, one: Any, other: Any) -> bool:
        """Say whether two arrays hold the same values, NaN counting as equal to NaN."""

    def part(self, value: Any, axis: int, start: int, stop: int) -> Any:
        """Return a part of an array along one axis, which shares no memory with it."""

    def scale(self, value: Any, factors: Any) -> None:
        """Multiply an array of floats, which nobody else has, by a NumPy array of factors."""

    def needs_gradient(self, value: Any) -> bool:
        """Say whether an array takes part in finding gradients."""

    def gradients(self, results: list[Any], arrays: list[Any]) -> list[Any]:
        """Return the gradients of arrays, None of those that the results do not depend on.

        Not asked where no array needs one.
        """

    def source(self, value: Any) -> Expr | None:
        """Return the source of this framework's value (array, scalar, dtype), if it is one."""

    def built_source(
        self, elements: Expr, shape: tuple[int, ...], held: str, **options: Any
    ) -> Expr:
        """Return the source of what `build` makes of a NumPy array's, of a shape and dtype."""

    def module_kind(self, cls: type) -> ModuleKind | None:
        """Return how instances of a class are used, if it is one of this framework's modules."""

    def synchronize(self) -> None:
        """Wait until devices have done what they were asked for; raise what went wrong there."""

    def random_sources(self) -> list[RandomSource]:
        """Return the random numbers that are drawn without naming a generator."""

    def aspects(self) -> list[Any]:
        """Return what a call may change for all others in its process; see Surroundings."""


@record
class Framed:
    """Makes arrays of a framework from NumPy's; a function that recipes can hold."""

    framework: str
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(self, elements: Any) -> Any:
        """Return the array with these elements."""
        return load(self.framework).build(elements, **dict(self.options))

    def source(self, elements: Expr, shape: tuple[int, ...], held: str) -> Expr:
        """Return the source of the array with these elements, of a shape and dtype."""
        return load(self.framework).built_source(elements, shape, held, **dict(self.options))

    @property
    def dtype(self) -> str:
        """The dtype that its arrays get; none where that is the one of the elements."""
        return str(dict(self.options).get("dtype", ""))

    @property
    def layout(self) -> str | None:
        """The layout that its arrays get, None for the plain one."""
        return dict(self.options).get("layout")

    def laid_out(self, layout: str | None) -> Framed:
        """Return it with another layout."""
        others = tuple(option for option in self.options if option[0] != "layout")
        return Framed(self.framework, others + ((("layout", layout),) if layout else ()))


@cache
def _entry_points() -> dict[str, Any]:
    # imported late: annotations stand in production code, and this is slow to import
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=__name__)}


@cache
def known() -> tuple[str, ...]:
    """Return the names of all frameworks with an adapter, ours first."""
    return BUILTIN + tuple(name for name in _entry_points() if name not in BUILTIN)


@cache
def load(name: str) -> Adapter:
    """Return one adapter."""
    if name not in BUILTIN and name not in known():
        raise MissingFramework(f"unknown framework {name!r}; known: {', '.join(known())}")
    try:
        if name in BUILTIN:
            return cast(Adapter, importlib.import_module(f"{__name__}.{name}"))
        return cast(Adapter, _entry_points()[name].load())
    except ModuleNotFoundError as error:
        text = needs(f"framework {name!r}", error.name)
        raise MissingFramework(text, name=error.name) from error


def imported() -> Iterator[Adapter]:
    """Yield the adapters of the frameworks that are imported already."""
    for name in known():
        if name in sys.modules:
            yield load(name)


def current_device() -> str:
    """Return where arrays and modules are put that name no device; nothing for where they are."""
    return _device


@contextmanager
def on_device(name: str) -> Iterator[None]:
    """Put arrays and modules on a device while they are built, or written."""
    global _device
    before, _device = _device, name
    try:
        yield
    finally:
        _device = before


def placed(value: Any) -> Any:
    """Return a new instance on the device in force, if it is a module."""
    return value.to(_device) if _device and module_kind(type(value)) is not None else value


def placed_source(made: Expr, function: Any) -> Expr:
    """Return the source of what is put on the device in force: an array, or what a class makes."""
    is_placed = type(function) is Framed or (
        isinstance(function, type) and module_kind(function) is not None
    )
    return Method(made, "to", (Literal(_device),)) if _device and is_placed else made


def synchronize() -> None:
    """Wait for the devices of all imported frameworks; raise what went wrong there."""
    for adapter in imported():
        adapter.synchronize()


def is_spoilt() -> bool:
    """Say whether a device can no longer be used from this process."""
    try:
        synchronize()
    except Exception:
        return True
    return False


def random_sources() -> list[RandomSource]:
    """Return the random numbers of Python and of the frameworks that are imported already."""
    import random  # late: annotations stand in production code

    python = RandomSource("random", random.seed, random.getstate, Ref("random", "seed", "random"))
    return [python, *(source for adapter in imported() for source in adapter.random_sources())]


def aspects() -> list[Any]:
    """Return what calls may change in their process: of NumPy, even if it is yet to be imported."""
    watched = dict.fromkeys([load("numpy"), *imported()])
    return [aspect for adapter in watched for aspect in adapter.aspects()]


def adapter_of(value: Any) -> Adapter | None:
    """Return the adapter of an array of any *already imported* framework; import none."""
    found = view(value)
    return None if found is None else load(found.framework)


def view(value: Any) -> ArrayView | None:
    """Describe an array of any already imported framework."""
    if type(value).__module__ == "builtins":
        return None  # most values are: to look the frameworks up is slow
    views = (adapter.view(value) for adapter in imported())
    return next((view for view in views if view is not None), None)


def module_kind(cls: type) -> ModuleKind | None:
    """Return how instances of a class are used that any imported framework knows as a module."""
    kinds = (adapter.module_kind(cls) for adapter in imported())
    return next((kind for kind in kinds if kind is not None), None)


def source(value: Any) -> Expr | None:
    """Return the source of a value of any already imported framework."""
    sources = (adapter.source(value) for adapter in imported())
    return next((source for source in sources if source is not None), None)


def short_module(module: str, qualname: str, value: Any) -> tuple[str, str] | None:
    """Return module and alias by which a framework's own function or class is best written."""
    root = module.partition(".")[0]
    if root not in known() or getattr(sys.modules.get(root), qualname, None) is not value:
        return None
    return root, load(root).alias
