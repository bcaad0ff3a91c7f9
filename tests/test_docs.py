"""Every fenced code block of README.md, CONTRIBUTING.md and docs/*.md is run.

The blocks of one page run in order, in one empty folder and one namespace. The word after the
opening fence says how:

`python`
    Run. When its first line is a comment with a file name (`# net.py`), it is written to that
    file instead; a later block with the same name overwrites it. A file that no later `$` line
    of the page names is imported at once, so that no file is merely looked at.
`toml`
    Written to the file that its first line names, as for `python`. A later `$` line reads it.
`pycon`
    Run as a doctest (`>>>`), in the page's namespace.
`console`
    Each line `$ command` runs in the page's folder, and the lines below it must be what it prints:
    standard output, then standard error. `annotest`, `python` and `pytest` are those of this test
    run; `cat` and `echo $?` do what they do in a shell. `make` and `pip` are not run: their
    targets and extras must exist, and they show no output.

A line `…` stands for any lines, a `…` inside a line for any text. Times, seeds, counts of inputs
and the names of findings may differ. A block with any other word fails the test: nothing is
skipped, but pages that import torch where it is not installed. `python tests/test_docs.py` pastes the real output into blocks whose output differs.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import importlib.util
import os
import re
import runpy
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import warm
from patience import LONGEST

import annotest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SLOW = {
    "checking.md",
    "tutorial.md",
    "annotating.md",
    "cookbook.md",
    "oracles.md",
    "running.md",
    "language.md",
    "libraries.md",
}
# with the budget that is shown they take half a minute: make test-slow gives them that
FEWER_INPUTS = {
    "cookbook.md": ("--max-examples", "40"),
    "libraries.md": ("--max-examples", "40"),
    "oracles.md": ("--max-examples", "60"),
    "tutorial.md": ("--max-examples", "20"),
}

HAS_TORCH = importlib.util.find_spec("torch")
FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$")
FILE_LINE = re.compile(r"^# ([\w/]+\.(?:py|toml))$")
VOLATILE = [
    (re.compile(r"\b\d+\.\d+ ?s\b"), "0.0 s"),
    (re.compile(r"\bseed \d+"), "seed 0"),
    (re.compile(r"\bfinding [0-9a-f]{10}\b"), "finding 0"),
    (re.compile(r"\b[\d,]+ inputs? run"), "0 inputs run"),
    (re.compile(r"\b[\d,]+ invalid discarded"), "0 invalid discarded"),
    (re.compile(r"\b[\d,]+ of [\d,]+\b"), "0 of 0"),
    (re.compile(r"\b[\d.e-]+% of [\d,]+"), "0% of 0"),
    # Python 3.14 says these with other words
    (re.compile(r"\b(float |integer )?division( or modulo)? by zero"), "division by zero"),
]
# where nobody watches, the progress of a run is a line a module, and one now and then where it takes
# long; in a terminal it vanishes
PROGRESS = re.compile(
    r"^(?:\S+: [\d,]+ targets?|(?:[\d,]+ of [\d,]+ targets? done|no target yet) · .*)\n",
    re.MULTILINE,
)


@dataclass
class Block:
    """A fenced code block."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class Wrong(AssertionError):
    """A block does not do what the page says."""

    def __init__(self, block: Block, reason: str) -> None:
        super().__init__(f"{block}: {reason}")


