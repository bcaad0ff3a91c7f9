"""Words for what a call promises: oracles by name, as data. What they judge is in `oracles/`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cached_property
from numbers import Real
from typing import Any

from annotest.constraints import Constraint, broken, checked, checked_calls
from annotest.constraints._calls import WRONG_VALUES, wrong_call
from annotest.constraints._sizes import read_shape
from annotest.errors import InvalidAnnotation, did_you_mean, is_recording
from annotest.records import record
from annotest.source import shown

WORDS: dict[str, OracleWord] = {}


@record
class OracleWord:
    """An oracle by name: `finite`, or called with its arguments: `in_range(0, 1)`.

    `takes` is a function that takes these arguments and refuses those that cannot be; `given` are
    the arguments by name. One that is `on_values` judges any value, also in text. One that is
    `broken` was called with what it does not take, while annotest imported.
    """

    name: str
    takes: Callable[..., None]
    on_values: bool = False
    given: tuple[tuple[str, Any], ...] | None = None
    broken: InvalidAnnotation | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> OracleWord:
        """Return the word with its arguments; while annotest imports, wrong ones are kept."""
        try:
            self.takes(*args, **kwargs)
            bound = self._signature.bind(*args, **kwargs)
        except InvalidAnnotation as error:
            return self._broken(error)
        except WRONG_VALUES as error:
            return self._broken(wrong_call(self.takes, args, kwargs, error))
        return replace(self, given=tuple(bound.arguments.items()))

    def _broken(self, error: InvalidAnnotation) -> OracleWord:
        if not is_recording():
            raise error from None
        return replace(self, broken=error)

    @property
    def options(self) -> dict[str, Any]:
        """The arguments that were given."""
        return dict(self.given or ())

    @property
    def lacks(self) -> str:
        """The call to write where arguments are missing; nothing where none is."""
        if self.given is not None:
            return ""
        needed = [p for p in self._signature.parameters.values() if p.default is p.empty]
        return f"{self.name}({', '.join(p.name for p in needed)})" if needed else ""

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self.takes)

    def __repr__(self) -> str:
        if self.given is None:
            return self.name
        told = ", ".join(self._told(name, value) for name, value in self.given)
        return f"{self.name}({told})"

    def _told(self, name: str, value: Any) -> str:
        by_name = self._signature.parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        return f"{name}={shown(value)}" if by_name else shown(value)


def word(name: str = "", on_values: bool = False) -> Callable[[Callable[..., None]], OracleWord]:
    """Make a word of a function that takes its arguments."""

    def made(takes: Callable[..., None]) -> OracleWord:
        made = OracleWord(name or takes.__name__, takes, on_values)
        made.__dict__["__doc__"] = takes.__doc__
        return WORDS.setdefault(made.name, made)

    return made


@record
class Calls:
    """How the callable that a function returns is called: the values of each argument, by name."""

    constraints: dict[str, Constraint]

    def __repr__(self) -> str:
        return (
            f"calls({', '.join(f'{name}={given!r}' for name, given in self.constraints.items())})"
        )


@checked_calls(broken)
def calls(**constraints: Any) -> Calls:
    """Say how what a function returns is called: `@returns(calls(step=ints(0, 100)))`.

    Not to be confused with `annotest.strategies.calls(f)`, which gives generated tests the calls
    of a function itself.
    """
    try:
        return Calls({name: checked(f"calls({name}=…)", c) for name, c in constraints.items()})
    except InvalidAnnotation as error:
        return broken("calls", error)  # type: ignore[no-any-return]


@word(on_values=True)
def finite() -> None:
    """Every number in the result is finite, on inputs of ordinary size."""


@word(on_values=True)
def no_nan() -> None:
    """No number in the result is NaN, on inputs of ordinary size; some may be infinite."""


@word(on_values=True)
def in_range(lo: float, hi: float) -> None:
    """Every number in the result lies between two, both included."""
    for end in (lo, hi):
        if isinstance(end, bool) or not isinstance(end, Real) or end != end:
            raise InvalidAnnotation(
                f"in_range({shown(lo)}, {shown(hi)}): {shown(end)} is no number",
                "write in_range(0, 1)",
            )
    if lo > hi:
        raise InvalidAnnotation(
            f"in_range({shown(lo)}, {shown(hi)}) allows nothing: {shown(lo)} is above {shown(hi)}",
            f"write in_range({shown(hi)}, {shown(lo)})",
        )


@word(on_values=True)
def sums_to_one(axis: int = -1) -> None:
    """The numbers in the result sum to one along an axis, on inputs of ordinary size."""
    if type(axis) is not int:
        raise InvalidAnnotation(
            f"sums_to_one({shown(axis)}): an axis is a whole number", "write sums_to_one(-1)"
        )


@word(on_values=True)
def shaped(shape: str) -> None:
    """Every array in the result has a shape such as "b 2*n".

    Names mean what they do in the call; others stand for any size, the same wherever they are.
    """
    if not isinstance(shape, str):
        raise InvalidAnnotation(
            f"shaped({shown(shape)}): a shape is text", 'write shaped("b n"), or shaped("2 3")'
        )
    read_shape("shaped", shape)


@word(on_values=True)
def same_dtype(of: str = "") -> None:
    """Floats in the result have the dtype of the arguments' float arrays, or of the one named."""
    _check_name("same_dtype", of)


