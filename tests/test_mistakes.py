"""Wrong annotations: each message whole, with its place, its reason and what to do.

Every mistake stands on a function of its own in one module, which is run once: so the tests also
show that a mistake costs its function alone.
"""

import json
import subprocess
import sys

import pytest

HEAD = """\
from typing import Annotated
from annotest import *

def unmarked(): pass

@generator
@exclude
def bare_gen(size): return size

@arg(n=ints())
def healthy(n): pass

"""

# the code of a function f, the message behind its place, the remedy; the place is the first line,
# or the one marked #!
MISTAKES = [
    (
        '@arg("sise", ints())\ndef f(size): pass',
        "@arg(\"sise\"): f has no argument 'sise'. Did you mean 'size'?",
        "f takes: size",
    ),
    (
        "@arg(n=ints(min=5, max=1))\ndef f(n): pass",
        '@arg("n"): ints(min=5, max=1) allows nothing: min=5 is above max=1',
        "make min at most max",
    ),
    (
        "@arg(n=ints(1.5, 3))\ndef f(n): pass",
        '@arg("n"): ints(min=1.5): min must be a whole number, got float',
        "give min as an int",
    ),
    (
        "@arg(n=ints(mim=3))\ndef f(n): pass",
        "@arg(\"n\"): ints() has no argument 'mim'. Did you mean 'min'?",
        "its arguments are: min, max, multiple_of, min_value, max_value",
    ),
    (
        "@arg(n=ints(1, 2, 3))\ndef f(n): pass",
        '@arg("n"): ints() got 3 arguments by position and takes 2 (min, max)',
        "give the others by name",
    ),
    (
        "@arg(n=ints(1, 5, multiple_of=7))\ndef f(n): pass",
        '@arg("n"): ints(min=1, max=5, multiple_of=7) allows nothing: no multiple of 7 lies between 1 and 5',
        "widen the range or drop multiple_of",
    ),
    (
        "@arg(n=ints(min=1, min_value=2))\ndef f(n): pass",
        '@arg("n"): ints() got min and min_value, which mean the same',
        "keep min",
    ),
    (
        "@arg(n=floats(2, 1))\ndef f(n): pass",
        '@arg("n"): floats(min=2.0, max=1.0) allows nothing: min=2.0 is above max=1.0',
        "make min at most max",
    ),
    (
        '@arg(n=floats("a"))\ndef f(n): pass',
        "@arg(\"n\"): floats(min='a'): min must be a number, got str",
        "give min as a float",
    ),
    (
        "@arg(n=floats(exclude_min=True))\ndef f(n): pass",
        '@arg("n"): floats(exclude_min=True) opens an end it does not have: exclude_min=True without min',
        "give min, or leave exclude_min out",
    ),
    (
        "@arg(n=floats(0, 0, exclude_min=True))\ndef f(n): pass",
        '@arg("n"): floats(min=0.0, max=0.0, exclude_min=True) allows nothing: no 64-bit float lies between its ends',
        "widen the range",
    ),
    (
        "@arg(n=floats(width=8))\ndef f(n): pass",
        '@arg("n"): floats(width=8) has a wrong width: expected 16, 32 or 64',
        "use width=32",
    ),
    (
        "@arg(n=floats(0, 1, allow_infinity=True))\ndef f(n): pass",
        '@arg("n"): floats(min=0.0, max=1.0, allow_infinity=True) allows infinity between two finite bounds',
        "drop allow_infinity or a bound",
    ),
    (
        '@arg(n=floats(min=float("nan")))\ndef f(n): pass',
        '@arg("n"): floats(min=nan): no number compares with nan',
        "leave min out",
    ),
    (
        "@arg(n=froms([]))\ndef f(n): pass",
        '@arg("n"): froms([]) allows nothing: the list is empty',
        "list at least one value",
    ),
    (
        '@arg(n=froms("relu"))\ndef f(n): pass',
        "@arg(\"n\"): froms('relu') expects a list of values, got str",
        "write froms(['relu'])",
    ),
    (
        "@arg(n=froms([ints(), 3]))\ndef f(n): pass",
        '@arg("n"): froms([…]) lists a constraint, ints(), where values are expected',
        "use anys(ints(), …) for a union",
    ),
    (
        "@arg(n=froms(lambda: []))\ndef f(n): pass",
        '@arg("n"): froms(<lambda>): the function returned [], expected a list of values',
        "return a list with at least one value",
    ),
    (
        "@arg(n=froms(lambda: 1 / 0))\ndef f(n): pass",
        '@arg("n"): froms(<lambda>) cannot be used: ZeroDivisionError: division by zero',
        "correct the function that it calls",
    ),
    (
        "@arg(n=anys())\ndef f(n): pass",
        '@arg("n"): anys() allows nothing: no alternative is given',
        "list some",
    ),
    (
        "@arg(n=lists(5))\ndef f(n): pass",
        '@arg("n"): lists: expected a constraint, got 5 (int)',
        "for this one value, write froms([5])",
    ),
    (
        "@arg(n=lists(ints))\ndef f(n): pass",
        '@arg("n"): lists: ints is not called',
        "write ints(), with its arguments",
    ),
    (
        "@arg(n=lists())\ndef f(n): pass",
        "@arg(\"n\"): lists() lacks its argument 'elements'",
        "write lists(elements, …)",
    ),
    (
        "@arg(n=lists(ints(), min_len=3, max_len=2))\ndef f(n): pass",
        '@arg("n"): lists(ints(), min_len=3, max_len=2) allows nothing: min_len=3 is above max_len=2',
        "make min_len at most max_len",
    ),
    (
        "@arg(n=lists(ints(), len=2, min_len=1))\ndef f(n): pass",
        '@arg("n"): lists(ints(), len=2, min_len=1) says its length twice',
        "give len, or min_len and max_len",
    ),
    (
        "@arg(n=lists(ints(), min_len=-1))\ndef f(n): pass",
        '@arg("n"): lists(ints(), min_len=-1) has a wrong min_len: expected a whole number from 0, got -1',
        "give min_len as a whole number",
    ),
    (
        "@arg(n=lists(bools(), min_len=3, unique=True))\ndef f(n): pass",
        '@arg("n"): lists(bools(), min_len=3, unique=True) allows nothing: 3 distinct elements are wanted and bools() has 2',
        "lower min_len or widen the elements",
    ),
    (
        "@arg(n=sets(lists(ints())))\ndef f(n): pass",
        '@arg("n"): sets(lists(ints())) has elements that cannot be in a set',
        "use tuples for the elements",
    ),
    (
        "@arg(n=tuples(ints(), bools(), min_len=1))\ndef f(n): pass",
        '@arg("n"): tuples(ints(), bools(), min_len=1) gives lengths for a tuple of fixed elements',
        "use one element with min_len and max_len, or drop them",
    ),
    (
        "@arg(n=dicts(strs()))\ndef f(n): pass",
        '@arg("n"): dicts(strs()) says nothing about the values',
        "write dicts(strs(), values)",
    ),
    (
        '@arg(n=dicts({"a": 3}))\ndef f(n): pass',
        "@arg(\"n\"): dicts({'a': …}): expected a constraint, got 3 (int)",
        "for this one value, write froms([3])",
    ),
    (
        '@arg(n=dicts(froms(["a"]), ints(), min_size=2))\ndef f(n): pass',
        "@arg(\"n\"): dicts(froms(['a']), ints(), min_size=2) allows nothing: 2 keys are wanted and froms(['a']) has 1",
        "lower min_size or widen the keys",
    ),
    (
        '@arg(n=strs(pattern="("))\ndef f(n): pass',
        "@arg(\"n\"): strs(pattern='(') has a wrong pattern: missing ), unterminated subpattern at position 0",
        "give a regular expression as text",
    ),
    (
        '@arg(n=strs(alphabet=""))\ndef f(n): pass',
        "@arg(\"n\"): strs(alphabet='') has a wrong alphabet: expected characters, got ''",
        "give the characters as text, such as alphabet='abc'",
    ),
    (
        "@arg(n=np_shapes(min_dims=3, max_dims=2))\ndef f(n): pass",
        '@arg("n"): np_shapes(min_dims=3, max_dims=2) allows nothing: min_dims=3 is above max_dims=2',
        "make min_dims at most max_dims",
    ),
    (
        '@arg(n=np_arrays("float23"))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays: unknown dtype 'float23'",
        "use one of int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bool, complex64, complex128",
    ),
    (
        '@arg(n=np_arrays("uint8", (2, "x")))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays: a shape is a tuple of sizes or a constraint, got (2, 'x')",
        "write shape=(3, 4) or shape=np_shapes(min_dims=2)",
    ),
    (
        '@arg(n=np_arrays("uint8", min=300))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays(dtype='uint8', min=300) allows nothing: no value of uint8 lies in the range",
        "widen the range or take another dtype",
    ),
    (
        '@arg(n=np_arrays("uint8", min=1, elements=ints()))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays(dtype='uint8', min=1, elements=ints()) bounds its elements twice",
        "use elements, or min and max",
    ),
    (
        "@arg(n=objs(3))\ndef f(n): pass",
        '@arg("n"): objs(3) expects a generator function, got int',
        "give a function marked @generator, a class, or the name of one",
    ),
    (
        "@arg(n=objs(unmarked))\ndef f(n): pass",
        '@arg("n"): objs(unmarked): unmarked is not marked as a generator',
        "put @generator above unmarked",
    ),
    (
        "@arg(n=objs(bare_gen))\ndef f(n): pass",
        "@arg(\"n\"): objs(bare_gen): bare_gen has no annotation for 'size'",
        "add @arg(size=…) to bare_gen",
    ),
    (
        '@arg(n=objs("bare_gan"))\ndef f(n): pass',
        "@arg(\"n\"): objs('bare_gan'): there is no generator 'bare_gan'. Did you mean 'bare_gen'?",
        "name a function marked @generator, visible where the annotation stands",
    ),
    (
        "@arg(n=3)\ndef f(n): pass",
        '@arg("n"): expected a constraint, got 3 (int)',
        "for this one value, write froms([3])",
    ),
    (
        "@arg(n=ints)\ndef f(n): pass",
        '@arg("n"): ints is not called',
        "write ints(), with its arguments",
    ),
    (
        '@arg("n")\ndef f(n): pass',
        '@arg("n") has no constraint',
        'write @arg("n", constraint)',
    ),
    (
        "@arg(ints())\ndef f(n): pass",
        "@arg(ints()) expects the name of an argument as text",
        'write @arg("name", constraint)',
    ),
    (
        "@arg()\ndef f(n): pass",
        "@arg() names no argument",
        'write @arg("name", constraint)',
    ),
    (
        '@arg(n=ints())\n@arg("n", bools())  #!\ndef f(n): pass',
        "@arg(\"n\"): f has two annotations for its argument 'n'",
        "keep one; anys(…) says a union",
    ),
    (
        "@arg(n=ints())\ndef f(*n): pass",
        '@arg("n"): *n takes a list or tuple, and ints() gives none',
        "write lists(…)",
    ),
    (
        "@arg(n=lists(ints()))\ndef f(**n): pass",
        '@arg("n"): **n takes a dict, and lists(ints()) gives none',
        'write dicts({"name": …})',
    ),
    (
        '@require("n >")\n@arg(n=ints())\ndef f(n): pass',
        '@require("n >") is not a Python expression: invalid syntax',
        "correct the expression; it is Python, as after `if`",
    ),
    (
        '@require("m > 0")\n@arg(n=ints())\ndef f(n): pass',
        "@require(\"m > 0\"): f knows no name 'm'.",
        "use the arguments, the names of the module, or builtins",
    ),
    (
        '@require("1 / n > 0")\n@arg(n=ints())\ndef f(n): pass',
        '@require("1 / n > 0"): it raises ZeroDivisionError: division by zero for n=0',
        "guard it, for instance with `isinstance(x, list) and …`",
    ),
    (
        "@require(lambda m: m > 0)\n@arg(n=ints())\ndef f(n): pass",
        "@require(<lambda>): the condition asks for 'm', which f does not have.",
        "name its parameters after: n",
    ),
    (
        "@require(3)\n@arg(n=ints())\ndef f(n): pass",
        "@require(3) expects an expression as text, or a callable, got int",
        'write @require("n > 0")',
    ),
    (
        "@timeout(-1)\n@arg(n=ints())\ndef f(n): pass",
        "@timeout(-1) expects a number of seconds above 0",
        "write @timeout(30)",
    ),
    (
        "@timeout(1)\n@timeout(2)  #!\n@arg(n=ints())\ndef f(n): pass",
        "@timeout(2): f has two @timeout annotations",
        "keep one",
    ),
    (
        "@budget()\n@arg(n=ints())\ndef f(n): pass",
        "@budget() says nothing",
        "write @budget(examples=500)",
    ),
    (
        "@budget(examples=0)\n@arg(n=ints())\ndef f(n): pass",
        "@budget(examples=0) has wrong examples: expected a number above 0",
        "write @budget(examples=60)",
    ),
    (
        "@cc_example([1])\n@arg(n=ints())\ndef f(n): pass",
        "@cc_example([1]): f is not a constructor",
        "put it on the __init__ of a class",
    ),
    (
        "@example(1, 2)\n@arg(n=ints())\ndef f(n): pass",
        "@example(1, 2): too many positional arguments",
        "f takes: n",
    ),
    (
        "@example(-1)\n@arg(n=ints())\ndef f(n): pass",
        "@example(-1): not a valid call: n: expected at least 0, got -1 (int)",
        "correct the example or the constraint",
    ),
    (
        "@arg(n=ints(1, 5))\ndef f(n=9): pass",
        "@arg(\"n\"): the default of 'n' lies outside its constraint: n: expected at most 5, got 9 (int)",
        "widen the constraint if the default is valid; it is not tested",
    ),
    (
        "@arg(n=ints(1, 5).where(lambda v: v / 0))\ndef f(n): pass",
        ".where(<lambda>): the predicate raises ZeroDivisionError: division by zero",
        "make it return True or False for every value",
    ),
    (
        "@arg(n=ints(1, 5).map(3))\ndef f(n): pass",
        '@arg("n"): ints(min=1, max=5).map(3) expects a function',
        "give a function",
    ),
    (
        "def f(n: Annotated[int, ints(1, 2), ints(3, 4)]): pass",
        "type hint: 'n': Annotated[…] holds two constraints, ints(min=1, max=2) and ints(min=3, max=4)",
        "keep one; anys(…) says a union",
    ),
]


