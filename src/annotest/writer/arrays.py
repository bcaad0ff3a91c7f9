"""Arrays whose sides and dtypes are known, and dtypes that are drawn before them."""

from __future__ import annotations

import dataclasses
from typing import Any

from annotest.constraints import Constraint, floats, froms
from annotest.errors import UnwritableValue
from annotest.expr import ByRecipe, Call, Expr, Local, Ref, hnp, ours, st, tree
from annotest.large import LARGE
from annotest.relations.arguments.items import Series
from annotest.relations.arguments.nodes import Array, Fixed, Scalar, Sides
from annotest.relations.reading.symbols import Known
from annotest.relations.solving.boxes import Box
from annotest.relations.solving.conditions import Condition
from annotest.relations.solving.domains import Domain, item_domain
from annotest.relations.solving.levels import Level
from annotest.writer.drafts import Draft
from annotest.writer.dtypes import name_of
from annotest.writer.ends import NotIsolated
from annotest.writer.saying import local_name
from annotest.writer.wholes import Range, WholeWriter


def dtype_lines(draft: Draft, level: Level) -> list[str]:
    """Return the statements that draw a dtype: none where only one array has to do with it."""
    values = list(draft.problem.domains[level.name].values or ())
    related = any(set(one.variables()) != {level.name} for one in level.touching)
    shared = len(draft.case.dtypes[level.name]) > 1 and len(values) > 1
    if related or shared:
        return WholeWriter(draft).lines(level)
    draft.note(level, [])
    draft.inlined[level.name] = st.sampled_from(values)
    return []


