"""@raises with a condition and a message, and the condition of a function's own check, read for it."""

import re
import types

import pytest
from conftest import annotest, generated, run_json
from in_process import failures_found

from annotest import InvalidAnnotation, raises
from annotest.kinds import Status
from annotest.oracles.own_checks import own_check_at

HEAD = "import re\nfrom annotest import *\n"
WRONG = """
LIMIT = 3

@arg(n=ints(0, 10))
@raises(ValueError, when="n > LIMIT", message="big")
def returns_where_it_must_raise(n):
    if n > 4:
        raise ValueError("too big")
    return n

@arg(n=ints(0, 10))
@raises(ValueError, when=lambda n: n > 3)
def raises_where_it_must_not(n):
    helper(n)

def helper(n):
    if n > 2:
        raise ValueError("too big")

@arg(n=ints(0, 10), k=ints(0, 10))
@raises(ValueError, KeyError, when="n == 11 or n > 3 and k > 2")
def both_parts(n, k):
    if n > 3 and k > 3:
        raise ValueError("too big")
    return [n, k]

@arg(n=ints(0, 10))
@raises(ValueError, message=re.compile("b.g"))
def another_message(n):
    if n > 3:
        raise ValueError("too big")
    if n == 0:
        helper(9 - n) if n else _raiser()

def _raiser():
    raise ValueError("zero")

@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3")
def another_type(n):
    if n > 3:
        _raiser_of_another_type()

def _raiser_of_another_type():
    raise TypeError("no number")

@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3")
@raises(KeyError, when="n < 2")
@raises(OSError)
def several(n):
    if n > 5:
        raise ValueError
    if n > 3:
        raise OSError
    if n == 0:
        raise KeyError

@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3")
def lazy(n):
    yield from range(n)

@arg(xs=int_lists(min=0, max=9))
@raises(ValueError, when="len(xs) > 1")
def as_passed(xs):
    xs.clear()

class Layer:
    @arg(units=ints(0, 9))
    @raises(ValueError, when="units < 1")
    def __init__(self, units):
        if units == 5:
            raise ValueError("five")
        self.units = units
        self.per_unit = 1 / units if units else _raiser()

    @arg(n=ints(0, 9))
    @raises(ValueError, when="n > self.units and b > init.units", message="small")
    @arg(x=np_arrays("int8", "b"))
    def called(self, n, x):
        return n
"""
# of each finding: the target, the last line of its call, the message, and the first remark
FOUND = [
    (
        "Layer.__init__",
        "Layer(units=5)",
        "five",
        'not covered by @raises(ValueError, when="units < 1"): that does not hold here',
    ),
    (
        "Layer.called",
        "Layer(units=1).called(n=2, x=np.full((2,), 0, dtype='int8'))",
        "ValueError expected, as n > self.units and b > init.units: n was 2, self.units was 1, "
        "b was 2, init.units was 1; it returned 2",
        "",
    ),
    (
        "another_message",
        "another_message(n=0)",
        "zero",
        "not covered by @raises(ValueError, message=re.compile('b.g')): its message is another one",
    ),
    ("another_type", "another_type(n=4)", "no number", ""),
    (
        "as_passed",
        "as_passed(xs=[0, 0])",
        "ValueError expected, as len(xs) > 1: len(xs) was 2; it returned None",
        "",
    ),
    (
        "both_parts",
        "both_parts(n=4, k=3)",
        "ValueError or KeyError expected, as n == 11 or n > 3 and k > 2: n was 4, k was 3; "
        "it returned [4, 3]",
        "",
    ),
    (
        "lazy",
        "list(islice(lazy(n=4), 5))",
        "ValueError expected, as n > 3: n was 4; it ended after 4 items",
        "",
    ),
    (
        "raises_where_it_must_not",
        "raises_where_it_must_not(n=3)",
        "too big",
        "not covered by @raises(ValueError, when=<lambda>): that does not hold here",
    ),
    (
        "returns_where_it_must_raise",
        "returns_where_it_must_raise(n=4)",
        "ValueError expected, as n > LIMIT: n was 4, LIMIT was 3; it returned 4",
        "",
    ),
    (
        "several",
        "several(n=1)",
        "KeyError expected, as n < 2: n was 1; it returned None",
        "",
    ),
]