def named(number):
    return f"f{number}_"


def source():
    """Return the module, and the line on which each mistake stands."""
    text, places = HEAD, []
    for number, (code, _, _) in enumerate(MISTAKES):
        lines = code.replace("def f(", f"def {named(number)}(").splitlines()
        marked = [place for place, line in enumerate(lines) if "#!" in line]
        places.append(text.count("\n") + 1 + (marked[0] if marked else 0))
        text += "\n".join(lines) + "\n\n"
    return text, places


def run_json(folder, *args):
    report = folder / "report.json"
    command = [sys.executable, "-m", "annotest", "run", *args, "--json", str(report)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done, json.loads(report.read_text()) if report.exists() else None


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    text, places = source()
    (folder / "mistakes.py").write_text(text)
    (folder / "other.py").write_text("from annotest import *\n@arg(n=ints())\ndef g(n): pass\n")
    done, report = run_json(folder, ".", "--max-examples", "30")
    return done, report, places


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda n: MISTAKES[n][0][:50])
def test_a_mistake_is_told_whole(run, number):
    done, _, places = run
    _, message, remedy = MISTAKES[number]
    label = "warning" if "default of" in message else "mistake"
    said = f"{label} mistakes.py:{places[number]}: {message}\n        {remedy}\n"
    assert said in done.stdout.replace(named(number), "f")


