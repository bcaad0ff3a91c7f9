"""Preconditions that raise: the hint fits what was raised."""

import ast
import json

import pytest
from conftest import annotest

HEAD = """\
from annotest import *


class Layer:
    def __init__(self):
        self.units, self.mask = 3, None

    def __getattr__(self, name):
        raise AttributeError(f"a layer has no {name}")


class Odd:
    def __dir__(self): raise SystemExit("no names")

    def __len__(self): raise ValueError("no length")

    def __getitem__(self, key): raise KeyError(key)


def helper(values): return values[7]


WORDS = {"w" * 5000 + str(n): n for n in range(2)}
MANY = {f"key{n}": n for n in range(20)}
"""

ARRAY = 'x=np_arrays("float32", (2, 3), min=0, max=1)'
OPTIONAL = f"{ARRAY}, mask=froms([None])"
RECORD = 'cfg=dicts({"kernel_size": ints(1, 3), "stride": ints(1, 2)})'
EMPTY = "a=lists(ints(), max_len=0)"
PLAIN = "guard it, or correct it"
MASK = "guard it with `mask is None or …`"
ELEMENTS = "write `.all()` or `.any()` behind each comparison, as in `(x > 0).all()`"
LONG_KEY = "'" + "w" * 59 + "…"
LONG_NAME = "values_" + "x" * 60

# the arguments, the condition, the hint
CASES = {
    "misspelt attribute": (
        ARRAY,
        '"x.shpae[0] > 1"',
        "x is of type ndarray. Did you mean 'shape'?",
    ),
    "misspelt in a lambda": (
        ARRAY,
        "lambda x: x.shpae[0] > 1",
        "x is of type ndarray. Did you mean 'shape'?",
    ),
    "other attribute": (
        "n=ints(1, 3)",
        '"n.shape[0] > 1"',
        "n is of type int: guard it with `hasattr(n, 'shape') and …`",
    ),
    "own __getattr__": (
        "m=froms([Layer()])",
        '"m.unit > 1"',
        "m is of type Layer. Did you mean 'units'?",
    ),
    "misspelt key": (
        RECORD,
        "\"cfg['kernel'] > 1\"",
        "cfg has the keys 'kernel_size', 'stride'. Did you mean 'kernel_size'?",
    ),
    "other key": (
        RECORD,
        "\"cfg['pad'] > 1\"",
        "cfg has the keys 'kernel_size', 'stride': guard it with `'pad' in cfg and …`",
    ),
    "no keys": (
        "cfg=froms([{}])",
        "\"cfg['pad'] > 1\"",
        "cfg has no keys: guard it with `'pad' in cfg and …`",
    ),
    "many keys": (
        "n=ints(1, 3)",
        '"MANY[n] > 1"',
        "MANY has the keys 'key0', 'key1', 'key2', 'key3', 'key4', 'key5', 'key6', 'key7', …: "
        "guard it with `n in MANY and …`",
    ),
    "third side": (
        ARRAY,
        "\"str(x.shape[2]) == '1'\"",
        "x.shape has 2 items: guard it with `len(x.shape) > 2 and …`",
    ),
    "empty list": (
        EMPTY,
        "\"str(a[0]) == '1'\"",
        "a has 0 items: guard it with `len(a) > 0 and …`, or annotate it with min_len=1",
    ),
    "from the end": (
        "a=lists(ints(), len=1)",
        "\"str(a[-2]) == '1'\"",
        "a has 1 item: guard it with `len(a) > 1 and …`, or annotate it with min_len=2",
    ),
    "in a comprehension": (
        "a=lists(ints(), len=1)",
        '"all(str(a[i]) for i in range(3))"',
        "a has 1 item: guard it with `len(a) > i and …`",
    ),
    "truth of an array": (ARRAY + ", n=ints(2, 3)", '"x < n"', ELEMENTS),
    "truth in a chain": (ARRAY + ", n=ints(2, 3)", '"0 <= x < n"', ELEMENTS),
    "attribute of None": (OPTIONAL, '"mask.shape == x.shape"', MASK),
    "length of None": (OPTIONAL, '"len(mask) == len(x)"', MASK),
    "item of None": (OPTIONAL, '"len(x) > 0 and mask[0]"', MASK),
    "None compared": (OPTIONAL, '"x.ndim < mask"', MASK),
    "None of an object": (
        "m=froms([Layer()])",
        '"m.mask.shape"',
        "guard it with `m.mask is None or …`",
    ),
    "division": (
        "n=froms([0])",
        '"6 % n == 0"',
        "guard it with `n != 0 and …`, or annotate a range without 0",
    ),
    "division by a choice": (
        "n=froms([0])",
        '"6 / (n or 0) > 1"',
        "guard it with `(n or 0) != 0 and …`, or annotate a range without 0",
    ),
    "over two lines": (
        "n=froms([0])",
        '"""n > 1 or (\n    6 //\n    n) == 0"""',
        "guard it with `n != 0 and …`, or annotate a range without 0",
    ),
    "behind wide characters": (
        "n=froms([0])",
        "\"'größer' == '' or 6 // n == 0\"",
        "guard it with `n != 0 and …`, or annotate a range without 0",
    ),
    "other type": ("n=ints(1, 3)", '"len(n) > 1"', PLAIN),
    "in a helper": ("a=lists(ints(), len=1)", '"helper(a)"', PLAIN),
    "raised on purpose": (EMPTY, '"next(iter(a)) > 1"', PLAIN),
    "hostile names": ("m=froms([Odd()])", '"m.shpae"', PLAIN),
    "hostile items": ("m=froms([Odd()])", "\"m['a']\"", PLAIN),
    "long keys": (
        "n=ints(1, 3)",
        '"WORDS[n] > n"',
        f"WORDS has the keys {LONG_KEY}, {LONG_KEY}: guard it with `n in WORDS and …`",
    ),
    "long key": (
        "w=froms(['w' * 5000])",
        '"WORDS[w] > 1"',
        f"WORDS has the keys {LONG_KEY}, {LONG_KEY}: guard it with `w in WORDS and …`",
    ),
    "long text": (f"{LONG_NAME}=froms([0])", f'"6 / {LONG_NAME} > 1"', PLAIN),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    folder = tmp_path_factory.mktemp("raised")
    text = HEAD
    for number, (arguments, condition, _) in enumerate(CASES.values()):
        names = ", ".join(one.arg for one in ast.parse(f"f({arguments})").body[0].value.keywords)
        head = f"@require({condition})\n@arg({arguments})"
        text += f"\n\n{head}\ndef f{number}({names}): pass\n"
    (folder / "raised.py").write_text(text)
    annotest("run", "raised.py", "--max-examples", "5", "--json", "out.json", cwd=folder)
    record = json.loads((folder / "out.json").read_text())
    return {
        mistake["function"]: (mistake["reason"], mistake["remedy"])
        for mistake in record["mistakes"]
    }


@pytest.mark.parametrize("name", CASES)
def test_the_hint_fits_what_was_raised(said, name):
    reason, remedy = said[f"f{list(CASES).index(name)}"]
    assert reason.startswith("it raises ")
    assert remedy == CASES[name][2]
