"""Lists whose items add up to something: each is drawn so that those to come can still do it."""

from __future__ import annotations

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, st
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import is_plain, item_domain
from annotest.relations.solving.terms import Number, added
from annotest.writer.clauses import Total
from annotest.writer.drafts import Draft
from annotest.writer.saying import number_text


class TotalWriter:
    """Writes the draw of a list whose sum is compared with something."""

    def __init__(self, draft: Draft, name: str, series: Series) -> None:
        self._draft = draft
        self._name = name
        self._kind = series.kind
        domain = item_domain(series.element)
        if domain is None or not (domain.values is None or is_plain(domain)):
            raise UnwritableValue("a sum of what is no range of numbers")
        if {"left", "so_far", "least", "most"} & draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        self._domain = domain

    def lines(self, totals: list[Total], count: Expr) -> list[str]:
        """Return the statements that draw the list."""
        draft, indent, name = self._draft, self._draft.indent, self._name
        reversed_, range_, sum_ = (draft.word(one) for one in ("reversed", "range", "sum"))
        if self._domain.values is None:  # what is added up may be rounded
            for fact in totals:
                draft.check_place(draft.case.items.clause(fact).place)
        return [
            f"{indent}{name} = []",
            f"{indent}for left in {reversed_}({range_}({draft.renderer.flat(count)})):",
            f"{indent}    so_far = {sum_}({name})",
            *(f"{indent}    {line}" for line in self._next_item(totals)),
            *draft.converted(name, self._kind),
        ]

    def _next_item(self, totals: list[Total]) -> list[str]:
        """Return the statements that draw an item: `left` are still to come after it."""
        draft, whole = self._draft, self._domain.values is not None
        low, high = (
            int(one) if whole else float(one) for one in (self._domain.low, self._domain.high)
        )
        lows, highs = [], []
        for fact in totals:
            term = draft.case.items.term(fact)
            if whole and not term.is_whole:
                raise UnwritableValue("a sum of whole numbers that is none")
            if whole and len(fact.sign) == 1:
                term = added(term, Number(-1 if fact.sign == "<" else 1))
            text = f"{draft.said(term)} - so_far"
            if fact.sign[0] in "=>":
                lows.append(f"{text}{_times(-high, 'left')}")
            if fact.sign[0] in "=<":
                highs.append(f"{text}{_times(-low, 'left')}")
        least, most = number_text(low), number_text(high)
        lines = []
        max_, min_ = draft.word("max"), draft.word("min")
        if lows:
            text = f"{max_}({', '.join([least, *lows])})"
            # rounding must not let the ends pass each other
            lines.append(f"least = {text}" if whole else f"least = {min_}({most}, {text})")
            least = "least"
        if highs:
            text = f"{min_}({', '.join([most, *highs])})"
            lines.append(f"most = {text}" if whole else f"most = {max_}({least}, {text})")
            most = "most"
        numbers = st.integers if whole else st.floats
        item = draft.draw(numbers(min_value=Local(least), max_value=Local(most)))
        append = Call(Local(f"{self._name}.append"), (item,))
        return [*lines, draft.renderer.layout(append, len(draft.indent) + 4)]


def _times(factor: float, name: str) -> str:
    if not factor:
        return ""
    sign, size = "+" if factor > 0 else "-", abs(factor)
    return f" {sign} {name}" if size == 1 else f" {sign} {number_text(size)} * {name}"
