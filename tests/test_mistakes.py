"""Wrong annotations: each message whole, with its place, its reason and what to do.

Every mistake stands on a function of its own in one module, which is run once: so the tests also
show that a mistake costs its function alone.
"""

import pytest
from conftest import annotest, run_json
from mistakes_table import MISTAKES

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


def named(number):
    return f"f{number}_"


def is_warning(message):
    return "outside its constraint: " in message or "outside their constraints: " in message


def source():
    """Return the module, and the line on which each mistake stands."""
    text, places = HEAD, []
    for number, (code, _, _) in enumerate(MISTAKES):
        lines = code.replace("def f(", f"def {named(number)}(").splitlines()
        marked = [place for place, line in enumerate(lines) if "#!" in line]
        places.append(text.count("\n") + 1 + (marked[0] if marked else 0))
        text += "\n".join(lines) + "\n\n"
    return text, places


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    text, places = source()
    (folder / "mistakes.py").write_text(text)
    (folder / "other.py").write_text("from annotest import *\n@arg(n=ints())\ndef g(n): pass\n")
    done = run_json(".", "--max-examples", "30", cwd=folder, tmp_path=folder)
    assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done, done.report, places


@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda n: MISTAKES[n][0][:50])
def test_a_mistake_is_told_whole(run, number):
    done, _, places = run
    _, message, remedy = MISTAKES[number]
    label = "warning" if is_warning(message) else "mistake"
    said = f"{label} mistakes.py:{places[number]}: {message}\n        {remedy}\n"
    assert said in done.stdout.replace(named(number), "f")


def test_there_are_at_least_forty():
    assert len(MISTAKES) >= 40


def test_the_healthy_function_beside_them_and_the_other_module_are_tested(run):
    _, report, _ = run
    status = {
        target["qualname"]: (target["status"], target["inputs_run"]) for target in report["targets"]
    }
    assert status["healthy"] == ("passed", 30)
    assert status["g"] == ("passed", 30)


def test_functions_with_mistakes_are_not_passed(run):
    _, report, _ = run
    wrong = [n for n in range(len(MISTAKES)) if not is_warning(MISTAKES[n][1])]
    status = {target["qualname"]: target["status"] for target in report["targets"]}
    assert {status[named(number)] for number in wrong} == {"error"}


def test_a_default_outside_its_constraint_is_only_a_warning(run):
    _, report, _ = run
    warned = [named(n) for n, row in enumerate(MISTAKES) if is_warning(row[1])]
    # one for each function, of however many arguments
    warnings = [said["function"] for said in report["mistakes"] if said["warning"]]
    assert warnings == warned
    status = {target["qualname"]: target["status"] for target in report["targets"]}
    assert {status[name] for name in warned} == {"passed"}


def test_wrong_annotations_alone_give_exit_status_2(run):
    done, report, _ = run
    assert done.status == 2
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
        "mistake m.py:2: annotate(\"math:sqroot\"): math has no 'sqroot'. Did you mean 'sqrt'?\n"
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
        'mistake m.py:6: @arg("n"): objs(circle) needs itself to build a value\n'
        "        let a value do without: anys(None, objs(…)), or a list that may be empty\n",
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


@pytest.fixture(scope="module")
def singles(tmp_path_factory):
    folder = tmp_path_factory.mktemp("singles")
    for name, (code, _) in SINGLE.items():
        (folder / f"{name}.py").write_text("from annotest import *\n" + code)
    return annotest("run", ".", cwd=folder)


@pytest.mark.parametrize("name", SINGLE)
def test_a_mistake_outside_functions_is_told_whole(singles, name):
    assert SINGLE[name][1].replace("m.py:", f"{name}.py:", 1) in singles.stdout
    assert singles.status == 2


USE = {
    ("nowhere.py",): "annotest: nowhere.py: there is no such file or folder\n",
    ("notes.txt",): "annotest: notes.txt: not a Python file; give .py files or folders\n",
    **{
        ("-k", words, "ok.py"): (
            f"annotest: -k {words!r} cannot be read; write words joined by and, or, not\n"
        )
        for words in ("a and", "(", "plain model", "not")
    },
    ("--json", "no/such/folder/x.json", "ok.py"): (
        "annotest: --json no/such/folder/x.json: cannot be written: No such file or directory\n"
    ),
}


@pytest.mark.parametrize("args", USE, ids=" ".join)
def test_wrong_use_is_told_in_one_line(tmp_path, args):
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "ok.py").write_text("from annotest import *\n@arg(n=ints())\ndef g(n): pass\n")
    done = annotest("run", *args, cwd=tmp_path)
    assert done.status == 2
    assert done.stderr.endswith(USE[args])


def test_an_empty_project_has_nothing_to_test(tmp_path):
    done = run_json(".", cwd=tmp_path, tmp_path=tmp_path)
    assert done.status == 5
    assert "nothing to test: there is no Python file here" in done.stdout


def test_a_project_without_annotations_has_nothing_to_test(tmp_path):
    (tmp_path / "plain.py").write_text("def f(x): pass\n")
    done = annotest("run", ".", cwd=tmp_path)
    assert done.status == 5
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