def blocks_of(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    found: list[Block] = []
    opened: Block | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if opened is not None:
            if fence and fence[2] == "```" and not fence[1] and not fence[3]:
                found.append(opened)
                opened = None
            else:
                opened.text += line + "\n"
        elif fence:
            opened = Block(page, number, fence[3], "")
            if fence[1] or fence[2] != "```":
                raise Wrong(opened, "a fence starts its line with exactly three backticks")
    if opened is not None:
        raise Wrong(opened, "the block is never closed")
    return found


@dataclass
class Runner:
    """Runs the blocks of one page in a folder of its own."""

    blocks: list[Block]
    folder: Path
    further_words: tuple[str, ...] = ()  # of `annotest run`
    namespace: dict[str, object] = field(default_factory=lambda: {"__name__": "__docs__"})
    status: int = 0

    def run(self, block: Block) -> str:
        """Run one block; return the text it should have had."""
        kinds: dict[str, Callable[[Block], str]] = {
            "python": self._python,
            "toml": self._toml,
            "pycon": self._pycon,
            "console": self._console,
        }
        if block.language not in kinds:
            raise Wrong(block, f"cannot run a block of {block.language or 'no language'!r}")
        return kinds[block.language](block)

    def _python(self, block: Block) -> str:
        code = compile("\n" * block.line + block.text, str(block.page), "exec")
        named = FILE_LINE.match(block.text.split("\n")[0])
        if named:
            self._write(block, named[1])
        else:
            exec(code, self.namespace)
        return block.text

    def _toml(self, block: Block) -> str:
        tomllib.loads(block.text)
        named = FILE_LINE.match(block.text.split("\n")[0])
        if not named:
            raise Wrong(block, "its first line does not name its file")
        (self.folder / named[1]).write_text(block.text, encoding="utf-8")
        return block.text

    def _write(self, block: Block, name: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text, encoding="utf-8")
        later = [
            line for one in self.blocks if one.line > block.line for line in one.text.split("\n")
        ]
        if any(line.startswith("$ ") and name in line for line in later):
            return
        try:
            runpy.run_path(str(file))
        except Exception as error:
            raise Wrong(block, f"{name} cannot be imported: {error!r}") from error

    def _pycon(self, block: Block) -> str:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.namespace, str(block), str(block.page), block.line
        )
        said: list[str] = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        # the page's namespace outlives the block
        failed, tried = runner.run(test, out=said.append, clear_globs=False)
        self.namespace.update(test.globs)
        if failed or not tried:
            raise Wrong(block, "".join(said) or "there is no >>> in it")
        return block.text

    def _console(self, block: Block) -> str:
        written = []
        for command, expected in _commands(block):
            actual = self._output(block, command)
            if not is_same(expected, actual):
                expected = actual
            written.append(f"$ {command}\n{expected}")
        return "".join(written)

    def _output(self, block: Block, command: str) -> str:
        if command == "echo $?":
            return f"{self.status}\n"
        words = shlex.split(command)
        if words[0] == "cat":
            return "".join((self.folder / name).read_text(encoding="utf-8") for name in words[1:])
        if words[0] in CHECKS:
            reason = CHECKS[words[0]](words)
            if reason:
                raise Wrong(block, f"`{command}`: {reason}")
            return ""
        if words[0] not in PROGRAMS:
            raise Wrong(block, f"cannot run `{command}`")
        done = self._process([*PROGRAMS[words[0]], *words[1:]])
        self.status = done.returncode
        lines = (done.stdout + PROGRESS.sub("", done.stderr)).splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines)

    def _process(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "COV"))}
        env = kept | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        # in the page's folder, whatever project that folder may be in
        env["ANNOTEST_DATABASE"] = str(self.folder / ".annotest")
        if command[:3] == PROGRAMS["annotest"]:
            further = self.further_words if command[3] == "run" else ()
            words = warm.with_one_worker([*command[3:], *further])
            return warm.run(words, cwd=self.folder, env=env, timeout=LONGEST)
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=LONGEST
        )


PROGRAMS = {
    "annotest": [sys.executable, "-m", "annotest"],
    "python": [sys.executable],
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"],
}


def _make_problem(words: list[str]) -> str:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    missing = [word for word in words[1:] if word not in targets]
    return f"the Makefile has no target {missing}" if missing or not words[1:] else ""


def _pip_problem(words: list[str]) -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    where = re.fullmatch(r"\.(?:\[([\w,]+)\])?", words[-1])
    if words[1:2] != ["install"] or not where:
        return "only `pip install .`, with extras or without, can be checked"
    extras = set((where[1] or "").split(",")) - {""}
    missing = extras - set(project["optional-dependencies"])
    return f"there is no extra {sorted(missing)}" if missing else ""


CHECKS = {"make": _make_problem, "pip": _pip_problem}


def _commands(block: Block) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with the output shown below it."""
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    if parts[0] or len(parts) < 3:
        raise Wrong(block, "a console block starts with `$ command`")
    yield from zip(parts[1::2], parts[2::2], strict=True)


def is_same(expected: str, actual: str) -> bool:
    """Say whether an output is the one shown, but for what may differ."""
    for volatile, plain in VOLATILE:
        expected, actual = volatile.sub(plain, expected), volatile.sub(plain, actual)
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, actual) is not None


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Work in a folder, and forget the modules that are imported from it."""
    before, path, modules = Path.cwd(), list(sys.path), set(sys.modules)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.startswith(str(folder)):
                del sys.modules[name]


