"""The statements that tests and composites have in common: draws, and what is assumed of them."""

from __future__ import annotations

from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Attribute, Expr, Generated, Method, Ref, st
from annotest.plan.steps import Assume, Draw, Let, Plan, Step
from annotest.signature import EMPTY
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.conditions import assume_lines, condition_text
from annotest.writer.naming import home_of, inner_function, label_of


def _in_each_mode(node: Expr) -> Expr:
    """Return the strategy of instances in modes as one of each; another one as it is."""
    if not isinstance(node, Generated) or node.modes == ("",):
        return node
    new, cls = Generated(node.factory), home_of(node.factory)
    drawn = [Method(new, "map", (Attribute(cls, mode),)) if mode else new for mode in node.modes]
    return drawn[0] if len(drawn) == 1 else st.one_of(*drawn)


class StatementWriter:
    """Writes statements; `quotes` says whether any of them are the program's own words."""

    def __init__(self, names: Names, renderer: Renderer) -> None:
        self.names = names
        self.renderer = renderer
        self.quotes = False

    def hypothesis(self, name: str) -> str:
        """Return what one of Hypothesis' own names is called in this file."""
        return self.names.of(Ref("hypothesis", name))

    def strategy(self, draw: Draw, reference: Expr) -> Expr:
        """Return a draw's strategy; what has no source is taken from the annotation itself."""
        node = _in_each_mode(draw.strategy)
        if not is_writable(node):
            node = Ref("annotest.strategies", "annotated")(reference, draw.key)
        if draw.default is not EMPTY and not draw.drawn_anyway:
            value = source_tree(draw.default)
            node = st.one_of(node, st.just(value)) if is_writable(value) else node
        return node

    def unpacking(self, plan: Plan, renamed: dict[str, str]) -> list[str]:
        """Return the statements that take groups of arguments apart."""
        lines = []
        for draw in plan.draws:
            if len(draw.names) > 1:
                whole = label_of(draw, plan.parameters, renamed)
                parts = self.names.of(Ref("annotest.strategies", "parts"))
                listed = ", ".join(f'"{name}"' for name in draw.names)
                lines.append(f"    {', '.join(draw.names)} = {parts}({whole}, {listed})")
        return lines

    def conditions(
        self, plan: Plan, steps: tuple[Step, ...], reference: Expr, renamed: dict[str, str]
    ) -> list[str]:
        """Return the statements that assume the preconditions."""
        lines: list[str] = []
        lets = {step.name: step.value for step in steps if isinstance(step, Let)}
        function = inner_function(plan)
        for step in steps:
            if not isinstance(step, Assume):
                continue
            assume = self.hypothesis("assume")
            self.quotes = True
            try:
                before = self._let_lines(step, lets)
                text = condition_text(step.precondition, function, self.names, renamed)
            except UnwritableValue:
                before, text = [], self._checked_by_annotation(plan, reference, renamed)
            for statement in (*before, "\n".join(assume_lines(text, "    ", assume))):
                if statement not in lines:
                    lines.append(statement)
        return lines

    def _let_lines(self, step: Assume, lets: dict[str, Any]) -> list[str]:
        needed = [name for name in step.precondition.needs if name in lets]
        if not all(is_writable(source_tree(lets[name])) for name in needed):
            raise UnwritableValue("a default has no source text")
        return [f"    {name} = {self.renderer.flat(source_tree(lets[name]))}" for name in needed]

    def _checked_by_annotation(self, plan: Plan, reference: Expr, renamed: dict[str, str]) -> str:
        holds = self.names.of(Ref("annotest.strategies", "preconditions_hold"))
        drawn = [name for draw in plan.draws for name in draw.names]
        given = ", ".join(f"{name}={renamed.get(name, name)}" for name in drawn)
        return f"{holds}({self.renderer.flat(reference)}, {given})"
