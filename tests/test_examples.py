"""The examples: annotest finds what is planted in them, and calls nothing with invalid inputs."""

import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import annotest, run_json

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
PLANTED = json.loads((EXAMPLES / "planted.json").read_text())
USE_TORCH = ["attention.py", "augment.py", "patches.py", "retrieval.py", "train_step.py"]
OF_NUMPY = sorted(file.name for file in EXAMPLES.glob("*.py") if file.name not in USE_TORCH)
WITHOUT_TORCH = "demo: torch is not installed; left out: " + ", ".join(USE_TORCH)
HAS_TORCH = importlib.util.find_spec("torch") is not None
TO_BE_FOUND = [bug for bug in PLANTED if HAS_TORCH or bug["file"] not in USE_TORCH]
FAILING_LINE = "for _ in range(layers):"
SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (2, 3))]


def annotest_run(*paths, seed, cwd, **env):
    """Run annotest and return its report."""
    options = ("--seed", seed, "--allow", cwd)
    return run_json(*paths, *options, cwd=cwd, tmp_path=cwd, env=env).report


def run_demo(root, **env):
    command = [sys.executable, str(root / "tools" / "demo.py"), "--max-examples", "60"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env})


def edit(file, old, new):
    text = file.read_text()
    assert text.count(old) == 1, f"{file.name} has {text.count(old)} times: {old}"
    file.write_text(text.replace(old, new))


def source_line(finding, cwd):
    place = finding["location"]
    return (cwd / place["file"]).read_text().splitlines()[place["line"] - 1].strip()


@pytest.fixture
def copied(tmp_path):
    """A copy of the examples that a test may change."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


# the demo

# what Python runs at its start, as if torch were not installed
HIDES_TORCH = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name == "torch" else find(name, *more)
"""


def files_in(folder):
    return {file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"}


def test_demo_finds_the_planted_bugs_and_nothing_else():
    done = run_demo(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    verdict = [line for line in done.stdout.splitlines() if line.startswith("demo: ")]
    count = len(TO_BE_FOUND)
    assert verdict == [
        f"demo: {count} of {count} planted bugs found; other findings: 0",
        *([] if HAS_TORCH else [WITHOUT_TORCH]),
    ]


def test_demo_names_what_is_missing_and_what_is_extra_and_left_out(tmp_path, copied):
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    no_torch = tmp_path / "no_torch"
    no_torch.mkdir()
    (no_torch / "sitecustomize.py").write_text(HIDES_TORCH)
    edit(copied / "densenet.py", "(depth - 4) / 3\n", "(depth - 4) // 3\n")
    edit(
        copied / "blocks.py", "    net = Conv(filters, kernel)(net)", "    net = Conv(filters)(net)"
    )
    before = files_in(tmp_path)
    done = run_demo(tmp_path, PYTHONPATH=str(no_torch))
    assert done.returncode == 1
    assert files_in(tmp_path) == before  # of the examples' own, no file is left
    verdict = done.stdout[done.stdout.index("demo: ") :].splitlines()
    assert verdict == [
        "demo: 4 of 5 planted bugs found; other findings: 1",
        WITHOUT_TORCH,
        "  missing: densenet.py, DenseNet: TypeError at `for _ in range(layers):`",
        "  extra:   blocks.py, conv_block: TypeError at `net = Conv(filters)(net)`",
    ]


@pytest.mark.parametrize("bug", PLANTED, ids=[bug["file"] for bug in PLANTED])
def test_planted_bugs_are_marked_and_listed(bug):
    readme = (EXAMPLES / "README.md").read_text()
    row = next(row for row in readme.splitlines() if f"| `{bug['target']}` |" in row)
    assert all(f"`{bug[key]}`" in row for key in ("file", "exception", "line"))
    assert (EXAMPLES / bug["file"]).read_text().count("# Planted bug: ") == 1


def test_no_other_bug_is_marked():
    marked = {file.name for file in EXAMPLES.glob("*.py") if "Planted bug" in file.read_text()}
    assert marked == {bug["file"] for bug in PLANTED}


# the paper's own example


@pytest.mark.parametrize("seed", SEEDS)
def test_densenet_has_one_finding_at_the_planted_line(seed, tmp_path):
    report = annotest_run(EXAMPLES / "densenet.py", seed=seed, cwd=tmp_path)
    (finding,) = report["findings"]
    assert finding["target"]["qualname"] == "DenseNet"
    assert finding["exception"]["type"] == "TypeError"
    assert source_line(finding, tmp_path) == FAILING_LINE
    (target,) = report["targets"]
    assert target["inputs_run"] >= 100


@pytest.mark.parametrize("seed", SEEDS)
def test_densenet_repaired_has_no_finding(seed, copied, tmp_path):
    edit(copied / "densenet.py", "(depth - 4) / 3\n", "(depth - 4) // 3\n")
    report = annotest_run(copied / "densenet.py", seed=seed, cwd=tmp_path)
    assert report["findings"] == []
    assert report["targets"][0]["status"] == "passed"
    assert report["targets"][0]["inputs_run"] >= 100


def is_int(value, low, high):
    return type(value) is int and low <= value <= high


def is_float(value, low, high):
    return type(value) is float and low <= value <= high


def are_layers(value, blocks):
    """Say whether `dense_layers` fits: -1, a number, or a list of one number for each block."""
    if type(value) is list:
        return len(value) == blocks and all(is_int(layers, 2, 5) for layers in value)
    return is_int(value, -1, -1) or is_int(value, 1, 5)


def is_shape(value):
    return (
        type(value) is tuple
        and len(value) == 3
        and is_int(value[0], 20, 70)
        and is_int(value[1], 20, 70)
        and is_int(value[2], 1, 3)
    )


def is_valid_call(call):
    """Say in plain Python, without annotest, what DenseNet's eleven annotations say."""
    return (
        is_shape(call["input_shape"])
        and is_int(call["dense_blocks"], 2, 5)
        and are_layers(call["dense_layers"], call["dense_blocks"])
        and is_int(call["growth_rate"], 1, 20)
        and is_int(call["nb_classes"], 2, 22)
        and is_float(call["dropout_rate"], 0, 1)
        and call["dropout_rate"] not in (0, 1)
        and type(call["bottleneck"]) is bool
        and is_float(call["compression"], 0, 1)
        and call["compression"] != 0
        and is_float(call["weight_decay"], 1e-4, 1e-2)
        and is_int(call["depth"], 10, 100)
    )


VALID_CALL = {
    "input_shape": (20, 70, 3),
    "dense_blocks": 3,
    "dense_layers": [2, 5, 2],
    "growth_rate": 20,
    "nb_classes": 22,
    "dropout_rate": 0.5,
    "bottleneck": True,
    "compression": 1.0,
    "weight_decay": 0.01,
    "depth": 100,
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"input_shape": (19, 70, 3)},
        {"input_shape": [20, 70, 3]},
        {"input_shape": (20, 70)},
        {"input_shape": None},
        {"dense_blocks": 6},
        {"dense_blocks": 2},
        {"dense_layers": 0},
        {"dense_layers": (2, 5, 2)},
        {"dense_layers": [2, 5, 1]},
        {"growth_rate": True},
        {"nb_classes": None},
        {"dropout_rate": 1.0},
        {"dropout_rate": None},
        {"bottleneck": 1},
        {"compression": 0.0},
        {"compression": float("nan")},
        {"weight_decay": 0.011},
        {"depth": 10.0},
    ],
    ids=str,
)
def test_the_predicate_tells_valid_from_invalid_calls(wrong):
    assert is_valid_call(VALID_CALL)
    assert not is_valid_call(VALID_CALL | wrong)


