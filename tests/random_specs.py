"""Random annotated modules, as source text: all constraints, nested; every kind of function."""

import hypothesis.strategies as st

HEAD = """\
import enum
from typing import Annotated

import numpy as np

from annotest import *

LOW = 2
SPAN = 3
NAMELESS = lambda: 1  # noqa: E731


class Mode(enum.Enum):
    TRAIN = 1
    TEST = 2


def late():
    return ["relu", "tanh"]


def is_even(value):
    return value % 2 == 0


def doubled(value):
    return value * 2


@generator
@exclude
@arg(size=ints(1, 3), name=strs(max_len=3))
@require("size < 3 or name != ''")
def made(size, name="x"):
    return {"size": size, "name": name}


@generator
@exclude
@arg(inner=objs(made), more=lists(objs("made"), max_len=2))
def made_of_made(inner, *more):
    return [inner, *more]


def check(name, values):
    for key, constraint in CHECKS[name].items():
        reasons = [str(reason) for reason in constraint.mismatches(values[key], key)]
        assert not reasons, reasons


CHECKS = {}
"""

small = st.integers(-4, 9)
lengths = st.integers(0, 3)


@st.composite
def bounds(draw, low="min", high="max"):
    """Bounds as literals, names of the module, or expressions."""
    forms = [
        lambda: f"{low}={draw(small)}",
        lambda: f"{low}=LOW, {high}=LOW + SPAN",
        lambda: f"{low}=-(2**2), {high}=2**4",
        lambda: f"{high}={draw(small)}",
        lambda: "",
    ]
    return draw(st.sampled_from(forms))()


def joined(*parts):
    return ", ".join(part for part in parts if part)


@st.composite
def sizes(draw, low="min_len", high="max_len"):
    start = draw(lengths)
    extra = draw(st.none() | st.integers(0, 2))
    return f"{low}={start}" if extra is None else f"{low}={start}, {high}={start + extra}"


@st.composite
def atoms(draw):
    """The source of a constraint without constraints in it."""
    kind = draw(st.sampled_from(sorted(ATOMS)))
    return draw(ATOMS[kind])


ATOMS = {
    "ints": st.builds("ints({})".format, bounds()),
    "multiples": st.builds("ints(0, 64, multiple_of={})".format, st.integers(1, 9)),
    "floats": st.builds("floats({})".format, bounds()),
    "open": st.just("floats(0, 1, exclude_min=True, exclude_max=True)"),
    "narrow": st.sampled_from(
        ["floats(0.1, 0.7, width=32)", "floats(0.1, 0.7, width=16, exclude_max=True)"]
    ),
    "special": st.just("floats(allow_nan=True, allow_infinity=True)"),
    "bools": st.just("bools()"),
    "strs": st.builds(lambda size: f"strs({size})", sizes())
    | st.sampled_from(["strs(alphabet='ab\"')", "strs(pattern='[ab]+x?')"]),
    "froms": st.sampled_from(
        [
            "froms([1, 'a', None, 2.5, (1, 2), float('inf')])",
            "froms([[1], {'k': [2]}, {3}])",
            "froms(Mode)",
            "froms(range(0, 9, 3))",
            "froms(late)",
            "froms([np.float32, len, np.int8(3), np.arange(3)])",
            "froms(['it is \"quoted\"', \"it's\", 'line\\nbreak', 'é' * 120])",
            "froms([NAMELESS])",
        ]
    ),
    "int_lists": st.builds(lambda a, b: f"int_lists({joined(a, b)})", bounds(), sizes()),
    "float_lists": st.builds(lambda a, b: f"float_lists({joined(a, b)})", bounds(), sizes()),
    "bool_lists": st.builds("bool_lists({})".format, sizes()),
    "str_lists": st.builds("str_lists({})".format, sizes()),
    "np_shapes": st.builds("np_shapes({})".format, sizes("min_dims", "max_dims")),
    "np_arrays": st.sampled_from(
        [
            "np_arrays()",
            "np_arrays('float32', (2, 3), min=0.1, max=0.9)",
            "np_arrays(np.uint8, np_shapes(max_dims=2))",
            "np_arrays('int16', (LOW, ints(1, 2)), min=-SPAN, max=SPAN)",
            "np_arrays(froms(['float16', 'float64']), 2, min=0, exclude_min=True)",
            "np_arrays('int64', 3, elements=ints(0, 9), unique=True)",
            "np_arrays(bool, 2)",
            "np_arrays('float32', (3, ints(1, 900)), max=0.9, exclude_max=True)",
            "np_arrays('int8', (ints(1, 70), 30), contents='one_hot')",
            "np_arrays('float64', 4, contents='sorted')",
            "np_arrays(shape=(2, 600), contents='probabilities')",
            "np_arrays(min=0, max=1, shape=2)",
        ]
    ),
    "objs": st.sampled_from(["objs(made)", "objs('made_of_made')"]),
}


