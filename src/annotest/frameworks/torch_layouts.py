"""How torch tensors stand in memory: the layouts that are made, and any layout as source."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from annotest.expr import Attribute, Call, Expr, Item, Literal, Method, Module, tree

_torch = Module("torch", "torch")

CONTIGUOUS, TRANSPOSED, SLICED = "contiguous", "transposed", "sliced"
CHANNELS_LAST, EXPANDED = "channels_last", "expanded"
LAYOUTS = (CONTIGUOUS, TRANSPOSED, SLICED, CHANNELS_LAST, EXPANDED)
USUAL_LAYOUTS = LAYOUTS[:-1]
# torch's own names for channels last, by how many sides there are
_FORMATS = {4: "channels_last", 5: "channels_last_3d"}


def has_layout(layout: str, shape: tuple[int, ...]) -> bool:
    """Say whether tensors of a shape can have a layout: in most others they are contiguous."""
    return math.prod(shape) > 1 and _IS_SHAPE[layout](shape)


_IS_SHAPE: dict[str, Callable[[tuple[int, ...]], bool]] = {
    CONTIGUOUS: lambda shape: True,
    TRANSPOSED: lambda shape: len(shape) > 1 and min(shape[-2:]) > 1,
    SLICED: lambda shape: True,
    CHANNELS_LAST: lambda shape: (
        len(shape) in _FORMATS and shape[1] > 1 and math.prod(shape[2:]) > 1
    ),
    EXPANDED: lambda shape: shape[0] > 1,
}


def in_layout(tensor: Any, layout: str) -> bool:
    """Say whether a tensor stands in a layout; its shape is one that can."""
    return bool(_IS_LAID_OUT[layout](tensor))


_IS_LAID_OUT: dict[str, Callable[[Any], bool]] = {
    CONTIGUOUS: lambda tensor: tensor.is_contiguous(),
    TRANSPOSED: lambda tensor: tensor.mT.is_contiguous(),
    SLICED: lambda tensor: _reach(tensor) > tensor.numel(),
    CHANNELS_LAST: lambda tensor: tensor.is_contiguous(memory_format=_format_of(tensor)),
    EXPANDED: lambda tensor: 0 in tensor.stride(),
}


def _reach(tensor: Any) -> int:
    """Return how many elements lie between the first and the last one in memory, both included."""
    sides = zip(tensor.stride(), tensor.shape, strict=True)
    return 1 + int(sum(stride * (side - 1) for stride, side in sides))


def laid_out(tensor: Any, layout: str) -> Any:
    """Return a tensor with the same elements in another layout."""
    return _LAID_OUT[layout](tensor)


def _channels_last(tensor: Any) -> Any:
    return tensor.contiguous(memory_format=_format_of(tensor))


def _format_of(tensor: Any) -> Any:
    import torch

    return getattr(torch, _FORMATS[tensor.ndim])


def _sliced(tensor: Any) -> Any:
    """Return it as every other column of a wider tensor, from the second one on."""
    *rows, columns = tensor.shape
    return tensor.new_zeros(*rows, 2 * columns + 1)[..., 1::2].copy_(tensor)


_LAID_OUT: dict[str, Callable[[Any], Any]] = {
    CONTIGUOUS: lambda tensor: tensor,
    TRANSPOSED: lambda tensor: tensor.mT.contiguous().mT,
    SLICED: _sliced,
    CHANNELS_LAST: _channels_last,
    EXPANDED: lambda tensor: tensor[:1].expand(tensor.shape),
}


def laid_out_source(made: Expr, layout: str, shape: tuple[int, ...], given: dict[str, Any]) -> Expr:
    """Return the source of a tensor of this shape in another layout, in the steps of `laid_out`.

    `given` is what torch must be told of its dtype and its device.
    """
    return _LAID_OUT_SOURCE[layout](made, shape, given)


def _sliced_source(made: Expr, shape: tuple[int, ...], given: dict[str, Any]) -> Expr:
    *rows, columns = shape
    gaps = Item(_torch.zeros(*rows, 2 * columns + 1, **given), "..., 1::2")
    return gaps if made == _torch.zeros(*shape, **given) else Method(gaps, "copy_", (made,))


def _channels_last_source(made: Expr, shape: tuple[int, ...], given: dict[str, Any]) -> Expr:
    named = ("memory_format", getattr(_torch, _FORMATS[len(shape)]))
    return Call(Attribute(made, "contiguous"), (), (named,))


_LAID_OUT_SOURCE: dict[str, Callable[[Expr, tuple[int, ...], dict[str, Any]], Expr]] = {
    CONTIGUOUS: lambda made, *_: made,
    TRANSPOSED: lambda made, *_: Attribute(Method(Attribute(made, "mT"), "contiguous", ()), "mT"),
    SLICED: _sliced_source,
    CHANNELS_LAST: _channels_last_source,
    EXPANDED: lambda made, shape, _: Method(Item(made, ":1"), "expand", tuple(map(Literal, shape))),
}


class StridedSource:
    """Writes tensors so that their strides are the same again.

    `contiguous` writes the elements of any tensor in their order, `given` says what torch must be
    told of its dtype and device. Sides of one have no stride, and nobody sees where contiguous
    elements begin.
    """

    def __init__(
        self, contiguous: Callable[[Any], Expr], given: Callable[[Any], dict[str, Any]]
    ) -> None:
        self._contiguous = contiguous
        self._given = given

    def of(self, tensor: Any) -> Expr:
        """Return the source of a tensor, in the first way that does."""
        if tensor.numel() < 2 or tensor.is_contiguous():
            return self._contiguous(tensor)
        ways = (self._expanded, self._sliced, self._channels_last, self._permuted, self._spread)
        written = (way(tensor) for way in ways)
        return next((source for source in written if source is not None), self._over(tensor))

    def _expanded(self, tensor: Any) -> Expr | None:
        sides = list(zip(tensor.shape, tensor.stride(), strict=True))
        if all(stride or side == 1 for side, stride in sides):
            return None
        first = tensor[tuple(slice(None if stride else 1) for _, stride in sides)]
        return Method(self.of(first), "expand", tuple(map(Literal, tensor.shape)))

    def _sliced(self, tensor: Any) -> Expr | None:
        model = _sliced(tensor.new_empty(tensor.shape))
        if _place(model) != _place(tensor):
            return None
        return self._laid_out(tensor, SLICED)

    def _channels_last(self, tensor: Any) -> Expr | None:
        if tensor.ndim in _FORMATS and tensor.is_contiguous(memory_format=_format_of(tensor)):
            return self._laid_out(tensor, CHANNELS_LAST)
        return None

    def _laid_out(self, tensor: Any, layout: str) -> Expr:
        shape = tuple(tensor.shape)
        return laid_out_source(self._contiguous(tensor), layout, shape, self._given(tensor))

    def _permuted(self, tensor: Any) -> Expr | None:
        """Write its elements as they stand in memory, then the order of its sides."""
        if tensor.ndim > 1 and tensor.mT.is_contiguous():
            return Attribute(self._contiguous(tensor.mT), "mT")
        strides = tensor.stride()
        order = sorted(range(tensor.ndim), key=lambda axis: -strides[axis])
        plain = tensor.permute(order)
        back = tuple(Literal(order.index(axis)) for axis in range(tensor.ndim))
        return Method(self._contiguous(plain), "permute", back) if plain.is_contiguous() else None

    def _spread(self, tensor: Any) -> Expr | None:
        """Write it as a copy into memory with gaps."""
        reach = 0
        for stride, side in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
            if side > 1 and stride <= reach:
                return None  # elements share a place, or it is not seen that they do not
            reach += stride * (side - 1)
        shape = tuple(tensor.shape)
        gaps = _torch.empty_strided(shape, tensor.stride(), **self._given(tensor))
        return Method(gaps, "copy_", (self._contiguous(tensor),))

    def _over(self, tensor: Any) -> Expr:
        """Write the memory itself, and how it is looked at."""
        memory = tensor.as_strided((_reach(tensor),), (1,), tensor.storage_offset())
        seen = (tree(tuple(tensor.shape)), tree(tensor.stride()))
        return Method(self._contiguous(memory), "as_strided", seen)


def _place(tensor: Any) -> tuple[Any, ...]:
    return tensor.stride(), tensor.storage_offset()
