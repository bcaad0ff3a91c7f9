"""The relations of a call: its named dimensions, and the model by which they are met."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from annotest.constraints import Constraint, ints
from annotest.constraints._dims import LARGEST_SIDE, SMALLEST_SIDE, starred_in
from annotest.constraints._sizes import NoSize, attributes_in
from annotest.constraints._structure import Alternatives, Shaped
from annotest.errors import InvalidAnnotation, Mistake, did_you_mean
from annotest.large import MOST_ELEMENTS
from annotest.plan.postconditions import Postcondition
from annotest.plan.preconditions import Precondition, free_names
from annotest.plan.steps import INIT, Draw, Let
from annotest.records import record
from annotest.relations.arguments.dimensions import NamedSizes
from annotest.relations.arguments.model import Argument, Model, dimension_domain
from annotest.relations.reading.statements import joinable
from annotest.signature import (
    EMPTY,
    VAR_KEYWORD,
    Parameter,
    Signature,
    constructor_signature,
    preconditions,
)
from annotest.spec import Annotation, Arg, Dims, Require, Returns


def dimension_names(signature: Signature) -> list[str]:
    """Return the dimensions that the arguments of a function mention, and those given values."""
    arguments = {p.name for p in signature.parameters}
    names = _size_names(signature)
    names += [name for note in signature.of_kind(Dims) for name in note.constraints]
    known = (name for name in dict.fromkeys(names) if name not in arguments)
    return [name for name in known if name.isidentifier()]


def _size_names(signature: Signature) -> list[str]:
    constraints = [p.constraint for p in signature.parameters if p.constraint is not None]
    return [name for constraint in constraints for name in constraint.size_names]


def starred_dimensions(signature: Signature) -> dict[str, str]:
    """Return the dimensions such as *batch, each with what to write in a precondition instead."""
    instead_of: dict[str, str] = {}
    for p in signature.parameters:
        if p.constraint is None or not p.constraint.is_named:
            continue
        is_array = isinstance(getattr(p.constraint, "shape", None), str)
        for name, part in starred_in(p.constraint).items():
            instead = f"write {p.name}.shape{part} instead of {name}"
            instead = instead if is_array else f"use the shapes that {p.name} has"
            instead_of.setdefault(name, instead)
    return instead_of


def dimension_values(signature: Signature) -> dict[str, Constraint]:
    """Return what is said about the values of dimensions."""
    return {
        name: constraint
        for note in signature.of_kind(Dims)
        for name, constraint in note.constraints.items()
    }


def dimension_mistakes(signature: Signature, objects: Sequence[str]) -> list[Mistake]:
    """Return what is wrong with the dimensions of a function that knows these `objects`."""
    if not signature.of_kind(Dims) and not _names_sizes(signature):
        return []
    by_name = _by_name(signature)
    wrong: list[Mistake] = []
    notes: list[Arg | Returns] = [*argument_notes(signature), *signature.returns]
    for note in notes:
        errors = _wrong_sizes(note, by_name, objects)
        wrong += [mistake_of(signature, note, error) for error in errors]
    for dims in signature.of_kind(Dims):
        errors = _wrong_dimensions(dims, by_name, signature)
        wrong += [mistake_of(signature, dims, error) for error in errors]
    return wrong


def _by_name(signature: Signature) -> dict[str, Constraint | None]:
    """Return what is said of each argument, of numbers that are left alone too."""
    fixed = (p for p in signature.parameters if p.constraint is None and type(p.default) is int)
    by_name = {p.name: p.constraint for p in signature.parameters}
    return by_name | {p.name: ints(p.default, p.default) for p in fixed}


def known_sizes(signature: Signature) -> list[str]:
    """Return the arguments that are whole numbers, after which dimensions may be named."""
    return [name for name, constraint in _by_name(signature).items() if _is_whole(constraint)]


def _wrong_sizes(
    note: Arg | Returns, by_name: dict[str, Constraint | None], objects: Sequence[str]
) -> Iterator[InvalidAnnotation]:
    """Yield what is wrong with the names in the sizes of one annotation."""
    if isinstance(note, Arg) and len(note.names) > 1 and note.constraint.is_named:
        yield InvalidAnnotation(
            "dimensions and shared dtypes are not known where one annotation is for several "
            "arguments",
            "annotate each argument by itself, or have a generator build them",
        )
        return
    yield from _wrong_shapes(note.constraint, by_name)
    for name in note.constraint.size_names:
        if name in by_name and not _is_whole(by_name[name]):
            yield InvalidAnnotation(
                f"the dimension {name!r} has the name of an argument that is no whole number",
                "rename the dimension, or annotate the argument with ints(…)",
            )
        elif name in objects and name not in by_name:
            yield InvalidAnnotation(f"{name!r} is no size", f"name one of its own: {name}.NAME")
    for root in note.constraint.size_roots:
        if root not in objects and root not in by_name:
            yield InvalidAnnotation(
                f"there is no {root!r} whose attribute could be a size",
                "use self or init in a method, or an argument that a generator builds",
            )


def _wrong_shapes(
    constraint: Constraint, by_name: dict[str, Constraint | None]
) -> Iterator[InvalidAnnotation]:
    """Yield what is wrong with optional sides, and with shapes that broadcast to others."""
    for name in constraint.optional_names:
        if name in by_name:
            yield InvalidAnnotation(
                f"the side {name!r} is an argument, which always has a number",
                f"write {name!r} without '?', or give the side another name",
            )
    for name in constraint.shape_names:
        if name not in by_name:
            hint = did_you_mean(name, list(by_name))
            yield InvalidAnnotation(
                f"there is no argument {name!r} whose shape could be taken.{hint}",
                "name an argument that is an array",
            )
        elif not _has_shape(by_name[name]):
            yield InvalidAnnotation(
                f"the shape of {name!r} is not known when others are chosen",
                f"annotate {name} as an array, without .map and .where",
            )
        elif _goes_round(name, by_name):
            yield InvalidAnnotation(
                f"the shape of {name!r} is that of itself", "let one of them have sides of its own"
            )


def init_mistakes(signature: Signature, owner: type) -> list[Mistake]:
    """Return the annotations of a method that ask the constructor for what it does not take."""
    constructor = f"{owner.__qualname__}.__init__"
    parameters = constructor_signature(owner).parameters
    taken = [p.name for p in parameters if p.kind is not VAR_KEYWORD]
    if len(taken) < len(parameters):
        return []  # the others may come in **kwargs
    return [
        mistake_of(
            signature,
            note,
            InvalidAnnotation(
                f"{constructor} has no argument {name!r}.{did_you_mean(name, taken)}",
                f"{constructor} takes: {', '.join(taken) or 'nothing'}",
            ),
        )
        for note in _notes(signature)
        for root, name in _attributes_in(note)
        if root == INIT and name not in taken
    ]


def mentions_init(signature: Signature, conditions: Sequence[Precondition | Postcondition]) -> bool:
    """Say whether a size or a precondition asks how the instance was constructed."""
    constraints = [p.constraint for p in signature.parameters if p.constraint is not None]
    constraints += [note.constraint for note in signature.returns]
    in_sizes = any(INIT in constraint.size_roots for constraint in constraints)
    return in_sizes or any(INIT in condition.needs for condition in conditions)


def _notes(signature: Signature) -> tuple[Arg | Returns | Require, ...]:
    return (*argument_notes(signature), *signature.returns, *preconditions(signature))


@record
class _Hint(Arg):
    """The constraint that a type hint gives an argument."""

    def text(self) -> str:
        return "type hint"


def argument_notes(signature: Signature) -> list[Arg]:
    """Return what is said about arguments, by annotations and by type hints."""
    notes = signature.of_kind(Arg)
    annotated = {name for note in notes for name in note.names}
    hints = (
        _Hint((p.name,), p.constraint, site=signature.site)
        for p in signature.parameters
        if p.constraint is not None and p.name not in annotated
    )
    return [*notes, *hints]


def _attributes_in(note: Arg | Returns | Require) -> tuple[tuple[str, str], ...]:
    if isinstance(note, Arg | Returns):
        return note.constraint.size_attributes
    if isinstance(note.condition, str):
        return attributes_in(ast.parse(f"(\n{note.condition}\n)", mode="eval"))
    return ()


def _wrong_dimensions(
    dims: Dims, by_name: dict[str, Constraint | None], signature: Signature
) -> Iterator[InvalidAnnotation]:
    """Yield what is wrong with the dimensions whose values one annotation gives."""
    known = _mentioned(signature)
    for name in dims.constraints:
        if name not in known and name not in by_name:
            yield InvalidAnnotation(
                f"no shape, length or precondition of {signature.function} mentions "
                f"{name!r}.{did_you_mean(name, known)}",
                "name the dimension in a shape, or leave it out here",
            )
        if name in by_name:
            yield InvalidAnnotation(
                f"the dimension {name!r} is an argument of {signature.function}",
                f"give its values with @arg({name}=…)",
            )


def _names_sizes(signature: Signature) -> bool:
    """Say whether any shape or length is given by names."""
    constraints = [p.constraint for p in signature.parameters if p.constraint is not None]
    constraints += [note.constraint for note in signature.of_kind(Arg)]
    constraints += [note.constraint for note in signature.returns]
    return any(constraint.is_named for constraint in constraints)


def _mentioned(signature: Signature) -> list[str]:
    """Return all names that shapes, lengths and preconditions mention."""
    names = [*_size_names(signature), *names_in_preconditions(signature)]
    return [name for name in dict.fromkeys(names) if name.isidentifier()]


def names_in_preconditions(signature: Signature) -> list[str]:
    """Return the names that preconditions mention."""
    names: list[str] = []
    for note in preconditions(signature):
        if isinstance(note.condition, str):
            names += free_names(note.condition)
        else:
            names += getattr(getattr(note.condition, "__code__", None), "co_varnames", ())
    return names


def mistake_of(signature: Signature, note: Annotation, error: InvalidAnnotation) -> Mistake:
    """Return what is wrong with one annotation of a function."""
    return Mistake(note.site, note.text(), error.reason, error.remedy, signature.function)


def _has_shape(constraint: Constraint | None) -> bool:
    """Say whether values are arrays, some of them at least."""
    match None if constraint is None else constraint.structure:
        case Shaped():
            return True
        case Alternatives(constraints):
            return any(map(_has_shape, constraints))
    return False


def _goes_round(name: str, by_name: dict[str, Constraint | None]) -> bool:
    """Say whether the shape of an argument is reckoned from itself."""
    asked, reached = [name], set[str]()
    while asked:
        constraint = by_name.get(asked.pop())
        names = () if constraint is None else constraint.shape_names
        asked += [other for other in names if other not in reached]
        reached.update(names)
    return name in reached


def _is_whole(constraint: Constraint | None) -> bool:
    return constraint is not None and constraint.structure.is_whole


def model_of(
    signature: Signature,
    draws: Sequence[Draw],
    lets: Sequence[Let],
    conditions: Sequence[Precondition],
) -> Model | None:
    """Return the model of a call, or None where nothing relates its arguments."""
    if not conditions and not _names_sizes(signature):
        return None
    constraints = {p.name: p.constraint for p in signature.parameters}
    arguments: list[Argument] = []
    drawn: list[str] = []
    for draw in draws:
        constraint = constraints.get(draw.key)
        if constraint is None:
            drawn += draw.known
        else:
            may_be_left_out = draw.default is not EMPTY
            arguments.append(Argument(draw.key, constraint, may_be_left_out, draw.default))
    statements = [condition.statement for condition in conditions]
    fixed = {let.name: let.value for let in lets}
    model = Model(arguments, statements, dimension_values(signature), drawn, fixed)
    return model if model.names else None


def contradiction(
    signature: Signature, model: Model | None, conditions: Sequence[Precondition]
) -> Mistake | None:
    """Return the mistake of preconditions that no valid arguments can satisfy."""
    places = None if model is None else model.conflict()
    if places is None:
        return None
    if not places:
        return Mistake(
            signature.site, signature.function, *_disagreement(signature), signature.function
        )
    last = conditions[places[-1]]
    texts = [conditions[place].statement.text for place in places]
    mentioned = {name for place in places for name in conditions[place].statement.names}
    known = {p.name: p.constraint for p in signature.parameters if p.constraint is not None}
    values = [known[name].said_of(name) for name in known if name in mentioned]
    given = dimension_values(signature)
    usual = ints(SMALLEST_SIDE, LARGEST_SIDE)
    dimensions = [name for name in dimension_names(signature) if name in mentioned]
    values += [given.get(name, usual).said_of(name) for name in dimensions]
    parts = joinable([*values, *texts])
    error = InvalidAnnotation(
        f"{_listed(parts)} cannot {'both' if len(parts) == 2 else 'all'} hold",
        "widen the values, or correct the precondition",
    )
    return mistake_of(signature, last.annotation, error)


def _disagreement(signature: Signature) -> tuple[str, str]:
    """Say what cannot agree when nothing but names relates the arguments, and what to do."""
    dtypes: dict[str, set[str]] = {}
    for p in signature.parameters:
        if p.constraint is not None and p.constraint.shared_dtype():
            shared: Any = vars(p.constraint)["dtype"]
            known = dtypes.setdefault(shared.label, set(shared.dtypes))
            known &= set(shared.dtypes)
    for label, common in dtypes.items():
        if not common:
            return f"its arrays of same({label!r}) have no dtype in common", "let of=[…] overlap"
    for p in signature.parameters:
        least = _fewest_elements(p, signature)
        if least > MOST_ELEMENTS:
            return (
                f"{p.name} has {least:,} elements or more, and arrays of at most "
                f"{MOST_ELEMENTS:,} are made",
                "let its sides be smaller",
            )
    return (
        "its named dimensions cannot agree, whatever their values",
        "give them other ranges with @dims(…), or correct the shapes",
    )


def _fewest_elements(p: Parameter, signature: Signature) -> int:
    """Return how many elements an array has where each dimension is at its smallest."""
    by_name = {other.name: other.constraint for other in signature.parameters}
    by_name |= dimension_values(signature)
    ends = {name: value.structure.ends for name, value in by_name.items() if value is not None}
    smallest = {name: low_high[0] for name, low_high in ends.items() if low_high is not None}
    names = defaultdict(lambda: SMALLEST_SIDE, smallest)
    try:
        sides = p.constraint.named_sides() if p.constraint is not None else ()
        return math.prod(side.size(names) for side in sides if not side.is_open)
    except NoSize:
        return 0  # of an instance, say


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def sizes_of(signature: Signature) -> NamedSizes | None:
    """Return how the named dimensions of a call are told from its arguments."""
    names = dimension_names(signature)
    if not names:
        return None
    values = dimension_values(signature)
    constraints = {p.name: p.constraint for p in signature.parameters if p.constraint is not None}
    domains = {name: dimension_domain(values.get(name)) for name in names}
    return NamedSizes(constraints, domains)
