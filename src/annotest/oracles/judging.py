"""What the oracles of values judge: the numbers in a result, where inputs let them be judged."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from annotest import frameworks
from annotest.frameworks.dtypes import Format
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import TargetCall
from annotest.records import record
from annotest.source import shown

LONG = 80
_NUMERIC = "biufc"  # the kinds of NumPy's dtypes that are numbers


class Unjudgeable(Exception):
    """A value in which an oracle finds nothing to judge: the annotation is wrong."""

    def __init__(self, judges: str, value: Any) -> None:
        text = " ".join(shown(value).split())
        super().__init__(
            f"it judges {judges}, and is given {text if len(text) <= LONG else text[:LONG] + '…'}"
        )


@record
class Numeric:
    """An array or a number inside a result: where, its elements as NumPy has them, its dtype.

    A number that is no NumPy scalar has no dtype.
    """

    at: str
    elements: Any
    dtype: str = ""
    framework: str = ""

    @property
    def is_float(self) -> bool:
        """Whether it holds floats, or complex numbers."""
        return self.elements.dtype.kind in "fc"

    @property
    def kind(self) -> str:
        """What its numbers are called."""
        return self.dtype or ("complex" if self.elements.dtype.kind == "c" else "float")

    @property
    def format(self) -> Format | None:
        """The format of its floats, where NumPy does not have it."""
        known = frameworks.load(self.framework).dtypes.get(self.dtype) if self.framework else None
        return None if known is None else known.format

    def nearest(self, bound: Any, up: bool) -> Any:
        """Return the number of its dtype to which a program would round a bound."""
        if not (self.dtype and self.is_float):
            return bound
        if self.format is not None:
            return self.format.rounded(float(bound), up)
        import numpy as np

        with np.errstate(over="ignore"):
            return np.asarray(bound).astype(self.elements.dtype)

    def first_of(self, wrong: Any, what: str) -> str:
        """Say which element is the first that is wrong, of how many that are not `what`."""
        import numpy as np

        told = self.element(tuple(np.argwhere(wrong)[0]))
        count = int(np.count_nonzero(wrong))
        return told if count == 1 else f"{told}; {count} of {wrong.size} elements are {what}"

    def element(self, place: tuple[Any, ...]) -> str:
        """Say which element it is, and what: `[0, 3] is inf`."""
        inside = f"[{', '.join(str(int(index)) for index in place)}]" if place else ""
        return f"{self.at}{inside} is {self.elements[place]}"


def numbers_in(
    value: Any,
    judges: str = "numbers",
    wanted: Callable[[Numeric], bool] = lambda found: True,
    told: Any = None,
) -> Iterator[Numeric]:
    """Yield the wanted arrays and numbers inside a value, which is told as another one if need be.

    Where there is none, and something else than None, there is nothing to judge.
    """
    others, is_any = False, False
    for at, leaf in leaves(value):
        found = _numbers(at, leaf)
        if found is not None and wanted(found):
            is_any = True
            yield found
        else:
            others |= leaf is not None
    if others and not is_any:
        raise Unjudgeable(judges, value if told is None else told)


def _numbers(at: str, value: Any) -> Numeric | None:
    import numpy as np  # late: programs without arrays need no NumPy

    view = frameworks.view(value)
    if view is not None:
        elements = elements_of(value, view)
        return None if elements is None else Numeric(at, elements, view.dtype, view.framework)
    if isinstance(value, np.generic):
        is_number = value.dtype.kind in _NUMERIC
        return Numeric(at, np.asarray(value), value.dtype.name) if is_number else None
    if isinstance(value, numbers.Number):
        # whole numbers have any size, and decimal ones are of no NumPy dtype
        exact = isinstance(value, numbers.Rational)
        made = np.array(value if exact or isinstance(value, numbers.Complex) else float(value))  # type: ignore[arg-type]
        return Numeric(at, made)
    return None


def elements_of(array: Any, view: frameworks.ArrayView) -> Any:
    """Return the elements of an array, if it has some that are numbers."""
    try:
        elements = frameworks.load(view.framework).elements(array)
    except (NotImplementedError, RuntimeError, TypeError):
        return None  # it has a shape alone, or elements that no other framework knows
    return elements if elements.dtype.kind in _NUMERIC else None


def shapes_in(value: Any) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the shapes of the arrays inside a value, and that of a number, which has no sides."""
    import numpy as np

    others, is_any = False, False
    for at, leaf in leaves(value):
        view = frameworks.view(leaf)
        if view is not None or isinstance(leaf, numbers.Number | np.generic):
            is_any = True
            yield at, () if view is None else view.shape
        else:
            others |= leaf is not None
    if others and not is_any:
        raise Unjudgeable("shapes", value)


def dtypes_in(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the dtypes of the floats inside a value, complex ones too, that have one."""
    import numpy as np

    for at, leaf in leaves(value):
        view = frameworks.view(leaf)
        if view is None:
            if isinstance(leaf, np.inexact):
                yield at, leaf.dtype.name
        elif is_floating(view):
            yield at, view.dtype


def is_floating(view: frameworks.ArrayView) -> bool:
    """Say whether an array holds floats, or complex numbers."""
    known = frameworks.load(view.framework).dtypes.get(view.dtype)
    return known is not None and known.kind in ("float", "complex")


def devices_in(value: Any) -> Iterator[tuple[str, str, str]]:
    """Yield where the arrays inside a value lie, each behind its place and its framework."""
    for at, leaf in leaves(value):
        adapter = frameworks.adapter_of(leaf)
        if adapter is not None:
            yield at, adapter.name, adapter.device(leaf)


def given(call: TargetCall, of: str) -> Mapping[str, Any]:
    """Return the arguments that a call passes, or the one that is named."""
    if of:
        return {of: call.seen.get(of)}
    own = call.target.signature.self_name
    return {name: value for name, value in call.values.items() if name != own}


def not_finite(found: Numeric) -> Any:
    """Return which numbers are NaN or infinite; None where none is."""
    if not found.is_float:
        return None
    import numpy as np

    finite = np.isfinite(found.elements)
    return None if finite.all() else ~finite


def rounding(found: Numeric) -> float:
    """Return by how much a number of about one may be rounded."""
    if not found.is_float:
        return 0.0
    if found.format is not None:
        return float(2.0 ** (1 - found.format.digits))
    import numpy as np

    return float(np.finfo(found.elements.dtype).eps)
