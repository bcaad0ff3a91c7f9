"""Annotated programs changed at random: does annotest itself ever fail, or hang?

    python tools/fuzz.py --count 200 --seed 1

Tokens of annotations and of code are deleted, doubled, exchanged or replaced, inside texts too. The
mutants are run 25 at a time, as the modules of one project. A failure of annotest's own (status 3,
"please report this", a traceback, an exception of ours on import, a test file that does not
compile) and a command that does not end are reported; the project is kept, with the command that
repeats it. What was generated is compiled and never run: nothing would guard it.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import annotest
from annotest.process.limits import Limits

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "tools" / "fuzz_programs"
TOGETHER = 25
# seconds for one command; a run is told to end after 30, others wait so long for each import
LONGEST = 2 * Limits().imports
LIMITS = "--max-time 30 --max-examples 6 --timeout 1 --target-time 4 --max-memory 1GB -q"
# they end, hang or flood processes on purpose: that is what takes the time, whatever is changed
LEFT_OUT = {"deadly", "ends", "bugs", "building", "train_script", "score_script"}
ALONE = re.compile(r"^\s*(?:from|import)\s+(?!annotest|numpy|__future__)(\w+)", re.MULTILINE)

NUMBERS = ["0", "1", "-1", "2", "3", "7", "64", "255", "256", "10**9", "2**63", "2**64", "-2**63"]
NUMBERS += ["10**5000", "-10**5000", "0.5", "-0.0", "1e-320", "1e308", "1e400", "True"]
STRANGE = ["None", "...", "()", "[]", "{}", "float('nan')", "lambda: 3", "object()", "'é'", "b''"]
TEXTS = ["", " ", "x", "n", "n k", "*n", "...", "n?", "2*n", "-n", "n//0", "self.n", "a, b", "int8"]
TEXTS += ["(", "n > 0", "n := 3", "yield", "await n", "__import__", "float32", "{n!r}", "x" * 300]
TEXTS += ["\u2028\x00", "\ud800", "10**5000", "n < 10**5000"]
SIGNS = ["+", "-", "*", "/", "//", "%", "**", "<", "<=", "==", "!=", ">", ">=", "and", "or", "not"]
SIGNS += ["in", "is", ",", ":", "=", ".", "@", "|", "&", "if", "else", "for", "lambda"]
SIGNS += ["(", ")", "[", "]"]


def names_in(text: str) -> list[str]:
    """Return the names that a program knows: another one would cost the whole module, mostly."""
    names = set(re.findall(r"\b[a-zA-Z_]\w*\b", text)) | {"len", "sum", "list", "range", "unknown"}
    if "from annotest import *" in text:
        names |= set(annotest.__all__)
    return sorted(names)


def programs() -> dict[str, str]:
    """Return the texts of the programs that are changed, those of the language's words twice."""
    folders = [OWN, OWN, ROOT / "examples", *sorted((ROOT / "tests" / "projects").glob("*"))]
    texts: dict[str, str] = {}
    for number, folder in enumerate(folders):
        for path in sorted(folder.glob("*.py")):
            text = path.read_text()
            if path.stem not in LEFT_OUT and _stands_alone(text):
                texts[f"{number}_{folder.name}_{path.stem}"] = text
    return texts


def _stands_alone(text: str) -> bool:
    return set(ALONE.findall(text)) <= sys.stdlib_module_names


@dataclass(frozen=True)
class Token:
    """A token of a program, and where it stands."""

    text: str
    kind: int
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, without blanks, comments and ends of lines."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    wanted = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)
    tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in wanted:
                (line, column), (last, behind) = token.start, token.end
                start, end = starts[line - 1] + column, starts[last - 1] + behind
                tokens.append(Token(token.string, token.type, start, end))
    except (tokenize.TokenError, SyntaxError):
        pass  # what comes behind is no Python: texts of annotations need not be any
    return tokens


