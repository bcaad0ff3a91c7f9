"""Lists whose items multiply to a number: drawn before it, or one after the other to make it."""

from __future__ import annotations

import random

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Ref, st
from annotest.relations.boxes import Box
from annotest.relations.items import Series
from annotest.relations.nodes import item_domain
from annotest.relations.terms import Term
from annotest.writer.cases import MOST_LISTED
from annotest.writer.clauses import Product
from annotest.writer.drafts import Draft, local_name
from annotest.writer.wholes import WholeWriter, is_plain

# so many lists are tried, to know whether most of them can be made
TRIED, MOSTLY = 200, 0.5


class ProductWriter:
    """Writes the draw of a list of sizes whose product is, or becomes, some number."""

    def __init__(self, draft: Draft, name: str, series: Series) -> None:
        self._draft = draft
        self._name = name
        domain = item_domain(series.element)
        if domain is None or not is_plain(domain) or domain.low != 1 or domain.high > MOST_LISTED:
            raise UnwritableValue("a product of what may be nothing, or of anything")
        if {"left", "rest", "side", "most"} & draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        self._high = int(domain.high)
        self._lengths = range(series.lengths[0], series.lengths[1] + 1)

    def lines(self, fact: Product, count: Expr) -> list[str]:
        """Return the statements that draw the list."""
        draft = self._draft
        for name, path in draft.case.made_by.items():
            if path == fact.series:
                return self._becoming(count, int(draft.problem.domains[name].high))
        return self._making(count, draft.case.term(fact))

    def _becoming(self, count: Expr, total: int) -> list[str]:
        """Return the statements that draw a list whose product is not above a number."""
        draft, indent = self._draft, self._draft.indent
        range_, min_ = draft.word("range"), draft.word("min")
        most = f"{min_}({self._high}, {total} // {self._prod}({self._name}))"
        item = draft.draw(st.integers(min_value=Local("1"), max_value=Local("most")))
        return [
            f"{indent}{self._name} = []",
            f"{indent}for _ in {range_}({draft.renderer.flat(count)}):",
            f"{indent}    most = {most}",
            f"{indent}    {self._appended(item)}",
        ]

    def _making(self, count: Expr, term: Term) -> list[str]:
        """Return the statements that draw a list whose product is a number drawn before."""
        if self._lengths.start == 0 or self._success_rate(term) < MOSTLY:
            raise UnwritableValue("drawn in order, the values would seldom fit")
        draft, indent = self._draft, self._draft.indent
        draft.rejects = True
        reversed_, range_ = draft.word("reversed"), draft.word("range")
        reject = draft.names.of(Ref("hypothesis", "reject"))
        total = draft.said(term)
        total = total if total.isidentifier() else f"({total})"
        item = draft.draw(st.sampled_from(Local(f"fitting or {reject}()")))
        return [
            f"{indent}{self._name} = []",
            f"{indent}for left in {reversed_}({range_}({draft.renderer.flat(count)})):",
            f"{indent}    rest = {total} // {self._prod}({self._name})",
            self._fitting(f"{range_}(1, {self._high + 1})"),
            f"{indent}    {self._appended(item)}",
        ]

    def _fitting(self, sides: str) -> str:
        """Return the statement that lists the sides after which the rest can still be made."""
        draft = self._draft
        texts = ["rest % side == 0", f"rest // side <= {self._high}**left"]
        before, draft.indent = draft.indent, f"{draft.indent}    "
        try:
            return WholeWriter(draft).listing("side", sides, texts)
        finally:
            draft.indent = before

    @property
    def _prod(self) -> str:
        return self._draft.names.of(Ref("math", "prod"))

    def _appended(self, item: Expr) -> str:
        call = Call(Local(f"{self._name}.append"), (item,))
        return self._draft.renderer.layout(call, len(self._draft.indent) + 4)

    def _success_rate(self, term: Term) -> float:
        """Return how often the items drawn one after the other make the number."""
        chance, bounds = random.Random(0), self._draft.box.bounds
        made = 0
        for _ in range(TRIED):
            values = {one: chance.randint(*map(int, bounds[one])) for one in term.variables()}
            box = Box({one: (value, value) for one, value in values.items()}, dict(values))
            made += self._can_make(int(term.bounds(box)[0]), chance.choice(self._lengths), chance)
        return made / TRIED

    def _can_make(self, rest: int, count: int, chance: random.Random) -> bool:
        for left in reversed(range(count)):
            sides = range(1, self._high + 1)
            fitting = [n for n in sides if rest % n == 0 and rest // n <= self._high**left]
            if not fitting:
                return False
            rest //= chance.choice(fitting)
        return rest == 1


def product_line(draft: Draft, name: str, path: str) -> str:
    """Return the statement that gives a number its value: the product of a list."""
    call = Call(Ref("math", "prod"), (Local(local_name(path)),))
    return draft.assigned(local_name(name), call)
