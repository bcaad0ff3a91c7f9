"""The decorators of aN: each makes an annotation and attaches it."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from annotest.constraints import Constraint, broken_in, checked, checked_calls
from annotest.constraints._calls import PLAIN, never_false
from annotest.errors import InvalidAnnotation, call_site, is_recording
from annotest.promises import BY_DEFAULT, Calls, OracleWord, calls, not_by_default
from annotest.source import shown, text_of
from annotest.spec import (
    MODULE_TESTS,
    Annotation,
    Arg,
    Budget,
    CcExample,
    Dims,
    Ensure,
    Example,
    Except,
    Exclude,
    Generator,
    Modes,
    Raises,
    Require,
    Returns,
    ReturnsCalls,
    Timeout,
    Wrong,
    attach,
    calling_module,
)

F = TypeVar("F")


class AnnotationDecorator:
    """One or more annotations, put on a function that is returned unchanged."""

    def __init__(self, *annotations: Annotation) -> None:
        self._annotations = annotations

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """What it says of the function."""
        return self._annotations

    def __call__(self, function: F, /) -> F:
        for annotation in self.annotations:
            attach(function, annotation)
        return function

    def __repr__(self) -> str:
        return " ".join(annotation.text() for annotation in self.annotations)


def _refused(text: str, error: InvalidAnnotation) -> AnnotationDecorator:
    if not is_recording():
        raise error
    return AnnotationDecorator(Wrong(text, error))


def refuse(text: str, reason: str, remedy: str) -> AnnotationDecorator:
    """Return what stands for a decorator that is itself wrong, while annotest imports; or raise."""
    return _refused(text, InvalidAnnotation(f"{text} {reason}", remedy))


# a call that a decorator does not take costs the function below it, not the whole module
forgiving = checked_calls(lambda name, error: _refused(f"@{name}(…)", error))


@forgiving
def arg(names: str = "", constraint: Any = None, /, **constraints: Any) -> AnnotationDecorator:
    """Say which values an argument takes: `@arg("n", ints(1, 9))` or `@arg(n=ints(1, 9))`.

    `@arg("model, optimizer", objs(pair))` takes several arguments from one constraint.
    """
    if isinstance(names, types.FunctionType | type) and constraint is None and not constraints:
        return _bare(names)
    return make_args(names, constraint, constraints)


def _bare(function: Any) -> Any:
    """Refuse `@arg` without anything behind it; the function itself is kept."""
    error = InvalidAnnotation("@arg names no argument", 'write @arg("name", constraint)')
    if not is_recording():
        raise error
    attach(function, Wrong("@arg", error))
    return function


def make_args(names: Any, constraint: Any, constraints: dict[str, Any]) -> AnnotationDecorator:
    """Return the decorator for the arguments of `arg`, in either spelling."""
    try:
        notes: list[Annotation] = []
        if names != "" or constraint is not None:
            notes.append(_arg_by_name(names, constraint))
        for name, given in constraints.items():
            notes.append(Arg((name,), checked(f'@arg("{name}")', given)))
        if not notes:
            raise InvalidAnnotation("@arg() names no argument", 'write @arg("name", constraint)')
    except InvalidAnnotation as error:
        return _refused(_arg_text(names, constraints), error)
    return AnnotationDecorator(*notes)


def _arg_text(names: Any, constraints: dict[str, Any]) -> str:
    if not isinstance(names, str):
        return f"@arg({shown(names)})"
    listed = names or ", ".join(constraints)
    return f'@arg("{listed}")' if listed else "@arg()"


def _arg_by_name(names: Any, constraint: Any) -> Arg:
    if not isinstance(names, str) or not names.strip():
        raise InvalidAnnotation(
            f"@arg({shown(names)}) expects the name of an argument as text",
            'write @arg("name", constraint)',
        )
    listed = tuple(name.strip() for name in names.split(","))
    if constraint is None:
        raise InvalidAnnotation(
            f'@arg("{names}") has no constraint', f'write @arg("{names}", constraint)'
        )
    return Arg(listed, checked(f'@arg("{names}")', constraint))


@forgiving
def require(condition: str | Callable[..., Any]) -> AnnotationDecorator:
    """Say what must hold between the arguments, as text or as a callable of some of them."""
    return _conditions("require", "n > 0", Require, [condition])


@forgiving
def ensure(
    *conditions: str | Callable[..., Any] | OracleWord, except_: str | Sequence[str] = ()
) -> AnnotationDecorator:
    """Say what holds after the call: `"result >= 0"`, a callable, or an oracle such as `finite`.

    `except_` names oracles that judge where nobody has said anything, and are to be silent here.
    """
    names = (except_,) if isinstance(except_, str) else tuple(except_)
    for name in names:
        if name not in BY_DEFAULT:
            text = f"@ensure(except_={shown(except_)})"
            return refuse(f"{text}:", not_by_default(name), 'write @ensure(except_="finite")')
    for condition in conditions:
        if isinstance(condition, OracleWord) and condition.broken:
            return _refused(f"@ensure({condition!r})", condition.broken)
        if isinstance(condition, OracleWord) and condition.lacks:
            return refuse(
                f"@ensure({condition!r})", "needs arguments", f"write @ensure({condition.lacks})"
            )
    if not conditions and not names:
        return refuse("@ensure()", "says nothing", 'write @ensure("result >= 0")')
    said = _conditions("ensure", "result >= 0", Ensure, conditions)
    return AnnotationDecorator(*said.annotations, Except(names)) if names else said


def _conditions(
    word: str, instead: str, made: Callable[[Any], Annotation], conditions: Sequence[Any]
) -> AnnotationDecorator:
    """Return the decorator of conditions as text or as callables; refuse what is neither."""
    for condition in conditions:
        if wrong := _no_condition(condition):
            reason, remedy = wrong
            said = f'"{condition}"' if isinstance(condition, str) else shown(condition)
            said = made(condition).text() if callable(condition) else f"@{word}({said})"
            return refuse(said, reason, remedy or f'write @{word}("{instead}")')
    return AnnotationDecorator(*map(made, conditions))


def _no_condition(condition: Any) -> tuple[str, str] | None:
    """Return why something is no condition, and what to do besides writing one, if it is none."""
    if isinstance(condition, str):
        return _no_expression(condition)
    if not callable(condition):
        kind = type(condition).__name__
        return f"expects an expression as text, or a callable, got {kind}", ""
    reason = never_false(condition)
    return (reason, PLAIN) if reason else None


def _no_expression(text: str) -> tuple[str, str] | None:
    """Return why a text is no condition, and what to do besides writing one, if it is none."""
    try:
        code = compile(f"(\n{text}\n)", "<condition>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = f"is not a Python expression: {getattr(error, 'msg', error)}"
        return reason, "correct the expression; it is Python, as after `if`"
    if code.co_consts == ((),) and not code.co_names:  # a comment alone, or nothing
        return "says nothing", ""
    return None


@forgiving
def dims(**constraints: Any) -> AnnotationDecorator:
    """Say which sizes named dimensions take: `@dims(h=ints(8, 64), w=froms([8, 16]))`."""
    text = f"@dims({', '.join(constraints)})"
    try:
        if not constraints:
            raise InvalidAnnotation("@dims() names no dimension", "write @dims(h=ints(8, 64))")
        for name, given in constraints.items():
            _check_sizes(name, checked(f"@dims({name}=…)", given))
    except InvalidAnnotation as error:
        return _refused(text, error)
    return AnnotationDecorator(Dims(constraints))


def _check_sizes(name: str, constraint: Constraint) -> None:
    """Refuse sizes that are no whole numbers from 0 up."""
    for broken in broken_in(constraint):
        raise broken.error
    ends = constraint.structure.ends if constraint.structure.is_whole else None
    if ends is None or ends[0] < 0:
        raise InvalidAnnotation(
            f"@dims({name}={constraint!r}): sizes are whole numbers from 0 up",
            f"write @dims({name}=ints(1, 64)) or @dims({name}=froms([8, 16]))",
        )


class _Mark(AnnotationDecorator):
    """A decorator without arguments: `@exclude` and `@exclude()` are the same."""

    def __init__(self, kind: type[Annotation], doc: str) -> None:
        self._kind = kind
        self.__doc__ = doc

    @property
    def annotations(self) -> tuple[Annotation, ...]:  # made anew: each knows where it stands
        return (self._kind(),)

    @overload
    def __call__(self) -> _Mark: ...
    @overload
    def __call__(self, function: F, /) -> F: ...
    def __call__(self, *function: Any, **others: Any) -> Any:
        if others or len(function) > 1:
            name = self._kind.__name__.lower()
            return refuse(f"@{name}(…)", "takes no arguments", f"write @{name}")
        return super().__call__(*function) if function else self


exclude = _Mark(Exclude, "Not a target (function, method, constructor or class); still builds.")
generator = _Mark(Generator, "A custom generator: `objs(it)` builds values by calling it.")


@forgiving
def cc_example(args: Any = (), /, **kwargs: Any) -> AnnotationDecorator:
    """Give one constructor call, used whenever methods need an instance; several allowed."""
    if not isinstance(args, (list, tuple)):
        wanted = f"expects the arguments of one call as a list, got {type(args).__name__}"
        remedy = f"write @cc_example([{shown(args)}])"
        return refuse(f"@cc_example({shown(args)})", wanted, remedy)
    return AnnotationDecorator(CcExample(tuple(args), kwargs))


@forgiving
def example(*args: Any, **kwargs: Any) -> AnnotationDecorator:
    """Give one call that is always tested, before any other."""
    return AnnotationDecorator(Example(args, kwargs))


@forgiving
def timeout(seconds: float) -> AnnotationDecorator:
    """Say how long one call may take, in seconds of wall-clock time."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        wanted = "expects a number of seconds above 0"
        return refuse(f"@timeout({shown(seconds)})", wanted, "write @timeout(30)")
    return AnnotationDecorator(Timeout(float(seconds)))


