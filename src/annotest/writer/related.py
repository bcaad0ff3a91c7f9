"""Related arguments as a composite, printed in the order in which a run chooses them."""

from __future__ import annotations

from annotest.expr import Call, Local
from annotest.plan.steps import Plan
from annotest.relations.arguments.model import FILTERED
from annotest.relations.reading.statements import Statement
from annotest.source import Names, Renderer
from annotest.writer.draws import PrintedDraw
from annotest.writer.header import WIDTH
from annotest.writer.outline import Outline
from annotest.writer.words import Unprintable

MOST_LINES = 25


def is_filtered(plan: Plan) -> bool:
    """Say whether a run draws the arguments each by itself: it builds none to a relation."""
    model = plan.model
    if model is None or not model.ways:
        return True
    states = {model.state_of(place) for place in range(len(model.statements))}
    return not plan.is_named and states <= {FILTERED}


def printed(
    plan: Plan, texts: dict[Statement, str], names: Names, renderer: Renderer, draw: str
) -> list[str] | None:
    """Return the lines that draw related arguments; None where they are not of the few shapes.

    `texts` are the preconditions as the file may say them, `draw` is the function that draws.
    """
    ways = [] if plan.model is None else plan.model.ways
    ways = [way for way in ways if not way.left_out and not way.is_hopeless]
    if len(ways) != 1:
        return None
    lines: list[str] = []
    try:
        for name, drawn in Outline(ways[0], texts, names, draw).draws():
            value = drawn.source if drawn.is_value else Call(Local(draw), (drawn.source,))
            lines += _listing(drawn, renderer)
            lines += f"    {name} = {renderer.layout(value, 4, len(name) + 3)}".splitlines()
    except Unprintable:
        return None
    # around them are the decorator, the definition and what is returned
    is_long = len(lines) + 3 > MOST_LINES or any(len(line) > WIDTH for line in lines)
    return None if is_long else lines


def _listing(drawn: PrintedDraw, renderer: Renderer) -> list[str]:
    """Return a listing on one line, on three, or on as many as it has parts."""
    if drawn.listing is None:
        return []
    name, values, texts = drawn.listing
    loop, rule = f"for {name} in {renderer.flat(values)}", f"if {' and '.join(texts)}"
    whole = f"{name} {loop} {rule}"
    if len(f"    fitting = [{whole}]") <= WIDTH:
        return [f"    fitting = [{whole}]"]
    lines = [name, loop, f"if {texts[0]}", *(f"and {text}" for text in texts[1:])]
    lines = [whole] if len(whole) + 8 <= WIDTH else lines
    lines = [name, loop, rule] if len(lines) > 1 and len(rule) + 8 <= WIDTH else lines
    return ["    fitting = [", *(f"        {line}" for line in lines), "    ]"]
