"""Which functions are targets: readable modules in `projects/discovery`, run once.

A line that fails is marked `# planted: ExceptionType`.
"""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from folders import (
    BLOCKED,
    CODE,
    FAILED,
    FUNCTION,
    HEAD,
    HEALTHY,
    PASSED,
    PROJECT,
    Done,
    annotest,
    found_in,
    not_testable,
    planted_in,
    write,
)

# ---- readable modules


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Done:
    folder = tmp_path_factory.mktemp("discovery") / "project"
    shutil.copytree(PROJECT, folder)
    return annotest(folder, "run", ".", "--seed", "7")


TARGETS = {
    "healthy.py": {"healthy": PASSED},
    "decorated.py": {
        "wrapped_above": FAILED,
        "wrapped_below": FAILED,
        "wrapped_twice": PASSED,
        "wrapped_by_place": FAILED,
        "wrapped_between": FAILED,
        "pointed_above": FAILED,
        "pointed_between": FAILED,
        "compiled_above": FAILED,
        "compiled_below": FAILED,
        "cached_above": FAILED,
        "cached_below": PASSED,
        "managed": PASSED,
        "dispatched": FAILED,
        "awaited": FAILED,
        "lazy": FAILED,
        "iterator": FAILED,
        "make": PASSED,
        "made": PASSED,
        "Layer.static_above": FAILED,
        "Layer.static_below": FAILED,
        "Layer.class_above": FAILED,
        "Layer.class_below": FAILED,
        "Layer.size": FAILED,
        "Layer.cached": FAILED,
        "Layer.method_cached": FAILED,
        "Layer.settable": PASSED,
    },
    "classes.py": {
        "Base.__init__": PASSED,
        "Base.run": FAILED,
        "Base.replaced": PASSED,
        "Base.plain": PASSED,
        "Inheriting.own": FAILED,
        "Defaulted.run": FAILED,
        "Chosen.__init__": FAILED,
        "Chosen.seen": PASSED,
        "Chosen.first": FAILED,
        "Chosen.second": FAILED,
        "Chosen.needs_self": PASSED,
        "Failing.__init__": FAILED,
        "Failing.run": BLOCKED,
        "Hidden.run": FAILED,
        "Callable.__call__": FAILED,
        "Callable._annotated": FAILED,
        "Outer.Inner.run": FAILED,
        "Square.area": FAILED,
        "Square.scaled": FAILED,
        "Record.__init__": PASSED,
        "Record.area": FAILED,
    },
    "names.py": {
        "<module>": PASSED,
        "_private": FAILED,
        "test_annotated": FAILED,
        "size_test": FAILED,
        "needs_nothing": FAILED,
        "all_defaults": FAILED,
    },
    "shared.py": {"shared": FAILED, "Shared.run": FAILED},
    "importing.py": {"own": PASSED},
    "generators.py": {
        "nested": FAILED,
        "in_a_list": FAILED,
        "in_a_dict": FAILED,
        "from_another_module": FAILED,
        "by_name": FAILED,
        "by_full_name": PASSED,
        "Model.__init__": PASSED,
        "by_class": FAILED,
        "together": FAILED,
        "of_a_broken_generator": BLOCKED,
        "of_a_sometimes_broken_generator": PASSED,
        "tested_too": FAILED,
        "of_a_variadic_generator": PASSED,
        "calls_a_generator_itself": PASSED,
    },
    "hints.py": {
        "annotated": FAILED,
        "with_precondition": PASSED,
        "precise": FAILED,
        "overridden": PASSED,
        "with_unknown_name": FAILED,
        "Layer.__init__": PASSED,
        "Layer.run": FAILED,
    },
    "library/outside_library.py": {
        "scale": FAILED,
        "Layer.__init__": PASSED,
        "Layer.forward": FAILED,
        "Layer.static": FAILED,
        "Layer.make": PASSED,
    },
    "self_annotated.py": {"plain": FAILED, "Layer.run": FAILED},
}


@pytest.mark.parametrize("file", TARGETS)
def test_a_module_has_these_targets_and_no_others_and_each_fares_as_planted(project, file):
    assert project.targets(file) == TARGETS[file]


@pytest.mark.parametrize("file", TARGETS)
def test_exactly_the_planted_bugs_are_found(project, file):
    assert found_in(project.record, file) == planted_in(PROJECT / file)


def test_every_finding_has_its_place_in_the_project(project):
    lost = [finding for finding in project.record["findings"] if finding["location"] is None]
    assert [(one["target"]["qualname"], one["message"]) for one in lost] == []