@forgiving
def raises(
    *types: type[BaseException],
    when: str | Callable[..., Any] | None = None,
    message: str | re.Pattern[str] | None = None,
) -> AnnotationDecorator:
    """Say which exceptions a call may end with on valid input: they are no failures.

    Where a condition on the arguments says `when`, they are required there, and failures elsewhere.
    With a `message` only those count whose own contains it; a compiled pattern is searched for.
    """
    text = f"@raises({', '.join(map(_name_of, types))})"
    if not types:
        return refuse(text, "names no exception", "write @raises(ValueError)")
    for kind in types:
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            wanted = f"expects classes of exceptions, got {type(kind).__name__}"
            if isinstance(kind, type):
                wanted = f"expects classes of exceptions, and {kind.__name__} is none"
            return refuse(text, wanted, "write @raises(ValueError, KeyError)")
    note = Raises(types, when, message)
    if when is not None and (wrong := _no_condition(when)):
        reason, remedy = wrong
        return refuse(note.text(), f"has a wrong when: it {reason}", remedy or _WHEN)
    if wanted := _no_message(message):
        return refuse(note.text(), f"has a wrong message: {wanted}", _MESSAGE)
    return AnnotationDecorator(note)


_WHEN = 'write @raises(ValueError, when="n > 3")'
_MESSAGE = 'write @raises(ValueError, message="too large"), or a compiled pattern'


