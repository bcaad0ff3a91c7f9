"""Torch tensors: how to build, describe, copy, compare and write them.

Torch is imported late: `import annotest` loads no framework.
"""

from __future__ import annotations

import copy as copying
import importlib.util
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from annotest.expr import Attribute, Call, Expr, Item, Literal, Method, Module, Ref, tree
from annotest.frameworks import ArrayView, ModuleKind, current_device, torch_process
from annotest.frameworks.dtypes import DTYPES, FORMATTED
from annotest.large import LARGE

if importlib.util.find_spec("torch") is None:
    raise ModuleNotFoundError("torch is not installed", name="torch")

name, alias, called, hint = "torch", "torch", "a torch tensor", "Tensor"
dtypes = {**DTYPES, **FORMATTED}
preloaded = ()
aspects, random_sources = torch_process.aspects, torch_process.random_sources
synchronize = torch_process.synchronize

_torch = Module(name, alias)
# of the whole numbers torch has few operations on these: they are taken where they are named only
unusual = ("uint16", "uint32", "uint64")

CONTIGUOUS, TRANSPOSED, SLICED = "contiguous", "transposed", "sliced"
CHANNELS_LAST, EXPANDED = "channels_last", "expanded"
# each with how many sides a tensor must have at least, and at most
_SIDES = {
    CONTIGUOUS: range(100),
    TRANSPOSED: range(2, 100),
    SLICED: range(1, 100),
    CHANNELS_LAST: range(4, 6),
    EXPANDED: range(1, 100),
}
layouts = tuple(_SIDES)
usual_layouts = (CONTIGUOUS, TRANSPOSED, SLICED, CHANNELS_LAST)


@cache
def _module() -> Any:
    import torch

    return torch


def has_layout(layout: str, shape: tuple[int, ...]) -> bool:
    """Say whether tensors of a shape can have a layout: of one element, all are the same."""
    return len(shape) in _SIDES[layout] and math.prod(shape) > 1


def view(value: Any) -> ArrayView | None:
    """Describe `value` when it is a tensor whose elements stand in memory."""
    torch = _module()
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return None
    return ArrayView(name, tuple(value.shape), dtype_name(value.dtype))


def dtype(name: str) -> Any:
    """Return torch's dtype of a name."""
    return getattr(_module(), name)


def dtype_name(dtype: Any) -> str:
    """Return the plain name of torch's dtype."""
    return str(dtype).removeprefix("torch.")


def build(
    elements: Any,
    dtype: str = "",
    layout: str = CONTIGUOUS,
    device: str = "",
    requires_grad: bool = False,
) -> Any:
    """Return a tensor with the elements of a NumPy array."""
    torch = _module()
    tensor = torch.from_numpy(elements)
    if elements.size <= LARGE:  # a copy in memory of torch's own can be resized; it takes time
        tensor = tensor.clone()
    if dtype:
        tensor = tensor.to(getattr(torch, dtype))
    if device := device or current_device():
        tensor = tensor.to(device)
    tensor = _LAID_OUT[layout](tensor)
    return tensor.requires_grad_() if requires_grad else tensor


def _channels_last(tensor: Any) -> Any:
    torch = _module()
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return tensor.contiguous(memory_format=formats[tensor.ndim])


def _sliced(tensor: Any) -> Any:
    """Return it as every other column of a wider tensor, beginning in the middle of its rows."""
    return tensor.repeat_interleave(2, -1).tile(2)[..., 2 * tensor.shape[-1] + 1 :: 2]


_LAID_OUT: dict[str, Callable[[Any], Any]] = {
    CONTIGUOUS: lambda tensor: tensor,
    TRANSPOSED: lambda tensor: tensor.mT.contiguous().mT,
    SLICED: _sliced,
    CHANNELS_LAST: _channels_last,
    EXPANDED: lambda tensor: tensor[:1].expand(tensor.shape),
}


def elements(value: Any) -> Any:
    """Return a NumPy array with the elements of a tensor, to be looked at only."""
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    formatted = dtypes[dtype_name(value.dtype)].format is not None
    return (plain.float() if formatted else plain).numpy()


def copy(value: Any) -> Any:
    """Return a tensor equal to `value` that shares no memory with it."""
    if value.is_leaf:
        return copying.deepcopy(value)  # which keeps the layout
    return value.detach().clone().requires_grad_(value.requires_grad)


def same(one: Any, other: Any) -> bool:
    """Say whether two tensors hold the same values, NaN counting as equal to NaN."""
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    inexact = one.dtype.is_floating_point or one.dtype.is_complex
    import numpy as np

    return bool(np.array_equal(elements(one), elements(other), equal_nan=inexact))


