"""The few Hypothesis strategies of our own, which generated tests may import."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, NoReturn

import hypothesis.strategies as st
from hypothesis import reject

from annotest.constraints._dims import (
    LARGEST_SIDE,
    SMALLEST_SIDE,
    NamedShape,
)
from annotest.constraints._sizes import MOST_STARRED, NoSize
from annotest.errors import InvalidAnnotation
from annotest.expr import evaluate, resolve
from annotest.large import MOST_ELEMENTS, large_array
from annotest.large import Numbers as numbers
from annotest.large import Picked as picked
from annotest.outside import annotations_of, from_outside, member_key
from annotest.plan.arrays import array_recipes, framed_recipes, seeded_recipes, tensor_recipes
from annotest.plan.lazy import finish
from annotest.plan.planner import Planner
from annotest.plan.preconditions import PreconditionFailed, compile_precondition, is_left_out
from annotest.plan.ready import Inputs, ReadyCall, Written, is_passed_by_name
from annotest.plan.recipe import BuildFailed, bind, build
from annotest.plan.steps import Plan
from annotest.plan.strategy import DrawFailed, FilterFailed, Interpreter, Tally, run_steps
from annotest.signature import (
    constructor_signature,
    initializer,
    preconditions,
    read_signature,
)
from annotest.spec import underlying


def matching_text(
    pattern: str, *, min_len: int = 0, max_len: int | None = None, alphabet: str | None = None
) -> st.SearchStrategy[str]:
    """Text that matches a whole regular expression, of bounded length, of some characters."""

    def fits(text: str) -> bool:
        return len(text) >= min_len and (max_len is None or len(text) <= max_len)

    if alphabet is None:
        return st.from_regex(pattern, fullmatch=True).filter(fits)
    letters = st.sampled_from(sorted(set(alphabet)))
    return st.from_regex(pattern, fullmatch=True, alphabet=letters).filter(fits)


def multiples(step: int, low: int, high: int) -> st.SearchStrategy[int]:
    """Multiples of `step` from `low` to `high`, however many there are."""
    return st.integers(-(-low // step), high // step).map(lambda number: number * step)


@st.composite
def named_shapes(draw: Any, shape: str) -> tuple[int, ...]:
    """Shape tuples such as "b? 2*h 3" describes: a name means one number from 1 to 8."""
    sizes = st.integers(SMALLEST_SIDE, LARGEST_SIDE)
    known: dict[str, int] = {}
    sides: list[int] = []
    named = NamedShape(shape)
    present = {name for name in named.optional_names if draw(st.booleans())}
    for side in named.with_sides(present).sides:
        if side.starred:
            sides += draw(st.lists(sizes, max_size=MOST_STARRED))
        elif side.text == "_" or "." in side.text:
            sides.append(draw(sizes))
        else:
            for name in side.names:
                if name not in known:
                    known[name] = draw(sizes)
            try:
                sides.append(side.size(known))
            except NoSize:
                reject()
    return tuple(sides)


@st.composite
def broadcasting(draw: Any, shape: tuple[int, ...], *, min_dims: int = 0) -> tuple[int, ...]:
    """Shapes that broadcast to another: some of its last sides, each as it is or 1."""
    if min_dims > len(shape):
        reject()
    count = draw(st.integers(min_dims, len(shape)))
    return tuple(side if draw(st.booleans()) else 1 for side in shape[len(shape) - count :])


@st.composite
def limited_shapes(draw: Any, shapes: Any, least: Any = None) -> tuple[int, ...]:
    """Shapes of no more than 20,000,000 elements; `least` says how small their sides can be."""
    shape = list(draw(shapes))
    smallest = [least] * len(shape) if isinstance(least, int) else least or shape
    for place in sorted(range(len(shape)), key=shape.__getitem__, reverse=True):
        others = math.prod(shape) // shape[place] if shape[place] else 0
        if others * shape[place] > MOST_ELEMENTS:
            shape[place] = max(smallest[place], MOST_ELEMENTS // others)
    if math.prod(shape) > MOST_ELEMENTS:
        reject()
    return tuple(shape)


def arrays(
    dtype: Any,
    shape: Any,
    *,
    min: float | None = None,
    max: float | None = None,
    exclude_min: bool = False,
    exclude_max: bool = False,
    elements: st.SearchStrategy[Any] | None = None,
    unique: bool = False,
    allow_nan: bool = False,
    allow_infinity: bool = False,
    contents: str | None = None,
) -> st.SearchStrategy[Any]:
    """NumPy arrays, large ones in milliseconds: their bulk is filled from a seed.

    The options mean what they mean in `np_arrays`; dtype and shape may be strategies, and
    `elements` is one. Up to 1,000 elements are drawn as `hypothesis.extra.numpy.arrays` does.
    """
    bounds = {
        "min": min,
        "max": max,
        "exclude_min": exclude_min,
        "exclude_max": exclude_max,
        "allow_nan": allow_nan,
        "allow_infinity": allow_infinity,
    }
    recipes = array_recipes(
        dtype, shape, elements=elements, unique=unique, contents=contents, **bounds
    )
    return recipes.map(build)


def framed(
    arrays: st.SearchStrategy[Any], framework: str, **options: Any
) -> st.SearchStrategy[Any]:
    """Arrays of a framework, with the elements of NumPy arrays that a strategy draws."""
    return framed_recipes(arrays, framework, **options).map(build)


def seeded(kind: str) -> st.SearchStrategy[Any]:
    """Generators of random numbers, "numpy" or "torch", each made from a seed that is drawn."""
    return seeded_recipes(kind).map(build)


def tensors(
    shape: Any,
    dtype: str = "float32",
    *,
    elements: st.SearchStrategy[Any] | None = None,
    **options: Any,
) -> st.SearchStrategy[Any]:
    """Torch tensors, contiguous and not; the options mean what they mean in the constraint.

    The shape may be a strategy, or text such as "b n"; `elements` is a strategy.
    """
    return tensor_recipes(shape, dtype, elements, **options).map(build)


def annotated(function: Any, argument: str) -> st.SearchStrategy[Any]:
    """Values of an argument as the annotation on the function itself says.

    Generated tests use it for constraints that cannot be written as source, such as those with a
    lambda or a live object in them. `argument` is a name, or several as in the annotation.
    """
    planner = Planner()
    inner = initializer(function) if isinstance(function, type) else function
    draws = planner.arguments(_signature_of(function), inner)[0]
    draw = next(step for step in draws if step.key == argument)
    return evaluate(draw.strategy, Interpreter(planner, Tally())).map(build)  # type: ignore[no-any-return]


def calls(function: Any, of: type | None = None) -> st.SearchStrategy[ReadyCall]:
    """Calls of a function or class, ready to be made, as the annotations on it say.

    Generated tests use it where arguments depend on each other in ways that are long to write, and
    cannot all be passed by name. A failing call is shown as Python that can be pasted. A method is
    called on instances of the class that defines it, or `of` one that inherits it.

    Not to be confused with `annotest.calls`, which says how what a function returns is called.
    """
    planner, plan, cls = _planned(function, of)
    first = () if cls is None else (cls,)

    def ready(values: dict[str, Any], written: Written) -> ReadyCall:
        return ReadyCall(plan, values, first, written)

    return _ready(planner, plan, cls, ready)


def inputs(function: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Keyword arguments of a function or class, valid as the annotations on it say.

    Generated tests use it where arguments depend on each other in ways that are long to write:
    `f(**inputs)`. Failing ones are shown as the call with them, which can be pasted.
    """
    planner, plan, cls = _planned(function)
    if not is_passed_by_name(plan):
        raise TypeError(
            f"inputs({function.__qualname__}): not all arguments can be passed by name; "
            f"use calls({function.__qualname__})"
        )

    def ready(values: dict[str, Any], written: Written) -> Inputs:
        return Inputs(bind(plan.parameters, values)[1], written)

    return _ready(planner, plan, cls, ready)


