"""Torch tensors: how to build, describe, copy, compare and write them.

Torch is imported late: `import annotest` loads no framework.
"""

from __future__ import annotations

import copy as copying
import importlib.util
from functools import cache
from typing import Any

from annotest.expr import Expr, Literal, Method, Module, Ref, tree
from annotest.frameworks import (
    ArrayView,
    ModuleKind,
    current_device,
    torch_layouts,
    torch_modules,
    torch_process,
)
from annotest.frameworks.dtypes import DTYPES, FORMATTED, SHORT_NAMES
from annotest.frameworks.torch_layouts import CONTIGUOUS, StridedSource, laid_out, laid_out_source
from annotest.large import LARGE

if importlib.util.find_spec("torch") is None:
    raise ModuleNotFoundError("torch is not installed", name="torch")

name, alias, called, hint = "torch", "torch", "a torch tensor", "Tensor"
dtypes = {**DTYPES, **FORMATTED}
short_names = {**SHORT_NAMES, "float": "float32", "int": "int32"}  # as torch.float
# of parameters and of indices, and of images
preferred = {
    "bool": "bool",
    "int": "int64",
    "uint": "uint8",
    "float": "float32",
    "complex": "complex64",
}
preloaded = ()
aspects, random_sources = torch_process.aspects, torch_process.random_sources
synchronize = torch_process.synchronize

_torch = Module(name, alias)
# of the whole numbers torch has few operations on these: they are taken where they are named only
unusual = ("uint16", "uint32", "uint64")