def source(value: Any) -> Expr | None:
    """Return the source of a tensor, a parameter, a dtype or a device."""
    torch = _module()
    if isinstance(value, torch.dtype):
        return Ref(name, dtype_name(value), alias)
    if isinstance(value, torch.device):
        return _torch.device(str(value))
    if type(value) is torch.nn.Parameter:
        data = source(value.data)
        needs = {} if value.requires_grad else {"requires_grad": False}
        return None if data is None else Ref(name, "nn.Parameter", alias)(data, **needs)
    if type(value) is not torch.Tensor or view(value) is None:
        return None
    return _tensor_source(value)


def layout_of(value: Any) -> str:
    """Return the layout of a tensor, or the contiguous one where it has none of those known."""
    if value.is_contiguous():
        return CONTIGUOUS
    if value.ndim and value.stride(0) == 0 and value.shape[0] > 1:
        return EXPANDED
    known = (TRANSPOSED, CHANNELS_LAST, SLICED)
    of_same_shape = value.new_empty(value.shape)
    return next(
        (
            layout
            for layout in known
            if has_layout(layout, value.shape)
            and _LAID_OUT[layout](of_same_shape).stride() == value.stride()
        ),
        CONTIGUOUS,
    )


def _tensor_source(value: Any) -> Expr:
    plain = value.detach()
    made = _laid_out(_contiguous_source(plain), layout_of(plain), tuple(value.shape))
    return Method(made, "requires_grad_", ()) if value.requires_grad else made


def _contiguous_source(tensor: Any) -> Expr:
    torch = _module()
    dtype = dtype_name(tensor.dtype)
    array = elements(tensor)
    given: dict[str, Any] = {}
    if tensor.device.type != "cpu":
        given["device"] = str(tensor.device)
    # what torch makes of Python's numbers without being told
    assumed = {bool: "bool", int: "int64", float: dtype_name(torch.get_default_dtype())}
    first = array.ravel()[0].item() if array.size else 0.0
    is_one_value = array.ravel()[:1].tobytes() * array.size == array.tobytes()
    if array.ndim and is_one_value and repr(first) in ("0", "0.0", "False"):
        if dtype != assumed[float]:
            given = {"dtype": Ref(name, dtype, alias), **given}
        return _torch.zeros(*array.shape, **given)
    if dtype != assumed.get(type(first)):
        given = {"dtype": Ref(name, dtype, alias), **given}
    if array.size > 1 and is_one_value:
        return _torch.full(array.shape, Literal(first), **given)
    return _torch.tensor(_plain(array.tolist()), **given)


def _plain(value: Any) -> Expr:
    return tree([_plain(item) for item in value]) if isinstance(value, list) else Literal(value)


def _laid_out(made: Expr, layout: str, shape: tuple[int, ...]) -> Expr:
    """Return the source of a tensor, of this shape, with a layout: what `build` does, in words."""
    if layout == TRANSPOSED:
        return Attribute(Method(Attribute(made, "mT"), "contiguous", ()), "mT")
    if layout == SLICED:
        wider = Method(made, "repeat_interleave", (Literal(2), Literal(-1)))
        return Item(Method(wider, "tile", (Literal(2),)), f"..., {2 * shape[-1] + 1}::2")
    if layout == CHANNELS_LAST:
        kind = "channels_last" if len(shape) == 4 else "channels_last_3d"
        return Call(Attribute(made, "contiguous"), (), (("memory_format", Ref(name, kind, alias)),))
    if layout == EXPANDED:
        return Method(Item(made, ":1"), "expand", tuple(map(Literal, shape)))
    return made


def built_source(
    elements: Expr,
    shape: tuple[int, ...],
    dtype: str = "",
    layout: str = CONTIGUOUS,
    device: str = "",
    requires_grad: bool = False,
) -> Expr:
    """Return the source of what `build` makes of a NumPy array's source."""
    made: Expr = _torch.from_numpy(elements)
    if dtype:
        made = Method(made, "to", (Ref(name, dtype, alias),))
    if device:
        made = Method(made, "to", (Literal(device),))
    made = _laid_out(made, layout, shape)
    return Method(made, "requires_grad_", ()) if requires_grad else made


def module_kind(cls: type) -> ModuleKind | None:
    """Return how a module is used, whose call runs hooks besides its `forward`."""
    module = _module().nn.Module
    if not issubclass(cls, module):
        return None
    is_usual = cls.__call__ is module.__call__
    return ModuleKind("forward" if is_usual else "__call__", ("train", "eval"), "training")
