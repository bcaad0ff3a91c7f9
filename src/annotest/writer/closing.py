"""Numbers that complete a condition on lists: equal to something, or one of those that fit."""

from __future__ import annotations

import ast

from annotest.expr import Local
from annotest.relations.domains import Domain
from annotest.relations.levels import Level
from annotest.relations.nodes import item_domain
from annotest.writer.drafts import Draft
from annotest.writer.growing import is_within, within
from annotest.writer.growth import copied, mentions, solution
from annotest.writer.wholes import WholeWriter
from annotest.writer.words import text_of


class ClosingWriter:
    """Writes the draw of a number of which lists that are drawn before say what it may be."""

    def __init__(self, draft: Draft, level: Level) -> None:
        self._draft = draft
        self._level = level
        self._name = draft.name_of(level)

    def lines(self, trees: list[ast.expr]) -> list[str]:
        """Return the statements that choose a number for which conditions hold."""
        for tree in trees:
            value = solution(tree, self._name)
            if value is not None and not mentions(value, self._name):
                return self._equal(value, [text_of(one) for one in trees if one is not tree])
        self._draft.extra[self._level.name] = [text_of(one) for one in trees]
        return WholeWriter(self._draft).lines(self._level)

    def _equal(self, value: ast.expr, texts: list[str]) -> list[str]:
        draft, level = self._draft, self._level
        domain = draft.problem.domains[level.name]
        texts = [*draft.clause_texts(level), *texts]
        if not self._is_item(value, domain):
            texts.insert(0, within(draft, self._name, domain))
        draft.known.add(level.name)
        return [draft.assigned(self._name, Local(text_of(value))), *draft.checks(texts)]

    def _is_item(self, value: ast.expr, domain: Domain) -> bool:
        """Say whether a value is an item of a list whose items are all allowed."""
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Slice):
            name, _ = copied(value.value)
        elif isinstance(value, ast.Call) and ast.unparse(value.func) in ("max", "min"):
            name, _ = copied(value.args[0])
        else:
            return False
        series = self._draft.case.series_called(name)
        return series is not None and is_within(item_domain(series.element), domain)