def test_there_are_at_least_forty():
    assert len(MISTAKES) >= 40


def test_the_healthy_function_beside_them_and_the_other_module_are_tested(run):
    _, report, _ = run
    status = {one["qualname"]: (one["status"], one["inputs_run"]) for one in report["targets"]}
    assert status["healthy"] == ("passed", 30)
    assert status["g"] == ("passed", 30)


def test_functions_with_mistakes_are_not_passed(run):
    _, report, _ = run
    wrong = [n for n in range(len(MISTAKES)) if "default of" not in MISTAKES[n][1]]
    status = {one["qualname"]: one["status"] for one in report["targets"]}
    assert {status[named(number)] for number in wrong} == {"error"}


def test_a_default_outside_its_constraint_is_only_a_warning(run):
    _, report, _ = run
    number = next(n for n, row in enumerate(MISTAKES) if "default of" in row[1])
    found = [one for one in report["mistakes"] if one["function"] == named(number)]
    assert [one["warning"] for one in found] == [True]
    status = {one["qualname"]: one["status"] for one in report["targets"]}
    assert status[named(number)] == "passed"


def test_wrong_annotations_alone_give_exit_status_2(run):
    done, report, _ = run
    assert done.returncode == report["exit_status"] == 2
    assert report["findings"] == []


