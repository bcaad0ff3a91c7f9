"""What the draws of one way to make a call have in common: names, words, what is known so far."""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Call, Expr, Local, Ref
from annotest.frozen import frozen
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Compare, Condition, Constant
from annotest.relations.solving.dividing import Quotient, Remainder
from annotest.relations.solving.levels import Level
from annotest.relations.solving.problems import Problem
from annotest.relations.solving.terms import Compound, Term
from annotest.relations.solving.variables import Length, Name
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.cases import Case, ListOrder
from annotest.writer.clauses import Clause
from annotest.writer.conditions import assume_lines, renamed_text, wrapped
from annotest.writer.ends import End, NotIsolated, ends_of
from annotest.writer.header import WIDTH
from annotest.writer.saying import local_name, said, said_condition


@frozen
class Effort:
    """How to meet conditions on lists: in which order, and what is done for it.

    Given items may be checked to be some that are declared, and all lists that there are listed.
    """

    order: ListOrder
    may_check: bool
    may_list: bool


EFFORTS = [
    Effort(ListOrder(last, turned), may_check, may_list)
    for may_check, may_list in ((False, False), (True, False), (True, True))
    for turned in (False, True)
    for last in (False, True)
]


class Draft:
    """The statements of one composite, while they are written.

    `known` are the variables that have values, `drawn` the names that stand for them, and
    `honoured` says of conditions whether the last draw that they touch left them possible.
    """

    def __init__(
        self,
        case: Case,
        problem: Problem,
        names: Names,
        renderer: Renderer,
        draw: str,
        texts: dict[int, str],
        effort: Effort,
    ) -> None:
        self.case = case
        self.problem = problem
        self.names = names
        self.renderer = renderer
        self.indent = "    "
        self.known: set[Name] = set(problem.given)
        self.drawn: set[str] = set()
        self.honoured: dict[int, bool] = {}
        self.given: dict[Name, str] = {}
        self.labels: dict[Name, str] = {}  # of dtypes, and of lengths that are drawn by themselves
        self.inlined: dict[Name, Expr] = {}  # dtypes that are drawn where they are used
        self.taken: set[str] = set()
        self._checked: list[Clause] = []
        self.rejects = False  # whether what is drawn may leave nothing for what comes after it
        self.together: tuple[Name, ...] = ()  # variables that are drawn as one
        self.functions: dict[str, str] = {}  # that the file needs beside the composite
        self.stand_ins: dict[str, Any] = {}  # for them, where draws are tried
        self.lines: list[str] = []
        self.restore: Callable[[], None] = lambda: None  # what the file has beside them
        self.box = Box(dict(problem.root.bounds))
        self.extra: dict[Name, list[str]] = {}  # conditions of which only the words are known
        self.effort = effort
        self.draw_name = draw
        self._texts = texts

    def inside(self, problem: Problem) -> Draft:
        """Return a draft for what is drawn in a loop, with variables of its own."""
        found = copy.copy(self)
        found.problem, found.box = problem, Box(dict(problem.root.bounds))
        found.known, found.honoured, found.extra = set(self.known), {}, {}
        found.given = dict(self.given)
        found.rejects = False
        return found

    # names

    def called(self, name: Any) -> str:
        """Return what a variable is called in the file, or a constant written there."""
        if isinstance(name, Constant):
            value = source_tree(name.value)
            if not is_writable(value):
                raise UnwritableValue("a value has no source text")
            return self.renderer.flat(value)
        if name in self.given or name in self.labels:
            return self.given.get(name) or self.labels[name]
        if isinstance(name, Length):
            return f"{self.word('len')}({local_name(name.of)})"
        return local_name(name)

    def word(self, name: str) -> str:
        """Return a builtin's name as the file may use it."""
        return self.names.of(Ref("builtins", name))

    @property
    def prod(self) -> str:
        """`math.prod`, as the file may call it."""
        is_imported = any(pair[1:] == ("math", "") for pair in self.names.imported())
        return self.names.of(Ref("math", "prod", "math" if is_imported else ""))

    def said(self, term: Term) -> str:
        """Return a term as text."""
        text = said(term, self.called)
        if {"max", "min", "abs", "len"} & self.taken & _names(text) - set(map(str, self.known)):
            raise UnwritableValue("an argument has the name of a function")
        return text

    # statements

    def name_of(self, level: Level) -> str:
        """Return the name that a variable gets its value under."""
        return self.labels.get(level.name) or local_name(level.name)

    def drawing(self, name: str, strategy: Expr) -> str:
        """Return the statement that draws a value."""
        return self.assigned(name, Call(Local(self.draw_name), (strategy,)))

    def assigned(self, name: str, value: Expr) -> str:
        """Return the statement that gives a name its value."""
        width = len(self.indent)
        return f"{self.indent}{name} = {self.renderer.layout(value, width, len(name) + 3)}"

    def listed(self, name: str, clauses: Sequence[str]) -> str:
        """Return the statement that gives a name a list, made by a loop with these clauses."""
        indent, whole = self.indent, " ".join(clauses)
        if len(f"{indent}{name} = [{whole}]") <= WIDTH:
            return f"{indent}{name} = [{whole}]"
        lines = [whole] if len(f"{indent}    {whole}") <= WIDTH else clauses
        inside = [line for one in lines for line in _broken(one, f"{indent}    ")]
        return "\n".join([f"{indent}{name} = [", *inside, f"{indent}]"])

    def draw(self, strategy: Expr) -> Expr:
        """Return the call that draws."""
        return Call(Local(self.draw_name), (strategy,))

    def converted(self, name: str, kind: type) -> list[str]:
        """Return the statement that makes a list what it is to be."""
        return [] if kind is list else [f"{self.indent}{name} = {self.word('tuple')}({name})"]

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Write statements inside a loop."""
        before, self.indent = self.indent, f"{self.indent}    "
        try:
            yield
        finally:
            self.indent = before

    def checks(self, texts: Sequence[str]) -> list[str]:
        """Return the statements that check conditions."""
        if not texts:
            return []
        self.rejects = True
        assume = self.names.of(Ref("hypothesis", "assume"))
        return ["\n".join(assume_lines(one, self.indent, assume)) for one in texts]

    # conditions

    def loose_at(self, level: Level) -> list[Clause]:
        """Return the loose conditions of which a variable is the last to be drawn."""
        place = {one: number for number, one in enumerate(self.problem.order)}
        found = [(clause, self.case.mentioned(clause)) for clause in self.case.loose]
        return [
            one for one, names in found if max(names, key=lambda n: place.get(n, -1)) == level.name
        ]

    def ends(self, name: Name, conditions: Sequence[Condition]) -> list[End]:
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
                # beside what is given, bounds are not narrowed before
                is_open = bool(self.problem.given)
                found += [end for end in ends if is_open or any(True for _ in end.term.variables())]
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

    def refuse_unguarded(self, level: Level) -> None:
        """Raise UnwritableValue for a division by what may be zero, before what rules that out."""
        known = {*self.known, level.name}
        clause_of = self.case.clause_of
        said = [one for one in self.problem.conditions if id(one) in clause_of]
        later = [clause_of[id(one)] for one in said if not {*one.variables()} <= known]
        for part in level.closed_by:
            ends = [one.bounds(self.box) for one in divisors(part)]
            if id(part) in clause_of and any(low <= 0 <= high for low, high in ends):
                clause = clause_of[id(part)]
                every = self.case.clauses[clause.place]
                if any(one in later for one in every[: every.index(clause)]):
                    raise UnwritableValue("a division by what may still be zero")

    def can_say(self, text: str, name: str = "") -> bool:
        """Say whether a text mentions nothing that is not yet drawn."""
        unknown = {*self.case.names, *self.case.way.dims} - self.drawn - {name}
        return not _names(text) & unknown

    def check(self, part: Condition) -> None:
        """Have a condition checked when all is drawn: what is drawn may be rounded."""
        clause = self.case.clause_of.get(id(part))
        if clause is not None:
            self._checked.append(clause)

    def check_place(self, place: int) -> None:
        """Have a precondition checked when all is drawn."""
        self._checked += self.case.clauses[place]

    @property
    def checked(self) -> list[str]:
        """The conditions that rounding may break: preconditions, or parts of them."""
        found: dict[str, bool] = {}
        for clause in self._checked:
            whole = all(one in self._checked for one in self.case.clauses[clause.place])
            found[self._texts[clause.place] if whole else clause.text] = True
        return list(found)

    def own_words(self, part: Condition) -> str:
        """Return a condition as text over what is drawn, and what the module knows."""
        meant: dict[str, str] = {}

        def called(one: Any) -> str:
            if not isinstance(one, Constant):
                return self.called(one)
            meant[f"constant_{len(meant)}_"] = self.called(one)
            return list(meant)[-1]

        text = said_condition(part, called)
        local = {local_name(name) for name in self.known} | {"len"} | _WORDS
        local |= {local_name(path) for path in self.drawn}
        given = {one for text in self.given.values() for one in _names(text)}
        own = {local_name(str(name).removeprefix("len(")) for name in part.variables()}
        own |= set(self.labels.values())
        for name in sorted(_names(text) - meant.keys() - local - self.drawn - given - own):
            meant[name] = self._outer_name(name, part)
        return renamed_text(text, meant) if meant else text

    def _outer_name(self, name: str, part: Condition) -> str:
        """Return what the file calls something that the annotated module knows by a name."""
        clause = self.case.clause_of.get(id(part))
        scope = {} if clause is None else clause.statement.scope
        if name in self.case.way.nodes or not (name in scope or hasattr(builtins, name)):
            raise UnwritableValue("a condition that the file cannot say")
        value = scope.get(name, getattr(builtins, name, None))
        if isinstance(value, ModuleType):
            return self.names.of(Ref(value.__name__, "", name))
        return self.called(Constant(value))


def divisors(one: Condition | Term) -> Iterator[Term]:
    """Yield what is divided by, in a condition or a term."""
    if isinstance(one, Quotient | Remainder):
        yield one.right
    inside: Sequence[Any] = getattr(one, "parts", ())
    if isinstance(one, Compare):
        inside = one.left, one.right
    elif isinstance(one, Compound):
        inside = one.parts()
    for part in inside:
        yield from divisors(part)


_WORDS = {"abs", "all", "any", "max", "min", "sum", "isinstance", "int", "float", "range", "zip"}


def _broken(clause: str, indent: str) -> list[str]:
    """Return a clause of a loop, on several lines where it is long."""
    found = re.fullmatch(r"((?:if|and) (?:not )?(?:all|any)\()(.*)\)", clause)
    if len(f"{indent}{clause}") > WIDTH and found is not None:
        text = f"({found[2]})"
        try:
            loop = ast.parse(text, mode="eval").body
        except SyntaxError:
            return wrapped(clause, indent)
        if isinstance(loop, ast.GeneratorExp):
            each, rest = text[1 : loop.elt.end_col_offset], text[loop.elt.end_col_offset : -1]
            inside = [*wrapped(each, f"{indent}    "), *wrapped(rest.strip(), f"{indent}    ")]
            return [f"{indent}{found[1]}", *inside, f"{indent})"]
    return wrapped(clause, indent)


@lru_cache(maxsize=1000)
def _names(text: str) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name))
