"""Whole numbers and choices: each is drawn from what those drawn before it leave."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Expr, Local, Method, Ref, st
from annotest.relations.solving.boxes import INF, Box
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.domains import Domain, choice, is_plain, whole_numbers
from annotest.relations.solving.levels import Level
from annotest.relations.solving.terms import Number
from annotest.relations.solving.variables import Name
from annotest.source import is_writable, source_tree
from annotest.writer.cases import MOST_LISTED
from annotest.writer.drafts import Draft
from annotest.writer.ends import End, NotIsolated, difference_of
from annotest.writer.header import WIDTH


class Range:
    """What a whole number lies between: two numbers, and ends that depend on others."""

    def __init__(self, draft: Draft, domain: Domain, ends: Sequence[End]) -> None:
        self._draft = draft
        self.low, self.high = int(domain.low), int(domain.high)
        self.lows = [one for one in ends if not one.is_upper and self._matters(one)]
        self.highs = [one for one in ends if one.is_upper and self._matters(one)]

    def _matters(self, end: End) -> bool:
        least, most = end.term.bounds(self._draft.box)
        return least < self.high if end.is_upper else most > self.low

    def is_never_empty(self, closed: Sequence[Condition]) -> bool:
        """Say whether a value is left whatever was drawn before."""
        own = {id(one) for one in closed}
        for end in (*self.lows, *self.highs):
            least, most = end.term.bounds(self._draft.box)
            fits = least >= self.low if end.is_upper else most <= self.high
            if not fits and not self._draft.honoured.get(id(end.condition), False):
                return False
        for low in self.lows:
            for high in self.highs:
                if low.condition is high.condition:
                    continue
                both = id(low.condition) in own and id(high.condition) in own
                room = difference_of(high.term, low.term)
                is_given = set(room.variables()) <= set(self._draft.problem.given)
                # what two ends together need of others is a condition on these, met before
                if room.bounds(self._draft.box)[0] < 0 and (is_given or not both):
                    return False
        return True

    def meets(self, low: int, high: int) -> bool:
        """Say whether some of the numbers between two others fit, whatever was drawn before."""
        most = max((one.term.bounds(self._draft.box)[1] for one in self.lows), default=self.low)
        least = min((one.term.bounds(self._draft.box)[0] for one in self.highs), default=self.high)
        return most <= high and least >= low

    @property
    def least(self) -> Expr:
        """The lower end."""
        return self._end(self.low, self.lows, "max", 0)

    @property
    def most(self) -> Expr:
        """The upper end."""
        return self._end(self.high, self.highs, "min", 1)

    def _end(self, own: int, ends: list[End], word: str, side: int) -> Expr:
        if not ends:
            return Local(str(own))
        texts = list(dict.fromkeys(self._draft.said(one.term) for one in ends))
        needed = [one.term.bounds(self._draft.box)[side] for one in ends]
        if all(one > own if side else one < own for one in needed):
            texts.insert(0, str(own))
        if len(texts) == 1:
            return Local(texts[0])
        return Local(f"{self._draft.word(word)}({', '.join(texts)})")


class WholeWriter:
    """Writes the draw of a whole number, or of one of some values."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def lines(self, level: Level) -> list[str]:
        """Return the statements that give a variable its value."""
        draft, domain = self._draft, consecutive(self._draft.problem.domains[level.name])
        name = draft.name_of(level)
        ahead = draft.ends_ahead(level) if domain.is_number else []
        closed = [one for one in level.closed_by if set(one.variables()) != {level.name}]
        try:
            if not is_plain(domain) or draft.says_alone(level) or draft.extra.get(level.name):
                raise NotIsolated
            ends = draft.ends(level.name, closed)
            equation = _equation(ends)
            if any(not one.term.is_whole for one in ahead):
                raise NotIsolated
        except NotIsolated:
            return self._listed(level, ahead)
        between = Range(draft, domain, [*ends, *ahead])
        if not between.is_never_empty(closed):
            between = Range(draft, domain, ends)
            ahead = []
            if not between.is_never_empty(closed):
                return self._listed(level, draft.ends_ahead(level))
        draft.note(level, [*ends, *ahead])
        if equation is not None:
            return [draft.assigned(name, Local(draft.said(equation.term)))]
        if between.least == between.most:
            return [draft.assigned(name, between.least)]
        return [draft.drawing(name, st.integers(min_value=between.least, max_value=between.most))]

    def _listed(self, level: Level, ahead: list[End]) -> list[str]:
        """Return the statements that draw one of the values that fit."""
        draft, name = self._draft, self._draft.name_of(level)
        domain = consecutive(draft.problem.domains[level.name])
        extra = draft.extra.get(level.name, [])
        alone = all(set(one.variables()) == {level.name} for one in level.closed_by)
        if domain.size == 1 and alone and not extra:
            draft.note(level, self.all_ends(level))
            (only,) = domain.values or ()
            return [draft.assigned(name, Local(self.values(choice((only,)))[1:-1]))]
        draft.refuse_unguarded(level)
        domain = self.domain(level)
        texts = [*draft.clause_texts(level), *extra]
        texts += [text for end in ahead if (text := self.end_text(name, domain, end))]
        draft.note(level, [*ahead, *self.all_ends(level)])
        if is_plain(domain) and domain.size > MOST_LISTED and self._are_apart(level, ahead):
            strategy = st.integers(min_value=int(domain.low), max_value=int(domain.high))
            rule = f"lambda {name}: {' and '.join(texts)}"
            return [draft.drawing(name, Method(strategy, "filter", (Local(rule),)))]
        if not texts:
            drawn = _simple(domain) or st.sampled_from(self._all_values(domain))
            return [draft.drawing(name, drawn)]
        return self.fitting(name, self.values(domain), texts)

    def domain(self, level: Level) -> Domain:
        """Return the values of a variable as they are listed."""
        found = consecutive(self._draft.problem.domains[level.name])
        # a condition on it alone says itself which are left
        return self._declared(level, found) if self._draft.says_alone(level) else found

    def _declared(self, level: Level, domain: Domain) -> Domain:
        """Return the values as they are declared, but for those that other variables rule out."""
        declared = self._draft.problem.declared[level.name]
        if not declared.is_number or domain.values is None or declared.values is None:
            return declared
        if declared.size <= MOST_LISTED:
            alone = [one for one in level.closed_by if set(one.variables()) == {level.name}]
            if _satisfying(level.name, declared.values, alone) == list(domain.values):
                return declared
        least, most = int(domain.low), int(domain.high)
        if isinstance(declared.values, range) and declared.values.step == 1:
            return whole_numbers(range(least, most + 1))
        return whole_numbers([one for one in declared.values if least <= one <= most])

    def _are_apart(self, level: Level, ahead: list[End]) -> bool:
        """Say whether all that is asked is to differ from others, which nearly all values do."""
        extra = self._draft.extra.get(level.name)
        return (
            not ahead
            and not extra
            and all(getattr(one, "sign", "") == "!=" for one in level.closed_by)
        )

    def all_ends(self, level: Level) -> list[End]:
        """Return an end for each condition that a variable completes: the draw meets it."""
        return [End(Number(0), True, False, one) for one in level.closed_by]

    def end_text(self, name: str, domain: Domain, end: End) -> str:
        """Return an end as a condition; nothing where all values lie within it."""
        least, most = end.term.bounds(self._draft.box)
        if not (least < domain.high if end.is_upper else most > domain.low):
            return ""
        sign = "<" if end.is_upper else ">"
        return f"{name} {sign}{'' if end.is_left_out else '='} {self._draft.said(end.term)}"

    def fitting(self, name: str, values: str, texts: list[str]) -> list[str]:
        """Return the statements that draw one of some values, of those that satisfy conditions."""
        draft, indent = self._draft, self._draft.indent
        reject = draft.names.of(Ref("hypothesis", "reject"))
        draft.rejects = True
        listing = self.listing(name, values, texts)
        found = listing.removeprefix(f"{indent}fitting = ")
        line = draft.drawing(name, st.sampled_from(Local(f"{found} or {reject}()")))
        if "\n" not in line:
            return [line]
        return [listing, draft.drawing(name, st.sampled_from(Local(f"fitting or {reject}()")))]

    def listing(self, name: str, values: str, texts: list[str]) -> str:
        """Return the statement that lists the values that satisfy conditions."""
        width = WIDTH - len(self._draft.indent) - 4
        clauses = [name, f"for {name} in {values}", *asked(texts, width)]
        return self._draft.listed("fitting", clauses)

    def values(self, domain: Domain) -> str:
        """Return the values of a variable as text."""
        return self._draft.renderer.flat(self._all_values(domain))

    def _all_values(self, domain: Domain) -> Expr:
        values = domain.values
        assert values is not None
        if len(values) > MOST_LISTED:
            raise UnwritableValue("too many values to be listed")
        if isinstance(values, range):
            step = f", {values.step}" if values.step != 1 else ""
            start = f"{values.start}, " if values.start or step else ""
            return Local(f"{self._draft.word('range')}({start}{values.stop}{step})")
        listed = source_tree(list(values))
        if not is_writable(listed):
            raise UnwritableValue("a value has no source text")
        return listed