class ArrayWriter:
    """Writes the draw of an array whose sides are known."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.before: list[str] = []

    def lines(self, name: str, node: Array) -> list[str]:
        """Return the statements that draw an array."""
        self.before = []
        shape, largest = self._shape(node)
        dtype, dtypes = self._dtype(node)
        constraint: Any = dataclasses.replace(node.constraint, shape=largest)  # type: ignore[call-arg]
        call = _arrays(constraint, dtypes)
        if name in self._draft.case.elements:
            call = self._bounded(name, node, call, dtypes)
        options = dict(call.kwargs) | {"dtype": dtype, "shape": shape}
        call = Call(call.function, call.args, tuple(options.items()))
        return [*self.before, self._draft.drawing(name, call)]

    def _dtype(self, node: Array) -> tuple[Expr, tuple[str, ...]]:
        """Return a dtype as text, and all that it can be."""
        draft = self._draft
        if isinstance(node.dtype, Fixed):
            return tree(node.dtype.value), (node.dtype.value,)
        assert isinstance(node.dtype, Scalar)
        path = node.dtype.path
        names = tuple(name_of(one) for one in draft.problem.domains[path].values or ())
        if len(names) == 1:
            return tree(names[0]), names
        return draft.inlined.get(path) or Local(draft.called(path)), names

    def _shape(self, node: Array) -> tuple[Expr, tuple[int, ...]]:
        """Return a shape as text, and the largest that it can be."""
        draft = self._draft
        if isinstance(node.shape, Sides):
            sides = [_side(one, draft) for one in node.shape.before]
            ends = [_largest(one, draft.box) for one in node.shape.before]
        elif isinstance(node.shape, Series) and node.shape.path in draft.case.series:
            high = item_domain(node.shape.element)
            assert high is not None
            return Local(local_name(node.shape.path)), (int(high.high),) * node.shape.lengths[1]
        elif isinstance(node.shape, Fixed):
            return Local(str(node.shape.value)), node.shape.value
        else:
            symbols = node.shape.symbol(draft.case.sizes).items
            sides = [_side(one, draft) for one in symbols]
            ends = [_largest(one, draft.box) for one in symbols]
        text = f"({sides[0]},)" if len(sides) == 1 else f"({', '.join(sides)})"
        return Local(text), tuple(int(min(max(0, end), LARGE + 1)) for end in ends)

    def _bounded(self, name: str, node: Array, call: Call, dtypes: tuple[str, ...]) -> Call:
        """Return the draw of an array whose elements lie between ends that are drawn."""
        draft, element = self._draft, f"{name}[…]"
        if not node.is_whole or not node.has_bounds:
            raise UnwritableValue("elements that are rounded")
        draft.box.bounds[element] = (node.low, node.high)
        parts: list[Condition] = draft.case.elements[name]
        ranges = {_range_of(node.constraint, one) for one in dtypes}
        options = dict(call.kwargs)
        try:
            ends = draft.ends(element, parts)
        except NotIsolated:
            if len(ranges) > 1:
                raise UnwritableValue("elements that not every dtype has") from None
            options["elements"] = self._fitting(name, node, parts)
            return Call(call.function, call.args, tuple(options.items()))
        between = Range(draft, Domain(None, node.low, node.high), ends)
        if len(ranges) > 1 and not all(between.meets(*one) for one in ranges):
            raise UnwritableValue("elements that not every dtype has")
        if call.function == hnp.arrays and len(ranges) == 1:
            options["elements"] = st.integers(min_value=between.least, max_value=between.most)
            return Call(call.function, call.args, tuple(options.items()))
        # the ends of a dtype need not be said
        low = {"min": between.least} if between.lows or "min" in options else {}
        high = {"max": between.most} if between.highs or "max" in options else {}
        rest = {name: one for name, one in options.items() if name not in ("min", "max")}
        return Call(ours.arrays, call.args, tuple({**rest, **low, **high}.items()))

    def _fitting(self, name: str, node: Array, parts: list[Condition]) -> Expr:
        """Return the elements that fit, for a draw of one of them."""
        draft = self._draft
        draft.labels[f"{name}[…]"] = "element"
        if "element" in draft.taken:
            raise UnwritableValue("an argument has a name that the file needs")
        texts = [draft.own_words(one) for one in parts]
        domain = Domain(range(int(node.low), int(node.high) + 1), node.low, node.high)
        writer = WholeWriter(draft)
        self.before = [writer.listing("element", writer.values(domain), texts)]
        return st.sampled_from(Local(f"fitting or {draft.names.of(Ref('hypothesis', 'reject'))}()"))


def _range_of(constraint: Any, dtype: str) -> tuple[int, int]:
    """Return the smallest and the largest whole number that an element can be."""
    low, high = constraint.element(dtype).bounds
    return low, high


def _arrays(constraint: Any, dtypes: tuple[str, ...]) -> Call:
    """Return the strategy of arrays whose dtype is one of several, whichever it is."""
    each = [_call(dataclasses.replace(constraint, dtype=one)) for one in dtypes]
    if all(_but_dtype(one) == _but_dtype(each[0]) for one in each):
        return each[0]
    if constraint.elements is None and constraint.min is None and constraint.max is None:
        return _call(dataclasses.replace(constraint, dtype=froms(list(dtypes))))
    elements = constraint.elements or constraint
    if elements is not constraint and not _are_just_floats(constraint, dtypes):
        raise UnwritableValue("elements that depend on the dtype")
    options = {name: getattr(elements, name) for name in _BOUNDS}
    options |= {"unique": constraint.unique, "contents": constraint.contents}
    given = {name: one for name, one in options.items() if one is not None and one is not False}
    return ours.arrays(dtype=dtypes[0], shape=constraint.shape, **given)


_BOUNDS = ("min", "max", "exclude_min", "exclude_max", "allow_nan", "allow_infinity")


def _call(constraint: Constraint) -> Call:
    found = constraint.strategy()
    found = found.call if isinstance(found, ByRecipe) else found
    assert isinstance(found, Call)
    return found


def _but_dtype(call: Call) -> Any:
    return call.function, [one for one in call.kwargs if one[0] != "dtype"]


def _are_just_floats(constraint: Any, dtypes: tuple[str, ...]) -> bool:
    """Say whether elements are all floats between two ends that a dtype has."""
    found = [(one, constraint.element(one)) for one in dtypes]
    return all(
        isinstance(element, floats) and dtype == f"float{element.width}" for dtype, element in found
    )


def _side(symbol: Any, draft: Draft) -> str:
    return str(symbol.value) if isinstance(symbol, Known) else draft.said(symbol)


def _largest(symbol: Any, box: Box) -> float:
    return symbol.value if isinstance(symbol, Known) else symbol.bounds(box)[1]  # type: ignore[no-any-return]
