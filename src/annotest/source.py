"""Values as source: any value → an expression tree, and a tree → text."""

from __future__ import annotations

import enum
import math
import os
import re
import types
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from annotest import frameworks
from annotest.errors import UnwritableValue
from annotest.expr import (
    Attribute,
    ByRecipe,
    Call,
    Expr,
    Filtered,
    Generated,
    Item,
    Literal,
    Local,
    Mapped,
    Mapping,
    Method,
    Opaque,
    Ref,
    Sequence,
    Star,
    resolve,
    walk,
)
from annotest.imports import by_name, file_of, from_file, is_importable, quote, variable_for

DECIMAL_BITS = 14_000  # numbers with more are not printed by Python, nor read, except as 0x…
_ATOMS = (int, float, complex, str, bytes, bool, type(None), range, type(...), slice)
_CONTAINERS = (list, tuple, set, frozenset)
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
)


def source_tree(value: Any) -> Expr:
    """Return `value` as a tree; what has no source becomes an Opaque node."""
    if isinstance(value, Expr):
        return value
    if type(value) in _ATOMS:
        return Literal(value)
    if type(value) in _CONTAINERS:
        return _container_tree(value)
    if type(value) is dict:
        return Mapping(tuple((source_tree(k), source_tree(v)) for k, v in value.items()))
    return _object_tree(value)


def _container_tree(value: Any) -> Expr:
    items = tuple(source_tree(item) for item in value)
    if type(value) in (set, frozenset):
        items = tuple(sorted(items, key=repr))
    if type(value) is frozenset:
        return Ref("builtins", "frozenset")(Sequence(list, items))
    return Sequence(type(value), items)


def _object_tree(value: Any) -> Expr:
    if isinstance(value, enum.Enum):
        home = named(type(value))
        plain = home is not None and value.name in type(value).__members__
        return (
            Ref(home.module, f"{home.qualname}.{value.name}") if home and plain else opaque(value)
        )
    if isinstance(value, (type, *_FUNCTIONS)):
        return named(value) or opaque(value)
    if isinstance(value, types.ModuleType):
        return Ref(value.__name__, "")
    tree = frameworks.source(value)
    return tree if tree is not None else opaque(value)


def is_writable(node: Expr) -> bool:
    """Say whether a tree has source text throughout."""
    return not any(isinstance(part, Opaque) for part in walk(node))


def opaque(value: Any) -> Opaque:
    """Return a node for a live value without source text."""
    return Opaque(value, shown(value))


def shown(value: Any) -> str:
    """Return a repr that never raises and never runs away."""
    if isinstance(value, enum.Enum) and value.name in type(value).__members__:
        return f"{type(value).__qualname__}.{value.name}"
    if isinstance(value, types.FunctionType | type):
        name = value.__qualname__
        if value.__name__ == "<lambda>":
            return "<lambda>"
        return f"<{name}>" if "<" in name else name
    try:
        text = literal(value) if type(value) is int else repr(value)
    except Exception as error:
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= 400 else text[:400] + "…"


def named(value: Any) -> Ref | None:
    """Return the Ref of a function or class that its module holds under its own name."""
    # what native code makes may be known by another name than the one it was made with
    # (torch.from_numpy), and its methods by their class alone (str.upper)
    module = getattr(getattr(value, "__objclass__", value), "__module__", None)
    for qualname in (getattr(value, "__qualname__", None), getattr(value, "__name__", None)):
        if isinstance(module, str) and isinstance(qualname, str):
            if _leads_to(value, module, qualname):
                return _shortest(value, module, qualname)
    return None


def _leads_to(value: Any, module: str, qualname: str) -> bool:
    try:
        named = resolve(module, qualname)
    except (ImportError, AttributeError, ValueError):
        return False
    # a class method is bound anew each time that it is looked up
    return named is value or (type(value) is types.MethodType and bool(named == value))


def _shortest(value: Any, module: str, qualname: str) -> Ref:
    # a framework's own functions and types are written np.float32, wherever they were defined
    root, alias = frameworks.short_module(module, qualname, value) or (module, "")
    return Ref(root, qualname, alias)


def literal(value: Any) -> str:
    """Return the source text of an atom."""
    if type(value) is str:
        return quote(value)
    if type(value) is bytes:
        return "b" + quote(repr(value)[2:-1]) if "\\" not in repr(value) else repr(value)
    if type(value) is float and not math.isfinite(value):
        return f'float("{value}")'
    if type(value) is complex:
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if value is ...:
        return "..."
    if type(value) is int and value.bit_length() > DECIMAL_BITS:
        return hex(value)
    if type(value) is range and (value.start, value.step) == (0, 1):
        return f"range({value.stop})"  # as a linter would have it
    return repr(value)


_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}


