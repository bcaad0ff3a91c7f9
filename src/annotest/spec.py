"""Annotations as data: what was said about a function, and where it is kept."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from annotest.constraints import Constraint, broken_in
from annotest.errors import (
    InvalidAnnotation,
    Mistake,
    Site,
    call_site,
    did_you_mean,
    is_recording,
    keep,
)
from annotest.imports import quote
from annotest.promises import Calls, OracleWord
from annotest.records import record
from annotest.source import shown, text_of

ATTRIBUTE = "__annotest__"

# every function annotated while annotest imports: to find those that no name leads to
_annotated: list[Any] = []


@record
class Annotation:
    """One annotation."""

    site: Site = field(default_factory=call_site, compare=False, kw_only=True)

    def text(self) -> str:
        """Return the annotation as the user would write it."""
        return f"@{type(self).__name__.lower()}"


@record
class Arg(Annotation):
    """The constraint of one argument, or of several that one constraint supplies together.

    In the published tool's spelling, one for an argument that is not there is left out.
    """

    names: tuple[str, ...]
    constraint: Constraint
    or_default: bool = False
    is_published: bool = False

    def is_left_out(self, names: Collection[str]) -> bool:
        """Say whether a function that has arguments of these names does without it."""
        return self.is_published and not set(names).issuperset(self.names)

    def text(self) -> str:
        return f'@arg("{", ".join(self.names)}")'


@record
class Require(Annotation):
    """A precondition: an expression as text, or a callable.

    In the published tool's spelling, one that names an argument that is not there is left out.
    Text uses the names of `module`, if one is said; else those around the function.
    """

    condition: str | Callable[..., Any]
    is_published: bool = False
    module: str = ""

    def text(self) -> str:
        if isinstance(self.condition, str):
            return f'@require("{self.condition}")'
        return f"@require({text_of(self.condition)})"


@record
class Dims(Annotation):
    """The values of named dimensions."""

    constraints: dict[str, Constraint]

    def text(self) -> str:
        return f"@dims({', '.join(f'{name}=…' for name in self.constraints)})"


@record
class Example(Annotation):
    """A call that is always tested first."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def text(self) -> str:
        return f"@example({_call_text(self.args, self.kwargs)})"


@record
class CcExample(Annotation):
    """A constructor call used when instances are needed to test methods.

    `by_parameter`: one value for each parameter, a list for *args and a dict for **kwargs.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    by_parameter: bool = False

    def text(self) -> str:
        return f"@cc_example([{_call_text(self.args, {})}]{_rest(self.kwargs)})"


@record
class Timeout(Annotation):
    """How long one call may take."""

    seconds: float

    def text(self) -> str:
        return f"@timeout({self.seconds:g})"


@record
class Raises(Annotation):
    """Exceptions that a call may end with on valid input, of any message or of one that says this.

    With `when`, a condition on the arguments, they are required where it holds, and failures where
    it does not. Text uses the names of `module`, if one is said; else those around the function.
    """

    types: tuple[type[BaseException], ...]
    when: str | Callable[..., Any] | None = None
    message: str | re.Pattern[str] | None = None
    module: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether it allows these exceptions, whatever the arguments and the message."""
        return self.when is None and self.message is None

    @property
    def condition(self) -> str | Callable[..., Any]:
        """The condition that stands in it."""
        assert self.when is not None
        return self.when

    def covers(self, error: BaseException) -> bool:
        """Say whether it speaks of an exception, by its type and what it says."""
        return issubclass(type(error), self.types) and self.is_said_by(error)

    def is_said_by(self, error: BaseException) -> bool:
        """Say whether the message is that of an exception; one that cannot be read is none."""
        if self.message is None:
            return True
        try:
            said = str(error)
        except Exception:
            return False
        if isinstance(self.message, str):
            return self.message in said
        return self.message.search(said) is not None

    def text(self) -> str:
        options = {"when": self.when, "message": self.message}
        given = (f"{name}={_quoted(value)}" for name, value in options.items() if value is not None)
        return f"@raises({', '.join([*(kind.__name__ for kind in self.types), *given])})"


