"""Dtypes: how they may be written, and one that all arrays of a call share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from annotest.constraints._base import Constraint
from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.frameworks.dtypes import DTYPES, FORMATTED, NUMBERS, SHORT_NAMES, DType
from annotest.source import shown

_PYTHON_TYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def dtype_text(
    owner: str,
    dtype: Any,
    known: Mapping[str, DType] = DTYPES,
    short: Mapping[str, str] = SHORT_NAMES,
) -> str:
    """Return the name of a dtype given as text, Python type, or a framework's type or dtype."""
    if not getattr(dtype, "isnative", True):
        raise InvalidAnnotation(
            f"{owner}: {shown(dtype)} has a byte order that is not this machine's",
            "take the dtype without '<' or '>'",
        )
    if isinstance(dtype, str):
        name = dtype.rpartition(".")[2]  # "torch.int64" is as good
        name = short.get(name, name)
    elif isinstance(dtype, type):
        name = _PYTHON_TYPES.get(dtype, dtype.__name__)
    else:  # torch.float32 has no name but its repr
        name = getattr(dtype, "name", None) or shown(dtype).rpartition(".")[2]
    if name.rstrip("_") in known:
        return name.rstrip("_")
    raise InvalidAnnotation(
        f"{owner}: unknown dtype {shown(dtype)}{_instead_of(name, known)}",
        f"use one of {', '.join(known)}",
    )


def _instead_of(name: str, known: Mapping[str, DType]) -> str:
    instead = did_you_mean(name, known)
    return f".{instead}" if instead else ""


def usual_dtypes(known: Mapping[str, DType]) -> tuple[str, ...]:
    """Return the dtypes of an array about whose dtype nothing is said."""
    return tuple(name for name in known if name in NUMBERS)


@dataclass(frozen=True, eq=False, repr=False)
class Same(Constraint):
    """One dtype for all arrays of a call that name it: `dtype=same("T", of=["float32", …])`."""

    name: ClassVar[str] = "same"
    positional: ClassVar[tuple[str, ...]] = ("label",)
    label: str
    of: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.isidentifier():
            raise InvalidAnnotation(
                f"same({shown(self.label)}) expects the name of a dtype to share",
                'write same("T")',
            )
        if self.of is not None:
            listed = tuple(dtype_text("same", dtype, DTYPES | FORMATTED) for dtype in self.of)
            object.__setattr__(self, "of", listed)
            if not listed:
                raise InvalidAnnotation(
                    f"same({self.label!r}, of=[]) allows nothing", "list some dtypes"
                )

    @property
    def dtypes(self) -> tuple[str, ...]:
        """The dtypes that it may be."""
        return tuple(NUMBERS) if self.of is None else tuple(self.of)

    def listed(self) -> list[Any]:
        return list(self.dtypes)