class Names:
    """The names one piece of source text uses: which to import, and what to call them.

    `taken` are names that imports must not use, such as the arguments of a test. `place` writes
    where a file lies, given as seen from here and in full.
    """

    def __init__(
        self,
        taken: frozenset[str] = frozenset(),
        place: Callable[[str, str], str] = lambda seen, path: quote(seen),
    ) -> None:
        self._place = place
        self._taken = dict.fromkeys(taken, "")
        self._local: dict[tuple[str, str], str] = {}

    def reserve(self, name: str) -> str:
        """Return `name`, or a variation of it, now owned by the text itself."""
        return self._claim(name, f"reserved {name} {len(self._taken)}")

    def of(self, ref: Ref) -> str:
        """Return the text that means `ref`, remembering the import it needs."""
        if ref.module == "builtins":
            return self._builtin(ref)
        file = file_of(ref.module)
        if file is not None:
            stem = os.path.basename(file[0]).removesuffix(".py")
            return f"{self._import(ref.module, '', variable_for(stem))}.{ref.qualname}"
        if ref.alias or not ref.qualname:
            alias = self._import(ref.module, "", ref.alias or ref.module)
            return f"{alias}.{ref.qualname}" if ref.qualname else alias
        first, dot, rest = ref.qualname.partition(".")
        return self._import(ref.module, first, first) + dot + rest

    def _builtin(self, ref: Ref) -> str:
        if self._taken.get(ref.qualname) is None:
            return ref.qualname
        return f"{self._import('builtins', '', 'builtins')}.{ref.qualname}"

    def _import(self, module: str, name: str, wanted: str) -> str:
        key = (module, name)
        if key not in self._local:
            self._local[key] = self._claim(wanted, f"{module} {name}")
        return self._local[key]

    def _claim(self, wanted: str, owner: str) -> str:
        name = wanted
        while name in self._taken:
            name += "_"
        self._taken[name] = owner
        return name

    def forget_unused(self, text: str) -> None:
        """Forget the imports of which a text makes no use."""
        words = set(re.findall(r"\w+", text))
        self._local = {key: local for key, local in self._local.items() if _top(local) in words}

    def imports(self) -> list[str]:
        """Return the import statements that the text needs, sorted, one a module where it can."""
        lines, members = set(), defaultdict(list)
        for (module, name), local in self._local.items():
            file = file_of(module)
            if file is not None:
                lines |= {"import importlib.util", "import sys"}
                lines.add(from_file(module, local, self._place(*file)))
            elif not is_importable(module):
                tail = f".{name}" if name else ""
                lines |= {"import importlib", f"{local} = {by_name(module)}{tail}"}
            elif not name:
                lines.add(f"import {module}" if local == module else f"import {module} as {local}")
            else:
                members[module].append(name if local == name else f"{name} as {local}")
        lines |= {f"from {module} import {', '.join(sorted(m))}" for module, m in members.items()}
        return sorted(lines, key=_import_order)


def _top(local: str) -> str:
    return local.partition(".")[0]


def _import_order(line: str) -> tuple[bool, bool, str]:
    return " = " in line, line.startswith("from"), line


