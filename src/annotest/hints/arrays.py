"""Hints of jaxtyping, such as `Float[Tensor, "b c h w"]` → constraints of arrays."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint, anys, froms, np_arrays, same, tensors
from annotest.errors import InvalidAnnotation
from annotest.hints.precise import NotPrecise

# the arrays of these types are made; each with its framework, and how its constraint is written
_MADE: dict[str, tuple[str, Callable[[Any, Any], Constraint]]] = {
    "numpy.ndarray": ("numpy", lambda shape, dtype: np_arrays(dtype, shape)),
    "torch.Tensor": ("torch", tensors),
}
_MARKS = "#*_?"
_OF_ARGUMENT = re.compile(r"\{([^{}]+)\}")


def is_array_hint(hint: type) -> bool:
    """Say whether a hint is one of jaxtyping's; nobody can have written one without its import."""
    jaxtyping = sys.modules.get("jaxtyping")
    return jaxtyping is not None and issubclass(hint, jaxtyping.AbstractArray)


def array_constraint(hint: Any, is_of_result: bool = False) -> Constraint:
    """Return the arrays that a hint of jaxtyping allows: all, or those to make for an argument."""
    if hint.array_type is Any:
        raise NotPrecise("it does not say whose arrays they are")
    # the name of jax.Array is jaxlib._jax.Array
    name = f"{hint.array_type.__module__}.{hint.array_type.__name__.rpartition('.')[2]}"
    if name not in _MADE:
        raise NotPrecise(f"annotest makes no {name}")
    framework, made = _MADE[name]
    adapter = frameworks.load(framework)
    dtype = froms(_allowed(hint, adapter)) if is_of_result else _dtype(hint, adapter)
    try:
        arrays = [made(shape, dtype) for shape in _shapes(hint.dim_str)]
    except InvalidAnnotation as error:
        raise NotPrecise(error.reason) from error
    return arrays[0] if len(arrays) == 1 else anys(*arrays)


def _dtype(hint: Any, adapter: frameworks.Adapter) -> Any:
    """Return the dtype that a hint allows; of several, all arrays of a call have the same."""
    allowed = _allowed(hint, adapter, usual=True)
    return allowed[0] if len(allowed) == 1 else same(hint.dtype.__name__, of=allowed)


def _allowed(hint: Any, adapter: frameworks.Adapter, usual: bool = False) -> list[str]:
    """Return the dtypes that a hint allows; of a whole kind, such as Float, the `usual` one."""
    allowed: list[str] = []
    for kind in dict.fromkeys(dtype.kind for dtype in adapter.dtypes.values()):
        names = [name for name, dtype in adapter.dtypes.items() if dtype.kind == kind]
        known = [name for name in names if _allows(hint.dtypes, name)]
        allowed += [adapter.preferred[kind]] if usual and known == names else known
    if not allowed:
        raise NotPrecise(f"{adapter.name} has no such dtype")
    return allowed


def _allows(dtypes: Any, name: str) -> bool:
    if not isinstance(dtypes, tuple):
        return True  # Shaped: any dtype
    return any(
        name == dtype or (type(dtype) is re.Pattern and dtype.match(name)) for dtype in dtypes
    )


def _shapes(text: str) -> Iterator[Any]:
    """Yield a shape in our notation, and, where sides may be broadcast, one in which they are 1."""
    sides = [_side(token) for token in text.split()]
    yield " ".join(side for side, _ in sides) if sides else ()
    if any(is_broadcast for _, is_broadcast in sides):
        yield " ".join("1" if is_broadcast else side for side, is_broadcast in sides)


def _side(token: str) -> tuple[str, bool]:
    """Return one side in our notation, and whether it may be 1 instead."""
    if token == "...":
        return token, False
    marks = ""
    while token[:1] and (token[0] in _MARKS or token.count("=") == 1):
        if token[0] in _MARKS:
            marks, token = marks + token[0], token[1:]
        else:  # `rows=4` is a comment on the 4
            token = token.partition("=")[2]
    if "?" in marks:
        raise NotPrecise(f"?{token} is a side that differs within a tree")
    if "_" in marks:
        return ("..." if "*" in marks else "_"), False
    if "*" in marks:
        return f"*{token}", False  # broadcast to itself, if at all
    # {n} is the value of the argument n, which is what the name means to us
    return _OF_ARGUMENT.sub(_in_brackets, token), "#" in marks


def _in_brackets(match: re.Match[str]) -> str:
    name = match[1]
    return name if name.replace(".", "").isidentifier() else f"({name})"
