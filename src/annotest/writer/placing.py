"""Lists of which one item is given: the first, the last, the largest, or any."""

from __future__ import annotations

import ast

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, st
from annotest.frozen import frozen
from annotest.relations.arguments.items import Series
from annotest.relations.solving.domains import is_plain, item_domain
from annotest.source import is_writable
from annotest.writer.drafts import Draft
from annotest.writer.growth import mentions
from annotest.writer.words import text_of

FIRST, LAST, LARGEST, SMALLEST, ANY = "first", "last", "largest", "smallest", "any"


@frozen
class Placed:
    """Where an item is, and what it is."""

    where: str
    value: ast.expr


def placed(tree: ast.expr, name: str) -> Placed | None:
    """Recognise `name[0] == n`, `name[-1] == n`, `max(name) == n`, `n in name` and the like."""
    if not isinstance(tree, ast.Compare):
        return None
    left, right = tree.left, tree.comparators[0]
    if isinstance(tree.ops[0], ast.In):
        is_own = ast.unparse(right) == name and not mentions(left, name)
        return Placed(ANY, left) if is_own else None
    if not isinstance(tree.ops[0], ast.Eq):
        return None
    places = {
        f"{name}[0]": FIRST,
        f"{name}[-1]": LAST,
        f"max({name})": LARGEST,
        f"min({name})": SMALLEST,
    }
    for one, other in ((left, right), (right, left)):
        where = places.get(ast.unparse(one))
        if where and not mentions(other, name):
            return Placed(where, other)
    return None


class PlacingWriter:
    """Writes the draw of a list around items that are known."""

    def __init__(self, draft: Draft, name: str, series: Series, length: str) -> None:
        self._draft = draft
        self._name = name
        self._series = series
        self._length = length

    def lines(self, known: list[Placed], limits: list[str]) -> list[str]:
        """Return the statements that draw the list; `limits` is what the items must satisfy."""
        wheres = [one.where for one in known]
        in_ends = set(wheres) <= {FIRST, LAST} and len(set(wheres)) == len(wheres)
        if self._series.lengths[0] < len(known) or not (in_ends or len(known) == 1):
            raise UnwritableValue("items that are known, of which there may be none")
        draft = self._draft
        count = Local(f"{self._length} - {len(known)}")
        others = draft.draw(st.lists(self._elements(known[0]), min_size=count, max_size=count))
        whole = self._at_ends(known) if in_ends else self._anywhere(known[0])
        return [*draft.checks(limits), draft.assigned("others", others), whole]

    def _at_ends(self, known: list[Placed]) -> str:
        values = {one.where: text_of(one.value) for one in known}
        parts = [values.get(FIRST), "*others", values.get(LAST)]
        text = ", ".join(part for part in parts if part)
        whole = f"[{text}]" if self._series.kind is list else f"({text})"
        return self._draft.assigned(self._name, Local(whole))

    def _anywhere(self, known: Placed) -> str:
        draft = self._draft
        together = Local(f"[{text_of(known.value)}, *others]")
        whole = draft.draw(st.permutations(together))
        if self._series.kind is tuple:
            whole = Call(Local(draft.word("tuple")), (whole,))
        return draft.assigned(self._name, whole)

    def _elements(self, known: Placed) -> Expr:
        domain = item_domain(self._series.element)
        if known.where in (LARGEST, SMALLEST):
            if domain is None or not is_plain(domain):
                raise UnwritableValue("a largest of what is no range of numbers")
            value = Local(text_of(known.value))
            if known.where == LARGEST:
                return st.integers(min_value=int(domain.low), max_value=value)
            return st.integers(min_value=value, max_value=int(domain.high))
        found = self._series.element.strategy()
        if not is_writable(found):
            raise UnwritableValue("items without source text")
        return found