def _planned(function: Any, of: type | None = None) -> tuple[Planner, Plan, Any]:
    """Return who planned the call of a function, the plan, and the class of a class method."""
    planner = Planner()
    if isinstance(function, type):
        planner.plan_factory(function)
        return planner, planner.plans[id(function)], None
    signature = _signature_of(function, of)
    cls = getattr(function, "__self__", None) if inspect.ismethod(function) else None
    inner = underlying(getattr(function, "__func__", function))
    owner = of or (_class_of(inner) if signature.self_name and cls is None else None)
    return planner, planner.plan_function(inner, signature, owner, cls), cls


def _ready(
    planner: Planner, plan: Plan, cls: Any, ready: Callable[[dict[str, Any], Written], Any]
) -> st.SearchStrategy[Any]:
    """Return the calls of a plan that are valid, each as `ready` has it."""
    tally = Tally()
    recipes = Interpreter(planner, tally).recipes(plan, _nothing, _nothing)

    @st.composite
    def drawn(draw: Any) -> Any:
        recipe = draw(recipes)
        if isinstance(recipe, DrawFailed):
            _raise(recipe.error)
        try:
            values = run_steps(plan.steps, recipe, tally, plan.sizes)
        except (BuildFailed, PreconditionFailed, FilterFailed) as error:
            _raise(error)
        if values is None:
            reject()
        return ready(values, Written(plan, recipe, cls))

    return drawn()


