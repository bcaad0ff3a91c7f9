"""Words for what neural networks take and give: each says in one word which arrays are meant.

Whose arrays they are is known when the function's signature is read: there `in_framework` puts the
plain array constraint in the place of the word, and all that follows knows only that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from annotest import frameworks
from annotest.constraints._arrays import NpArrays
from annotest.constraints._base import Constraint, Mismatch
from annotest.constraints._choices import Anys
from annotest.constraints._dtypes import dtype_text
from annotest.constraints._sizes import read_bound
from annotest.constraints._tensors import Tensors
from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.expr import Expr
from annotest.frameworks.dtypes import DTYPES, FORMATTED
from annotest.large import ALL_FALSE, ALL_TRUE, CAUSAL, ONE_HOT, PROBABILITIES, RAGGED, SOME_TRUE
from annotest.source import shown

# what masks may be, the simplest first, each with the contents of such arrays
_KINDS = {
    "all_true": ALL_TRUE,
    "ragged": RAGGED,
    "causal": CAUSAL,
    "random": SOME_TRUE,
    "all_false": ALL_FALSE,
}


class _OfDtype(Constraint):
    """What each word has: a dtype, in an order of its own among its arguments."""

    dtype: Any


@dataclass(frozen=True, eq=False, repr=False)
class _Word(_OfDtype):
    """Arrays of whichever framework a function takes, unless one is named."""

    hashable: ClassVar[bool] = False
    is_of_any_framework: ClassVar[bool] = True

    _: KW_ONLY
    framework: str | None = None

    def array(self, framework: str) -> Constraint:
        """Return the constraint of such arrays of one framework."""
        raise NotImplementedError(type(self).__name__)  # each word has its own

    def __post_init__(self) -> None:
        try:
            self.array(self._usual)
        except InvalidAnnotation as error:
            raise InvalidAnnotation(f"{self!r}: {error.reason}", error.remedy) from None

    def in_framework(self, framework: str) -> Constraint:
        return self.array(self.framework or framework)

    def framework_named(self) -> str:
        return self.framework or ""

    @property
    def _dtype(self) -> str:
        return dtype_text(self.name, self.dtype, {**DTYPES, **FORMATTED})

    @property
    def _usual(self) -> str:
        """The framework of its arrays where nothing else tells."""
        return self.framework or (frameworks.WITH_TENSORS[0] if self._needs_tensors else "numpy")

    @property
    def _needs_tensors(self) -> bool:
        """Whether NumPy has no such arrays."""
        return self._dtype in FORMATTED

    def strategy(self) -> Expr:
        return self.array(self._usual).strategy()

    def mismatches(self, value: Any, at: str = "value") -> Iterator[Mismatch]:
        view = frameworks.view(value)
        known = view is not None and view.framework in ("numpy", *frameworks.WITH_TENSORS)
        framework = view.framework if view is not None and known else self._usual
        yield from self.in_framework(framework).mismatches(value, at)

    def _of(self, framework: str, shape: Any, **options: Any) -> Constraint:
        """Return the constraint of arrays of one framework."""
        if framework == "numpy":
            return NpArrays(self._dtype, shape, **options)
        return Tensors(shape, self._dtype, **options).in_framework(framework)


@dataclass(frozen=True, eq=False, repr=False)
class Labels(_Word, name="labels"):
    """The numbers of classes: whole ones from 0, below how many there are."""

    positional: ClassVar[tuple[str, ...]] = ("shape", "classes")
    shape: Any
    classes: int | str
    _: KW_ONLY
    dtype: Any = "int64"

    def array(self, framework: str) -> Constraint:
        most = _below(self.name, "classes", self.classes)
        return self._of(framework, self.shape, min=0, max=most)


@dataclass(frozen=True, eq=False, repr=False)
class TokenIds(_Word, name="token_ids"):
    """The numbers of tokens: whole ones from 0, below how many a vocabulary has."""

    positional: ClassVar[tuple[str, ...]] = ("shape", "vocab")
    shape: Any
    vocab: int | str
    _: KW_ONLY
    dtype: Any = "int64"

    def array(self, framework: str) -> Constraint:
        most = _below(self.name, "vocab", self.vocab)
        return self._of(framework, self.shape, min=0, max=most)


@dataclass(frozen=True, eq=False, repr=False)
class OneHots(_Word, name="one_hots"):
    """Classes as rows: one side more than the shape, as long as there are classes, with one 1."""

    positional: ClassVar[tuple[str, ...]] = ("shape", "classes")
    shape: Any
    classes: int | str
    _: KW_ONLY
    dtype: Any = "float32"

    def array(self, framework: str) -> Constraint:
        _below(self.name, "classes", self.classes)
        if isinstance(self.shape, Constraint) or self.shape is None:
            raise InvalidAnnotation(
                "its sides are not known one by one", "write one_hots('b', 'classes')"
            )
        sides = self.shape.split() if isinstance(self.shape, str) else self.shape
        sides = (sides,) if isinstance(sides, int) else sides
        return self._of(framework, (*sides, self.classes), contents=ONE_HOT)


@dataclass(frozen=True, eq=False, repr=False)
class Probabilities(_Word, name="probabilities"):
    """Floats from 0 that add up to 1 along the last axis, as far as the dtype's rounding goes."""

    positional: ClassVar[tuple[str, ...]] = ("shape",)
    shape: Any
    _: KW_ONLY
    dtype: Any = "float32"

    def array(self, framework: str) -> Constraint:
        return self._of(framework, self.shape, contents=PROBABILITIES)