layouts, usual_layouts = torch_layouts.LAYOUTS, torch_layouts.USUAL_LAYOUTS
has_layout, in_layout = torch_layouts.has_layout, torch_layouts.in_layout
devices = ("cpu", "cuda", "mps", "xpu", "hpu", "mtia", "npu", "xla")
# of the other dtypes the elements are no numbers that could be written
_WRITTEN = {*dtypes, "complex32", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"}


@cache
def _module() -> Any:
    import torch

    return torch


def has_device(device: str) -> bool:
    """Say whether torch has a device here: of cuda and mps, which most programs mean."""
    torch = _module()
    kind, _, number = device.partition(":")
    counts = {"cuda": torch.cuda.device_count, "mps": torch.mps.device_count}
    return kind not in counts or counts[kind]() > int(number or 0)


def view(value: Any) -> ArrayView | None:
    """Describe `value` when it is a tensor whose elements stand in memory."""
    torch = _module()
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return None
    if value.is_nested or isinstance(value, torch.nn.parameter.UninitializedTensorMixin):
        return None  # it has no shape
    return ArrayView(name, tuple(value.shape), dtype_name(value.dtype))


def dtype(name: str) -> Any:
    """Return torch's dtype of a name."""
    return getattr(_module(), name)


@cache
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
    tensor = laid_out(tensor, layout)
    return tensor.requires_grad_() if requires_grad else tensor


def elements(value: Any) -> Any:
    """Return a NumPy array with the elements of a tensor, to be looked at only."""
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    if dtype_name(value.dtype) not in DTYPES:  # NumPy has no such numbers
        torch = _module()
        plain = plain.to(torch.complex64 if plain.is_complex() else torch.float32)
    return plain.numpy()


def device(value: Any) -> str:
    """Return where a tensor lies."""
    return str(value.device)


def state(value: Any) -> Any:
    """Return how often a tensor has been changed in place; it does not count in inference mode."""
    return None if value.is_inference() else value._version


def copy(value: Any) -> Any:
    """Return a tensor equal to `value` that shares no memory with it."""
    plain = value if value.is_leaf else value.detach()
    return copying.deepcopy(plain).requires_grad_(value.requires_grad)  # which keeps the layout


def same(one: Any, other: Any) -> bool:
    """Say whether two tensors hold the same values, NaN counting as equal to NaN."""
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    inexact = one.dtype.is_floating_point or one.dtype.is_complex
    import numpy as np

    return bool(np.array_equal(elements(one), elements(other), equal_nan=inexact))


def part(value: Any, axis: int, start: int, stop: int) -> Any:
    """Return a part of a tensor along one axis."""
    own = value.detach().narrow(axis, start, stop - start).clone()
    return own.requires_grad_(value.requires_grad)


def scale(value: Any, factors: Any) -> None:
    """Multiply what a tensor holds; it gets memory of its own, which its layout may not have."""
    of_device = _module().from_numpy(factors).to(value.device)
    value.data = (value.data * of_device).to(value.dtype)


def needs_gradient(value: Any) -> bool:
    """Say whether a tensor requires its gradient, or comes of one that does."""
    return bool(value.requires_grad)


def gradients(results: list[Any], arrays: list[Any]) -> list[Any]:
    """Return the gradients of tensors; what the results remember of them stays there."""
    torch = _module()
    ones = [torch.ones_like(result) for result in results]
    found = torch.autograd.grad(results, arrays, ones, retain_graph=True, allow_unused=True)
    return list(found)


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
    if value.is_meta:
        return _torch.empty(*value.shape, **_given(value, float))
    return _tensor_source(value) if dtype_name(value.dtype) in _WRITTEN else None


def _tensor_source(value: Any) -> Expr:
    is_computed = value.requires_grad and not value.is_leaf
    plain = _computed_source if is_computed else _contiguous_source
    made = StridedSource(plain, _given).of(value.detach())
    return Method(made, "requires_grad_", ()) if value.requires_grad and value.is_leaf else made


def _computed_source(tensor: Any) -> Expr:
    return Method(Method(_contiguous_source(tensor), "requires_grad_", ()), "clone", ())


# what a tensor is called whose elements are all the same, by the repr of one
_UNIFORM = {
    **dict.fromkeys(("0", "0.0", "0j", "False"), "zeros"),
    **dict.fromkeys(("1", "1.0", "(1+0j)", "True"), "ones"),
}


def _contiguous_source(tensor: Any) -> Expr:
    """Return the source of a contiguous tensor with the elements of any."""
    array = elements(tensor)
    first = array.ravel()[0].item() if array.size else 0.0
    same = array.ravel()[:1].tobytes() * array.size == array.tobytes()  # bit by bit
    uniform = array.ndim > 0 and same
    word = _UNIFORM.get(repr(first)) if uniform else None
    if word is not None:
        return Ref(name, word, alias)(*array.shape, **_given(tensor, float))
    given = _given(tensor, type(first))
    if uniform and array.size > 1:
        return _torch.full(array.shape, Literal(first), **given)
    return _torch.tensor(_plain(array.tolist()), **given)


def _given(tensor: Any, kind: type = float) -> dict[str, Any]:
    """Return dtype and device, as far as torch does not make them of numbers of this kind."""
    return _told(dtype_name(tensor.dtype), str(tensor.device), kind)


def _told(dtype: str, device: str, kind: type = float) -> dict[str, Any]:
    default = dtype_name(_module().get_default_dtype())
    assumed = {bool: "bool", int: "int64", float: default}
    given: dict[str, Any] = {}
    if dtype != assumed.get(kind):
        given["dtype"] = Ref(name, dtype, alias)
    if device not in ("", "cpu"):
        given["device"] = device
    return given


def _plain(value: Any) -> Expr:
    return tree([_plain(item) for item in value]) if isinstance(value, list) else Literal(value)


def built_source(
    elements: Expr,
    shape: tuple[int, ...],
    held: str,
    dtype: str = "",
    layout: str = CONTIGUOUS,
    device: str = "",
    requires_grad: bool = False,
) -> Expr:
    """Return the source of what `build` makes of a NumPy array's source, of a shape and dtype."""
    made: Expr = _torch.from_numpy(elements)
    if dtype:
        made = Method(made, "to", (Ref(name, dtype, alias),))
    if device:
        made = Method(made, "to", (Literal(device),))
    made = laid_out_source(made, layout, shape, _told(dtype or held, device))
    return Method(made, "requires_grad_", ()) if requires_grad else made


def module_kind(cls: type) -> ModuleKind | None:
    """Return how a module is used, whose call runs hooks besides its `forward`."""
    module = _module().nn.Module
    if not issubclass(cls, module):
        return None
    is_usual = cls.__call__ is module.__call__
    called = "forward" if is_usual else "__call__"
    return ModuleKind(called, ("train", "eval"), "training", *torch_modules.FACES)