def _no_message(message: Any) -> str:
    """Return why something is no part of a message; nothing where it is one."""
    if message is None or (isinstance(message, re.Pattern) and isinstance(message.pattern, str)):
        return ""
    if not isinstance(message, str):
        return f"expected text, got {shown(message)} ({type(message).__name__})"
    return "" if message else "every message contains an empty text"


@forgiving
def returns(result: Constraint | Calls) -> AnnotationDecorator:
    """Say what the result satisfies: `@returns(tensors("b n"))`; of a callable, `calls(…)`."""
    given: Any = result
    if isinstance(given, Calls):
        return AnnotationDecorator(ReturnsCalls(given))
    if given is calls:
        return refuse("@returns(calls)", "does not call it", "write @returns(calls(step=ints()))")
    try:
        known = checked("@returns(…)", given)
    except InvalidAnnotation as error:
        return _refused("@returns(…)", error)
    is_broken = any(True for _ in broken_in(known))
    return AnnotationDecorator(Returns(known, "…" if is_broken else repr(known)))


def _name_of(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else text_of(value)


@forgiving
def modes(*names: str) -> AnnotationDecorator:
    """Say in which modes instances are tried, on a class or a method: `@modes("eval")`."""
    text = f"@modes({', '.join(map(shown, names))})"
    if not names:
        return refuse(text, "names no mode", 'write @modes("train", "eval")')
    for name in names:
        if not isinstance(name, str):
            wanted = f"expects the names of modes as text, got {type(name).__name__}"
            return refuse(text, wanted, 'write @modes("eval")')
    return AnnotationDecorator(Modes(names))


@forgiving
def budget(*, examples: int | None = None, seconds: float | None = None) -> AnnotationDecorator:
    """Say how hard to test this target: a number of inputs, a time, or both."""
    given = {"examples": examples, "seconds": seconds}
    text = f"@budget({', '.join(f'{k}={shown(v)}' for k, v in given.items() if v is not None)})"
    if examples is None and seconds is None:
        return refuse(text, "says nothing", "write @budget(examples=500)")
    for name, value in given.items():
        kinds = (int,) if name == "examples" else (int, float)
        if value is not None and (type(value) not in kinds or not float(value) > 0):
            wanted = f"has wrong {name}: expected a number above 0"
            return refuse(text, wanted, f"write @budget({name}=60)")
    return AnnotationDecorator(Budget(examples, None if seconds is None else float(seconds)))


def module_test() -> None:
    """At module level: importing this module, in a fresh process, is a test."""
    MODULE_TESTS[calling_module()] = call_site()


__all__ = [
    "Constraint",
    "arg",
    "budget",
    "cc_example",
    "dims",
    "ensure",
    "example",
    "exclude",
    "generator",
    "modes",
    "module_test",
    "raises",
    "require",
    "returns",
    "timeout",
]