class Renderer:
    """Turns trees into text of a limited width."""

    def __init__(
        self, names: Names, width: int = 99, generated: Callable[[Any], str] | None = None
    ) -> None:
        self.names = names
        self.width = width
        self._generated = generated  # the text for what a generator builds

    def flat(self, node: Expr) -> str:
        """Return the tree on one line."""
        parts = self._parts(node)
        if isinstance(parts, str):
            return parts
        head, items, tail = parts
        comma = "," if head == "(" and len(items) == 1 and tail == ")" else ""
        return head + ", ".join(label + self.flat(item) for label, item in items) + comma + tail

    def layout(self, node: Expr, indent: int = 0, used: int = 0, after: int = 1) -> str:
        """Return the tree over as many lines as it needs.

        `indent` is the indentation of its first line, `used` what already stands on that line,
        `after` what must still fit behind it.
        """
        node = node.call if isinstance(node, ByRecipe) else node
        flat = self.flat(node)
        if indent + used + len(flat) + after <= self.width:
            return flat
        if isinstance(node, (Method, Mapped, Filtered)):
            return self._long_method(node, indent, used)
        if isinstance(node, Literal) and type(node.value) is str:
            return self._long_text(node.value, indent)
        if isinstance(node, Call) and isinstance(node.function, Attribute):
            return self._long_chain(node, node.function, indent, used, after)
        parts = self._parts(node)
        if isinstance(parts, str) or not parts[1]:
            return flat
        head, items, tail = parts
        return "\n".join([head, *self._lines(items, indent + 4), " " * indent + tail])

    def _lines(self, items: list[tuple[str, Expr]], indent: int) -> list[str]:
        """Return the lines of what stands in brackets, one for each item as formatters have it."""
        pad = " " * indent
        return [f"{pad}{label}{self.layout(item, indent, len(label))}," for label, item in items]

    def _long_method(self, node: Method | Mapped | Filtered, indent: int, used: int) -> str:
        name, args = _method_of(node)
        tail = f".{name}({', '.join(self.flat(arg) for arg in args)})"
        return self.layout(node.base, indent, used, len(tail) + 1) + tail

    def _long_chain(self, node: Call, callee: Attribute, indent: int, used: int, after: int) -> str:
        """Break a call on something that is itself long: the base first, then the arguments."""
        base = self.layout(callee.base, indent, used, len(callee.name) + 3)
        last = base.rpartition("\n")[2]
        start = len(last) - indent if "\n" in base else used + len(last)
        call = Call(Local(f".{callee.name}"), node.args, node.kwargs)
        return base + self.layout(call, indent, start, after)

    def _long_text(self, text: str, indent: int) -> str:
        size = max(20, (self.width - indent - 12) // 2)
        pieces = re.findall(rf"(?s).{{1,{size}}}", text)
        pad = " " * (indent + 4)
        return "\n".join(["(", *(pad + quote(piece) for piece in pieces), " " * indent + ")"])

    def _parts(self, node: Expr) -> str | tuple[str, list[tuple[str, Expr]], str]:
        """Return one-piece text, or opening, labelled items and closing."""
        if isinstance(node, (Call, Sequence, Mapping)):
            return self._bracketed(node)
        if isinstance(node, ByRecipe):
            return self._parts(node.call)
        if isinstance(node, Opaque):
            raise UnwritableValue(f"{node.shown} has no source text")
        if isinstance(node, (Star, Item, Attribute, Method, Mapped, Filtered)):
            return self._beside_base(node)
        if isinstance(node, Literal):
            return literal(node.value)
        if isinstance(node, Ref):
            return self.names.of(node)
        if isinstance(node, Generated):
            if self._generated is None:
                raise UnwritableValue(f"{shown(node.factory)} has no source text")
            return self._generated(node.factory)
        assert isinstance(node, Local)
        return node.name

    def _beside_base(self, node: Star | Item | Attribute | Method | Mapped | Filtered) -> str:
        """Return what stands before or behind another node."""
        base = self.flat(node.base)
        if isinstance(node, Star):
            return node.stars + base
        if isinstance(node, Item):
            return f"{base}[{node.place}]"
        if isinstance(node, Attribute):
            return f"{base}.{node.name}"
        name, args = _method_of(node)
        return f"{base}.{name}({', '.join(self.flat(arg) for arg in args)})"

    def _bracketed(
        self, node: Call | Sequence | Mapping
    ) -> str | tuple[str, list[tuple[str, Expr]], str]:
        if isinstance(node, Call):
            items = [("", arg) for arg in node.args]
            items += [(f"{name}=" if name else "", value) for name, value in node.kwargs]
            return f"{self.flat(node.function)}(", items, ")"
        if isinstance(node, Sequence):
            if node.kind is set and not node.items:
                return "set()"
            opening, closing = _BRACKETS[node.kind]
            return opening, [("", item) for item in node.items], closing
        return "{", [(f"{self.flat(key)}: ", value) for key, value in node.items], "}"


def _method_of(node: Method | Mapped | Filtered) -> tuple[str, tuple[Expr, ...]]:
    if isinstance(node, Mapped):
        return "map", (node.function,)
    if isinstance(node, Filtered):
        return "filter", (node.predicate,)
    return node.name, node.args


def _is_short(node: Expr) -> bool:
    return isinstance(node, Literal) and not isinstance(node.value, str | bytes)


class _LooseRenderer(Renderer):
    """Writes what has no source by its repr: for screens, not for files."""

    def _parts(self, node: Expr) -> str | tuple[str, list[tuple[str, Expr]], str]:
        if isinstance(node, Opaque):
            return node.shown
        if isinstance(node, Literal) and type(node.value) is str:
            return repr(node.value)
        return super()._parts(node)

    def _lines(self, items: list[tuple[str, Expr]], indent: int) -> list[str]:
        """Put as many numbers on a line as there is room for."""
        if any(label or not _is_short(item) for label, item in items):
            return super()._lines(items, indent)
        pad = " " * indent
        lines = [pad]
        for _, item in items:
            text = f"{self.flat(item)}, "
            if lines[-1] != pad and len(lines[-1]) + len(text) - 1 > self.width:
                lines.append(pad)
            lines[-1] += text
        return [line.rstrip() for line in lines]


def text_of(value: Any, names: Names | None = None) -> str:
    """Return a value's source on one line; live objects show their repr."""
    if type(value) in _ATOMS:
        return repr(value) if type(value) is str else literal(value)
    return _LooseRenderer(names or Names(), 10**9).flat(source_tree(value))


def loose_layout(node: Expr, names: Names, width: int = 99) -> str:
    """Return a tree over several lines for a screen; live objects show their repr."""
    return _LooseRenderer(names, width).layout(node)
