"""A second evaluator of annotations: plain Python on a finished call, sharing nothing with src.

A `Call` describes annotations of its own, which it can write as a module and check by eval. What a
name means in a size is found by trying: a call is valid if some value of each dimension makes it so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

SIDES = range(1, 9)  # the values of a dimension about which nothing is said
LONGEST = 3000  # what is longer is left out of the tests, not found to be wrong


def number(text: str, names: dict[str, Any]) -> Any:
    """Return what an expression is, or None where it cannot be evaluated."""
    try:
        return eval(text, {}, names)
    except Exception:
        return None


def is_size(text: str, names: dict[str, Any], size: int) -> bool:
    found = number(text, names)
    return type(found) is int and found == size


def can_be(text: str, names: dict[str, Any]) -> bool:
    found = number(text, names)
    return type(found) is int and found >= 0


@dataclass(frozen=True)
class Array:
    """An array with these sides, and elements between two ends; an end that is "" is open.

    A side such as "n?" is there where n means something.
    """

    sides: tuple[str, ...]
    low: str = ""
    high: str = ""
    dtype: str = "float32"

    def source(self) -> str:
        bounds = "".join(f', {end}="{self._ends[end]}"' for end in self._ends)
        return f'np_arrays("{self.dtype}", "{" ".join(self.sides)}"{bounds})'

    @property
    def _ends(self) -> dict[str, str]:
        return {name: text for name, text in (("min", self.low), ("max", self.high)) if text}

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        shape, present = getattr(value, "shape", None), self._present(names)
        if shape is None or len(shape) != len(present) or not self._has_elements(names):
            return False
        ends = {name: number(text, names) for name, text in self._ends.items()}
        elements = value.ravel().tolist() if ends else []
        inside = all(ends.get("min", one) <= one <= ends.get("max", one) for one in elements)
        sizes = all(map(lambda side, size: is_size(side, names, size), present, shape))
        return inside and sizes

    def _present(self, names: dict[str, Any]) -> list[str]:
        """Return the sides that are there."""
        there = (side for side in self.sides if side[-1] != "?" or names[side[:-1]] is not None)
        return [side.removesuffix("?") for side in there]

    def exists(self, names: dict[str, Any]) -> bool:
        sides = self._present(names)
        return all(can_be(side, names) for side in sides) and self._has_elements(names)

    def _has_elements(self, names: dict[str, Any]) -> bool:
        """Say whether some number lies between the ends: else there is no array, empty or not."""
        ends = [number(text, names) for text in self._ends.values()]
        if not all(type(end) is int for end in ends):
            return False
        least, most = {"uint8": (0, 255)}.get(self.dtype, (-math.inf, math.inf))
        low = number(self.low, names) if self.low else least
        high = number(self.high, names) if self.high else most
        return max(low, least) <= min(high, most)

    def sizes(self) -> Iterator[str]:
        yield from (side.removesuffix("?") for side in self.sides)

    def texts(self) -> Iterator[str]:
        yield from (*self.sizes(), self.low, self.high)


def in_order(shape: tuple[int, ...], strides: tuple[int, ...], *order: int) -> bool:
    """Say whether elements stand one after the other, with the sides in this order.

    A side of one has no stride.
    """
    sides = [shape[axis] for axis in order]
    steps = [math.prod(sides[place + 1 :]) for place in range(len(sides))]
    found = zip(order, steps, strict=True)
    return all(shape[axis] == 1 or strides[axis] == step for axis, step in found)


def is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...], start: int) -> bool:
    return start == 0 and in_order(shape, strides, *range(len(shape)))


def is_transposed(shape: tuple[int, ...], strides: tuple[int, ...], start: int) -> bool:
    return in_order(shape, strides, *range(len(shape) - 2), len(shape) - 1, len(shape) - 2)


def is_channels_last(shape: tuple[int, ...], strides: tuple[int, ...], start: int) -> bool:
    return len(shape) in (4, 5) and in_order(shape, strides, 0, *range(2, len(shape)), 1)


def is_sliced(shape: tuple[int, ...], strides: tuple[int, ...], start: int) -> bool:
    """Say whether there is an offset, a step, and something between one row and the next."""
    rows = shape[-1] * 2 < strides[-2] if len(shape) > 1 else True
    return start > 0 and strides[-1] == 2 and rows


# what is true of the shape, the strides and the offset of a tensor in each layout
LAYOUTS = {
    "contiguous": is_contiguous,
    "transposed": is_transposed,
    "sliced": is_sliced,
    "channels_last": is_channels_last,
    "expanded": lambda shape, strides, start: shape[0] == 1 or strides[0] == 0,
}


@dataclass(frozen=True)
class Tensor(Array):
    """A torch tensor of a dtype, in one of some layouts, with elements between 0 and 1."""

    layouts: tuple[str, ...] = ()

    def source(self) -> str:
        bounds = "" if self.dtype.startswith(("bool", "complex")) else ", min=0, max=1"
        layouts = f", layout={list(self.layouts)}"
        return f'tensors("{" ".join(self.sides)}", "{self.dtype}"{bounds}{layouts})'

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        place = tuple(value.shape), value.stride(), value.storage_offset()
        return (
            super().accepts(value, names)
            and str(value.dtype) == f"torch.{self.dtype}"
            and any(LAYOUTS[layout](*place) for layout in self.layouts)
            and (value.is_complex() or all(0 <= one <= 1 for one in value.flatten().tolist()))
        )


@dataclass(frozen=True)
class Cast:
    """An array that broadcasts to that of another argument."""

    to: str

    def source(self) -> str:
        return f'np_arrays("float32", broadcasts("{self.to}"))'

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        shape, to = getattr(value, "shape", None), names[self.to].shape
        if shape is None or len(shape) > len(to):
            return False
        whole = (1,) * (len(to) - len(shape)) + shape
        return all(side in (1, other) for side, other in zip(whole, to, strict=True))

    def exists(self, names: dict[str, Any]) -> bool:
        return True

    def sizes(self) -> Iterator[str]:
        yield from ()


@dataclass(frozen=True)
class Numbers:
    """A list of whole numbers of this length."""

    length: str
    word: str = "lists(ints(0, 9), "

    def source(self) -> str:
        return f'{self.word}len="{self.length}")'

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        return type(value) is list and is_size(self.length, names, len(value))

    def exists(self, names: dict[str, Any]) -> bool:
        return can_be(self.length, names)

    def sizes(self) -> Iterator[str]:
        yield self.length

    def texts(self) -> Iterator[str]:
        yield from self.sizes()


@dataclass(frozen=True)
class Items:
    """A list of one or two of something."""

    item: Any

    def source(self) -> str:
        return f"lists({self.item.source()}, min_len=1, max_len=2)"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        if type(value) is not list or not 1 <= len(value) <= 2:
            return False
        return all(self.item.accepts(item, names) for item in value)

    def exists(self, names: dict[str, Any]) -> bool:
        return bool(self.item.exists(names))

    def sizes(self) -> Iterator[str]:
        yield from self.item.sizes()


@dataclass(frozen=True)
class Pair:
    """A tuple of two."""

    first: Any
    second: Any

    def source(self) -> str:
        return f"tuples({self.first.source()}, {self.second.source()})"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        parts = (self.first, self.second)
        if type(value) is not tuple or len(value) != 2:
            return False
        return all(part.accepts(item, names) for part, item in zip(parts, value, strict=True))

    def exists(self, names: dict[str, Any]) -> bool:
        return bool(self.first.exists(names) and self.second.exists(names))

    def sizes(self) -> Iterator[str]:
        yield from self.first.sizes()
        yield from self.second.sizes()


@dataclass(frozen=True)
class Keys:
    """A dict with one key that is there and one that may be."""

    there: Any
    perhaps: Any

    def source(self) -> str:
        return f'dicts({{"a": {self.there.source()}, "b?": {self.perhaps.source()}}})'

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        if type(value) is not dict or not {"a"} <= value.keys() <= {"a", "b"}:
            return False
        if not self.there.accepts(value["a"], names):
            return False
        return "b" not in value or bool(self.perhaps.accepts(value["b"], names))

    def exists(self, names: dict[str, Any]) -> bool:
        return bool(self.there.exists(names))

    def sizes(self) -> Iterator[str]:
        yield from self.there.sizes()
        yield from self.perhaps.sizes()


@dataclass(frozen=True)
class Maybe:
    """None, or something."""

    something: Any

    def source(self) -> str:
        return f"anys(None, {self.something.source()})"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        return value is None or bool(self.something.accepts(value, names))

    def exists(self, names: dict[str, Any]) -> bool:
        return True

    def sizes(self) -> Iterator[str]:
        yield from self.something.sizes()


@dataclass(frozen=True)
class Mapped:
    """Something in a box of the test's own, made by `.map`."""

    inside: Any

    def source(self) -> str:
        return f"{self.inside.source()}.map(Box)"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        return type(value).__name__ == "Box" and bool(self.inside.accepts(value.content, names))

    def exists(self, names: dict[str, Any]) -> bool:
        return bool(self.inside.exists(names))

    def sizes(self) -> Iterator[str]:
        yield from self.inside.sizes()


