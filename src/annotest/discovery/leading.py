"""What a module is sure to import before it does anything else, told from its text.

Only where nothing comes before them can imports be made ahead of a module: a line that sets a path
or an entry of `sys.modules` may decide what they lead to. A few such lines that many programs begin
with are understood: they are made ahead with the imports after them.
"""

from __future__ import annotations

import ast
import os
import sys
from dataclasses import dataclass, field
from functools import cache

from annotest.discovery.scan import ModuleFile

_Import = ast.Import | ast.ImportFrom
_COMPUTES = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
_SETTING = ("os.environ.setdefault", "warnings.filterwarnings", "warnings.simplefilter")


def leading_imports(file: ModuleFile) -> tuple[str, ...]:
    """Return the imports of libraries with which the import of a module begins, in their order.

    Each is the text of a statement, behind the lines with the settings that it comes after. Imports
    of the project's own modules are followed, as far as these too only import and define.
    """
    reader = _Reader((*file.folders, os.getcwd()))
    if file.in_package and not file.loaded_as:
        reader.follow(file.import_folder, file.module.split("."))
    else:
        reader.read(file.path)
    return tuple(reader.imports)


@dataclass
class _Reader:
    """Reads one module, and those that it imports, in the order in which Python runs them."""

    folders: tuple[str, ...]
    imports: dict[str, None] = field(default_factory=dict)
    _settings: str = ""
    _seen: set[str] = field(default_factory=set)

    def read(self, path: str) -> bool:
        """Take in the imports at the top of a file; say whether nothing else stands in it."""
        if path in self._seen:
            return True  # imported already
        self._seen.add(path)
        tree = _tree(path)
        return tree is not None and all(self._passes(node, path) for node in tree.body)

    def follow(self, folder: str, names: list[str]) -> bool:
        """Read a module of the project below a folder, after the packages that it is in."""
        for name in names:
            folder = os.path.join(folder, name)
            files = [file for file in (f"{folder}/__init__.py", f"{folder}.py") if _is_file(file)]
            if files and not self.read(files[0]):
                return False
        return True

    def _passes(self, node: ast.stmt, path: str) -> bool:
        if isinstance(node, ast.ImportFrom) and node.level:
            return self._relative(node, path)
        if isinstance(node, ast.ImportFrom):
            return self._absolute(node.module or "", node.names)
        if isinstance(node, ast.Import):
            return all(self._absolute(alias.name, []) for alias in node.names)
        if _is_setting(node):
            self._settings += f"{ast.unparse(node)}\n"
            return True
        return _is_harmless(node)

    def _relative(self, node: ast.ImportFrom, path: str) -> bool:
        folder = path
        for _ in range(node.level):
            folder = os.path.dirname(folder)
        names = node.module.split(".") if node.module else []
        return self._with_parts(folder, names, node.names)

    def _absolute(self, module: str, parts: list[ast.alias]) -> bool:
        names = module.split(".")
        holding = [folder for folder in self.folders if _is_module(os.path.join(folder, names[0]))]
        if names[0] in sys.stdlib_module_names:
            return not holding  # which of the two it means, Python finds out
        if holding:
            return self._with_parts(holding[0], names, parts)
        for length in range(len(names)):  # a package is imported before what is in it
            self._add(f"import {'.'.join(names[: length + 1])}")
        for alias in parts:
            if alias.name != "*":
                self._add(f"from {module} import {alias.name}")
        return True

    def _add(self, statement: str) -> None:
        self.imports.setdefault(self._settings + statement)

    def _with_parts(self, folder: str, names: list[str], parts: list[ast.alias]) -> bool:
        """Follow a module of the project, and those of the names taken from it that are modules."""
        inner = os.path.join(folder, *names)
        return self.follow(folder, names) and all(
            self.follow(inner, [alias.name])
            for alias in parts
            if _is_module(os.path.join(inner, alias.name))
        )


def _is_setting(node: ast.stmt) -> bool:
    """Say whether a statement sets a variable of the environment, or which warnings are shown."""
    if isinstance(node, ast.Assign):
        target = ast.unparse(node.targets[0])
        return target.startswith("os.environ[") and _is_constant(target[11:-1], node.value)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        return ast.unparse(call.func) in _SETTING and _is_constant(*values)
    return False


def _is_constant(*values: str | ast.expr) -> bool:
    texts = [value if isinstance(value, str) else ast.unparse(value) for value in values]
    try:
        return all(isinstance(ast.literal_eval(text), str | int) for text in texts)
    except (ValueError, SyntaxError):
        return False


def _is_harmless(node: ast.stmt) -> bool:
    """Say whether a statement cannot change what later imports lead to."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Pass):
        return True  # what it defines is called later
    if isinstance(node, ast.If):  # looked at by type checkers only
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        plain = all(isinstance(target, ast.Name) for target in targets)
        return plain and not any(isinstance(part, _COMPUTES) for part in ast.walk(node))
    return False


def _is_file(path: str) -> bool:
    return os.path.isfile(path)


def _is_module(path: str) -> bool:
    return _is_file(f"{path}.py") or _is_file(f"{path}/__init__.py") or _holds_modules(path)


def _holds_modules(folder: str) -> bool:
    """Say whether a folder without `__init__.py` is a package all the same."""
    try:
        return any(name.endswith(".py") for name in os.listdir(folder))
    except OSError:
        return False


@cache
def _tree(path: str) -> ast.Module | None:
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # whoever imports it will tell