SINGLE = {
    "on_a_class": (
        "@arg(x=ints())\nclass K:\n    def __init__(self, x): pass\n",
        'mistake m.py:2: @arg("x") stands on class K, which takes no arguments itself\n'
        "        put it on K.__init__\n",
    ),
    "wrong_cc_example": (
        "class K:\n    @cc_example(3)\n    def __init__(self, x): pass\n"
        "    @arg(y=ints())\n    def m(self, y): pass\n",
        "mistake m.py:3: @cc_example(3) expects the arguments of one call as a list, got int\n"
        "        write @cc_example([3])\n",
    ),
    "outside_no_colon": (
        'annotate("math.sqrt", arg(x=ints()))\n',
        "mistake m.py:2: annotate('math.sqrt') does not name a module and a function\n"
        '        write annotate("math:sqrt", …)\n',
    ),
    "example_against_a_precondition": (
        '@require("a < b")\n@example(5, 3)\n@arg(a=ints(), b=ints())\ndef f(a, b): pass\n',
        'mistake m.py:3: @example(5, 3): not a valid call: @require("a < b") does not hold\n'
        "        correct the example or the precondition\n",
    ),
    "outside_module_missing": (
        'annotate("nomodule:f", arg(x=ints()))\n',
        "mistake m.py:2: annotate(\"nomodule:f\"): ModuleNotFoundError: No module named 'nomodule'\n"
        "        correct the name: module:qualname, as it can be imported\n",
    ),
    "outside_name_missing": (
        'annotate("math:sqroot", arg(x=ints()))\n',
        'mistake m.py:2: annotate("math:sqroot"): AttributeError: '
        "module 'math' has no attribute 'sqroot'\n"
        "        correct the name: module:qualname, as it can be imported\n",
    ),
    "outside_no_annotation": (
        'annotate("math:sqrt", 5)\n',
        "mistake m.py:2: annotate('sqrt', 5) expects annotations such as arg(…), got int\n"
        "        pass what would stand above the def, without the @\n",
    ),
    "generator_that_needs_itself": (
        '@generator\n@exclude\n@arg(x=objs("circle"))\ndef circle(x): return x\n'
        "@arg(n=objs(circle))\ndef f(n): pass\n",
        'mistake m.py:4: @arg("x"): objs(circle) needs itself to build a value\n'
        "        break the circle with a generator that needs no other\n",
    ),
    "not_a_function": (
        "x = arg(n=ints())(3)\n",
        'mistake m.py:2: @arg("n") stands on 3, which is not a function\n'
        "        put it directly above a def\n",
    ),
    "builtin": (
        "import math\nx = arg(n=ints())(math.sqrt)\n",
        'mistake m.py:3: @arg("n") cannot be kept on sqrt, which is not a Python function\n'
        '        annotate it from outside: annotate("module:sqrt", …)\n',
    ),
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_mistake_outside_functions_is_told_whole(tmp_path, name):
    code, message = SINGLE[name]
    (tmp_path / "m.py").write_text("from annotest import *\n" + code)
    done, _ = run_json(tmp_path, "m.py")
    assert message in done.stdout
    assert done.returncode == 2


USE = {
    ("nowhere.py",): (2, "annotest: nowhere.py: there is no such file or folder\n"),
    ("notes.txt",): (2, "annotest: notes.txt: not a Python file; give .py files or folders\n"),
    ("-k", "a and", "ok.py"): (
        2,
        "annotest: -k 'a and' cannot be read; write words joined by and, or, not\n",
    ),
    ("--json", "no/such/folder/x.json", "ok.py"): (
        2,
        "annotest: --json no/such/folder/x.json: cannot be written: No such file or directory\n",
    ),
}


@pytest.mark.parametrize("args", USE, ids=" ".join)
def test_wrong_use_is_told_in_one_line(tmp_path, args):
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "ok.py").write_text("from annotest import *\n@arg(n=ints())\ndef g(n): pass\n")
    command = [sys.executable, "-m", "annotest", "run", *args]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    status, message = USE[args]
    assert done.returncode == status
    assert done.stderr.endswith(message)


