"""`annotest explain`: how inputs are made, as a person reads it."""

import ast
import json
import re
from dataclasses import dataclass

import pytest
from conftest import annotest, names_shown

NET = """\
from annotest import *


@arg(h=ints(1, 64), k=ints(1, 31), p=ints(0, 3), s=ints(1, 4), bias=bools())
@require("k <= h + 2*p")
@require("(h + 2*p - k) % s == 0")
def conv(h, k, p, s, bias): pass


SPLITS = int_lists(min_len=1, max_len=4, min=1, max=9)


@arg(splits=SPLITS, d=ints(1, 30), name=strs(alphabet="ab", max_len=3))
@require("sum(splits) == d")
@require("name.count('a') == name.count('b')")
def split(splits, d, name): pass


@dims(b=ints(1, 4), k=froms([8, 16]))
@arg(x=np_arrays("float32", "b k"), w=np_arrays("float32", "k m"))
@arg(labels=int_lists(len="b", min=0, max=9), mask=anys(np_arrays("bool", "b"), None))
def matmul(x, w, labels, mask=None): pass


class Dense:
    @arg(units=ints(1, 8))
    def __init__(self, units):
        self.units = units

    @arg(n=ints(1, 64))
    @require("n % self.units == 0")
    def cut(self, n): pass

    @arg(x=np_arrays("int8", "b self.units", min=0, max=0))
    def apply(self, x): pass


@arg(h=ints(1, 64), w=ints(1, 64), p=ints(1, 8))
@require("h % p == 0 and w % p == 0")
def patch(h, w, p): pass


def main() -> None: pass


@generator
@arg(low=ints(0, 9), high=ints(0, 9))
@require("low < high")
def interval(low, high):
    return range(low, high)


@arg(span=objs(interval), n=ints(0, 9))
@require("n in span")
def inside(span, n): pass


@arg(n=ints(1, 3))
@require("n > 1")
def few(n): pass
"""

CONV = """\
net:conv ───────────────────────────────────────────────────────────────────────────────────────────
net.py:4

chosen in this order
  1. p     0..3
  2. s     1..4
  3. k     1..31
  4. h     1..64, such that k <= h + 2*p and (h + 2*p - k) % s == 0
  5. bias  bools()

tried first: up to 28 inputs with one choice fixed, then 52 with pairs of choices
  h: 1, 64 · k: 1, 31 · p: 0, 1, 2, 3 · s: 1, 2, 3, 4 · bias: False, True

preconditions
  built     @require("k <= h + 2*p")
  built     @require("(h + 2*p - k) % s == 0")

200 of 200 inputs are valid, for instance
  conv(h=1, k=1, p=0, s=1, bias=False)
  conv(h=1, k=1, p=3, s=1, bias=False)
  conv(h=61, k=17, p=3, s=2, bias=True)
  conv(h=20, k=26, p=3, s=2, bias=False)
  conv(h=32, k=26, p=3, s=2, bias=False)
  conv(h=1, k=1, p=3, s=3, bias=False)

"""

SPLIT = """\
net:split ──────────────────────────────────────────────────────────────────────────────────────────
net.py:13

chosen in this order
  1. name                 strs(alphabet='ab', max_len=3)
  2. len(splits)          1..4
  3. the items of splits  1..9
  4. d                    1..30, such that sum(splits) == d

tried first: up to 18 inputs with one choice fixed, then 26 with pairs of choices
  splits: length 1, length 4, of 1, of 9 · d: 1, 30 · name: length 0, length 1, length 3

preconditions
  built     @require("sum(splits) == d")
  filtered  @require("name.count('a') == name.count('b')"): held for N of N inputs (N%)

200 of N inputs are valid, for instance
"""

MATMUL = """\
net:matmul ─────────────────────────────────────────────────────────────────────────────────────────
net.py:19

chosen in this order
  1. len(labels)  1..4
  2. b            1..4, such that len(labels) == b
  3. k            8, 16
  4. m            1..8
  5. x            np_arrays(dtype='float32', shape='b k')
  6. w            np_arrays(dtype='float32', shape='k m')
  7. labels       int_lists(min=0, max=9, len='b')
  8. mask         anys(np_arrays(dtype='bool', shape='b'), None)

tried first: up to 16 inputs with one choice fixed, then 24 with pairs of choices
  mask: np_arrays(dtype='bool', shape='b'), None · b: 1, 4 · k: 8, 16 · m: 1, 8

200 of 200 inputs are valid, for instance
"""

CUT = """\
net:Dense.cut ──────────────────────────────────────────────────────────────────────────────────────
net.py:30

chosen in this order
  1. self  an instance of Dense
  2. n     1..64, such that n % self.units == 0

tried first: up to 20 inputs with one choice fixed, then 16 with pairs of choices
  n: 1, 64 · units of Dense: 1, 2, 3, 4, 5, 6, 7, 8

preconditions
  built     @require("n % self.units == 0")

200 of 200 inputs are valid, for instance
  Dense(units=1).cut(n=1)
  Dense(units=7).cut(n=7)
  Dense(units=7).cut(n=35)
  Dense(units=4).cut(n=4)
  Dense(units=4).cut(n=40)
  Dense(units=5).cut(n=5)

"""

