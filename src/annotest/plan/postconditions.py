"""Postconditions: from text or a callable to a function of what is known after a call."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from annotest.constraints._calls import truth
from annotest.errors import InvalidAnnotation, did_you_mean
from annotest.plan.preconditions import (
    assigned_names,
    compiled,
    free_names,
    names_around,
    needed_by,
)
from annotest.promises import WORDS, OracleWord
from annotest.spec import Annotation, Ensure, own_annotations

A = TypeVar("A", bound=Annotation)
RESULT, OLD, SELF = "result", "old", "self"


class PostconditionFailed(Exception):
    """A postcondition raised instead of being true or false."""

    def __init__(self, annotation: Annotation, error: BaseException, source: str = "") -> None:
        super().__init__(annotation, error)
        self.annotation = annotation
        self.error = error
        self.source = source


@dataclass(frozen=True, eq=False)
class Postcondition:
    """A condition on a call and its result.

    `needs` are the names of values that it uses, `words` those of oracles. `make` makes a function
    of them of its `text`, in which `old(x)` is `old["x"]`, or of a part of it; a callable has none.
    `olds` are what is asked before the call: texts, or names of arguments. An invariant stands on a
    class, and knows the instance alone.
    """

    annotation: Ensure
    needs: tuple[str, ...]
    make: Callable[[str], Any]
    text: str = ""
    olds: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_invariant: bool = False

    @cached_property
    def _function(self) -> Any:
        return self.make(self.text)

    def holds(self, names: Mapping[str, Any]) -> bool:
        """Say whether the condition is true when its names mean this."""
        try:
            return truth(self._function(**self._used(names)))
        except BaseException as error:  # it may leave, too
            raise PostconditionFailed(self.annotation, error, self.text) from error

    def value_of(self, part: ast.expr, names: Mapping[str, Any]) -> Any:
        """Return what a part of the expression is."""
        return self.make(ast.unparse(part))(**self._used(names))

    def before(self, names: Mapping[str, Any]) -> dict[str, Any]:
        """Return what it asks of the time before the call, by the text of each."""
        if not self.text:
            return {name: names[name] for name in self.olds}
        known = {name: names.get(name) for name in (*self.needs, *self.words)}
        try:
            return {text: self.make(text)(**known) for text in self.olds}
        except BaseException as error:
            raise PostconditionFailed(self.annotation, error, self.text) from error

    def _used(self, names: Mapping[str, Any]) -> dict[str, Any]:
        return {name: names[name] for name in (*self.needs, *self.words)}


def compile_postcondition(
    annotation: Ensure,
    names: Collection[str],
    function: Any,
    where: str,
    is_invariant: bool = False,
) -> Postcondition:
    """Return a postcondition of a function whose values have these names before the call."""
    if isinstance(annotation.condition, str):
        made = _from_text(annotation, annotation.condition, names, function, where)
    else:
        made = _from_callable(annotation, annotation.condition, names, where)
    return replace(made, is_invariant=is_invariant)


def invariants_of(cls: type) -> Iterator[Ensure]:
    """Yield what is said of every instance of a class, those of its parents too."""
    return notes_of(cls, Ensure)


def notes_of(cls: type, kind: type[A]) -> Iterator[A]:
    """Yield the annotations of one kind that stand on a class, those of its parents too."""
    for owner in cls.__mro__:
        yield from (note for note in own_annotations(owner) if isinstance(note, kind))


def _from_text(
    annotation: Ensure, text: str, names: Collection[str], function: Any, where: str
) -> Postcondition:
    scope, closure = names_around(annotation, function)
    known = {RESULT, *names}
    for name in sorted(assigned_names(text) & known):
        raise InvalidAnnotation(
            f"it assigns to {name!r}, and must leave the values as they are",
            f"compare with {name} ==, or assign to another name",
        )
    used = free_names(text)
    _refuse_call_words(used - known, {**scope, **closure})
    text, olds = _with_olds(text)
    for name in sorted(used - known - {OLD}):
        if not (name in closure or name in scope or hasattr(builtins, name) or name in _IN_TEXT):
            meant = did_you_mean(name, [*known, *closure, *scope, *_IN_TEXT])
            raise InvalidAnnotation(
                f"{where} knows no name {name!r}.{meant}",
                "use result, the arguments, dimensions, the names of the module, or builtins",
            )
    around = {**scope, **closure}
    words = tuple(name for name in _IN_TEXT if name in used - known and _is_word(name, around))
    needs = tuple(name for name in dict.fromkeys((RESULT, OLD, *names)) if name in used)
    captured = {n: value for n, value in closure.items() if n in used - set(needs) - set(words)}
    make = partial(compiled, needs=(*needs, *words), captured=captured, scope=scope)
    return Postcondition(annotation, needs, make, text, olds, words)


# the oracles that text can ask by name, for any value
_IN_TEXT = [name for name, word in WORDS.items() if word.on_values]


def _is_word(name: str, around: Mapping[str, Any]) -> bool:
    """Say whether a name is that of an oracle here: names of the module come first."""
    if name in around:
        return isinstance(around[name], OracleWord)
    return not hasattr(builtins, name)


def _refuse_call_words(used: Collection[str], around: Mapping[str, Any]) -> None:
    """Raise where text asks an oracle that judges calls: there is no value that it could judge."""
    for name in sorted(used):
        word = around.get(name, None if hasattr(builtins, name) else WORDS.get(name))
        if isinstance(word, OracleWord) and not word.on_values:
            raise InvalidAnnotation(
                f"{name} judges a call, and no value", f"write @ensure({word}), not as text"
            )


def _with_olds(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an expression with `old["x"]` for `old(x)`, and the texts of all such."""
    put = _OldsPut()
    tree = put.visit(ast.parse(f"(\n{text}\n)", mode="eval").body)
    return (ast.unparse(tree) if put.texts else text), tuple(dict.fromkeys(put.texts))


class _OldsPut(ast.NodeTransformer):
    """Puts `old["x"]` in the place of `old(x)`, which is evaluated before the call."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not (isinstance(node.func, ast.Name) and node.func.id == OLD):
            self.generic_visit(node)
            return node
        if len(node.args) != 1 or node.keywords:
            raise InvalidAnnotation(
                f"{ast.unparse(node)} asks for no one value", "write old(x), or old(x.sum())"
            )
        self.texts.append(ast.unparse(node.args[0]))
        return ast.Subscript(node.func, ast.Constant(self.texts[-1]), ast.Load())


def as_written(part: ast.expr) -> str:
    """Return a part of a postcondition as the user wrote it."""
    return ast.unparse(_OldsBack().visit(ast.parse(ast.unparse(part), mode="eval").body))


class _OldsBack(ast.NodeTransformer):
    """Puts `old(x)` back in the place of `old["x"]`."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not (isinstance(node.value, ast.Name) and node.value.id == OLD):
            return node
        assert isinstance(node.slice, ast.Constant)
        return ast.Call(node.value, [ast.parse(str(node.slice.value), mode="eval").body], [])


def _from_callable(
    annotation: Ensure, condition: Any, names: Collection[str], where: str
) -> Postcondition:
    needs = needed_by(condition, dict.fromkeys((RESULT, OLD, *names)), where)
    olds = tuple(names) if OLD in needs else ()
    return Postcondition(annotation, needs, lambda _: condition, olds=olds)
