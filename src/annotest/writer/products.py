"""Lists whose items multiply to a number: drawn before it, or one after the other to make it."""

from __future__ import annotations

import ast

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Ref, st
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import is_plain, item_domain
from annotest.relations.solving.variables import Name
from annotest.writer.cases import MOST_LISTED
from annotest.writer.clauses import Product
from annotest.writer.drafts import Draft
from annotest.writer.saying import local_name
from annotest.writer.wholes import WholeWriter


class ProductWriter:
    """Writes the draw of a list of sizes whose product is, or becomes, some number."""

    def __init__(self, draft: Draft, name: str, series: Series) -> None:
        self._draft = draft
        self._name = name
        self._kind = series.kind
        domain = item_domain(series.element)
        if domain is None or not is_plain(domain) or domain.low != 1 or domain.high > MOST_LISTED:
            raise UnwritableValue("a product of what may be nothing, or of anything")
        if {"left", "rest", "side", "most"} & draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        self.high = int(domain.high)
        self._least_length = series.lengths[0]

    def lines(self, fact: Product, count: Expr) -> list[str]:
        """Return the statements that draw the list."""
        draft = self._draft
        for name, path in draft.case.items.made_by.items():
            if path == fact.series:
                return self._becoming(count, int(draft.problem.domains[name].high))
        return self.making(count, draft.said(draft.case.items.term(fact)))

    def _becoming(self, count: Expr, total: int) -> list[str]:
        """Return the statements that draw a list whose product is not above a number."""
        draft, indent = self._draft, self._draft.indent
        range_, min_ = draft.word("range"), draft.word("min")
        most = f"{min_}({self.high}, {total} // {self._prod}({self._name}))"
        item = draft.draw(st.integers(min_value=Local("1"), max_value=Local("most")))
        return [
            f"{indent}{self._name} = []",
            f"{indent}for _ in {range_}({draft.renderer.flat(count)}):",
            f"{indent}    most = {most}",
            f"{indent}    {self._appended(item)}",
            *draft.converted(self._name, self._kind),
        ]

    def making(self, count: Expr, total: str) -> list[str]:
        """Return the statements that draw a list whose product is a number drawn before."""
        if self._least_length == 0:
            raise UnwritableValue("a product of nothing")
        draft, indent = self._draft, self._draft.indent
        draft.rejects = True
        reversed_, range_ = draft.word("reversed"), draft.word("range")
        reject = draft.names.of(Ref("hypothesis", "reject"))
        total = f"({total})" if isinstance(_parsed(total), ast.BinOp) else total
        item = draft.draw(st.sampled_from(Local(f"fitting or {reject}()")))
        return [
            f"{indent}{self._name} = []",
            f"{indent}for left in {reversed_}({range_}({draft.renderer.flat(count)})):",
            f"{indent}    rest = {total} // {self._prod}({self._name})",
            self._fitting(f"{range_}(1, {self.high + 1})"),
            f"{indent}    {self._appended(item)}",
            *draft.converted(self._name, self._kind),
        ]

    def _fitting(self, sides: str) -> str:
        """Return the statement that lists the sides after which the rest can still be made."""
        draft = self._draft
        texts = ["rest % side == 0", f"rest // side <= {self.high}**left"]
        with draft.deeper():
            return WholeWriter(draft).listing("side", sides, texts)

    @property
    def _prod(self) -> str:
        return self._draft.prod

    def _appended(self, item: Expr) -> str:
        call = Call(Local(f"{self._name}.append"), (item,))
        return self._draft.renderer.layout(call, len(self._draft.indent) + 4)


def product_line(draft: Draft, name: Name, path: str) -> str:
    """Return the statement that gives a number its value: the product of a list."""
    return draft.assigned(local_name(name), Local(f"{draft.prod}({local_name(path)})"))


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