@record
class Ensure(Annotation):
    """A postcondition: an expression as text, a callable, or an oracle by name.

    Text uses the names of `module`, if one is said; else those around the function.
    """

    condition: str | Callable[..., Any] | OracleWord
    module: str = ""

    def text(self) -> str:
        return f"@ensure({self.said})"

    @property
    def said(self) -> str:
        """The condition as it is written."""
        quoted = isinstance(self.condition, str)
        return f'"{self.condition}"' if quoted else text_of(self.condition)


@record
class Except(Annotation):
    """The oracles that suspect nothing here, of those that judge by default."""

    names: tuple[str, ...]

    def text(self) -> str:
        return f"@ensure(except_={shown(self.names)})"


@record
class Returns(Annotation):
    """What the result satisfies; `said` is the constraint as it is written, of any framework."""

    constraint: Constraint
    said: str = ""

    def text(self) -> str:
        return f"@returns({self.said})"


@record
class ReturnsCalls(Annotation):
    """The result is a callable, and is called with these arguments, by name."""

    calls: Calls

    def text(self) -> str:
        return f"@returns({self.calls!r})"


@record
class Budget(Annotation):
    """How hard to test this target."""

    examples: int | None = None
    seconds: float | None = None

    def text(self) -> str:
        given = {"examples": self.examples, "seconds": self.seconds}
        parts = [f"{name}={value:g}" for name, value in given.items() if value is not None]
        return f"@budget({', '.join(parts)})"


@record
class Modes(Annotation):
    """The modes in which instances are tried, those of methods under test."""

    names: tuple[str, ...]

    def text(self) -> str:
        return f"@modes({', '.join(map(quote, self.names))})"


@record
class Exclude(Annotation):
    """Not a target; still used for building."""


@record
class Generator(Annotation):
    """A custom generator, for `objs`."""


@record
class Wrong(Annotation):
    """An annotation that is itself a mistake, kept while annotest imports."""

    shown_as: str
    error: InvalidAnnotation

    def text(self) -> str:
        return self.shown_as


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else text_of(value)


