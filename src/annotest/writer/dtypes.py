"""The dtypes of arrays as variables: one where several must be equal, and what it is called."""

from __future__ import annotations

import dataclasses
import keyword
from collections.abc import Iterable, Sequence
from typing import Any

from annotest.errors import UnwritableValue
from annotest.relations.arguments.array_nodes import Array
from annotest.relations.arguments.nodes import Node, Scalar
from annotest.relations.reading.reader import Reader
from annotest.relations.reading.symbols import NotUnderstood
from annotest.relations.reading.templates import dtype_type
from annotest.relations.solving.conditions import Checked, Condition, Constant, Hole, conjuncts
from annotest.relations.solving.domains import Domain, choice
from annotest.relations.solving.variables import Name, Named, SharedDtype
from annotest.writer.clauses import Clause


def with_common_dtypes(nodes: dict[str, Node], parts: list[Condition]) -> dict[str, Node]:
    """Return nodes in which all dtypes that must be equal are one variable.

    Where they must be what an argument says, this argument is the variable.
    """
    dtypes = _dtypes_of(nodes.values())
    arguments: dict[Name, Domain] = {
        Named(name): node.domain
        for name, node in nodes.items()
        if isinstance(node, Scalar) and _says_dtypes(Named(name), node.domain, parts)
    }
    groups = _groups([*dtypes, *arguments], [pair for one in parts if (pair := equated(one))])
    found: dict[Name, Scalar] = {}
    for group in groups:
        if group & dtypes.keys() and len(group & arguments.keys()) < 2:
            found |= dict.fromkeys(group, _variable(group, dtypes, arguments))
    return {name: _with_variable(node, found) for name, node in nodes.items()}


def parts_of(clauses: dict[int, list[Clause]], reader: Reader) -> list[Condition]:
    """Return what is understood of preconditions, in parts that must all hold."""
    found: list[Condition] = []
    for clause in (one for each in clauses.values() for one in each):
        reader.scope = clause.statement.scope
        try:
            found += conjuncts(reader.condition(clause.tree))
        except NotUnderstood:
            continue
    return found


def equated(part: Condition) -> tuple[Name, Name] | None:
    """Return the variables that a condition says to be equal, whether read as dtypes or not."""
    if not isinstance(part, Checked):
        return None
    pieces = [one for one in part.pieces if not _only_converts(one)]
    match pieces:
        case [Hole(one), " == ", Hole(other)]:
            return one, other
    return None


def _only_converts(piece: Any) -> bool:
    if isinstance(piece, Constant):
        return piece.value is dtype_type()
    return isinstance(piece, str) and not piece.strip("()")


def _dtypes_of(nodes: Iterable[Node]) -> dict[Name, Sequence[str]]:
    """Return the dtypes that arrays may have, by the variables that they are."""
    found: dict[Name, Sequence[str]] = {}
    for node in nodes:
        if isinstance(node, Array) and isinstance(node.dtype, Scalar):
            path, values = node.dtype.path, node.dtype.domain.values or ()
            found[path] = [one for one in found.get(path, values) if one in values]
    return found


def _says_dtypes(name: Name, domain: Domain, parts: list[Condition]) -> bool:
    """Say whether an argument may be the dtype of arrays: values of it mean one.

    One that is no name must stand in no other relation: these compare names.
    """
    if domain.is_number:
        return False
    named = [one for one in domain.values or () if name_of(one)]  # no other one fits
    if not named:
        return False
    if all(one == name_of(one) for one in named):
        return True
    mine = [pair for part in parts if (pair := equated(part)) and name in pair]
    used = {name for pair in mine for name in pair}
    return not any(used & set(part.variables()) for part in parts if equated(part) not in mine)


def name_of(value: Any) -> str:
    """Return the name of the dtype that a value is equal to; nothing if there is none."""
    dtype = dtype_type()
    try:
        name = str(dtype(value).name)
        return name if value is not None and dtype(name) == value else ""
    except (TypeError, ValueError):
        return ""


def _groups(names: list[Name], pairs: list[tuple[Name, Name]]) -> list[set[Name]]:
    """Return the names in groups, those of each pair in one."""
    found = {name: {name} for name in names}
    for one, other in pairs:
        if one in found and other in found:
            both = found[one] | found[other]
            found.update(dict.fromkeys(both, both))
    return list({id(group): group for group in found.values()}.values())


def _variable(
    group: set[Name], dtypes: dict[Name, Sequence[str]], arguments: dict[Name, Domain]
) -> Scalar:
    listed = [dtypes[path] for path in dtypes if path in group]
    common = [one for one in listed[0] if all(one in each for each in listed)]
    for name, domain in arguments.items():
        if name in group:
            return Scalar(name, choice([v for v in domain.values or () if name_of(v) in common]))
    paths = [path for path in dtypes if path in group]
    named = [path for path in paths if isinstance(path, SharedDtype)]
    return Scalar((named or paths)[0], choice(common))


def _with_variable(node: Node, found: dict[Name, Scalar]) -> Node:
    if isinstance(node, Scalar):
        return found.get(node.path, node)
    if isinstance(node, Array) and isinstance(node.dtype, Scalar):
        return dataclasses.replace(node, dtype=found.get(node.dtype.path, node.dtype))
    return node


def arrays_of(nodes: dict[str, Node]) -> dict[Name, list[str]]:
    """Return the dtypes that are variables of their own, with the arrays that have them."""
    found: dict[Name, list[str]] = {}
    for name, node in nodes.items():
        if isinstance(node, Array) and isinstance(node.dtype, Scalar):
            if str(node.dtype.path) not in nodes:
                found.setdefault(node.dtype.path, []).append(name)
    return found


# names


def labels_of(dtypes: dict[Name, list[str]], taken: set[str]) -> dict[Name, str]:
    """Return what dtypes are called in a composite: no name that is taken."""
    found: dict[Name, str] = {}
    for path, arrays in dtypes.items():
        names = possible_labels(path)
        free = [one for one in names if one not in taken and one not in found.values()]
        if len(arrays) == 1 or isinstance(path, SharedDtype):
            free = [one for one in free if one != "dtype"]
        if not free:
            raise UnwritableValue("a dtype has a name that the file needs")
        found[path] = free[0]
    return found


def possible_labels(path: Name) -> list[str]:
    """Return the names that a dtype may have, the best first: `T` for that of `same("T")`."""
    if isinstance(path, SharedDtype):
        label = path.label
        return [one for one in (label, f"{label}_dtype") if not keyword.iskeyword(one)]
    return ["dtype", str(path).replace(".", "_")]
