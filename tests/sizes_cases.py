"""Random calls with sizes in them: expressions × where they stand × where their names come from."""

from __future__ import annotations

import dataclasses
import random
import re
from typing import Any

from naive import (
    LONGEST,
    Array,
    Call,
    Cast,
    Items,
    Keys,
    Mapped,
    Maybe,
    Numbers,
    Pair,
    Small,
    Where,
)

OPERATORS = ["+", "-", "*", "//", "%", "**"]
FUNCTIONS = ["min", "max", "abs"]
SOURCES = ["argument", "dimension", "hidden dimension", "fixed", "self"]
PLACES = {
    "array": lambda sized: sized,
    "tuple": lambda sized: Pair(sized, Small(0, 3)),
    "tuple of two": lambda sized: Pair(sized, sized),
    "dict": lambda sized: Keys(sized, Small(0, 3)),
    "optional key": lambda sized: Keys(Small(0, 3), sized),
    "union": Maybe,
    "map": Mapped,
    "where": Where,
    "items": Items,
    "union of items": lambda sized: Maybe(Items(sized)),
    "items of a union": lambda sized: Items(Maybe(sized)),
    "map in a union": lambda sized: Maybe(Mapped(sized)),
    "map of a tuple": lambda sized: Mapped(Pair(sized, Small(0, 3))),
    "union in a tuple": lambda sized: Pair(Maybe(sized), Small(0, 3)),
    "dict in a list": lambda sized: Items(Keys(sized, Small(0, 3))),
}


def expression(chance: random.Random, names: list[str], depth: int = 2) -> str:
    """Return arithmetic over these names, without blanks."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice([*names, *names, str(chance.choice([0, 1, 2, 2, 3, 4]))])
    left, right = (expression(chance, names, depth - 1) for _ in range(2))
    if depth == 1 and left.isdigit() and right.isdigit():
        left = chance.choice(names)
    if chance.random() < 0.2:
        function = chance.choice(FUNCTIONS)
        return f"abs({left})" if function == "abs" else f"{function}({left},{right})"
    operator = chance.choice(OPERATORS)
    if operator == "**":
        right = str(chance.randrange(3))
    return f"({left}){operator}({right})" if depth > 1 else f"{left}{operator}{right}"


def random_call(seed: int) -> tuple[str, Call] | None:
    """Return a call and what is special about it; None where its sizes would be too large."""
    chance = random.Random(seed)
    sources = [chance.choice(SOURCES) for _ in range(chance.choice([1, 2, 2]))]
    place = chance.choice(list(PLACES))
    arguments: dict[str, Any] = {}
    fixed: dict[str, int] = {}
    own: dict[str, Small] = {}
    dims, names = [], []
    for letter, source in zip("nm", sources, strict=False):
        low = chance.randrange(3)
        values = Small(low, low + chance.choice([0, 2, 5]))
        if source == "argument":
            arguments[letter] = values
        elif source == "self":
            own[letter] = values
        elif source == "fixed":
            fixed[letter] = values.high
        else:
            dims.append(letter)
        if source == "dimension":
            arguments[f"of_{letter}"] = Array((letter,))
        names.append(f"self.{letter}" if source == "self" else letter)
    text = expression(chance, names)
    if not set(re.findall(r"[a-z]+", text)) & {"n", "m"}:
        text = f"{names[0]}+{text}"  # numbers alone are refused where they are no size
    sized = Array((text,)) if chance.random() < 0.5 else Numbers(text)
    if isinstance(sized, Array) and chance.random() < 0.5:
        sized = chance.choice([_two_sides, _bounded])(chance, text, names)
    elif chance.random() < 0.3:
        sized = Numbers(text, "int_lists(")
    arguments["x"] = PLACES[place](sized)
    told = {*re.findall(r"\w+", text), *(name.removeprefix("of_") for name in arguments)}
    known = [name for name in names if name not in dims or name in told]
    conditions = _conditions(chance, known or ["STEP"])
    in_generator = not own and chance.random() < 0.2
    used = tuple(one for one in dims if one in " ".join((*sized.texts(), *conditions)))
    used += tuple(one for one in dims if one not in used and f"of_{one}" in arguments)
    call = Call(arguments, fixed, used, conditions=conditions, own=own, in_generator=in_generator)
    _make_optional(chance, call)
    _cast(chance, call)
    if call.longest() > LONGEST:
        return None
    what = f"{text} in {place} from {'+'.join(sources)}{' in a generator' if in_generator else ''}"
    return f"{what} with {conditions[0]}" if conditions else what, call


def _make_optional(chance: random.Random, call: Call) -> None:
    """Let the side of a dimension be there or not, in some calls: in one array, or in two."""
    if not call.dims or call.conditions or chance.random() < 0.7:
        return
    name = chance.choice(call.dims)
    call.optional = (name,)
    call.arguments["y"] = Array((f"{name}?", "2"))
    sized = call.arguments["x"]
    if isinstance(sized, Array):
        call.arguments["x"] = dataclasses.replace(sized, sides=(f"{name}?", *sized.sides))


def _cast(chance: random.Random, call: Call) -> None:
    """Let one more array broadcast to another, in some calls; and in some of these one to it."""
    arrays = [name for name, one in call.arguments.items() if isinstance(one, Array)]
    if arrays and chance.random() < 0.3:
        cast = Cast(chance.choice(arrays))
        call.arguments["z"] = chance.choice([cast, cast, Mapped(cast), Items(cast)])
        if call.arguments["z"] is cast and chance.random() < 0.3:
            call.arguments["a"] = Cast("z")


def _two_sides(chance: random.Random, text: str, names: list[str]) -> Array:
    return Array((text, f"{names[-1]}+1"))


def _bounded(chance: random.Random, text: str, names: list[str]) -> Array:
    """Return an array with named bounds: the expression is one of them, or a side."""
    dtype = chance.choice(["int64", "float32", "uint8"])
    low = chance.choice(["", "0", f"{names[0]}-2", f"-{names[-1]}"])
    if chance.random() < 0.5:
        return Array((text,), low, f"{names[-1]}-{chance.randrange(3)}", dtype)
    return Array((names[-1],), low, text, dtype)


_SAFE = ["", "+STEP", "-STEP", "*STEP", "//STEP", "%STEP", "**2", "+1", "-2", "*3", "//2", "%2"]


def _conditions(chance: random.Random, names: list[str]) -> tuple[str, ...]:
    """Return a precondition in some calls; the module's STEP is a name from outside.

    One that raises is a mistake: nothing is divided by what may be zero.
    """
    if chance.random() < 0.75:
        return ()
    left, right = (f"{chance.choice(names)}{chance.choice(_SAFE)}" for _ in range(2))
    return (f"max({left}, STEP) {chance.choice(['<=', '!=', '>=', '<'])} abs({right})",)