def test_a_function_hidden_by_a_decorator_is_not_testable_and_not_called(project):
    hidden = {"hidden", "hidden_by_an_object", "Layer.hidden_method"}
    reasons = not_testable(project, "decorated.py")
    assert {n for n, why in reasons.items() if why == "no name of its module leads to it"} == hidden
    called = {target["qualname"] for target in project.record["targets"]}
    assert not called & hidden


def test_what_is_not_testable_in_classes_is_named_with_its_reason(project):
    reasons = not_testable(project, "classes.py")
    assert reasons == {
        "Inheriting.replaced": "no annotation for 'n'",
        "Unbuildable.__init__": "no annotation for 'units'",
        "Unbuildable.run": "an instance of Unbuildable: "
        "Unbuildable.__init__ has no annotation for 'units'",
        "Color.shade": "Color is an enumeration",
        "Sized.size": "Sized is a protocol",
        "Pair.shifted": "an instance of Pair: Pair.__init__ has no annotation for 'left'",
    }


def test_an_excluded_class_is_not_listed_at_all(project):
    assert not [name for name in not_testable(project, "classes.py") if "Excluded" in name]


def test_a_function_that_needs_input_is_not_testable(project):
    reasons = not_testable(project, "names.py")
    assert reasons == {"needs_input": "no annotation for 'first', 'second', 'third'"}
    assert not_testable(project, "hints.py") == {
        "bare": "no annotation for 'n', 'x'; the hint of 'x', Tensor, is not read: it is known to "
        "type checkers only"
    }


def test_code_annotated_from_outside_is_not_called_untestable(project):
    reasons = not_testable(project, "library/outside_library.py")
    assert set(reasons) == {"untouched", "Layer.size"}


def test_an_installed_library_is_tested_when_annotated_from_outside(project):
    found = {
        f"{one['module']}:{one['qualname']}": one["status"]
        for one in project.record["targets"]
        if one["module"].startswith("numpy")
    }
    assert found == {"numpy:full": PASSED, "numpy.linalg:norm": FAILED, "numpy.linalg:inv": FAILED}


def test_a_bug_of_an_installed_library_is_placed_in_the_library(project):
    found = [
        finding
        for finding in project.record["findings"]
        if finding["target"]["module"] == "numpy.linalg"
    ]
    (inv, norm) = sorted(found, key=lambda one: one["target"]["qualname"])
    assert norm["exception"]["type"] == "ValueError"
    # in older releases of NumPy, norm is a wrapper that spreads its arguments
    assert norm["call"].splitlines()[-1] in ("norm(x=[1], ord='wrong')", "norm([1], 'wrong')")
    assert inv["exception"]["type"] == "numpy.linalg.LinAlgError"
    assert all("numpy" in one["location"]["file"] for one in (norm, inv))


