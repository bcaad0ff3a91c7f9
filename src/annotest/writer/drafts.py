"""What the draws of one way to make a call have in common: names, words, what is known so far."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Ref
from annotest.relations.boxes import Box
from annotest.relations.conditions import Condition, Constant
from annotest.relations.levels import Level
from annotest.relations.terms import Term
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.cases import Case
from annotest.writer.ends import End, NotIsolated, ends_of
from annotest.writer.saying import said, said_condition


class Draft:
    """The statements of one composite, while they are written.

    `known` are the variables that have values, `drawn` the names that stand for them, and
    `honoured` says of conditions whether the last draw that they touch left them possible.
    """

    def __init__(
        self, case: Case, names: Names, renderer: Renderer, draw: str, texts: dict[int, str]
    ) -> None:
        self.case = case
        self.problem = case.problem
        self.names = names
        self.renderer = renderer
        self.indent = "    "
        self.known: set[str] = set(case.problem.given)
        self.drawn: set[str] = set()
        self.honoured: dict[int, bool] = {}
        self.given: dict[str, str] = {}
        self.length_names: dict[str, str] = {}  # of lengths that are drawn by themselves
        self.taken: set[str] = set()
        self.checked: dict[str, bool] = {}  # conditions that rounding may break
        # how each number is drawn, and whether what was drawn before it may leave none
        self.steps: list[tuple[Level, Callable[[Box], Sequence[Any]]]] = []
        self.rejects = False
        self.box = Box(dict(case.problem.root.bounds))
        self._draw = draw
        self._texts = texts

    # names

    def called(self, name: Any) -> str:
        """Return what a variable is called in the file, or a constant written there."""
        if isinstance(name, Constant):
            value = source_tree(name.value)
            if not is_writable(value):
                raise UnwritableValue("a value has no source text")
            return self.renderer.flat(value)
        if name in self.given or name in self.length_names:
            return self.given.get(name) or self.length_names[name]
        if name.startswith("len("):
            return f"{self.word('len')}({local_name(name[4:-1])})"
        return local_name(name)

    def word(self, name: str) -> str:
        """Return a builtin's name as the file may use it."""
        return self.names.of(Ref("builtins", name))

    def said(self, term: Term) -> str:
        """Return a term as text."""
        text = said(term, self.called)
        if {"max", "min", "abs", "len"} & self.taken & _names(text) - self.known:
            raise UnwritableValue("an argument has the name of a function")
        return text

    # statements

    def name_of(self, level: Level) -> str:
        """Return the name that a variable gets its value under."""
        return self.length_names.get(level.name) or local_name(level.name)

    def drawing(self, name: str, strategy: Expr) -> str:
        """Return the statement that draws a value."""
        return self.assigned(name, Call(Local(self._draw), (strategy,)))

    def assigned(self, name: str, value: Expr) -> str:
        """Return the statement that gives a name its value."""
        width = len(self.indent)
        return f"{self.indent}{name} = {self.renderer.layout(value, width, len(name) + 3)}"

    def draw(self, strategy: Expr) -> Expr:
        """Return the call that draws."""
        return Call(Local(self._draw), (strategy,))

    # conditions

    def ends(self, name: str, conditions: Sequence[Condition]) -> list[End]:
        """Return the ends that conditions give a whole number; NotIsolated if they say more."""
        found = [end for one in conditions for end in ends_of(one, name, self.known, self.box)]
        if not all(end.term.is_whole for end in found):
            raise NotIsolated
        return found

    def ends_ahead(self, level: Level) -> list[End]:
        """Return the ends by which a variable leaves room for those that are drawn after it."""
        found, closed = [], {id(one) for one in level.closed_by}
        for one in level.touching:
            if id(one) not in closed:
                try:
                    ends = list(ends_of(one, level.name, self.known, self.box))
                except NotIsolated:
                    continue
                found += [end for end in ends if any(True for _ in end.term.variables())]
        return found

    def note(self, level: Level, honoured: Sequence[End]) -> None:
        """Note that a variable is drawn, and which conditions its draw left possible."""
        self.known.add(level.name)
        kept = {id(one.condition) for one in honoured}
        for one in level.touching:
            self.honoured[id(one)] = id(one) in kept

    def says_alone(self, level: Level) -> bool:
        """Say whether a precondition is on one variable alone, and more than where it ends."""
        alone = [one for one in level.closed_by if set(one.variables()) == {level.name}]
        for one in alone:
            try:
                list(ends_of(one, level.name, set(), self.box))
            except NotIsolated:
                if id(one) in self.case.clause_of:
                    return True
        return False

    def clause_texts(self, level: Level) -> list[str]:
        """Return the conditions that a variable completes: in the user's words, if they can be."""
        name = self.name_of(level)
        parts = [one for one in level.closed_by if id(one) in self.case.clause_of]
        if not self.says_alone(level):  # the values are those that it leaves
            parts = [one for one in parts if set(one.variables()) != {level.name}]
        here = {id(self.case.clause_of[id(one)]) for one in parts}
        texts: dict[str, bool] = {}
        for part in parts:
            clause = self.case.clause_of[id(part)]
            every = self.case.clauses[clause.place]
            whole = self._texts[clause.place]
            if all(id(one) in here for one in every) and self.can_say(whole, name):
                texts[whole] = True
            elif self.can_say(clause.text, name):
                texts[clause.text] = True
            else:
                texts[self.own_words(part)] = True
        for part in level.closed_by:
            if id(part) not in self.case.clause_of and len(set(part.variables())) > 1:
                texts[self.own_words(part)] = True
        return list(texts)

    def can_say(self, text: str, name: str = "") -> bool:
        """Say whether a text mentions nothing that is not yet drawn."""
        unknown = {*self.case.names, *self.case.way.dims} - self.drawn - {name}
        return not _names(text) & unknown

    def check(self, part: Condition) -> None:
        """Have a condition checked when all is drawn: what is drawn may be rounded."""
        clause = self.case.clause_of.get(id(part))
        if clause is not None:
            self.check_place(clause.place)

    def check_place(self, place: int) -> None:
        """Have a precondition checked when all is drawn."""
        self.checked[self._texts[place]] = True

    def own_words(self, part: Condition) -> str:
        text = said_condition(part, self.called)
        local = {local_name(name) for name in self.known} | {"len"} | _WORDS
        rest = _names(text) - local - self.drawn
        given = {one for text in self.given.values() for one in _names(text)}
        own = {local_name(name) for name in part.variables()} | set(self.length_names.values())
        if rest - given - own:
            raise UnwritableValue("a condition that the file cannot say")
        return text


_WORDS = {"abs", "all", "any", "max", "min", "sum", "isinstance", "int", "float", "range", "zip"}


@lru_cache(maxsize=1000)
def _names(text: str) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name))


def local_name(name: str) -> str:
    """Return what a part of an argument is called: `a_shape_1` for `a.shape[1]`."""
    return name if name.isidentifier() else re.sub(r"\W+", "_", name).strip("_")
