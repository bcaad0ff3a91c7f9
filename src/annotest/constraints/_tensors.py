"""Tensors: the arrays of a framework for neural networks, of any of its dtypes and layouts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._base import Constraint, Mismatch
from annotest.errors import InvalidAnnotation, MissingFramework, did_you_mean, needs
from annotest.expr import Call, Expr, ours
from annotest.frameworks import Framed
from annotest.source import shown

# the arguments that the strategy of the same name has too, with the same meaning
_WORDS = (
    *("min", "max", "exclude_min", "exclude_max", "unique", "allow_nan", "allow_infinity"),
    *("contents", "framework", "device", "requires_grad", "layout"),
)


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
        name = self.framework or self.of_framework
        said, known = f"tensors(framework={shown(name)})", frameworks.known()
        if name not in known:
            raise InvalidAnnotation(
                f"{said}: there is no such framework.{did_you_mean(str(name), known)}",
                "leave framework out: tensors are torch's",
            )
        try:
            has_layouts = bool(self.adapter.usual_layouts[1:])
        except MissingFramework as error:
            raise InvalidAnnotation(needs(said, error.name)) from error
        if not has_layouts:
            raise InvalidAnnotation(
                f"{said} are made for torch only",
                "write np_arrays(dtype, shape) for NumPy arrays",
            )

    def _check_order(self) -> None:
        """Refuse a dtype in the place of the shape, where np_arrays has it."""
        known, given = self.adapter.dtypes, self.shape
        if given is None or isinstance(given, tuple | int | Constraint):
            return
        if isinstance(given, str) and given not in known:
            return
        try:
            dtype = self._dtype_name(given)
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
        if self.device is not None:
            object.__setattr__(self, "device", str(self.device))
            self._check_device(str(self.device))
        if self.requires_grad and not self._kinds() <= {"float", "complex"}:
            raise self.refuse(
                "asks for gradients of numbers that have none",
                "use a float dtype, or drop requires_grad",
            )
        if not self.unique:
            return
        for dtype in self.dtypes:
            if self.adapter.dtypes[dtype].format:
                raise self.refuse(
                    f"asks for different elements in {dtype}, in which many are rounded alike",
                    "drop unique, or use float32",
                )

    def _kinds(self) -> set[str]:
        return {self.adapter.dtypes[dtype].kind for dtype in self.dtypes}

    def _check_device(self, device: str) -> None:
        kind, _, number = device.partition(":")
        known = self.adapter.devices
        if kind not in known or not (number or "0").isdecimal():
            raise InvalidAnnotation(
                f"tensors(device={device!r}): there is no device {device!r}."
                f"{did_you_mean(kind, known)}",
                f"use one of {', '.join(map(repr, known))}, or one of several: 'cuda:1'",
            )

    def strategy(self) -> Expr:
        if self.device is not None and not self.adapter.has_device(self.device):
            raise self.refuse(
                f"needs a device that {self.adapter.name} does not find here: {self.device}",
                "run it where there is one, or leave device out",
            )
        return super().strategy()

    def _written(self, drawn: Call, dtypes: list[str]) -> Call:
        if len(dtypes) > 1:
            return super()._written(drawn, dtypes)
        return ours.tensors(**self._said(dtypes[0]))

    def _said(self, dtype: str) -> dict[str, Any]:
        """Return what is said about tensors of a dtype, in the words of the strategy."""
        said: dict[str, Any] = {
            "shape": self.shape if isinstance(self.shape, str) else self._shape_tree(),
            "dtype": dtype if dtype != type(self).dtype else None,
            "elements": self.elements and self.elements.strategy(),
            **{name: getattr(self, name) for name in _WORDS},
        }
        return {name: word for name, word in said.items() if word is not None and word is not False}

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
        wanted = self._wanted_layouts(value)
        if wanted and not any(self.adapter.in_layout(value, layout) for layout in wanted):
            yield Mismatch(f"{at}.stride()", f"{' or '.join(wanted)} strides", value.stride())

    def _wanted_layouts(self, value: Any) -> tuple[str, ...]:
        """Return the layouts that a tensor may have; none where nobody has said."""
        named, shape = self._named_layouts(), tuple(value.shape)
        fitting = tuple(layout for layout in named if self.adapter.has_layout(layout, shape))
        return fitting or (self.adapter.layouts[:1] if named else ())