def _satisfying(name: Name, values: Sequence[Any], conditions: list[Condition]) -> list[Any]:
    """Return the values of a variable that satisfy conditions on it alone."""
    boxes = [(one, Box({name: (one, one)}, {name: one})) for one in values]
    return [one for one, box in boxes if all(part.state(box) is not False for part in conditions)]


def consecutive(domain: Domain) -> Domain:
    """Return a domain whose values are a range, if they are consecutive whole numbers."""
    values = domain.values
    if not domain.is_number or values is None or not len(values):
        return domain
    if values[-1] - values[0] != len(values) - 1:
        return domain
    return whole_numbers(range(values[0], values[-1] + 1))


def _equation(ends: list[End]) -> End | None:
    """Return the end that is both the upper and the lower one."""
    same = [one for one in ends if getattr(one.condition, "sign", "") == "=="]
    if any(one.term != same[0].term for one in same):
        raise NotIsolated  # rounded up and down, or several equations
    return same[0] if same else None


def asked(texts: Sequence[str], width: float = INF) -> list[str]:
    """Return conditions as they stand in a list behind the loop, on one line if there is room."""
    texts = [bracketed(text, alone=len(texts) == 1) for text in texts]
    flat = f"if {' and '.join(texts)}"
    if len(flat) <= width:
        return [flat]
    return [f"if {texts[0]}", *(f"and {text}" for text in texts[1:])]


def _simple(domain: Domain) -> Expr | None:
    values: Any = domain.values
    if values == (False, True):
        return st.booleans()
    if isinstance(values, range) and values.step == 1:
        return st.integers(min_value=values[0], max_value=values[-1])
    return None


def bracketed(text: str, *, alone: bool) -> str:
    """Return a condition as it may stand behind `if` in a list, alone or with `and`."""
    node = ast.parse(text, mode="eval").body
    loose = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and not alone
    return f"({text})" if loose or isinstance(node, ast.IfExp | ast.Lambda) else text
