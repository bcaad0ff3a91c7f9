"""Cases for the conformance of constraints, ours and those of others.

A constraint of one's own is checked with `check_conformance(Case(mine(), valid=[…], invalid=[…]))`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings

import annotest
from annotest.constraints import REGISTRY, Constraint
from annotest.expr import Expr, Generated, evaluate, walk
from annotest.plan.planner import Planner
from annotest.plan.recipe import build
from annotest.plan.strategy import Interpreter, Tally
from annotest.source import Names, Renderer
from annotest.testing import _cases
from annotest.testing._cases import Case, cases

__all__ = ["REGISTRY", "Case", "cases", "check_conformance"]


def strategy_of(tree: Expr, planner: Planner | None = None) -> Any:
    """Return the strategy that a tree means, of built values."""
    planner = planner or planner_for(tree)
    return evaluate(tree, Interpreter(planner, Tally())).map(build)


def planner_for(tree: Expr) -> Planner:
    """Return a planner that knows the generators of a tree."""
    planner = Planner()
    for node in walk(tree):
        if isinstance(node, Generated):
            planner.plan_factory(node.factory)
    return planner


def written_strategy(tree: Expr) -> Any:
    """Return the strategy that a tree's source text means, evaluated from the text alone."""
    names = Names()
    # generators are written as calls of a function in the namespace of the check
    renderer = Renderer(names, generated=lambda factory: f"generated({factory.__name__})")
    text = renderer.layout(tree)
    namespace: dict[str, Any] = {}
    for line in names.imports():
        exec(line, namespace)
    planner = planner_for(tree)
    interpreter = Interpreter(planner, Tally())
    namespace["generated"] = lambda factory: interpreter.generated(factory).map(build)
    namespace.update(made=_cases.made)
    return eval(text, namespace)


def every_value_is_inside(constraint: Constraint, strategy: Any, examples: int = 50) -> None:
    """Check that what a strategy draws satisfies the constraint."""

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def inside(value: Any) -> None:
        reasons = [str(reason) for reason in constraint.mismatches(value)]
        assert not reasons, reasons

    inside()


def check_conformance(case: Case) -> None:
    """Check one constraint: values, generation, repr and rendered source agree."""
    constraint = case.constraint
    for value in case.valid:
        reasons = [str(reason) for reason in constraint.mismatches(value)]
        assert value in constraint, reasons
    for value in case.invalid:
        assert value not in constraint, f"{value!r} is taken for valid"
    every_value_is_inside(constraint, strategy_of(constraint.strategy()))
    every_value_is_inside(constraint, written_strategy(constraint.strategy()))
    assert eval(repr(constraint), repr_namespace()) == constraint


def repr_namespace() -> dict[str, Any]:
    """Return the names in which the repr of a case's constraint is evaluated."""
    return {**vars(annotest), **vars(_cases), **REGISTRY}
