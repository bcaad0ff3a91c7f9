"""Arrays, drawn: small ones element by element, large ones as recipes of a few choices."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
from hypothesis import reject

from annotest.constraints import np_arrays, tensors
from annotest.expr import evaluate
from annotest.frameworks import Framed
from annotest.frameworks.seeded import Seeded
from annotest.large import (
    ANY,
    DISTINCT,
    EVEN,
    EXPONENTS,
    LARGE,
    MOST_ELEMENTS,
    ONE_HOT,
    PROBABILITIES,
    RISING,
    Constant,
    Fill,
    LargeArray,
    Numbers,
    Picked,
    arranged,
    count_of,
    one_hot,
)
from annotest.plan.choosing import below
from annotest.plan.framing import ways_to_frame
from annotest.plan.recipe import Applied
from annotest.records import record

KEPT = 1024
FEW, MANY = 5, 16


def array_recipes(dtype: Any, shape: Any, **options: Any) -> st.SearchStrategy[Any]:
    """Return the strategy of arrays, or of the recipes of large ones; see `strategies.arrays`."""
    if isinstance(dtype, st.SearchStrategy):
        return _chosen_first(dtype, lambda chosen: array_recipes(chosen, shape, **options))
    if isinstance(shape, st.SearchStrategy):
        return _chosen_first(shape, lambda chosen: array_recipes(dtype, chosen, **options))
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    unique, contents = options.pop("unique", False), options.pop("contents", None)
    if contents in (ONE_HOT, PROBABILITIES) and not (shape and shape[-1]):
        return st.nothing()
    if math.prod(shape) > MOST_ELEMENTS:
        return st.nothing()
    plain = LargeArray(shape, np.dtype(dtype).name, Constant(0), contents=contents)
    element = _element(plain, **options)
    if math.prod(shape) <= LARGE or (unique and element.low is None):
        return _small(plain, element, unique)
    return _large(plain, element, unique)


def tensor_recipes(
    shape: Any, dtype: str = "float32", elements: Any = None, **options: Any
) -> st.SearchStrategy[Any]:
    """Return the strategy of recipes of tensors; see `strategies.tensors`."""
    if isinstance(shape, st.SearchStrategy):
        return _chosen_first(shape, lambda sides: tensor_recipes(sides, dtype, elements, **options))
    told = tensors(shape, dtype, **options)
    if elements is None:
        return evaluate(told.strategy(), None)  # type: ignore[arg-type, no-any-return]
    contents = {name: options[name] for name in ("unique", "contents") if name in options}
    building = told.building(told.dtype)
    arrays = array_recipes(
        told.adapter.dtypes[told.dtype].held_as, shape, elements=elements, **contents
    )
    return framed_recipes(arrays, building.framework, told.layouts(), **dict(building.options))


def framed_recipes(
    arrays: Any, framework: str, layouts: tuple[str, ...] = (), **options: Any
) -> st.SearchStrategy[Applied]:
    """Return the strategy of recipes of a framework's arrays; see `strategies.framed`."""
    framed = Framed(framework, tuple(options.items()))
    if layouts:
        return _laid_out(arrays, lru_cache(KEPT)(partial(ways_to_frame, framed, layouts)))
    return arrays.map(partial(Applied, framed))  # type: ignore[no-any-return]


def seeded_recipes(kind: str) -> st.SearchStrategy[Applied]:
    """Return the strategy of recipes of random number generators; see `strategies.seeded`."""
    return _SEEDS.map(partial(Applied, Seeded(kind)))


@st.composite
def _laid_out(draw: Any, arrays: Any, ways_of: Callable[[Any], tuple[Framed, ...]]) -> Applied:
    """Draw an array, then how one of its shape is made."""
    array = draw(arrays)
    ways = ways_of(array.shape)
    return Applied(ways[draw(below(len(ways)))] if len(ways) > 1 else ways[0], array)


def _chosen_first(choices: Any, strategy_of: Callable[[Any], Any]) -> st.SearchStrategy[Any]:
    """Return a strategy that draws a choice, then from its strategy, made once for each."""
    return _from_chosen(choices, lru_cache(KEPT)(strategy_of))


@st.composite
def _from_chosen(draw: Any, choices: Any, strategy_of: Callable[[Any], Any]) -> Any:
    return draw(strategy_of(draw(choices)))


@record
class _Element:
    """What one element may be; `low` and `high` are None where it is not just any number."""

    strategy: Any
    as_written: Any
    low: Any = None
    high: Any = None
    special: tuple[Any, ...] = ()


def _element(plain: LargeArray, elements: Any = None, **bounds: Any) -> _Element:
    if plain.contents == ONE_HOT:
        return _known_element("int64", min=0, max=plain.shape[-1] - 1)
    if plain.contents == PROBABILITIES:
        return _known_element(plain.dtype, min=0.0, max=1.0)
    return (
        _known_element(plain.dtype, **bounds) if elements is None else _Element(elements, elements)
    )


@lru_cache(KEPT)
def _known_element(dtype: str, **bounds: Any) -> _Element:
    element = np_arrays(dtype, **bounds).element(dtype)
    assert element is not None
    low, high = element.fill_ends() or (None, None)
    return _Element(
        evaluate(element.with_ends().strategy(), None),  # type: ignore[arg-type]
        evaluate(element.strategy(), None),  # type: ignore[arg-type]
        low,
        high,
        element.special_values(),
    )