@word(on_values=True)
def same_device(of: str = "") -> None:
    """Arrays in the result lie where the arguments' arrays do, or the one named."""
    _check_name("same_device", of)


def _check_name(word: str, of: Any) -> None:
    if not isinstance(of, str):
        raise InvalidAnnotation(
            f"{word}({shown(of)}): an argument is named as text", f'write {word}("x")'
        )


@word()
def deterministic() -> None:
    """The same call again, with the same seed, gives the same result."""


@word()
def pure() -> None:
    """Arguments are as they were, and so are parameters and buffers in eval mode."""


@word()
def differentiable() -> None:
    """Finite gradients reach every parameter, and every input that requires one."""


@word()
def batch_independent(axis: int = 0) -> None:
    """Parts of a batch alone give the same parts of the result; not asked in train mode."""
    if type(axis) is not int or axis < 0:
        raise InvalidAnnotation(
            f"batch_independent() expects the number of an axis, got {shown(axis)}",
            "write batch_independent(0)",
        )


@word()
def eval_is_stable() -> None:
    """In eval mode a second call of the same instance gives the same, whatever numbers it draws."""


@word()
def round_trips() -> None:
    """An instance that is saved and loaded, or pickled, gives the same result."""


# what holds of any method, whatever it is for; other methods may use some parameters only
SOUND_METHOD = ("finite", "deterministic", "pure")
SOUND_FUNCTION = (*SOUND_METHOD, "differentiable")
SOUND = (*SOUND_FUNCTION, "same_dtype", "eval_is_stable", "batch_independent", "round_trips")


@word()
def sound_module(*, except_: Collection[str] = ()) -> None:
    """Every oracle that holds for any well-behaved module, without those that are named."""
    names = [except_] if isinstance(except_, str) else except_
    for name in names:
        if name not in SOUND:
            raise InvalidAnnotation(
                f"sound_module has no part {shown(name)}.{did_you_mean(str(name), SOUND)}",
                f"its parts are: {', '.join(SOUND)}",
            )


# what is suspicious where nobody has said it; each is silenced, or promised, under its name
BY_DEFAULT = ("finite", "same_dtype", "same_device", "pure")


MUST = "!"  # behind one of these names, in the configuration: it makes findings


def heard(names: Iterable[str]) -> dict[str, bool]:
    """Return which of them are heard, as the configuration names them, and which make findings."""
    plain = {name.removesuffix(MUST): name.endswith(MUST) for name in names}
    return {name: plain[name] for name in BY_DEFAULT if name in plain}


def not_by_default(name: Any) -> str:
    """Say of a name that it is none of `BY_DEFAULT`, with the one that may be meant."""
    meant = did_you_mean(name, BY_DEFAULT) if isinstance(name, str) else ""
    *first, last = BY_DEFAULT
    return (
        f"{shown(name)} judges nothing by default.{meant} There are {', '.join(first)} and {last}"
    )


__all__ = [
    "batch_independent",
    "calls",
    "deterministic",
    "differentiable",
    "eval_is_stable",
    "finite",
    "in_range",
    "no_nan",
    "pure",
    "round_trips",
    "same_device",
    "same_dtype",
    "shaped",
    "sound_module",
    "sums_to_one",
]