@dataclass(frozen=True)
class Where(Mapped):
    """Something that is filtered, by a predicate that most values satisfy."""

    def source(self) -> str:
        return f"{self.inside.source()}.where(is_fine)"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        return bool(self.inside.accepts(value, names))


@dataclass(frozen=True)
class Small:
    """A whole number between two."""

    low: int
    high: int

    def source(self) -> str:
        return f"ints({self.low}, {self.high})"

    def accepts(self, value: Any, names: dict[str, Any]) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def exists(self, names: dict[str, Any]) -> bool:
        return True

    def sizes(self) -> Iterator[str]:
        yield from ()


HEAD = """\
import numpy as np
from annotest import (
    anys, arg, broadcasts, dicts, exclude, generator, int_lists, ints, lists, np_arrays, objs,
    require, tensors, tuples
)

STEP = 3


class Box:
    def __init__(self, content):
        self.content = content


def is_fine(value):
    return True


"""


@dataclass
class Call:
    """A function with annotations: what may be asked of a call of it, and the module that has it.

    `arguments` are annotated, `fixed` have a default and no annotation, `dims` are the names in
    sizes that are no arguments. `own` are the attributes of its instance, where it is a method.
    `in_generator` puts the annotations on a generator, of which the function gets the value.
    """

    arguments: dict[str, Any]
    fixed: dict[str, int] = field(default_factory=dict)
    dims: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()  # of the dimensions, those that may mean nothing
    own: dict[str, Small] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    in_generator: bool = False

    def source(self) -> str:
        """Return the module: `target` is to be called, and keeps its arguments in SEEN."""
        said = ", ".join(f"{name}={one.source()}" for name, one in self.arguments.items())
        given = [*self.arguments, *(f"{name}={value}" for name, value in self.fixed.items())]
        lines = [f"@arg({said})", *(f"@require({text!r})" for text in self.conditions)]
        kept = "dict(" + ", ".join(f"{one}={one}" for one in (*self.arguments, *self.fixed)) + ")"
        if self.own:
            return HEAD + self._method(lines, given, kept)
        if self.in_generator:
            made = [*lines, "@generator", "@exclude", f"def made({', '.join(given)}):"]
            made += [f"    return {kept}", "", "", "@arg(whole=objs(made))"]
            return HEAD + "\n".join([*made, "def target(whole):", "    SEEN.append(whole)", ""])
        body = [f"def target({', '.join(given)}):", f"    SEEN.append({kept})", ""]
        return HEAD + "\n".join([*lines, *body])

    def _method(self, lines: list[str], given: list[str], kept: str) -> str:
        names = ", ".join(self.own)
        said = ", ".join(f"{name}={one.source()}" for name, one in self.own.items())
        body = ["class Layer:", f"    @arg({said})", f"    def __init__(self, {names}):"]
        body += [f"        self.{name} = {name}" for name in self.own]
        body += ["", *(f"    {line}" for line in lines)]
        body += [f"    def target(self, {', '.join(given)}):"]
        body += [f"        SEEN.append({kept[:-1]}, self=self))", ""]
        return "\n".join(body)

    def _scopes(self, names: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield what all names may mean, the dimensions being anything."""
        sides = ((None, *SIDES) if name in self.optional else SIDES for name in self.dims)
        for values in itertools.product(*sides):
            yield {"STEP": 3, **names, **dict(zip(self.dims, values, strict=True))}

    def accepts(self, call: dict[str, Any]) -> bool:
        """Say whether a call is valid."""
        return any(self._fits(call, names) for names in self._scopes(call))

    def _fits(self, call: dict[str, Any], names: dict[str, Any]) -> bool:
        if not all(number(text, names) for text in self.conditions):
            return False
        return all(one.accepts(call[name], names) for name, one in self.arguments.items())

    def _numbers(self) -> Iterator[dict[str, Any]]:
        """Yield every choice of the whole numbers of a call, and of its dimensions."""
        small = {name: one for name, one in self.arguments.items() if isinstance(one, Small)}
        ranges = [range(one.low, one.high + 1) for one in (*small.values(), *self.own.values())]
        for values in itertools.product(*ranges):
            arguments = dict(zip(small, values, strict=False))
            own = dict(zip(self.own, values[len(small) :], strict=True))
            layer = type("Layer", (), own)
            yield from self._scopes({**self.fixed, **arguments, "self": layer})

    def share_of_numbers(self) -> float:
        """Return for how many of the choices of numbers there is a valid call."""
        every = [self._exists(names) for names in self._numbers()]
        return sum(every) / len(every)

    def _exists(self, names: dict[str, Any]) -> bool:
        if not all(number(text, names) for text in self.conditions):
            return False
        return all(one.exists(names) for one in self.arguments.values())

    def longest(self) -> int:
        """Return the largest size that any choice of numbers gives, as far as one is that large."""
        texts = {text for one in self.arguments.values() for text in one.sizes()}
        sizes = (number(text, names) for names in self._numbers() for text in texts)
        return max((size for size in sizes if type(size) is int), default=0)
