"""The published tool's spelling of aN, so that programs annotated for it run unchanged.

Names, argument names and defaults are those of that tool; what each makes is one of our constraints
or annotations. Three rules hold here and nowhere else: an annotated argument also takes its default
value (`obj` arguments excepted), floats and float arrays without bounds include NaN and infinities,
and what is said of an argument that the function does not have is left out, with a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from annotest import constraints as _c
from annotest import decorators as _d
from annotest.constraints import Constraint
from annotest.source import shown
from annotest.spec import Arg, CcExample, Require

F = TypeVar("F")

exclude = _d.exclude
generator = _d.generator
_checked = _c.checked_calls(_c.broken)


@_checked
def integers(min_value: int = 0, max_value: int = 1000) -> Constraint:
    """Whole numbers, both ends included."""
    return _c.ints(min_value, max_value)


@_checked
def floats(
    min_value: float | None = None,
    max_value: float | None = None,
    allow_nan: bool | None = None,
    allow_infinity: bool | None = None,
    width: int = 64,
    exclude_min: bool = False,
    exclude_max: bool = False,
) -> Constraint:
    """Floating-point numbers; NaN and infinities belong to a range without bounds."""
    if allow_nan is None:
        allow_nan = min_value is None and max_value is None
    if allow_infinity is None:
        allow_infinity = min_value is None or max_value is None
    return _c.floats(
        min_value,
        max_value,
        exclude_min=exclude_min,
        exclude_max=exclude_max,
        allow_nan=allow_nan,
        allow_infinity=allow_infinity,
        width=width,
    )


@_checked
def sampled(elements: Any) -> Constraint:
    """Exactly the listed values; text and arrays are taken item by item."""
    if isinstance(elements, str) or hasattr(elements, "__array__"):
        elements = list(elements)
    return _c.froms(elements)


@_checked
def array_shapes(
    min_dims: int = 1, max_dims: int | None = None, min_side: int = 1, max_side: int | None = None
) -> Constraint:
    """Shape tuples."""
    return _c.np_shapes(min_dims=min_dims, max_dims=max_dims, min_side=min_side, max_side=max_side)


@_checked
def np_arrays(dtype: Any = None, shape: Any = None) -> Constraint:
    """NumPy arrays of any value of the dtype, NaN and infinities included."""
    return _c.np_arrays(dtype, shape, allow_nan=True, allow_infinity=True)


def tuples(*args: Constraint) -> Constraint:
    """Tuples of fixed elements."""
    return _c.tuples(*args)


@_checked
def dictionaries(
    keys: Constraint, values: Constraint, min_size: int = 0, max_size: int | None = None
) -> Constraint:
    """Maps from keys to values."""
    return _c.dicts(keys, values, min_size=min_size, max_size=max_size)


@_checked
def obj(generator: Callable[..., Any]) -> Constraint:
    """What a custom generator builds."""
    return _c.objs(generator)


def multiple(*args: Any) -> Constraint:
    """The union of several constraints."""
    return _c.anys(*args)


@_checked
def integer_lists(
    min_len: int = 1, max_len: int | None = None, min_value: int = 1, max_value: int | None = None
) -> Constraint:
    """Lists of whole numbers."""
    return _c.int_lists(min_len=min_len, max_len=max_len, min=min_value, max=max_value)


@_d.forgiving
def arg(arg_name: str, arg_type: Any) -> Callable[[F], F]:
    """Say which values an argument takes; its default value is one of them, unless `obj`."""
    takes_default = not isinstance(arg_type, _c.objs)
    return _published(_d.make_args(arg_name, arg_type, {}), or_default=takes_default)


@_d.forgiving
def precondition(predicate: str) -> Callable[[F], F]:
    """Say what must hold between the arguments."""
    return _published(_d.require(predicate))


def _published(decorator: _d.AnnotationDecorator, **more: Any) -> _d.AnnotationDecorator:
    """Return a decorator of ours with what holds in this spelling only."""
    notes = decorator.annotations
    return _d.AnnotationDecorator(
        *(
            replace(note, is_published=True, **more) if isinstance(note, Arg | Require) else note
            for note in notes
        )
    )


@_d.forgiving
def deadline(time: timedelta | None = None) -> Callable[[F], F]:
    """Say how long one call may take; None is no limit of its own."""
    if time is None:
        return _d.AnnotationDecorator()
    if not isinstance(time, timedelta):
        wanted = f"expects a timedelta, got {type(time).__name__}"
        remedy = "write @deadline(timedelta(seconds=30))"
        return _d.refuse(f"@deadline({shown(time)})", wanted, remedy)
    return _d.timeout(time.total_seconds())


@_d.forgiving
def cc_example(elements: Any) -> Callable[[F], F]:
    """Give constructor calls, one tuple of arguments each, used when methods need an instance."""
    if not isinstance(elements, (list, tuple)) or not all(
        isinstance(call, (list, tuple)) for call in elements
    ):
        return _d.refuse(
            f"@cc_example(elements={shown(elements)})",
            "expects a list of calls, each a tuple of arguments",
            "write @cc_example(elements=[(6, 1), (7, 1)])",
        )
    return _d.AnnotationDecorator(
        *(CcExample(tuple(call), {}, by_parameter=True) for call in elements)
    )


def annotest_module_test() -> None:
    """At module level: importing this module is a test."""
    _d.module_test()


__all__ = [
    "annotest_module_test",
    "arg",
    "array_shapes",
    "cc_example",
    "deadline",
    "dictionaries",
    "exclude",
    "floats",
    "generator",
    "integer_lists",
    "integers",
    "multiple",
    "np_arrays",
    "obj",
    "precondition",
    "sampled",
    "tuples",
]
