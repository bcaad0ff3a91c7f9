"""Numbers that complete a condition on lists: equal to something, or one of those that fit."""

from __future__ import annotations

import ast

from annotest.expr import Local
from annotest.relations.solving.levels import Level
from annotest.writer.drafts import Draft
from annotest.writer.growing import domain_of, is_within, within
from annotest.writer.growth import mentions, solution
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
        if not is_within(domain_of(value, draft), domain):
            texts.insert(0, within(draft, self._name, domain))
        draft.known.add(level.name)
        return [draft.assigned(self._name, Local(text_of(value))), *draft.checks(texts)]