def _small(plain: LargeArray, element: _Element, unique: bool) -> st.SearchStrategy[Any]:
    dtype = "int64" if plain.contents == ONE_HOT else plain.dtype
    drawn = hnp.arrays(dtype, plain.filled_shape, elements=element.as_written, unique=unique)
    if plain.contents == ONE_HOT:
        return drawn.map(partial(one_hot, shape=plain.shape, dtype=plain.dtype))
    return (
        drawn if plain.contents is None else drawn.map(partial(arranged, contents=plain.contents))
    )


_SEEDS = st.integers(0, 2**16 - 1)
_Filling = Callable[[Any, _Element], Fill]


def _everywhere(draw: Any, element: _Element) -> Fill:
    return Constant(draw(element.strategy))


def _some(most: int, draw: Any, element: _Element) -> Fill:
    count = 2 + draw(below(most - 1))
    return Picked(tuple(draw(element.strategy) for _ in range(count)), draw(_SEEDS))


def _all(order: str, scale: str, draw: Any, element: _Element) -> Fill:
    return Numbers(element.low, element.high, draw(_SEEDS), order, scale)


def _between(order: str, scale: str, draw: Any, element: _Element) -> Fill:
    """Take the numbers between two drawn ones."""
    low, high = sorted(_finite(draw(element.strategy), element) for _ in range(2))
    return Numbers(low, high, draw(_SEEDS), order, scale)


def _finite(value: Any, element: _Element) -> Any:
    value = value.real if isinstance(value, complex) else value
    return element.low if value != value else min(max(value, element.low), element.high)


# how the bulk is filled, the simplest first, and whether special values are scattered in it;
# as often as it is listed, and the slow ones seldom
_OF_ANY: list[tuple[_Filling, bool]] = [
    (_everywhere, False),
    (partial(_some, FEW), False),
    (partial(_some, MANY), False),
]
_OF_NUMBERS: list[tuple[_Filling, bool]] = [
    *[(_everywhere, False)] * 3,
    *[(partial(_some, FEW), False)] * 2,
    *[(partial(_between, ANY, EVEN), False)] * 2,
    (partial(_all, ANY, EVEN), False),
    *[(_everywhere, True)] * 5,
    *[(partial(_some, FEW), True)] * 2,
    (partial(_some, MANY), True),
    *[(partial(_between, ANY, EVEN), True)] * 3,
    *[(partial(_all, ANY, EVEN), True)] * 2,
    (partial(_between, RISING, EVEN), False),
    (partial(_all, ANY, EXPONENTS), True),
    (partial(_all, DISTINCT, EVEN), False),
]
_OF_DISTINCT: list[tuple[_Filling, bool]] = [
    (partial(_all, DISTINCT, EVEN), False),
    (partial(_between, DISTINCT, EVEN), False),
    (partial(_all, DISTINCT, EVEN), True),
    (partial(_between, DISTINCT, EXPONENTS), True),
]


@st.composite
def _large(draw: Any, plain: LargeArray, element: _Element, unique: bool) -> LargeArray:
    """Draw how the bulk is filled, and what is placed in it."""
    size = math.prod(plain.filled_shape)
    dtype = np.dtype("int64" if plain.contents == ONE_HOT else plain.dtype)
    known = element.low is not None
    if unique and count_of(element.low, element.high, dtype) < size:
        reject()
    fillings = _OF_DISTINCT if unique else _OF_NUMBERS if known else _OF_ANY
    filling, scattered = fillings[draw(below(len(fillings)))]
    fill = _fitting(filling(draw, element), element, size, dtype, unique)
    placed: dict[int, Any] = {}
    if scattered:
        placed |= _scattered(draw, element, size)
    for _ in range(draw(below(4))):
        where = draw(below(4))  # the first place, the last one, or any
        place = (size - 1) * where if where < 2 else draw(below(size))
        placed[place] = draw(element.strategy)
    kind = dtype.type
    values = tuple((place, kind(value).item()) for place, value in placed.items())
    return dataclasses.replace(plain, fill=_of_dtype(fill, kind), placed=values)


def _fitting(fill: Fill, element: _Element, size: int, dtype: Any, unique: bool) -> Fill:
    """Return a fill that has enough different numbers where they all must differ."""
    if not isinstance(fill, Numbers) or fill.order != DISTINCT:
        return fill
    if count_of(fill.low, fill.high, dtype) >= size:
        return fill
    if unique:
        return dataclasses.replace(fill, low=element.low, high=element.high)
    return dataclasses.replace(fill, order=ANY)


def _scattered(draw: Any, element: _Element, size: int) -> dict[int, Any]:
    """Return some special values, each with a place; more than half of them, before shrinking."""
    masks = below(2 ** len(element.special))
    mask = draw(masks) | draw(masks)
    stride = max(1, int(size * 0.618))
    return {
        (mask + number * stride) % size: value
        for number, value in enumerate(element.special)
        if mask >> number & 1
    }


def _of_dtype(fill: Fill, kind: Any) -> Fill:
    """Return a fill whose values are plain ones of a dtype, whatever drew them."""
    if isinstance(fill, Constant):
        return Constant(kind(fill.value).item())
    if isinstance(fill, Picked):
        return dataclasses.replace(fill, values=tuple(kind(value).item() for value in fill.values))
    return fill
