"""Paths → modules, by reading files only."""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from annotest.errors import UsageError
from annotest.facts import NotTestable
from annotest.records import record
from annotest.signature import suggestion
from annotest.source import is_importable

MARKER = "# Made by annotest"

_SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "build", "dist"}
_PROJECT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_ANNOTATIONS = {"arg", "require", "precondition", "cc_example"}


@record
class ModuleFile:
    """A Python file: its module name, and the folders its imports expect on the path."""

    path: str
    module: str
    root: str
    folders: tuple[str, ...]
    in_package: bool
    has_module_test: bool = False
    names: tuple[str, ...] = ()
    imports: frozenset[str] = frozenset()
    annotates_others: bool = False

    def may_follow(self, other: ModuleFile) -> bool:
        """Say whether one process may import this module after the other, to look at both."""
        alike = self.in_package and other.in_package and self.folders[0] == other.folders[0]
        return alike and not self.annotates_others and not other.annotates_others

    @property
    def import_folder(self) -> str:
        """The folder that must be on the path to import the module by its name."""
        return _import_folder(self.path, self.module)


@record
class Unparsable:
    """A file that is not Python."""

    path: str
    module: str
    line: int
    message: str
    text: str = ""

    @property
    def import_folder(self) -> str:
        """The folder that must be on the path to import the module by its name."""
        return _import_folder(self.path, self.module)


def _import_folder(path: str, module: str) -> str:
    top = Path(path).parents[module.count(".")]
    return str(top.parent if Path(path).name == "__init__.py" else top)


@dataclass
class Scan:
    """What the paths hold."""

    modules: list[ModuleFile] = field(default_factory=list)
    unparsable: list[Unparsable] = field(default_factory=list)
    not_testable: list[NotTestable] = field(default_factory=list)
    files: int = 0


def scan(paths: Iterable[str], every_module: bool = False) -> Scan:
    """Return the modules to import: the annotated ones, or every one."""
    found = Scan()
    seen: set[Path] = set()
    for text in paths:
        given = Path(text)
        if not given.exists():
            raise UsageError(f"{text}: there is no such file or folder")
        if given.is_file() and given.suffix != ".py":
            raise UsageError(f"{text}: not a Python file; give .py files or folders")
        with _collector_paused():
            for path in _python_files(given):
                if path.resolve() not in seen:
                    seen.add(path.resolve())
                    _scan_file(path, given.resolve(), every_module, found)
    found.files = len(seen)
    return found


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Have no garbage looked for among syntax trees: they are large, and have no circles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _python_files(given: Path) -> Iterator[Path]:
    if given.is_file():
        yield given.resolve()
        return
    for folder, folders, files in os.walk(given.resolve()):
        folders[:] = sorted(name for name in folders if _is_source_folder(Path(folder, name)))
        for name in sorted(files):
            path = Path(folder, name)
            # editors' lock files are hidden links to nowhere; a linked file is read where it lies
            if name.endswith(".py") and not name.startswith(".") and path.is_file():
                if not (path.is_symlink() and path.resolve().is_relative_to(given.resolve())):
                    yield path


def _is_source_folder(folder: Path) -> bool:
    if folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS:
        return False
    return not (folder / "pyvenv.cfg").exists() and not folder.name.endswith(".egg-info")


def _scan_file(path: Path, given: Path, every_module: bool, found: Scan) -> None:
    module, root, folders, in_package = locate(path, given)
    try:
        data = path.read_bytes()
        if data.startswith(MARKER.encode()):
            return
        tree = ast.parse(data, str(path))
    except OSError as error:
        found.unparsable.append(Unparsable(str(path), module, 1, f"cannot be read: {error}"))
        return
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        text = (getattr(error, "text", None) or "").strip()
        message = getattr(error, "msg", None) or str(error) or "too complex to be read"
        found.unparsable.append(Unparsable(str(path), module, line, message, text))
        return
    annotated = is_annotated(tree)
    if annotated or (every_module and not _is_test_file(path)):
        has_test = _has_module_test(tree)
        found.modules.append(
            ModuleFile(
                str(path),
                module,
                root,
                folders,
                in_package,
                has_test,
                _names(tree),
                _imports(tree),
                b"annotate(" in data,
            )
        )
    elif not _is_test_file(path):
        found.not_testable += _unannotated(tree, str(path), module)