INSIDE = """\
net:inside ─────────────────────────────────────────────────────────────────────────────────────────
net.py:53

chosen in this order
  1. span  objs(interval)
  2. n     0..9

tried first: up to 18 inputs with one choice fixed, then 27 with pairs of choices
  n: 0, 9, 1 · low of interval: 0, 9, 1 · high of interval: 0, 9, 1

preconditions
  built     @require("low < high")
  filtered  @require("n in span"): held for N of N inputs (N%)

200 of N inputs are valid, for instance
"""

FEW = """\
net:few ────────────────────────────────────────────────────────────────────────────────────────────
net.py:58

chosen in this order
  1. n  1..3, such that n > 1

tried first: up to 6 inputs with one choice fixed
  n: 1, 2, 3

preconditions
  built     @require("n > 1")

2 of 2 inputs are valid, for instance
  few(n=2)
  few(n=3)

"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("explained")
    (found / "net.py").write_text(NET)
    return found


@dataclass
class Explanation:
    """What is said of one target: on the screen, and as data."""

    screen: str
    record: dict

    @property
    def samples(self):
        return self.screen[self.screen.index(", for instance\n") :].splitlines()[1:-1]

    @property
    def rounded(self):
        """The screen without samples, and without how often a filter refused."""
        head = self.screen[: self.screen.index(", for instance\n")] + ", for instance\n"
        head = re.sub(r"held for \d+ of \d+ inputs \(\d+%\)", "held for N of N inputs (N%)", head)
        return re.sub(r"200 of \d+ inputs are", "200 of N inputs are", head)


def explained(folder, tmp_path, target, *options):
    """Explain some targets, and return what is said of each."""
    file = tmp_path / "explained.json"
    done = annotest("explain", target, *options, "--json", file, cwd=folder)
    assert (done.status, done.stderr) == (0, ""), done.stdout + done.stderr
    screens = re.split(r"^(?=\S+ ─+$)", done.stdout, flags=re.MULTILINE)
    records = json.loads(file.read_text())["targets"]
    assert screens[0] == ""
    return {
        one["qualname"].rpartition(".")[2]: Explanation(screen, one)
        for screen, one in zip(screens[1:], records, strict=True)
    }


@pytest.fixture(scope="module")
def net(folder, tmp_path_factory):
    folder_of_json = tmp_path_factory.mktemp("json")
    return explained(folder, folder_of_json, "net.py", "-k", "not init and not interval")


# the screens


def test_the_screen_of_a_convolution(net):
    assert net["conv"].screen == CONV


def test_the_screen_of_lists_and_of_a_condition_that_is_filtered(net):
    assert net["split"].rounded == SPLIT


def test_the_screen_of_named_dimensions(net):
    assert net["matmul"].screen.startswith(MATMUL)


def test_the_screen_of_a_method_begins_with_its_instance(net):
    assert net["cut"].screen == CUT


def test_the_screen_of_a_generators_precondition(net):
    assert net["inside"].rounded == INSIDE


def test_few_inputs_are_all_shown(net):
    assert net["few"].screen == FEW


def test_a_target_without_arguments_is_called_as_it_is(net):
    head, _, rest = net["main"].screen.partition("nothing is drawn: it is called as it is\n")
    assert head.endswith("net.py:43\n\n")
    assert "inputs are valid" not in rest


def test_parts_of_a_condition_read_as_one_would_write_them(net):
    steps = net["patch"].record["steps"]
    assert [step["conditions"] for step in steps] == [[], ["h % p == 0"], ["w % p == 0"]]


def test_a_shape_that_mentions_self_is_chosen_after_the_instance(net):
    assert [step["name"] for step in net["apply"].record["steps"]] == ["self", "b", "x"]


EVERY = ["conv", "split", "matmul", "cut", "apply", "patch", "inside", "few"]


@pytest.mark.parametrize("name", EVERY)
def test_every_step_says_what_it_is_chosen_from(net, name):
    steps = net[name].record["steps"]
    assert steps and all(step["values"] for step in steps)


@pytest.mark.parametrize("name", EVERY)
def test_every_sample_is_a_call_on_one_line(net, name):
    assert net[name].samples
    for line in net[name].samples:
        assert re.match(rf"  (Dense\(units=\d\)\.)?{name}\(\w+=", line)
        assert line.endswith((")", "…")) and len(line) <= 112


def test_short_samples_can_be_pasted(net):
    for name in ("conv", "split", "cut", "apply", "inside"):
        for line in net[name].samples:
            assert line.endswith("…") or ast.parse(line.strip(), mode="eval")


def test_samples_are_valid(net):
    for line in net["conv"].samples:
        h, k, p, s, _ = eval(line.strip().replace("conv", "dict")).values()
        assert k <= h + 2 * p and (h + 2 * p - k) % s == 0
    for line in net["split"].samples:
        splits, d, name = eval(line.strip().replace("split(", "dict(")).values()
        assert sum(splits) == d and name.count("a") == name.count("b")


def test_a_seed_gives_the_same_samples_twice(net, folder, tmp_path):
    again, other = (explained(folder, tmp_path, "conv", "--seed", seed) for seed in (0, 8))
    assert again["conv"] == net["conv"]
    assert other["conv"].samples != net["conv"].samples


# which targets


@pytest.mark.parametrize("target", [("net.py:few",), ("few", "net.py"), ("few",)], ids=" ".join)
def test_a_target_is_named_with_its_file_or_without(folder, target):
    done = annotest("explain", *target, cwd=folder)
    assert (done.status, done.stdout, done.stderr) == (0, FEW, "")


def test_all_targets_that_match_are_explained(folder):
    done = annotest("explain", "MAI or FE", "net.py", cwd=folder)
    assert done.status == 0
    assert names_shown(done.stdout) == ["main", "few"]


def test_a_name_after_a_file_is_not_looked_for_in_the_name_of_the_file(project):
    text = "from annotest import *\n" + "@arg(n=ints(1, 2))\ndef {}(n): pass\n" * 2
    done = annotest("explain", "conv.py:conv", cwd=project(conv=text.format("conv", "pool")))
    assert names_shown(done.stdout) == ["conv"]


@pytest.mark.parametrize("words", [["con2"], ["-k", "con2"]])
def test_a_name_that_no_target_has_is_said(folder, words):
    done = annotest("explain", *words, cwd=folder)
    assert (done.status, done.stdout) == (2, "")
    said = f"no target of that name: {' '.join(words)}; `annotest list` names them"
    assert done.stderr == f"annotest: {said}\n"


def test_a_file_that_does_not_exist_is_said(folder):
    done = annotest("explain", "gone.py:conv", cwd=folder)
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == "annotest: gone.py: there is no such file or folder\n"


def test_a_name_that_cannot_be_read_is_said_in_the_words_of_this_command(folder):
    done = annotest("explain", "(", "net.py", cwd=folder)
    assert (done.status, done.stdout) == (2, "")

    assert done.stderr == "annotest: '(' is no name; `annotest list` names the targets\n"


# as data


FEW_RECORD = {
    "module": "net",
    "qualname": "few",
    "file": "net.py",
    "line": 58,
    "steps": [{"name": "n", "values": "1..3", "conditions": ["n > 1"]}],
    "left_out": {},
    "tried_first": {"n": ["1", "2", "3"]},
    "inputs_with_one_choice_fixed": 6,
    "inputs_with_pairs": 0,
    "preconditions": [{"text": '@require("n > 1")', "how": "built", "asked": 2, "held": 2}],
    "promises": [],
    "items": None,
    "inputs_valid": 2,
    "inputs_discarded": 0,
    "inputs_not_made": 0,
    "samples": ["few(n=2)", "few(n=3)"],
}


def test_the_json_of_an_explanation(net):
    assert net["few"].record == FEW_RECORD


def test_the_json_of_a_filter_counts_what_it_refused(net):
    found = net["inside"].record
    last = found["preconditions"][-1]
    assert (last["text"], last["how"]) == ('@require("n in span")', "filtered")
    assert last["asked"] - last["held"] == found["inputs_discarded"] > 0
    assert last["held"] == found["inputs_valid"] == 200


WORDS = """
from annotest import *


@arg(lengths=int_lists(min_len=1, max_len=6, min=1, max=30), x=np_arrays("float32", "t b"))
@dims(t=ints(1, 30))
@require("len(lengths) == b and lengths[0] == t")
def packed(lengths, x):
    pass


@arg(a=ints(1, 9), b=ints(1, 9))
@require("a == 1 or b == 1")
@require("a == 2 or b < a")
def loose(a, b):
    pass


@arg(a=ints(1, 3), b=ints(1, 3))
@require("a == 3 or b == 3")
@require("a + b < 3")
def never(a, b):
    pass
"""


def test_lengths_are_named_and_no_condition_is_taken_apart(project):
    folder = project(m=WORDS)
    shown = annotest("explain", "m.py:packed", cwd=folder).stdout
    whole = "such that len(lengths) == b and lengths[0] == t"
    assert f"the items of lengths  1..30, {whole}\n" in shown
    assert shown.count(whole) == 1
    shown = annotest("explain", "m.py:loose", cwd=folder).stdout
    assert "such that (a == 1 or b == 1) and (a == 2 or b < a)" in shown
    shown = annotest("explain", "m.py:never", cwd=folder).stdout
    assert "(a == 3 or b == 3) and a + b < 3 cannot all hold" in shown
