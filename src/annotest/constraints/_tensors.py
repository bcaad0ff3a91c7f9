"""Tensors: the arrays of a framework for neural networks, of any of its dtypes and layouts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._dtypes import dtype_text
from annotest.errors import InvalidAnnotation, MissingFramework, did_you_mean
from annotest.frameworks import Framed
from annotest.source import shown


@dataclass(frozen=True, eq=False, repr=False)
class Tensors(ArrayConstraint, name="tensors"):
    """Tensors of a shape and a dtype, contiguous and not; finite unless allowed."""

    of_framework: ClassVar[str] = frameworks.WITH_TENSORS[0]
    is_of_any_framework: ClassVar[bool] = True
    positional: ClassVar[tuple[str, ...]] = ("shape", "dtype")

    shape: Any = None
    dtype: Any = "float32"
    _: KW_ONLY
    framework: str | None = None
    device: str | None = None
    requires_grad: bool = False
    layout: Any = None

    def __post_init__(self, min_value: Any, max_value: Any) -> None:
        self._check_framework()
        self._check_order()
        super().__post_init__(min_value, max_value)
        self._check_layout()
        self._check_options()

    @property
    def adapter(self) -> frameworks.Adapter:
        return frameworks.load(self.framework or self.of_framework)

    def in_framework(self, framework: str) -> Constraint:
        if self.framework or framework in ("numpy", self.of_framework):
            return self
        return dataclasses.replace(self, framework=framework)

    def _check_framework(self) -> None:
        try:
            has_layouts = bool(self.adapter.usual_layouts[1:])
        except MissingFramework as error:
            raise InvalidAnnotation(f"tensors: {error}") from error
        if not has_layouts:
            raise InvalidAnnotation(
                f"tensors(framework={shown(self.framework)}) are made for torch only",
                "write np_arrays(dtype, shape) for NumPy arrays",
            )

    def _check_order(self) -> None:
        """Refuse a dtype in the place of the shape, where np_arrays has it."""
        known = self.adapter.dtypes
        given = self.shape
        if isinstance(given, str) and given not in known:
            return
        try:
            dtype = dtype_text(self.name, given, known)
        except InvalidAnnotation:
            return
        shape = "shape" if self.dtype == "float32" else shown(self.dtype)
        raise self.refuse(
            "has a dtype in the place of its shape", f"write tensors({shape}, {dtype!r})"
        )

    def _check_layout(self) -> None:
        known = self.adapter.layouts
        for layout in self._named_layouts():
            if layout not in known:
                raise InvalidAnnotation(
                    f"tensors(layout={shown(self.layout)}): there is no layout {shown(layout)}."
                    f"{did_you_mean(str(layout), known)}",
                    f"use one of {', '.join(map(repr, known))}, or a list of some",
                )

    def _check_options(self) -> None:
        if self.device is not None and not isinstance(self.device, str):
            object.__setattr__(self, "device", str(self.device))
        kinds = {self.adapter.dtypes[dtype].kind for dtype in self.dtypes}
        if self.requires_grad and not kinds <= {"float", "complex"}:
            raise self.refuse(
                "asks for gradients of numbers that have none",
                "use a float dtype, or drop requires_grad",
            )
        formatted = [name for name in self.dtypes if self.adapter.dtypes[name].format]
        if self.unique and formatted:
            raise self.refuse(
                f"asks for different elements in {formatted[0]}, in which many are rounded alike",
                "drop unique, or use float32",
            )

    def _named_layouts(self) -> tuple[Any, ...]:
        if self.layout is None:
            return ()
        return tuple(self.layout) if isinstance(self.layout, tuple | list) else (self.layout,)

    def layouts(self) -> tuple[str, ...]:
        wanted = self._named_layouts() or self.adapter.usual_layouts
        return () if wanted == self.adapter.layouts[:1] else wanted

    def building(self, dtype: str) -> Framed:
        options: dict[str, Any] = {}
        if self.adapter.dtypes[dtype].format:
            options["dtype"] = dtype
        if self.device:
            options["device"] = self.device
        if self.requires_grad:
            options["requires_grad"] = True
        return Framed(self.adapter.name, tuple(options.items()))

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        wrong = list(super().mismatches(value, at))
        yield from wrong
        if not wrong:
            yield from self._other_mismatches(value, at)

    def _other_mismatches(self, value: Any, at: str) -> Iterator[Mismatch]:
        device = str(value.device)
        if self.device and device.partition(":")[0] != self.device.partition(":")[0]:
            yield Mismatch(f"{at}.device", self.device, device)
        if self.requires_grad and not value.requires_grad:
            yield Mismatch(f"{at}.requires_grad", "True", False)
        if self.layout == self.adapter.layouts[0] and not value.is_contiguous():
            yield Mismatch(f"{at}.stride()", "that of a contiguous tensor", value.stride())