def locate(path: Path, given: Path) -> tuple[str, str, tuple[str, ...], bool]:
    """Return a file's module name, project root, path folders, and whether it is in a package."""
    root = _project_root(path, given)
    own = path.parent
    top = own
    parts = [] if path.name == "__init__.py" else [path.stem]
    while (top / "__init__.py").exists():
        parts.insert(0, top.name)
        top = top.parent
    asked = given if given.is_dir() else given.parent
    if top != own:
        return ".".join(parts), str(root), _distinct(top, root, root / "src", asked, own), True
    # named as seen from the nearest folder that a person may have in mind
    bases = [base for base in (Path.cwd(), asked, root) if own.is_relative_to(base)]
    base = max(bases, key=lambda base: len(base.parts), default=own)
    dotted = ".".join((*own.relative_to(base).parts, path.stem))
    module = dotted if is_importable(dotted) else path.stem
    return module, str(root), _distinct(own, asked, root, root / "src"), False


def _distinct(*folders: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(folder) for folder in folders if folder.is_dir()))


def _project_root(path: Path, given: Path) -> Path:
    for folder in path.parents:
        if any((folder / mark).exists() for mark in _PROJECT_MARKS):
            return folder
    if given.is_dir():
        return given
    here = Path.cwd()
    return here if path.is_relative_to(here) else path.parent


def _is_test_file(path: Path) -> bool:
    name = path.name
    return (name.startswith("test") or name.endswith(("_test.py", "_tests.py"))) or name in (
        "conftest.py",
        "setup.py",
    )


def is_annotated(tree: ast.Module) -> bool:
    """Say whether a module imports annotest or uses the names of its annotations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if any(alias.name.split(".")[0] == "annotest" for alias in node.names):
                return True
        elif isinstance(node, ast.ImportFrom):
            if not node.level and (node.module or "").split(".")[0] == "annotest":
                return True
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            # imported by way of a module of the project's own
            calls = [one.func for one in node.decorator_list if isinstance(one, ast.Call)]
            if any(_last_name(one) in _ANNOTATIONS for one in calls):
                return True
    return False


def _has_module_test(tree: ast.Module) -> bool:
    calls = [
        n.value for n in tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)
    ]
    return any(_last_name(c.func) in ("module_test", "annotest_module_test") for c in calls)


def _names(tree: ast.Module) -> tuple[str, ...]:
    """Return the names of a module's functions and methods."""
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node.name)
            inner = node.body if isinstance(node, ast.ClassDef) else ()
            found += [
                f"{node.name}.{one.name}" for one in inner if isinstance(one, ast.FunctionDef)
            ]
    return tuple(found)


def _imports(tree: ast.Module) -> frozenset[str]:
    """Return the top-level names of what a module imports at its own top level."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return frozenset(found)


def is_public(name: str) -> bool:
    """Say whether a name is tested without being annotated."""
    if name.startswith("_"):
        return False
    return not (name.startswith("test") or name.endswith(("_test", "_tests")))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _unannotated(tree: ast.Module, path: str, module: str) -> Iterator[NotTestable]:
    """Yield the functions of a module without annotations, with what they would need."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _unannotated_function(node, node.name, path, module, skip=0)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for item in node.body:
                if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                    name = f"{node.name}.{item.name}"
                    static = any(_last_name(one) == "staticmethod" for one in item.decorator_list)
                    yield from _unannotated_function(item, name, path, module, skip=1 - static)


def _unannotated_function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, path: str, module: str, skip: int
) -> Iterator[NotTestable]:
    if not is_public(node.name) and node.name != "__init__":
        return
    places = [*node.args.posonlyargs, *node.args.args]
    needed = places[skip : max(skip, len(places) - len(node.args.defaults))]
    needed += [
        a
        for a, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    if needed:
        listed = ", ".join(repr(one.arg) for one in needed)
        add = ", ".join(
            suggestion(one.arg, ast.unparse(one.annotation) if one.annotation else "")
            for one in needed
        )
        yield NotTestable(module, name, path, node.lineno, f"no annotation for {listed}", add)
    else:
        reason = "needs no input, but its module has no annotations"
        yield NotTestable(module, name, path, node.lineno, reason, "--all, or any annotation")