def marked(page: Path) -> object:
    """Return a page as a parameter; those with many commands are slow."""
    marks = [pytest.mark.slow] if page.name in SLOW else []
    if HAS_TORCH is None and any("import torch" in block.text for block in blocks_of(page)):
        marks.append(pytest.mark.skip(reason="torch is not installed, which the page uses"))
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=marks)


@pytest.mark.parametrize("page", [marked(page) for page in PAGES])
def test_every_block_does_what_the_page_says(page, tmp_path):
    check_blocks(Runner(blocks_of(page), tmp_path, FEWER_INPUTS.get(page.name, ())))


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [marked(page) for page in PAGES if page.name in FEWER_INPUTS])
def test_every_block_does_what_the_page_says_with_its_own_budget(page, tmp_path):
    check_blocks(Runner(blocks_of(page), tmp_path))


def check_blocks(runner):
    with inside(runner.folder):
        for block in runner.blocks:
            real = runner.run(block)
            if real != block.text:
                shown = difflib.ndiff(block.text.splitlines(), real.splitlines())
                pytest.fail(f"{block}: another output than shown\n" + "\n".join(shown))


def test_a_block_of_an_unknown_language_is_refused(tmp_path):
    block = Block(ROOT / "README.md", 1, "ruby", "puts 1\n")
    with pytest.raises(Wrong, match="cannot run a block of 'ruby'"):
        Runner([block], tmp_path).run(block)


def test_an_unknown_command_is_refused(tmp_path):
    block = Block(ROOT / "README.md", 1, "console", "$ rm -r /\n")
    with pytest.raises(Wrong, match="cannot run `rm -r /`"):
        Runner([block], tmp_path).run(block)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("make nothing", "the Makefile has no target"),
        ("pip install numpy", "only `pip install .`"),
        ("pip install '.[nothing]'", "there is no extra"),
    ],
)
def test_a_command_that_is_not_run_is_checked(command, problem, tmp_path):
    block = Block(ROOT / "README.md", 1, "console", f"$ {command}\n")
    with pytest.raises(Wrong, match=re.escape(problem)):
        Runner([block], tmp_path).run(block)


def test_other_output_is_noticed_and_other_times_are_not():
    assert is_same("1 target · 0.3 s · seed 1\n", "1 target · 12.5 s · seed 77\n")
    assert is_same("a\n…\nz\n", "a\nb\nc\nz\n")
    assert not is_same("1 target\n", "2 targets\n")
    assert not is_same("a\n", "a\nb\n")


def test_progress_is_no_output():
    lines = (
        "nets.py: 3 targets\nno target yet · 0 inputs, 0 a second\n1 of 3 targets done · 9 inputs\n"
    )
    assert PROGRESS.sub("", f"{lines}1 target · 9 inputs run\n") == "1 target · 9 inputs run\n"


def test_the_tables_of_the_reference_are_current():
    command = [sys.executable, str(ROOT / "tools" / "language_tables.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", [name for name in annotest.__all__ if not name.startswith("_")])
def test_the_reference_speaks_of_every_public_name(name):
    pages = (ROOT / "docs" / page for page in ("language.md", "checking.md"))
    assert any(re.search(rf"\b{name}\b", page.read_text("utf-8")) for page in pages)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name}: {link} leads nowhere"
        if anchor:
            assert anchor in anchors_of(target), f"{page.name}: {link} names no heading"


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[\s]+", "-", heading) for heading in plain}


def test_every_page_of_the_docs_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f": {page.name}" in navigation


def paste_outputs(page: Path) -> None:
    """Put the real output into every block of a page whose output differs."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(blocks_of(page), Path(folder).resolve())
        with inside(runner.folder):
            for block in runner.blocks:
                try:
                    real = runner.run(block)
                except Wrong as error:
                    print(error)
                    continue
                if real != block.text:
                    print(f"{block}: other output")
                    text = text.replace(f"```console\n{block.text}```", f"```console\n{real}```", 1)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for one in sys.argv[1:] or PAGES:
        paste_outputs(Path(one).resolve())
