"""Numbers that cannot be drawn one after the other: drawn together, from all that fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Local, Ref, st
from annotest.frozen import frozen
from annotest.relations.solving.conditions import Compare, Condition, Constant
from annotest.relations.solving.domains import Domain
from annotest.relations.solving.levels import Level
from annotest.relations.solving.terms import Variable
from annotest.relations.solving.variables import Name
from annotest.writer.cases import MOST_LISTED
from annotest.writer.drafts import Draft
from annotest.writer.ends import End
from annotest.writer.header import WIDTH
from annotest.writer.orders import MOST_COMBINED
from annotest.writer.wholes import WholeWriter, asked

# of so many combinations it is known before they are written whether they fit
MOST_SEEN = 50_000


@frozen
class Loop:
    """One variable of a list of combinations: its values, and what is asked when it has one."""

    level: Level
    domain: Domain
    values: str
    asked: tuple[Condition, ...]
    texts: tuple[str, ...]


class CombinedWriter:
    """Writes one draw of several variables; a long list is made once, by a function of its own.

    `title` is what that function is called.
    """

    def __init__(self, draft: Draft, title: str) -> None:
        self._draft = draft
        self._title = title

    def lines(self, levels: Sequence[Level]) -> list[str]:
        """Return the statements that give all these variables their values."""
        draft = self._draft
        met = {id(part) for one in levels for part in one.closed_by}
        loops = [self._loop(one, met) for one in levels]
        if not any(one.texts for one in loops):
            raise UnwritableValue("variables of which nothing is asked")
        clauses = self._listing(loops)
        listed = draft.listed("fitting", clauses)
        found = Combinations(loops)
        if found.size > (MOST_LISTED if found.needed else MOST_COMBINED):
            raise UnwritableValue("too many combinations to be listed")
        if found.needed:
            draft.rejects = True
            reject = draft.names.of(Ref("hypothesis", "reject"))
            return [listed, self._drawing(levels, f"fitting or {reject}()")]
        found.check()
        if found.size <= MOST_LISTED:
            return [listed, self._drawing(levels, "fitting")]
        if not found.is_lasting:
            raise UnwritableValue("values that a call may change, in a list that is made once")
        return [self._drawing(levels, self._function(clauses, found))]

    def _drawing(self, levels: Sequence[Level], values: str) -> str:
        names = ", ".join(map(self._draft.name_of, levels))
        return self._draft.drawing(names, st.sampled_from(Local(values)))

    def _function(self, listed: list[str], found: Combinations) -> str:
        """Have the file define a function that makes the list once; return its call."""
        names = self._draft.names
        title = names.reserve(self._title)
        head = [f"@{names.of(Ref('functools', 'cache'))}", f"def {title}():", "    return ["]
        lines = [*head, *(f"        {one}" for one in listed), "    ]"]
        self._draft.functions[title] = "\n".join(lines)
        self._draft.stand_ins[title] = lambda: found.some
        return f"{title}()"

    def _loop(self, level: Level, met: set[int]) -> Loop:
        draft, whole = self._draft, WholeWriter(self._draft)
        if draft.loose_at(level):
            raise UnwritableValue("numbers that complete conditions on lists, drawn as one")
        draft.refuse_unguarded(level)
        domain, name = whole.domain(level), draft.name_of(level)
        draft.drawn.add(str(level.name))
        texts = draft.clause_texts(level)
        ends = [one for one in draft.ends_ahead(level) if id(one.condition) not in met]
        ends = [one for one in ends if whole.end_text(name, domain, one)]
        texts += [whole.end_text(name, domain, one) for one in ends]
        draft.note(level, [*ends, *whole.all_ends(level)])
        related = [one for one in level.closed_by if set(one.variables()) != {level.name}]
        ahead = [_comparison(level, one) for one in ends]
        return Loop(level, domain, whole.values(domain), (*related, *ahead), tuple(texts))

    def _listing(self, loops: list[Loop]) -> list[str]:
        """Return the lines of the list of all combinations that fit."""
        names = ", ".join(self._draft.name_of(one.level) for one in loops)
        lines = [f"({names})"]
        for one in loops:
            lines.append(f"for {self._draft.name_of(one.level)} in {one.values}")
            if one.texts:
                lines += asked(one.texts, WIDTH - len(self._draft.indent) - 4)
        return lines


def _comparison(level: Level, end: End) -> Condition:
    sign = ("<" if end.is_upper else ">") + ("" if end.is_left_out else "=")
    return Compare(Variable(level.name), sign, end.term)


class Combinations:
    """What several variables can be, when the variables that they need have their values."""

    def __init__(self, loops: list[Loop]) -> None:
        self._first = loops[0].level.domain.values or ()
        own = [one.level.name for one in loops]
        self.size = math.prod(one.domain.size for one in loops)
        used = [name for one in loops for part in one.asked for name in part.variables()]
        self.needed = tuple(dict.fromkeys(name for name in used if name not in own))
        self._list = _compiled(loops, self.needed)
        self.some: Sequence[tuple[Any, ...]] = ()

    @property
    def is_lasting(self) -> bool:
        """Whether no value can be changed by the call that gets it."""
        try:
            return bool([hash(one) for one in self.some])
        except TypeError:
            return False

    def check(self) -> None:
        """Look for some that fit; UnwritableValue if there are none, or a condition raises."""
        step = max(1, int(self.size / MOST_SEEN))
        values = self._first
        self.some = self._fitting([*values[:-1:step], values[-1]]) or self._fitting(values)
        if not self.some:
            raise UnwritableValue("no combination that fits")

    def _fitting(self, first: Sequence[Any], *needed: Any) -> list[tuple[Any, ...]]:
        try:
            return self._list(first, *needed)
        except Exception:
            raise UnwritableValue("a condition that raises for some of the values") from None


def _compiled(loops: list[Loop], needed: Sequence[Name]) -> Callable[..., list[tuple[Any, ...]]]:
    """Compile the list of all that fits: a function of the first one's values, and of others."""
    names = [*(one.level.name for one in loops), *needed]
    identifiers = {name: f"_v{number}" for number, name in enumerate(names)}
    scope: dict[str, Any] = {}
    for one in loops:
        for _, known in one.level.stated:
            scope.update(known)

    def called(thing: Any) -> str:
        if isinstance(thing, Constant):
            scope[key := f"_c{len(scope)}"] = thing.value
            return key
        return identifiers[thing]

    words = [f"({', '.join(called(one.level.name) for one in loops)})"]
    for place, one in enumerate(loops):
        scope[f"_values{place}"] = one.level.domain.values
        words.append(f"for {called(one.level.name)} in _values{place}")
        words += [f"if {part.text(called)}" for part in one.asked]
    parameters = ", ".join(["_values0", *map(called, needed)])
    made: Callable[..., list[tuple[Any, ...]]]
    made = eval(f"lambda {parameters}: [{' '.join(words)}]", scope)
    return made
