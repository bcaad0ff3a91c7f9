"""Words for what a call promises: oracles by name, as data. What they judge is in `oracles/`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Any

from annotest.constraints._calls import WRONG_VALUES, wrong_call
from annotest.errors import InvalidAnnotation, did_you_mean, is_recording
from annotest.records import record
from annotest.source import shown

WORDS: dict[str, OracleWord] = {}


@record
class OracleWord:
    """An oracle by name: `finite`, or called with its arguments: `in_range(0, 1)`.

    `takes` is a function that takes these arguments and refuses those that cannot be; `given` are
    the arguments by name. One that is `on_values` judges any value, also in text.
    """

    name: str
    takes: Callable[..., None]
    on_values: bool = False
    given: tuple[tuple[str, Any], ...] | None = None
    wrong: InvalidAnnotation | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> OracleWord:
        """Return the word with its arguments; while annotest imports, wrong ones are kept."""
        try:
            self.takes(*args, **kwargs)
            bound = self._signature.bind(*args, **kwargs)
        except InvalidAnnotation as error:
            return self._refused(error)
        except WRONG_VALUES as error:
            return self._refused(wrong_call(self.takes, args, kwargs, error))
        return OracleWord(self.name, self.takes, self.on_values, tuple(bound.arguments.items()))

    def _refused(self, error: InvalidAnnotation) -> OracleWord:
        if not is_recording():
            raise error from None
        return OracleWord(self.name, self.takes, self.on_values, wrong=error)

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


@word(on_values=True)
def finite() -> None:
    """Every number in the result is finite, on inputs of ordinary size."""


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
SOUND = (*SOUND_FUNCTION, "eval_is_stable", "batch_independent", "round_trips")


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


__all__ = [
    "batch_independent",
    "deterministic",
    "differentiable",
    "eval_is_stable",
    "finite",
    "pure",
    "round_trips",
    "sound_module",
]
