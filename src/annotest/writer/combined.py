"""Numbers that cannot be drawn one after the other: drawn together, from all that fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.expr import Local, Ref, st
from annotest.frozen import frozen
from annotest.relations.conditions import Compare, Condition, Constant
from annotest.relations.levels import Level
from annotest.relations.terms import Variable
from annotest.writer.cases import MOST_LISTED
from annotest.writer.drafts import Draft
from annotest.writer.ends import End
from annotest.writer.header import WIDTH
from annotest.writer.wholes import WholeWriter, asked

# of so many combinations it is known before they are written whether they fit
MOST_SEEN = 50_000


@frozen
class Loop:
    """One variable of a list of combinations: its values, and what is asked when it has one."""

    level: Level
    values: str
    parts: tuple[Condition, ...]
    ahead: tuple[Condition, ...]
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
        placed = self._placed(levels)
        met = {id(part) for one in levels for part in one.closed_by}
        loops = [self._loop(one, placed[one.name], met) for one in levels]
        draft.combined = _fitting(loops)
        listed = self._listing(loops)
        size = math.prod(one.level.domain.size for one in loops)
        if size > MOST_LISTED:
            return [self._drawing(levels, self._function(listed))]
        flat = f"{draft.indent}fitting = [{' '.join(listed)}]"
        if len(flat) > WIDTH:
            inner = [f"{draft.indent}    {one}" for one in listed]
            flat = "\n".join([f"{draft.indent}fitting = [", *inner, f"{draft.indent}]"])
        return [flat, self._drawing(levels, "fitting")]

    def _drawing(self, levels: Sequence[Level], values: str) -> str:
        names = ", ".join(map(self._draft.name_of, levels))
        return self._draft.drawing(names, st.sampled_from(Local(values)))

    def _function(self, listed: list[str]) -> str:
        """Have the file define a function that makes the list once; return its call."""
        names = self._draft.names
        title = names.reserve(self._title)
        head = [f"@{names.of(Ref('functools', 'cache'))}", f"def {title}():", "    return ["]
        lines = [*head, *(f"        {one}" for one in listed), "    ]"]
        self._draft.functions.append("\n".join(lines))
        return f"{title}()"

    def _placed(self, levels: Sequence[Level]) -> dict[str, list[Condition]]:
        """Return where conditions are asked: none before those that the user says before it."""
        found: dict[str, list[Condition]] = {one.name: [] for one in levels}
        clause_of = self._draft.case.clause_of
        said: list[tuple[int, int, int, Condition]] = []
        for number, level in enumerate(levels):
            for part in level.closed_by:
                clause = clause_of.get(id(part))
                if clause is None or len(set(part.variables())) == 1:
                    found[level.name].append(part)
                else:
                    every = self._draft.case.clauses[clause.place]
                    said.append((clause.place, every.index(clause), number, part))
        latest: dict[int, int] = {}
        for place, _, number, part in sorted(said, key=lambda one: one[:2]):
            latest[place] = max(number, latest.get(place, 0))
            found[levels[latest[place]].name].append(part)
        return found

    def _loop(self, level: Level, parts: list[Condition], met: set[int]) -> Loop:
        draft, whole = self._draft, WholeWriter(self._draft)
        domain, name = whole.domain(level), draft.name_of(level)
        draft.drawn.add(level.name)
        texts = draft.clause_texts(level, parts)
        ends = [one for one in draft.ends_ahead(level) if id(one.condition) not in met]
        ends = [one for one in ends if whole.end_text(name, domain, one)]
        texts += [whole.end_text(name, domain, one) for one in ends]
        draft.note(level, [*ends, *whole.all_ends(level)])
        related = tuple(one for one in parts if set(one.variables()) != {level.name})
        ahead = tuple(_comparison(level, one) for one in ends)
        return Loop(level, whole.values(domain), related, ahead, tuple(texts))

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
    sign = (
        ("<" if end.is_left_out else "<=") if end.is_upper else (">" if end.is_left_out else ">=")
    )
    return Compare(Variable(level.name), sign, end.term)


def _fitting(loops: list[Loop]) -> list[tuple[Any, ...]]:
    """Return combinations that fit: all, or of very many some.

    UnwritableValue if there are none, or a condition raises.
    """
    values = loops[0].level.domain.values or ()
    others = math.prod(one.level.domain.size for one in loops[1:])
    step = max(1, int(len(values) * others / MOST_SEEN))
    try:
        found = _combined(loops, [*values[:-1:step], values[-1]]) or _combined(loops, values)
    except Exception:
        raise UnwritableValue("a condition that raises for some of the values") from None
    if not found:
        raise UnwritableValue("no combination that fits")
    return found


def _combined(loops: list[Loop], first: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the combinations that fit, in which the first variable has some of its values."""
    identifiers = {one.level.name: f"_v{number}" for number, one in enumerate(loops)}
    scope = {
        name: value
        for one in loops
        for _, names in one.level.stated
        for name, value in names.items()
    }

    def called(thing: Any) -> str:
        if isinstance(thing, Constant):
            scope[key := f"_c{len(scope)}"] = thing.value
            return key
        return identifiers[thing]

    words = [f"({', '.join(identifiers.values())})"]
    for one in loops:
        own = identifiers[one.level.name]
        scope[f"{own}_values"] = first if one is loops[0] else one.level.domain.values
        words.append(f"for {own} in {own}_values")
        words += [f"if {part.text(called)}" for part in (*one.parts, *one.ahead)]
    found: list[tuple[Any, ...]] = eval(f"[{' '.join(words)}]", scope)
    return found