def _raise(failed: BuildFailed | PreconditionFailed | FilterFailed) -> NoReturn:
    """Raise what the program itself raised; what it may raise makes the input one that is none."""
    if isinstance(failed, BuildFailed) and failed.is_allowed:
        reject()
    raise failed.error from None


def _nothing() -> None:
    """Take no notice."""


def _class_of(function: Any) -> Any:
    return resolve(function.__module__, function.__qualname__.rpartition(".")[0])


def instances(cls: type) -> st.SearchStrategy[Any]:
    """Instances of a class, built as the annotations of its constructor say."""
    planner = Planner()
    planner.plan_factory(cls)
    return Interpreter(planner, Tally()).generated(cls).map(_built)


def _built(recipe: Any) -> Any:
    """Build a recipe; what the program itself raises is let through as it is."""
    try:
        return build(recipe)
    except BuildFailed as failed:
        _raise(failed)


def parts(value: Any, *names: str) -> tuple[Any, ...]:
    """Return the values of arguments that belong together, from a tuple or from a dict by name."""
    if isinstance(value, dict):
        return tuple(value[name] for name in names)
    return tuple(value)


def preconditions_hold(function: Any, /, **arguments: Any) -> bool:
    """Say whether the preconditions on the function itself hold for these arguments."""
    signature = _signature_of(function)
    function = initializer(function) if isinstance(function, type) else underlying(function)
    function = getattr(function, "__func__", function)
    names = [signature.self_name] * bool(signature.self_name)
    names += [p.name for p in signature.parameters]
    values = dict(arguments)
    for p in signature.parameters:
        values.setdefault(p.name, p.default)
    for note in preconditions(signature):
        try:
            asked = compile_precondition(note, names, function, signature.function)
        except InvalidAnnotation as error:
            if is_left_out(note, error):
                continue
            raise
        if not asked.holds(values):
            return False
    return True


def _signature_of(function: Any, of: type | None = None) -> Any:
    if isinstance(function, type):
        return constructor_signature(function)
    if isinstance(function, property):
        function = function.fget
    bound = inspect.ismethod(function)
    function = function.__func__ if bound else function
    name = getattr(function, "__qualname__", type(function).__name__)  # a partial object has none
    key = f"{function.__module__}:{name}"
    notes = annotations_of(function, key)
    if of is not None:
        notes = notes or from_outside(None, member_key(of, function.__name__))
    return read_signature(function, notes, name, bound or _is_method(function))


def _is_method(function: Any) -> bool:
    """Say whether a function taken from its class still wants its first argument."""
    owner, _, name = getattr(function, "__qualname__", "").rpartition(".")
    if not owner or owner.endswith("<locals>"):
        return False
    try:
        attribute = inspect.getattr_static(resolve(function.__module__, owner), name)
    except (ImportError, AttributeError):
        return False
    return not isinstance(attribute, staticmethod)


__all__ = [
    "annotated",
    "arrays",
    "broadcasting",
    "calls",
    "finish",
    "framed",
    "inputs",
    "instances",
    "large_array",
    "limited_shapes",
    "matching_text",
    "multiples",
    "named_shapes",
    "numbers",
    "parts",
    "picked",
    "preconditions_hold",
    "seeded",
    "tensors",
]