def told(done):
    return sorted(
        (
            finding["target"]["qualname"],
            finding["call"].splitlines()[-1],
            finding["message"],
            next(iter(finding["remarks"]), ""),
        )
        for finding in done.report["findings"]
    )


def test_what_must_raise_and_what_must_not_is_found_shrunk_and_replayed(project, tmp_path):
    folder = project(net=HEAD + WRONG)
    done = run_json("net.py", "--seed", 3, cwd=folder, tmp_path=tmp_path)
    assert told(done) == sorted(FOUND)
    (finding,) = done.findings("both_parts")
    assert (finding["kind"], finding["oracle"]) == ("oracle", "raises")
    replayed = annotest("replay", finding["id"], "--database", tmp_path / "kept", cwd=folder).stdout
    assert replayed.startswith(f"STILL FAILING finding {finding['id']}")
    assert finding["message"] in replayed


exhaustive = pytest.mark.exhaustive
SEEDS = [1, *(pytest.param(seed, marks=exhaustive) for seed in (0, *range(2, 20)))]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_must_raise_and_what_must_not_is_seen_with_every_seed(tmp_path, monkeypatch, seed):
    (tmp_path / f"raising{seed}.py").write_text(HEAD + WRONG)
    monkeypatch.syspath_prepend(tmp_path)
    wrong = {name for name, *_ in FOUND}
    met = failures_found(f"raising{seed}", str(tmp_path), wrong, seed, 200)
    assert {name for name, failures in met.items() if failures} == wrong


RIGHT = """
@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3", message="big")
def f(n):
    if n > 3:
        raise ValueError("too big")

@arg(xs=lists(floats(0, 9)), k=ints(0, 12))
@raises(IndexError, when="k >= len(xs)")
def item(xs, k):
    return xs[k]

@arg(n=ints(0, 9), k=ints(0, 9))
@raises(ZeroDivisionError, when=lambda k: k == 0)
@raises(ValueError, message="odd")
def several(n, k):
    if n % 2:
        raise ValueError("odd")
    return n / k

@arg(n=ints(0, 10))
@raises(SystemExit, when="n > 3")
def leaves(n):
    if n > 3:
        raise SystemExit(2)

@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3")
def lazy(n):
    for i in range(n):
        if i > 2:
            raise ValueError
        yield i

class Layer:
    @arg(units=ints(0, 9))
    @raises(ValueError, when="units < 1")
    def __init__(self, units):
        if units < 1:
            raise ValueError
        self.units = units

    @arg(n=ints(0, 9))
    @raises(ValueError, when="n > self.units")
    def called(self, n):
        if n > self.units:
            raise ValueError
"""
OUTSIDE = """
import net
from annotest import *
MOST = 3
annotate("net:f", arg(n=ints(0, 9)), raises(ValueError, when="n > MOST", message="much"))
"""


def test_what_raises_as_it_is_said_passes(project, tmp_path):
    outside = "def f(n):\n    if n > 3:\n        raise ValueError('too much')\n"
    folder = project(right=HEAD + RIGHT, net=outside, net_tests=OUTSIDE)
    done = run_json("right.py", "net_tests.py", cwd=folder, tmp_path=tmp_path)
    statuses = {each["qualname"]: each["status"] for each in done.report["targets"]}
    names = ["f", "item", "several", "leaves", "lazy", "Layer.__init__", "Layer.called"]
    assert statuses == dict.fromkeys(names, Status.PASSED), done.stdout


CHECKED = """
@arg(n=ints(0, 10))
@raises(ValueError, when="n > 3")
def conditional(n):
    if n > 2:
        raise ValueError

@arg(n=ints(0, 10))
@raises(ValueError)
def plain(n):
    if n > 2:
        raise ValueError
"""


def test_a_generated_test_has_check_ask_about_conditions(tmp_path):
    tests = generated(tmp_path, {"net": CHECKED})
    text = (tests / "test_net.py").read_text()
    assert "def test_conditional():\n    check(conditional)\n" in text
    assert "    with suppress(ValueError):\n        plain(n=n)\n" in text


