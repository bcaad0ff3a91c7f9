"""What a module's text tells of it, before anybody imports it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from annotest.facts import NotTestable
from annotest.signature import suggestion

_ANNOTATIONS = {"arg", "require", "precondition", "cc_example"}
# a hint that says by itself which values are valid, or looks so: it is not evaluated
_PRECISE = re.compile(r"""([\w.]+\.)?(bool$|Literal\[|\w+\[([\w.]+\.)?(Tensor|ndarray), *["'])""")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


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
            calls = [call.func for call in node.decorator_list if isinstance(call, ast.Call)]
            if any(_last_name(function) in _ANNOTATIONS for function in calls):
                return True
    return False


def has_module_test(tree: ast.Module) -> bool:
    """Say whether a module asks for its import to be a test."""
    calls = [
        n.value for n in tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)
    ]
    return any(_last_name(c.func) in ("module_test", "annotest_module_test") for c in calls)


def names_in(tree: ast.Module) -> tuple[str, ...]:
    """Return the names of a module's functions and methods."""
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, _Function | ast.ClassDef):
            names.append(node.name)
        if isinstance(node, ast.ClassDef):
            methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
            names += [f"{node.name}.{method.name}" for method in methods]
    return tuple(names)


def imports_in(tree: ast.Module) -> frozenset[str]:
    """Return the top-level names of what a module imports at its own top level."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add((node.module or "").partition(".")[0])
    return frozenset(names)


def relative_level(tree: ast.Module) -> int:
    """Return how many folders up a module's own relative imports reach; 0 if it has none.

    One that is tried, with something else to do where it fails, tells nothing.
    """
    level, waiting = 0, list[ast.AST](tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            level = max(level, node.level)
        elif isinstance(node, ast.Try) and node.handlers:
            waiting += [*node.handlers, *node.orelse, *node.finalbody]
        elif not isinstance(node, ast.expr):
            waiting += ast.iter_child_nodes(node)
    return level


def is_public(name: str) -> bool:
    """Say whether a name is tested without being annotated."""
    if name.startswith("_"):
        return False
    return not (name.startswith("test") or name.endswith(("_test", "_tests")))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def unannotated(tree: ast.Module, path: str, module: str) -> Iterator[NotTestable]:
    """Yield the functions of a module without annotations, with what they would need."""
    for node in tree.body:
        if isinstance(node, _Function):
            functions, owner = [node], ""
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            functions = [method for method in node.body if isinstance(method, _Function)]
            owner = f"{node.name}."
        else:
            continue
        for function in functions:
            if is_public(function.name) or function.name == "__init__":
                reason, add = _lacking(function, bool(owner))
                yield NotTestable(
                    module, f"{owner}{function.name}", path, function.lineno, reason, add
                )


def _lacking(function: _Function, in_class: bool) -> tuple[str, str]:
    """Return what a function without annotations lacks, and what to add."""
    is_static = any(_last_name(node) == "staticmethod" for node in function.decorator_list)
    skip = int(in_class and not is_static)
    arguments = function.args
    places = [*arguments.posonlyargs, *arguments.args]
    needed = places[skip : max(skip, len(places) - len(arguments.defaults))]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    needed += [argument for argument, default in named if default is None]
    hints = {node.arg: ast.unparse(node.annotation) if node.annotation else "" for node in needed}
    names = [name for name, hint in hints.items() if not _PRECISE.match(hint)]
    add = [suggestion(name, hints[name]) for name in names]
    if not (places[skip:] or arguments.kwonlyargs):  # nobody says what *args and **kwargs are
        for mark, constraint, node in (
            ("*", "lists", arguments.vararg),
            ("**", "dicts", arguments.kwarg),
        ):
            names += [f"{mark}{node.arg}"] if node else []
            add += [f"@arg({node.arg}={constraint}(…))"] if node else []
    if not names:
        reason = "needs no input, but its module has no annotations"
        return reason, "--all, or any annotation"
    return f"no annotation for {', '.join(map(repr, names))}", ", ".join(add)