def _call_text(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    parts = [text_of(arg) for arg in args]
    return ", ".join(parts + [f"{name}={text_of(value)}" for name, value in kwargs.items()])


def _rest(kwargs: dict[str, Any]) -> str:
    return "".join(f", {name}={text_of(value)}" for name, value in kwargs.items())


def attach(target: Any, annotation: Annotation) -> None:
    """Keep an annotation on a function, method object or property; of a class, few are kept."""
    holder = underlying(target)
    problem = _cannot_hold(target, holder, annotation)
    if problem is not None:
        if not is_recording():
            raise problem
        keep(
            Mistake(
                annotation.site,
                annotation.text(),
                problem.reason,
                problem.remedy,
                getattr(target, "__qualname__", ""),
            )
        )
        return
    if isinstance(annotation, Arg) and not is_recording():
        _check_arg(holder, annotation)
    setattr(holder, ATTRIBUTE, (annotation, *own_annotations(holder)))
    if is_recording():
        _annotated.append(holder)


def _check_arg(function: Any, annotation: Arg) -> None:
    """Raise where it is written an @arg that names no argument, or one that has another."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__"):
        return  # another decorator's object: looked at when it is tested
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[:count]
    if annotation.is_left_out(names):
        return
    keywords = names[-1] if code.co_flags & inspect.CO_VARKEYWORDS else ""
    others = [note for note in own_annotations(function) if isinstance(note, Arg)]
    for problem in arg_problems(annotation, names, function.__qualname__, others, keywords):
        raise InvalidAnnotation(f"{annotation.text()}: {problem.reason}", problem.remedy)


def arg_problems(
    annotation: Arg,
    names: Collection[str],
    function: str,
    others: Iterable[Arg],
    keywords: str = "",
) -> Iterator[InvalidAnnotation]:
    """Yield what is wrong with an @arg on a function that has these arguments and other @args.

    `keywords` is the argument that takes any others, by name.
    """
    for name in annotation.names:
        if name not in names:
            listed = f"takes: {', '.join(names)}" if names else "takes no arguments"
            if keywords:
                listed += f"; say what is in {keywords}: arg({keywords}=dicts({{{name!r}: …}}))"
            yield InvalidAnnotation(
                f"{function} has no argument {name!r}.{did_you_mean(name, names)}",
                f"{function} {listed}",
            )
        elif any(name in other.names for other in others):
            yield InvalidAnnotation(
                f"{function} has two annotations for its argument {name!r}",
                "keep one; anys(…) says a union",
            )


def _cannot_hold(target: Any, holder: Any, annotation: Annotation) -> InvalidAnnotation | None:
    name = getattr(target, "__qualname__", None) or shown(target)
    if isinstance(target, type):
        if isinstance(annotation, Exclude | Modes | Ensure | Except):
            return None
        return InvalidAnnotation(
            f"{annotation.text()} stands on class {name}, which takes no arguments itself",
            f"put it on {name}.__init__",
        )
    if not callable(holder):
        return InvalidAnnotation(
            f"{annotation.text()} stands on {shown(target)}, which is not a function",
            "put it directly above a def",
        )
    try:
        setattr(holder, ATTRIBUTE, own_annotations(holder))
    except (AttributeError, TypeError):
        return InvalidAnnotation(
            f"{annotation.text()} cannot be kept on {name}, which is not a Python function",
            f'annotate it from outside: annotate("module:{name}", …)',
        )
    return None


def static_attribute(value: Any, name: str) -> Any:
    """Return an attribute without running code of the value's own, which may do anything."""
    if type(value) is types.FunctionType:
        return getattr(value, name, None)
    try:
        attribute = inspect.getattr_static(value, name)
    except AttributeError:
        return None
    if isinstance(attribute, types.GetSetDescriptorType | types.MemberDescriptorType):
        try:
            return getattr(value, name)
        except Exception:
            return None  # a slot that is not filled
    return attribute


def underlying(target: Any) -> Any:
    """Return the function inside a staticmethod, classmethod, property or cached property."""
    if type(target) is types.FunctionType:
        return target
    if isinstance(target, staticmethod | classmethod):
        return target.__func__
    if isinstance(target, property):
        return target.fget
    if isinstance(target, functools.cached_property):
        return target.func
    return target


def own_annotations(holder: Any) -> tuple[Annotation, ...]:
    """Return what is attached to this very object, inheriting nothing."""
    namespace = static_attribute(holder, "__dict__")
    if not isinstance(namespace, dict | types.MappingProxyType):
        return ()
    notes: tuple[Annotation, ...] = namespace.get(ATTRIBUTE, ())
    return notes


def attached(function: Any) -> tuple[Annotation, ...]:
    """Return the annotations of a function, with those of the functions it wraps."""
    seen: set[int] = set()
    notes: dict[int, Annotation] = {}  # functools.wraps copies them: each counts once
    current: Any = underlying(function)
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        notes |= {id(note): note for note in own_annotations(current)}
        current = underlying(static_attribute(current, "__wrapped__"))
    return tuple(notes.values())


MODULE_TESTS: dict[str, Site] = {}


def take_annotated(module: str) -> list[Any]:
    """Return a module's functions annotated while annotest imported, each once, and forget them."""
    functions: dict[int, Any] = {}
    others = []
    for function in _annotated:
        if static_attribute(function, "__module__") == module:
            functions[id(function)] = function
        else:
            others.append(function)
    _annotated[:] = others
    return list(functions.values())


def calling_module() -> str:
    """Return the name of the module whose code is calling annotest."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == (
        "annotest"
    ):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", ""))


def wrong_parts(annotation: Annotation) -> Iterator[Mistake]:
    """Yield what is wrong with an annotation by itself, as recorded while importing."""
    if isinstance(annotation, Wrong):
        error = annotation.error
        yield Mistake(annotation.site, annotation.text(), error.reason, error.remedy)
    for constraint in constraints_of(annotation):
        for broken in broken_in(constraint):
            yield broken.mistake(annotation.text(), "")


def constraints_of(annotation: Annotation) -> tuple[Constraint, ...]:
    """Return the constraints that stand in an annotation."""
    match annotation:
        case Arg(constraint=constraint) | Returns(constraint=constraint):
            return (constraint,)
        case ReturnsCalls(calls):
            return tuple(calls.constraints.values())
    return ()


def with_constraints(
    annotation: Annotation, change: Callable[[Constraint], Constraint]
) -> Annotation:
    """Return an annotation with other constraints in it."""
    match annotation:
        case Arg(constraint=constraint) | Returns(constraint=constraint):
            return replace(annotation, constraint=change(constraint))
        case ReturnsCalls(calls):
            changed = {name: change(constraint) for name, constraint in calls.constraints.items()}
            return replace(annotation, calls=Calls(changed))
    return annotation