# what is written, and what is said about it
REFUSED = [
    (
        lambda: raises(ValueError, message=3),
        "@raises(ValueError, message=3) has a wrong message: expected text, got 3 (int)",
    ),
    (
        lambda: raises(ValueError, message=""),
        '@raises(ValueError, message="") has a wrong message: every message contains an empty text',
    ),
    (
        lambda: raises(ValueError, message=re.compile(b"x")),
        "@raises(ValueError, message=re.compile(b'x')) has a wrong message: expected text, "
        "got re.compile(b'x') (Pattern)",
    ),
    (
        lambda: raises(ValueError, when="n >"),
        '@raises(ValueError, when="n >") has a wrong when: it is not a Python expression: '
        "invalid syntax",
    ),
    (
        lambda: raises(ValueError, when=True),
        "@raises(ValueError, when=True) has a wrong when: it expects an expression as text, or a "
        "callable, got bool",
    ),
    (
        lambda: raises(ValueError, when=""),
        '@raises(ValueError, when="") has a wrong when: it says nothing',
    ),
    (lambda: raises(when="n > 3"), "@raises() names no exception"),
    (
        lambda: raises(ValueError, wen="n > 3"),
        "raises() has no argument 'wen'. Did you mean 'when'?",
    ),
]


@pytest.mark.parametrize(("written", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_wrong_uses_are_refused_where_they_are_written(written, said):
    with pytest.raises(InvalidAnnotation) as refused:
        written()
    assert str(refused.value) == said


MISTAKEN = """
@arg(n=ints(0, 10))
@raises(ValueError, when="1 / n > 3")
def raising(n):
    return n

@arg(n=ints(0, 10))
@raises(ValueError, when="q > 3")
def unknown(n):
    return n

@arg(n=ints(0, 10))
@raises(ValueError, when=lambda m: m)
def unknown_to_a_callable(n):
    return n

class Layer:
    @arg(n=ints(0, 10))
    @raises(ValueError, when="self.n > 3")
    def __init__(self, n):
        self.n = n
"""
MISTAKES = [
    (
        "net.py:10: @raises(ValueError, when=\"q > 3\"): unknown knows no name 'q'.",
        "use the arguments, the names of the module, or builtins",
    ),
    (
        "net.py:15: @raises(ValueError, when=<lambda>): the condition asks for 'm', which "
        "unknown_to_a_callable does not have.",
        "name its parameters after: n",
    ),
    (
        "net.py:21: @raises(ValueError, when=\"self.n > 3\"): Layer.__init__ knows no name 'self'.",
        "use the arguments, the names of the module, or builtins",
    ),
    (
        'net.py:5: @raises(ValueError, when="1 / n > 3"): it raises ZeroDivisionError: division by '
        "zero for n=0",
        "guard it with `n != 0 and …`, or annotate a range without 0",
    ),
]


def test_a_condition_that_means_nothing_or_raises_is_a_mistake(project):
    done = annotest("run", "net.py", cwd=project(net=HEAD + MISTAKEN))
    assert done.status == 2
    lines = done.stdout.splitlines()
    for said, remedy in MISTAKES:
        assert lines[lines.index(f"mistake {said}") + 1] == f"        {remedy}"


# the body of a function of (n, k, xs, *rest), and when its last `raise` is reached; "" if unread
READ = [
    ("if n <= 0: raise ValueError", "n <= 0", "n > 0"),
    ("if not n: raise ValueError", "not n", "n"),
    ("if n: raise ValueError", "n", "not n"),
    ("if n is None: raise ValueError", "n is None", "n is not None"),
    ("if n not in (1, 2): raise ValueError", "n not in (1, 2)", "n in (1, 2)"),
    ("if n > 1 or k: raise ValueError", "n > 1 or k", "not (n > 1 or k)"),
    ("if 1 < n < 3: raise ValueError", "1 < n < 3", "not 1 < n < 3"),
    ("if any(x < 1 for x in xs): raise E", "any(x < 1 for x in xs)", "not any(x < 1 for x in xs)"),
    ("if n > LIMIT: raise E", "n > LIMIT", "n <= LIMIT"),
    ("if len(rest) > 2: raise E", "len(rest) > 2", "len(rest) <= 2"),
    ("if n:\n  if k > 1:\n    raise E", "n and k > 1", "not (n and k > 1)"),
    ("if n or k:\n  if k > 1:\n    raise E", "(n or k) and k > 1", "not ((n or k) and k > 1)"),
    ("if n == 1: pass\nelse: raise E", "n != 1", "n == 1"),
    ("if n == 1: pass\nelif k: raise E", "n != 1 and k", "not (n != 1 and k)"),
    ("if n == 1: return\nraise E", "n != 1", "n == 1"),
    ("if n == 1: return\nif k: raise E", "n != 1 and k", "not (n != 1 and k)"),
    (
        "if n == 1:\n  raise A\nelif k:\n  return\nraise E",
        "n != 1 and not k",
        "not (n != 1 and not k)",
    ),
    ("assert n\nif k: raise E", "n and k", "not (n and k)"),
    ("m = [n for n in xs]\nif n: raise E", "n", "not n"),
    ("def inner(n):\n  return n\nif k: raise E", "k", "not k"),
    ("if k:\n  raise E(\n    k)", "k", "not k"),
    ("raise E", "", ""),
    ("m = n + 1\nif m: raise E", "", ""),
    ("n += 1\nif n: raise E", "", ""),
    ("n.size = 1\nif n.size: raise E", "", ""),
    ("xs[0] = 1\nif xs: raise E", "", ""),
    ("del n\nif n: raise E", "", ""),
    ("import math as n\nif n: raise E", "", ""),
    ("for n in xs:\n  if n: raise E", "", ""),
    ("for x in xs:\n  if x: return\nif n: raise E", "", ""),
    ("try:\n  if n: raise E\nfinally: pass", "", ""),
    ("with n:\n  if n: raise E", "", ""),
    ("if n:\n  if k: return\nif k: raise E", "", ""),
    ("if (m := n): raise E", "", ""),
    ("if n == '\"': raise E", "", ""),
    ("if n > 1 and " + "k + " * 30 + "k: raise E", "", ""),
]


@pytest.mark.parametrize(("body", "when", "otherwise"), READ, ids=[body for body, *_ in READ])
def test_the_condition_of_an_own_check_is_read_where_it_can_be(tmp_path, body, when, otherwise):
    text = "def f(n, k, xs, *rest):\n" + "".join(f"  {line}\n" for line in body.splitlines())
    path = tmp_path / "checked.py"
    path.write_text(text)
    code = next(
        const
        for const in compile(text, str(path), "exec").co_consts
        if isinstance(const, types.CodeType)
    )
    line = max(number for number, line in enumerate(text.splitlines(), 1) if "raise" in line)
    check = own_check_at(code, line)
    assert (check and check[:2]) == ((when, otherwise) if when else None)


OFFERED = """
LIMIT = 5

@arg(n=ints(0, 10))
def simple(n):
    if n > LIMIT:
        raise ValueError("n")

@arg(xs=int_lists(min=0, max=9))
def changed_in_place(xs):
    xs.pop()
    if not xs:
        raise ValueError("xs")

@arg(x=np_arrays("int8", "b LIMIT"), n=ints(0, 10))
def of_a_dimension(x, n):
    if n > LIMIT:
        raise ValueError("n")

class Layer:
    def __init__(self, units=3):
        self.units = units

    @arg(n=ints(0, 10))
    def called(self, n):
        if n > self.units:
            raise ValueError("n")

class Checked:
    @arg(n=ints(0, 10))
    def __init__(self, n):
        self.n = n
        if self.n > 3:
            raise ValueError("n")
"""
LINES = [
    ("Checked.__init__", 36, "…", ""),
    ("Layer.called", 29, '"n <= self.units"', ', when="n > self.units"'),
    ("changed_in_place", 15, "…", ""),
    ("of_a_dimension", 20, "…", ""),
    ("simple", 9, '"n <= LIMIT"', ', when="n > LIMIT"'),
]


def test_the_lines_to_paste_are_offered_where_they_hold_of_the_failing_call(project, tmp_path):
    done = run_json("net.py", "--seed", 2, cwd=project(net=HEAD + OFFERED), tmp_path=tmp_path)
    said = sorted((f["target"]["qualname"], f["remarks"]) for f in done.report["findings"])
    assert said == [
        (
            name,
            [
                f"raised by its own check, line {line}: if such an input is not valid, say so "
                f"with @require({require}); if it may raise this, with @raises(ValueError{when})"
            ],
        )
        for name, line, require, when in LINES
    ]