@dataclass(frozen=True, eq=False, repr=False)
class Masks(_Word, name="masks"):
    """Booleans with a True in each row: all of them, up to a length, causal or at random."""

    positional: ClassVar[tuple[str, ...]] = ("shape",)
    shape: Any
    _: KW_ONLY
    kinds: Any = ("all_true", "ragged", "causal", "random")

    @property
    def _dtype(self) -> str:
        return "bool"

    def array(self, framework: str) -> Constraint:
        kinds = (self.kinds,) if isinstance(self.kinds, str) else tuple(self.kinds)
        for kind in kinds:
            if kind not in _KINDS:
                raise InvalidAnnotation(
                    f"there is no mask {shown(kind)}.{did_you_mean(str(kind), _KINDS)}",
                    f"use some of {', '.join(map(repr, _KINDS))}",
                )
        if not kinds:
            raise InvalidAnnotation(
                "there are no kinds", f"use some of {', '.join(map(repr, _KINDS))}"
            )
        contents = (content for kind, content in _KINDS.items() if kind in kinds)
        masks = [self._of(framework, self.shape, contents=content) for content in contents]
        return masks[0] if len(masks) == 1 else Anys(*masks)


@dataclass(frozen=True, eq=False, repr=False)
class Images(_Word, name="images"):
    """Pixels: of uint8 from 0 to 255, of floats from 0 to 1."""

    positional: ClassVar[tuple[str, ...]] = ("shape",)
    shape: Any
    _: KW_ONLY
    dtype: Any = "float32"
    layout: Any = None

    @property
    def _needs_tensors(self) -> bool:
        return self.layout is not None or super()._needs_tensors

    def array(self, framework: str) -> Constraint:
        if framework == "numpy" and self.layout is not None:
            raise InvalidAnnotation(
                "the arrays of NumPy have one layout", "drop layout, or write framework='torch'"
            )
        if self._dtype != "uint8" and {**DTYPES, **FORMATTED}[self._dtype].kind != "float":
            raise InvalidAnnotation(
                f"pixels of {self._dtype} have no range that everybody uses",
                "use dtype='uint8', for 0 to 255, or a float dtype, for 0 to 1",
            )
        laid_out = {} if self.layout is None else {"layout": self.layout}
        ends = {} if self._dtype == "uint8" else {"min": 0, "max": 1}
        return self._of(framework, self.shape, **ends, **laid_out)


def _below(owner: str, name: str, count: Any) -> int | str:
    """Return the largest whole number below a count, which may be given by names."""
    if isinstance(count, str):
        return f"{read_bound(owner, name, count)}-1"
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InvalidAnnotation(
            f"{name} is how many there are, a whole number from 1 or a name, got {shown(count)}",
            f"write {name}=10 or {name}='{name}'",
        )
    return count - 1