def test_a_name_that_leads_nowhere_costs_its_annotation_alone(project):
    wrong = [mistake for mistake in project.record["mistakes"] if not mistake["warning"]]
    assert [(one["file"], one["annotation"], one["reason"]) for one in wrong] == [
        (
            "outside.py",
            'annotate("outside_library:missing")',
            "outside_library has no 'missing'.",
        ),
        (
            "outside.py",
            'annotate("no_such_module:f")',
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
    ]


def test_a_failing_generator_is_a_generator_error_and_no_bug_of_the_function(project):
    found = {
        finding["target"]["qualname"]: finding["kind"]
        for finding in project.findings("generators.py")
        if finding["kind"] != "exception"
    }
    assert found == {"broken": "generator", "sometimes_broken": "generator"}


def test_what_is_blocked_names_the_finding_that_blocks_it(project):
    ids = {finding["target"]["qualname"]: finding["id"] for finding in project.record["findings"]}
    blocked = {target["qualname"]: target["blocked_by"] for target in project.record["targets"]}
    assert blocked["Failing.run"] == ids["Failing.__init__"]
    assert blocked["of_a_broken_generator"] == ids["broken"]


CALLS = {
    "Inheriting.own": "Inheriting(units=4).own(n=5)",
    "Chosen.first": "Chosen(units=8).first()",
    "Chosen.second": "Chosen(units=9, scale=2).second()",
    "Outer.Inner.run": "Outer.Inner().run(n=3)",
    "Layer.size": "Layer().size",
    "in_a_list": "in_a_list(xs=[leaf(n=3)])",
    "from_another_module": "from_another_module(pair=pairs(a=3, b=4))",
    "by_class": "by_class(model=Model(units=3))",
}


@pytest.mark.parametrize("target", CALLS)
def test_the_smallest_call_is_written_as_it_is_made(project, target):
    (found,) = (
        finding for finding in project.record["findings"] if finding["target"]["qualname"] == target
    )
    assert found["call"].splitlines()[-1] == CALLS[target]


# ---- each function once, whatever leads to it


def test_a_linked_file_is_tested_once(tmp_path):
    folder = write(tmp_path / "p", {"healthy.py": HEALTHY})
    (folder / "alias.py").symlink_to("healthy.py")
    assert len(annotest(folder, "run", ".").record["targets"]) == 1


def test_paths_that_overlap_are_tested_once(tmp_path):
    folder = write(tmp_path / "p", {"part/healthy.py": HEALTHY})
    (tmp_path / "link").symlink_to("p")
    paths = [".", "part", "part/healthy.py", str(folder), str(tmp_path / "link" / "part")]
    assert annotest(folder, "run", *paths).targets() == {"part/healthy.py:healthy": PASSED}


def test_a_function_that_two_modules_import_is_tested_once(tmp_path):
    shared = "from shared import healthy\n"
    files = {
        "shared.py": HEALTHY,
        "one.py": shared + CODE,
        "two.py": shared + CODE,
    }
    folder = write(tmp_path / "p", files)
    for paths in (["."], ["one.py", "two.py"]):
        done = annotest(folder, "run", *paths)
        names = Counter(target["qualname"] for target in done.record["targets"])
        assert names == {"healthy": 1, "f": 2}, paths


# ---- what a run takes: paths, -k, --all

LAYOUT = {
    "pyproject.toml": "",
    "src/pack/__init__.py": "",
    "src/pack/model.py": HEAD + "import pack.util\n" + FUNCTION + "def g(a=1): pass\n",
    "src/pack/util.py": (
        "def plain(): return 1 / 0\n"
        "def needs(a, b=2): pass\n"
        "def test_plain(): raise RuntimeError\n"
        "def _private(): raise RuntimeError\n"
        "class Layer:\n"
        "    def run(self): pass\n"
        "    @staticmethod\n"
        "    def static(n): raise RuntimeError\n"
    ),
    "tests/test_util.py": "def helper(): raise RuntimeError\ndef test_it(): raise RuntimeError\n",
    "tests/conftest.py": "def helper(): raise RuntimeError\n",
}


@pytest.fixture(scope="module")
def layout(tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("layout") / "project", LAYOUT)


MODEL = {"src/pack/model.py:f": PASSED, "src/pack/model.py:g": PASSED}
UTIL = {"src/pack/util.py:plain": FAILED, "src/pack/util.py:Layer.run": PASSED}


@pytest.mark.parametrize("path", [".", "src", "src/pack", "src/pack/model.py"])
def test_a_package_is_imported_by_its_own_name_whatever_path_is_given(layout, path):
    done = annotest(layout, "run", path)
    assert done.targets() == MODEL
    assert {target["module"] for target in done.record["targets"]} == {"pack.model"}


def test_all_takes_what_needs_no_input_in_every_module(layout):
    done = annotest(layout, "run", ".", "--all")
    assert done.targets() == MODEL | UTIL
    reasons = not_testable(done, "src/pack/util.py")
    assert reasons == {
        "needs": "no annotation for 'a'",
        "Layer.static": "no annotation for 'n'",
    }


def test_without_all_a_module_without_annotations_is_listed_and_not_imported(layout):
    done = annotest(layout, "list", ".")
    unannotated = "needs no input, but its module has no annotations"
    assert not_testable(done, "src/pack/util.py") == {
        "plain": unannotated,
        "needs": "no annotation for 'a'",
        "Layer.run": unannotated,
        "Layer.static": "no annotation for 'n'",
    }
    assert done.targets() == dict.fromkeys(MODEL, "listed")


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("plain", ["src/pack/util.py:plain"]),
        ("PLAIN", ["src/pack/util.py:plain"]),
        ("plain or layer.run", list(UTIL)),
        ("pack.util and not plain", ["src/pack/util.py:Layer.run"]),
        ("not (plain or model)", ["src/pack/util.py:Layer.run"]),
        ("pack.model:f", ["src/pack/model.py:f"]),
    ],
)
def test_k_chooses_targets_by_their_names(layout, words, chosen):
    targets = annotest(layout, "run", ".", "--all", "-k", words).targets()
    assert [name for name, status in targets.items() if status != "skipped"] == chosen
    assert targets.keys() == (MODEL | UTIL).keys()


def test_k_that_chooses_nothing_ends_with_status_5(layout):
    done = annotest(layout, "run", ".", "-k", "nowhere")
    assert set(done.targets().values()) == {"skipped"}
    assert done.status == 5


def test_generated_tests_are_no_targets(tmp_path):
    folder = write(tmp_path / "p", {"healthy.py": HEALTHY})
    before = annotest(folder, "run", ".").targets()
    made = annotest(folder, "generate", ".")
    assert made.record == {"files": [{"file": "annotest_tests/test_healthy.py", "tests": 1}]}
    assert annotest(folder, "run", ".", "--all").targets() == before
