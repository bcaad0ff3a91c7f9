"""Words for what a call promises: oracles by name, as data. What they judge is in `oracles/`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any

from annotest.constraints import Constraint, broken, checked, checked_calls
from annotest.constraints._calls import WRONG_VALUES, wrong_call
from annotest.errors import InvalidAnnotation, is_recording
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
        by_place = ", ".join(shown(value) for _, value in self.given)
        return f"{self.name}({by_place})"


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


__all__ = ["calls", "finite"]