def nested(inner):
    hashable = st.sampled_from(["ints(0, 9)", "strs(max_len=2)", "bools()", "tuples(ints(0, 3))"])
    return st.one_of(
        st.builds(lambda t, s: f"lists({joined(t, s)})", inner, sizes()),
        st.builds("lists({}, len=2)".format, inner),
        st.builds("lists({}, max_len=2, unique=True)".format, hashable),
        st.lists(inner, max_size=3).map(lambda parts: f"tuples({', '.join(parts)})"),
        st.builds(lambda t, s: f"tuples({joined(t, s)})", inner, sizes()),
        st.builds("sets({}, max_len=2)".format, hashable),
        st.builds("dicts({}, {}, max_size=2)".format, hashable, inner),
        st.builds("dicts({{'a': {}, 'b?': {}}})".format, inner, inner),
        st.builds("anys(-1, None, {}, {})".format, inner, inner),
        st.builds("ints(0, 9).where({})".format, st.sampled_from(["is_even", "lambda v: v > 3"])),
        st.builds("ints(0, 9).map({})".format, st.sampled_from(["doubled", "lambda v: -v"])),
    )


constraints = st.recursive(atoms(), nested, max_leaves=4)

PARAMETERS = [
    "a, b",
    "a, /, b",
    "a, *, b",
    "a, b=None",
    "a, /, b=None, *, c=3",
    "a, *b",
    "a, *, b=None, **c",
    "*a, b",
    "a=None, *b, c",
    "l, draw, st",
]
REQUIRES = [
    "",
    "@require('LOW < SPAN')\n",
    "@require('True or ' + ' or '.join(['LOW == %d' % n for n in range(30)]))\n",
    "@require(lambda: True)\n",
    "@require('all(v is v for v in [1, 2])')\n",
    "@require('SPAN ==\\n 3')\n",
]


def names_in(parameters):
    for part in parameters.split(", "):
        name = part.split("=")[0]
        if name not in ("/", "*"):
            yield name


def constraint_for(name):
    if name.startswith("**"):
        return st.builds("dicts({{'x': {}, 'y?': {}}})".format, atoms(), atoms())
    if name.startswith("*"):
        return st.builds("lists({}, max_len=2)".format, constraints)
    return constraints


@st.composite
def functions(draw, number, self_name=""):
    """The source of one annotated function, and of the checks of its own arguments."""
    name = f"f{number}"
    parameters = draw(st.sampled_from(PARAMETERS))
    chosen = {n: draw(constraint_for(n)) for n in names_in(parameters)}
    plain = {n.lstrip("*"): c for n, c in chosen.items()}
    checks = f"CHECKS['{name}'] = {{{', '.join(f'{n!r}: {c}' for n, c in plain.items())}}}\n"
    notes = "".join(f"@arg({n}={c})\n" for n, c in plain.items())
    require = draw(st.sampled_from(REQUIRES))
    head = f"{self_name}, {parameters}" if self_name else parameters
    # what *args collects is a tuple; its annotation speaks of a list
    values = {
        n.lstrip("*"): f"list({n[1:]})" if n.count("*") == 1 else n.lstrip("*") for n in chosen
    }
    shown = ", ".join(f"{n!r}: {text}" for n, text in values.items())
    body = f"    check('{name}', {{{shown}}})\n"
    return name, checks, f"{require}{notes}def {name}({head}):\n{body}"


@st.composite
def modules(draw):
    """A module of a few functions and a class."""
    parts = [HEAD]
    for number in range(draw(st.integers(1, 3))):
        _, checks, text = draw(functions(number))
        parts.append(checks + text)
    _, checks, text = draw(functions(9, self_name="self"))
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    start = draw(atoms())
    parts.append(
        f"{checks}class Model:\n    @arg(start={start})\n"
        f"    def __init__(self, start):\n        self.start = start\n\n{indented}"
    )
    return "\n\n".join(parts)