# every argument, written as Python: JSON would make tuples and lists one
CALL_LOG = """
import os

def note(arguments):
    with open(os.environ["CALL_LOG"], "a") as file:
        file.write(f"{arguments!r}\\n")
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_densenet_is_never_called_with_invalid_inputs(seed, copied, tmp_path):
    (copied / "call_log.py").write_text(CALL_LOG)
    first = "    if nb_classes is None:\n"
    edit(copied / "densenet.py", first, f'    __import__("call_log").note(locals())\n{first}')
    log = tmp_path / "calls.txt"
    report = annotest_run(copied / "densenet.py", seed=seed, cwd=tmp_path, CALL_LOG=str(log))
    calls = [ast.literal_eval(line) for line in log.read_text().splitlines()]
    assert [call for call in calls if not is_valid_call(call)] == []
    assert len(calls) >= report["targets"][0]["inputs_run"] >= 100
    kinds = {
        "list" if type(call["dense_layers"]) is list else call["dense_layers"] for call in calls
    }
    assert {"list", -1} < kinds <= {"list", -1, 1, 2, 3, 4, 5}
    assert len(kinds) >= 5


# what the other examples claim


def test_without_cc_example_methods_would_write_to_folders_that_do_not_exist(copied, tmp_path):
    edit(copied / "callback.py", '    @cc_example([os.devnull, samples(3, 2, 2), "pink"])\n', "")
    report = annotest_run(copied / "callback.py", seed=1, cwd=tmp_path)
    found = {
        (finding["target"]["qualname"], finding["exception"]["type"])
        for finding in report["findings"]
    }
    assert ("ImageGridCallback.save", "FileNotFoundError") in found


# the others take long, having torch's 200 inputs of each function
GENERATED_FROM = [
    pytest.param(OF_NUMPY, id="numpy"),
    pytest.param(
        USE_TORCH,
        id="torch",
        marks=[
            pytest.mark.exhaustive,
            pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed"),
        ],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("files", GENERATED_FROM)
def test_generated_tests_fail_for_the_planted_bugs_alone(files, tmp_path):
    folder = tmp_path / "generated"
    written = annotest("generate", *(EXAMPLES / file for file in files), "--out", folder, cwd=ROOT)
    # train_script.py cannot be imported, as planted
    assert written.status == ("train_script.py" in files), written.stdout
    assert written.stdout.count("cannot be imported") == written.status
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(pytest_command, cwd=tmp_path, capture_output=True, text=True)
    assert "error" not in done.stdout.splitlines()[-1], done.stdout
    failed = set(re.findall(r"^FAILED \S+::(\w+)", done.stdout, re.MULTILINE))
    targets = {bug["target"] for bug in PLANTED if bug["file"] in files}
    assert failed == {f"test_{generated_name(target)}" for target in targets}


def generated_name(target):
    return "import_of_train_script" if target == "<module>" else target.replace(".", "_")
