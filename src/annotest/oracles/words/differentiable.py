"""`differentiable`: gradients reach all that is trained, and are finite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotest import frameworks
from annotest.oracles.calls import CallOracle, Objection, is_in_training, module_of
from annotest.oracles.comparing import kept
from annotest.oracles.exceptions import message_of, type_name
from annotest.oracles.leaves import leaves
from annotest.oracles.protocol import Again, TargetCall
from annotest.oracles.words import judges_calls
from annotest.promises import differentiable


@judges_calls(differentiable)
class Differentiable(CallOracle):
    """Finds the gradients of the sum of the result; touches no `.grad`.

    As a part of `sound_module` it is silent in eval mode, where code may do without gradients,
    and about results without floats.
    """

    name = differentiable.name

    def remembered(self, call: TargetCall) -> Any:
        """Leave out modules in eval mode where they may do without gradients."""
        is_in_use = module_of(call) is not None and not is_in_training(call)
        return None if self.general and is_in_use else ()

    def objections(
        self, call: TargetCall, result: Any, state: Any, again: Again
    ) -> Iterator[Objection]:
        """Yield what keeps gradients from where they are needed, then which are not finite."""
        wanted = _wanted(call)
        floats = dict(_floats(result))
        if not wanted or (self.general and not floats):
            return
        first = next(iter(wanted))
        needing = [value for value in floats.values() if _needs_gradient(value)]
        if not needing:
            said = "does not require a gradient" if floats else "has no floats"
            yield Objection(f"the result {said}, and {first} requires one", "detached")
            return
        try:
            found = _gradients(needing, wanted)
        except Exception as error:
            yield Objection(f"backward raises {type_name(error)}: {message_of(error)}", "backward")
            return
        lost = [name for name, gradient in found.items() if gradient is None]
        if lost:
            yield Objection(f"no gradient reaches {', '.join(lost)}", "lost")
        if all(_first_not_finite(value, "") == "" for value in floats.values()):
            wrong = (_first_not_finite(each, name) for name, each in found.items())
            yield from [Objection(f"the gradient of {told}", "finite") for told in wrong if told][
                :1
            ]


def _wanted(call: TargetCall) -> dict[str, Any]:
    """Return the arrays that need a gradient, by name: inputs, and what is trained of modules."""
    wanted: dict[str, Any] = {}
    own = call.target.signature.self_name if call.target.needs_instance else ""
    for name, value in call.values.items():
        for at, leaf in leaves(value):
            kind = frameworks.module_kind(type(leaf))
            if kind is None:
                wanted[f"{name}{at}"] = leaf
                continue
            before = "" if name == own else f"{name}{at}."
            wanted |= {f"{before}{inner}": each for inner, each in kind.trained(leaf).items()}
    return {where: value for where, value in wanted.items() if _needs_gradient(value)}


def _needs_gradient(value: Any) -> bool:
    adapter = frameworks.adapter_of(value)
    return adapter is not None and adapter.needs_gradient(value)


def _floats(result: Any) -> Iterator[tuple[str, Any]]:
    """Yield the arrays of a result that hold floats or complex numbers."""
    for at, leaf in leaves(result):
        view = frameworks.view(leaf)
        if view is not None and not view.dtype.startswith(("int", "uint", "bool")):
            yield at, leaf


def _gradients(results: list[Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    adapter = frameworks.adapter_of(results[0])
    assert adapter is not None
    found = adapter.gradients(results, [*wanted.values()])
    return dict(zip(wanted, found, strict=True))


def _first_not_finite(value: Any, name: str) -> str:
    """Say where the first number that is not finite is, and what it is; nothing where all are."""
    import numpy as np

    if value is None or frameworks.view(value) is None:
        return ""
    (leaf,) = kept(value, name)
    wrong = ~np.isfinite(leaf.value)
    if not wrong.any():
        return ""
    index = np.unravel_index(int(wrong.argmax()), leaf.shape)
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    return f"{place} is {leaf.value[index]!s}"
