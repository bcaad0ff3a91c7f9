"""The few Hypothesis strategies of our own, which generated tests may import."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from annotest.expr import evaluate
from annotest.plan.lazy import finish
from annotest.plan.planner import Planner, constructor_signature
from annotest.plan.preconditions import compile_precondition
from annotest.plan.recipe import build
from annotest.plan.strategy import Interpreter, Tally
from annotest.signature import preconditions, read_signature
from annotest.spec import annotations_of


def matching_text(
    pattern: str, *, min_len: int = 0, max_len: int | None = None, alphabet: str | None = None
) -> st.SearchStrategy[str]:
    """Text that matches a whole regular expression, of bounded length, of some characters."""

    def fits(text: str) -> bool:
        return len(text) >= min_len and (max_len is None or len(text) <= max_len)

    if alphabet is None:
        return st.from_regex(pattern, fullmatch=True).filter(fits)
    letters = st.sampled_from(sorted(set(alphabet)))
    return st.from_regex(pattern, fullmatch=True, alphabet=letters).filter(fits)


def annotated(function: Any, argument: str) -> st.SearchStrategy[Any]:
    """Values of an argument as the annotation on the function itself says.

    Generated tests use it for constraints that cannot be written as source, such as those with a
    lambda or a live object in them. `argument` is a name, or several as in the annotation.
    """
    plan = _plan_of(function)
    draw = next(one for one in plan[1].draws if one.key == argument)
    return evaluate(draw.strategy, Interpreter(plan[0], Tally())).map(build)  # type: ignore[no-any-return]


def instances(cls: type) -> st.SearchStrategy[Any]:
    """Instances of a class, built as the annotations of its constructor say."""
    planner = Planner()
    planner.plan_factory(cls)
    return Interpreter(planner, Tally()).generated(cls).map(build)


def parts(value: Any, *names: str) -> tuple[Any, ...]:
    """Return the values of arguments that belong together, from a tuple or from a dict by name."""
    if isinstance(value, dict):
        return tuple(value[name] for name in names)
    return tuple(value)


def preconditions_hold(function: Any, /, **arguments: Any) -> bool:
    """Say whether the preconditions on the function itself hold for these arguments."""
    signature = _signature_of(function)
    names = [signature.self_name] * bool(signature.self_name)
    names += [p.name for p in signature.parameters]
    values = dict(arguments)
    for p in signature.parameters:
        values.setdefault(p.name, p.default)
    return all(
        compile_precondition(note, names, function, signature.function).holds(values)
        for note in preconditions(signature)
    )


def _signature_of(function: Any) -> Any:
    if isinstance(function, type):
        return constructor_signature(function)
    key = f"{function.__module__}:{function.__qualname__}"
    is_method = "." in function.__qualname__.rpartition("<locals>.")[2]
    static = not is_method or _is_static(function)
    return read_signature(
        function, annotations_of(function, key), function.__qualname__, not static
    )


def _is_static(function: Any) -> bool:
    return hasattr(function, "__self__")


def _plan_of(function: Any) -> tuple[Planner, Any]:
    planner = Planner()
    if isinstance(function, type):
        return planner, planner.plan_factory(function)
    return planner, planner.plan_function(function, _signature_of(function))


__all__ = ["annotated", "finish", "instances", "matching_text", "parts", "preconditions_hold"]