def test_an_empty_project_has_nothing_to_test(tmp_path):
    done, report = run_json(tmp_path, ".")
    assert done.returncode == report["exit_status"] == 5
    assert "nothing to test: there is no Python file here" in done.stdout


def test_a_project_without_annotations_has_nothing_to_test(tmp_path):
    (tmp_path / "plain.py").write_text("def f(x): pass\n")
    done, _ = run_json(tmp_path, ".")
    assert done.returncode == 5
    assert "nothing to test: 1 file read, none with annotations" in done.stdout


RAISED = {
    "ints(min=5, max=1)": "ints(min=5, max=1) allows nothing: min=5 is above max=1",
    "lists(ints(3, 2))": "ints(min=3, max=2) allows nothing: min=3 is above max=2",
    "arg('sise', ints())(conv)": "@arg(\"sise\"): conv has no argument 'sise'. Did you mean 'size'?",
    "arg(size=ints())(arg(size=ints())(conv))": "@arg(\"size\"): conv has two annotations for its argument 'size'",
    "require('a >')(conv)": '@require("a >") is not a Python expression: invalid syntax',
    "timeout(0)": "@timeout(0) expects a number of seconds above 0",
    "annotate('numpy.dot')": "annotate('numpy.dot') does not name a module and a function",
}


@pytest.mark.parametrize("code", RAISED)
def test_outside_annotest_a_mistake_raises_where_it_is_written(code):
    import annotest

    def conv(size):
        pass

    conv.__qualname__ = "conv"
    with pytest.raises(annotest.InvalidAnnotation) as caught:
        eval(code, {**vars(annotest), "conv": conv})
    assert str(caught.value) == RAISED[code]
    assert caught.value.__notes__