def annotated_lines(text: str) -> set[int]:
    """Return the lines of decorators, of `annotate`, and of the arguments below them."""
    lines: set[int] = set()
    with warnings.catch_warnings(action="ignore"):
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in [*node.decorator_list, node.args]:
                last = getattr(part, "end_lineno", node.lineno) or node.lineno
                lines.update(range(getattr(part, "lineno", node.lineno), last + 1))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


class Changes:
    """Changes of tokens, chosen by chance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._names: list[str] = []

    def mutant(self, text: str) -> str:
        """Return a program that differs and that mostly still is one."""
        self._names = names_in(text)
        broken = self._chance.random() < 0.03
        for _ in range(200):
            mutant = text
            for _ in range(self._chance.choice((1, 1, 2, 3, 5))):
                mutant = self._changed(mutant, self._place(mutant))
            if mutant != text and (broken or _compiles(mutant)):
                return mutant
        raise AssertionError("no change of this program leaves it a program")

    def _place(self, text: str) -> Token | None:
        """Return the token to change: mostly one of an annotation."""
        tokens = tokens_of(text)
        if self._chance.random() < 0.85 and _compiles(text):
            lines = annotated_lines(text)
            inside = [t for t in tokens if text.count("\n", 0, t.start) + 1 in lines]
            tokens = inside or tokens
        return self._chance.choice(tokens) if tokens else None

    def _changed(self, text: str, token: Token | None) -> str:
        if token is None:
            return text
        how = self._chance.random()
        if how < 0.12:
            new = ""
        elif how < 0.2:
            new = f"{token.text} {token.text}"
        elif how < 0.3:
            return self._swapped(text, token)
        else:
            new = self._other(token)
        return text[: token.start] + new + text[token.end :]

    def _swapped(self, text: str, token: Token) -> str:
        """Exchange a token with one of the same kind."""
        alike = [t for t in tokens_of(text) if t.kind == token.kind]
        first, second = sorted((token, self._chance.choice(alike)), key=lambda t: t.start)
        if first.end > second.start:
            return text
        between = text[first.end : second.start]
        return text[: first.start] + second.text + between + first.text + text[second.end :]

    def _other(self, token: Token) -> str:
        if self._chance.random() < 0.1:
            return self._chance.choice(STRANGE + NUMBERS)
        if token.kind == tokenize.NUMBER:
            return self._chance.choice(NUMBERS)
        if token.kind == tokenize.STRING:
            return self._other_text(token.text)
        return self._chance.choice(self._names if token.kind == tokenize.NAME else SIGNS)

    def _other_text(self, quoted: str) -> str:
        """Change a token inside a text, or take a strange one."""
        try:
            inside = ast.literal_eval(quoted)
        except (SyntaxError, ValueError):
            inside = ""  # the text of an f-string
        tokens = tokens_of(inside) if isinstance(inside, str) else []
        if not tokens or self._chance.random() < 0.2:
            return ascii(self._chance.choice(TEXTS))
        return ascii(self._changed(inside, self._chance.choice(tokens)))


def _compiles(text: str) -> bool:
    with warnings.catch_warnings(action="ignore"):
        try:
            compile(text, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


@dataclass
class Batch:
    """The mutants of one seed, written down as one project."""

    seed: int
    count: int
    folder: Path
    chance: random.Random = field(init=False)
    summary: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        (self.folder / "pyproject.toml").write_text("[tool.annotest]\n")
        texts = programs()
        for number in range(self.count):
            name, text = self.chance.choice([*texts.items()])
            mutant = Changes(self.chance).mutant(text)
            file = self.folder / f"m{number:02}_{name}.py"
            file.write_text(mutant, encoding="utf-8", errors="surrogatepass")

    def commands(self) -> Iterator[str]:
        """Yield what is done with the project: it is run, and sometimes looked at too."""
        beyond = " --beyond" if self.chance.random() < 0.2 else ""
        yield f"run . {LIMITS} --no-database --seed {self.seed} --json run.json{beyond}"
        others = ("list . --json list.json", "generate . --out made", "explain . -k 'not zzz'")
        yield from (other for other in others if self.chance.random() < 0.4)

    def problems(self) -> Iterator[str]:
        """Run the commands and yield what annotest itself did wrong."""
        for command in self.commands():
            problem = self._problem(command)
            if problem:
                yield f"annotest {command}\n{problem}"

    def _problem(self, command: str) -> str:
        try:
            status, told = run_annotest(command, self.folder)
        except subprocess.TimeoutExpired:
            return f"it has not ended after {LONGEST} s"
        if command.startswith("run"):
            self.summary = (told.partition("\x00")[0].rstrip().splitlines() or [""])[-1]
        if status not in (0, 1, 2, 5) or "please report this" in told.lower():
            return f"exit status {status}\n{told[-3000:]}"
        if "Traceback (most recent call last)" in told.partition("\x00")[2]:
            return told[-3000:]
        return "\n".join([*self._uncompiled(), *self._ours_on_import()])

    def _uncompiled(self) -> Iterator[str]:
        for file in sorted((self.folder / "made").glob("*.py")):
            if not _compiles(file.read_text(errors="surrogatepass")):
                yield f"{file.name} does not compile"

    def _ours_on_import(self) -> Iterator[str]:
        """Yield the modules whose import fails with an exception of ours that is no answer."""
        report = self.folder / "run.json"
        for finding in json.loads(report.read_text())["findings"] if report.exists() else ():
            if finding["kind"] == "import":
                module = finding["target"]["module"]
                done = run([sys.executable, __file__, "--import", module], self.folder)
                if done.returncode:
                    yield f"{module}: an exception of ours:\n{done.stdout}"
        report.unlink(missing_ok=True)


def run_annotest(command: str, folder: Path) -> tuple[int, str]:
    """Run annotest; return its status, and what it printed to both streams, with NUL between."""
    done = run([sys.executable, "-m", "annotest", *shlex.split(command)], folder)
    return done.returncode, f"{done.stdout}\x00{done.stderr}"


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; TimeoutExpired, and nothing left of it, if it does not end."""
    process = subprocess.Popen(
        words,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        env=os.environ | {"COLUMNS": "200"},
    )
    try:
        out, err = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def import_guarded(module: str) -> int:
    """Import a module as annotest would, and show the exception if it comes out of annotest."""
    import traceback

    from annotest import guard
    from annotest.errors import AnnotestError, recording

    guard.install(guard.Allowed())
    sys.path.insert(0, os.getcwd())
    try:
        with recording():
            __import__(module)
    except AnnotestError:
        return 0  # an answer
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = frames and str(ROOT / "src") in frames[-1].filename
        if ours and not frames[-1].filename.endswith("errors.py"):  # whose words are no annotations
            traceback.print_exc(file=sys.stdout)
            return 1
    return 0


def main() -> int:
    """Make and run the mutants, a project at a time, and tell of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the first project")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "annotest-fuzz")
    parser.add_argument("--import", dest="module", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.module:
        return import_guarded(given.module)
    failed = 0
    for done in range(0, given.count, TOGETHER):
        failed += not passes(
            given.seed + done // TOGETHER, min(TOGETHER, given.count - done), given.keep
        )
    print(f"{given.count} mutants, seed {given.seed}: {failed} projects with failures")
    return int(failed > 0)


def passes(seed: int, count: int, keep: Path) -> bool:
    """Run one project of mutants; keep it, and tell what is wrong, if anything is."""
    folder = keep / str(seed)
    if folder.exists():
        raise SystemExit(f"{folder} is there already: remove it, or choose another with --keep")
    folder.mkdir(parents=True)
    batch = Batch(seed, count, folder)
    problems = [*batch.problems()]
    for problem in problems:
        print(f"seed {seed}, in {folder}: {problem}")
    print(f"seed {seed}: {'FAILED' if problems else 'passed'}: {batch.summary}")
    sys.stdout.flush()
    if not problems:
        shutil.rmtree(folder)
    return not problems


if __name__ == "__main__":
    sys.exit(main())
