"""From annotations to plans: one for each target, generator and constructor."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint
from annotest.errors import InvalidAnnotation, Mistake, left_out_of
from annotest.expr import Expr, Generated, walk
from annotest.outside import annotations_of
from annotest.plan.by_name import with_factories
from annotest.plan.live import live_in
from annotest.plan.lone_bounds import lone_bounds
from annotest.plan.modes import mode_mistakes, modes_of
from annotest.plan.preconditions import Precondition, compile_precondition, is_left_out
from annotest.plan.promising import conditions_in, promises_of
from annotest.plan.recipe import LEFT_OUT, Factory
from annotest.plan.recursion import ending
from annotest.plan.relating import (
    contradiction,
    dimension_mistakes,
    dimension_names,
    init_mistakes,
    mentions_init,
    mistake_of,
    model_of,
    sizes_of,
    starred_dimensions,
)
from annotest.plan.steps import INIT, Draw, Let, Plan, arrange
from annotest.signature import (
    EMPTY,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    Parameter,
    Signature,
    bind_example,
    constructor_signature,
    initializer,
    is_generator,
    preconditions,
    read_signature,
)
from annotest.source import shown
from annotest.spec import (
    Annotation,
    Arg,
    CcExample,
    Example,
    static_attribute,
    underlying,
)

FEW = 20


class NotPlanned(Exception):
    """A call cannot be planned: its annotations are wrong, or some are missing."""

    def __init__(self, mistakes: tuple[Mistake, ...] = (), reason: str = "", add: str = "") -> None:
        super().__init__(reason or "; ".join(map(str, mistakes)))
        self.mistakes = mistakes
        self.reason = reason
        self.add = add


@dataclass
class Planner:
    """Makes plans and remembers those of generators and constructors.

    `live` lists the objects without source that plans refer to, in a stable order, so that a
    recipe can name them when it crosses to another process; `makes_arrays` says that some plan has
    arrays. A planner with `survives`, which tries a call in another process, is careful: it calls
    no code of the user's that may end or hang its own, and leaves preconditions that call some as
    filters.
    """

    survives: Callable[[Callable[[], Any]], bool] | None = None
    plans: dict[int, Plan] = field(default_factory=dict)
    live: list[Any] = field(default_factory=list)
    warnings: list[Mistake] = field(default_factory=list)
    recursive: set[int] = field(default_factory=set)
    makes_arrays: bool = False
    _under_way: list[Any] = field(default_factory=list)

    def plan_function(
        self,
        function: Any,
        signature: Signature,
        owner: Any = None,
        cls: Any = None,
        made: Any = None,
    ) -> Plan:
        """Plan the call of a function.

        `owner` is the class whose instance a method needs, `cls` that of a class method, `made` the
        one that a constructor makes.
        """
        names = [p.name for p in signature.parameters]
        knows_init = owner is not None and INIT not in names
        names = [INIT] * knows_init + names
        if owner is not None or cls is not None:
            names.insert(0, signature.self_name)
        wrong = init_mistakes(signature, owner) if knows_init else []
        wrong += mode_mistakes(signature, owner)
        of_instance = [] if made is None else [signature.self_name]
        promises = promises_of(signature, names, of_instance, function, owner or made, wrong)
        conditions = self.conditions(signature, names, function, wrong)
        self.warnings += lone_bounds(signature, owner)
        self._refuse_unplannable(signature)
        draws, lets = self.arguments(signature, function)
        if cls is not None:
            lets.insert(0, Let(signature.self_name, cls))
        if owner is not None:
            asked = [*conditions, *conditions_in(promises)]
            with_init = knows_init and mentions_init(signature, asked)
            instances = Generated(owner, modes_of(signature, owner))
            draws.insert(0, Draw((signature.self_name,), instances, with_init=with_init))
            self.plan_factory(owner)
        factory = Factory(
            function,
            signature.parameters,
            groups=_groups(signature),
            calls_result=signature.calls_result,
        )
        plan = self._plan(factory, signature, draws, lets, conditions)
        examples = tuple(_example_recipes(signature, call) for call in signature.of_kind(Example))
        self.live += [value for example in examples for value in example.values()]
        calls_instance = owner is not None and _runs_when_called(owner, function)
        return dataclasses.replace(
            plan,
            examples=examples,
            self_name=signature.self_name,
            calls_instance=calls_instance,
            promises=promises,
        )

    def plan_factory(self, factory: Any) -> None:
        """Plan how a generator or a class builds a value, once."""
        if id(factory) in self.plans:
            return
        if any(factory is other for other in self._under_way):
            self.recursive.add(id(factory))
            return
        self._under_way.append(factory)
        try:
            plan_of = self._plan_class if isinstance(factory, type) else self._plan_generator
            plan = plan_of(factory)
        finally:
            self._under_way.pop()
        self.plans[id(factory)] = plan
        self.live.append(plan.factory)
        if self.recursive and not self._under_way:
            self._refuse_circles()

    def _refuse_circles(self) -> None:
        """Refuse generators that cannot build a value without one of their own."""
        ends = ending(self.plans)
        circles = [plan for key, plan in self.plans.items() if key not in ends]
        self.plans = {key: plan for key, plan in self.plans.items() if key in ends}
        if circles:
            raise InvalidAnnotation(
                f"objs({_name(circles[0].factory.function)}) needs itself to build a value",
                "let a value do without: anys(None, objs(…)), or a list that may be empty",
            )

    def _plan_generator(self, function: Any) -> Plan:
        key = f"{getattr(function, '__module__', '')}:{_name(function)}"
        signature = read_signature(function, annotations_of(function, key), _name(function))
        if not is_generator(signature):
            raise InvalidAnnotation(
                f"objs({_name(function)}): {_name(function)} is not marked as a generator",
                f"put @generator above {_name(function)}",
            )
        self._complain(signature, f"objs({_name(function)})")
        return self._plan_factory_call(function, function, signature)

    def _plan_class(self, cls: type) -> Plan:
        signature = constructor_signature(cls)
        examples = signature.of_kind(CcExample)
        if examples and not signature.errors:
            return self._plan_examples(cls, signature, examples)
        self._complain(signature, f"an instance of {cls.__qualname__}")
        return self._plan_factory_call(cls, initializer(cls), signature)

    def _plan_examples(self, cls: type, signature: Signature, calls: tuple[CcExample, ...]) -> Plan:
        records = tuple(bind_example(signature.parameters, call) for call in calls)
        self.live += [value for record in records for value in record.values()]
        factory = Factory(cls, signature.parameters, is_constructor=True)
        return Plan(factory, (), calls=records)

    def _plan_factory_call(self, callee: Any, function: Any, signature: Signature) -> Plan:
        signature = dataclasses.replace(signature, parameters=signature.own_parameters)
        draws, lets = self.arguments(signature, function)
        names = [p.name for p in signature.parameters]
        conditions = self.conditions(signature, names, function)
        self.warnings += lone_bounds(signature)
        is_class = isinstance(callee, type)
        groups, may_raise = _groups(signature), signature.may_raise
        factory = Factory(callee, signature.parameters, is_class, groups, may_raise)
        return self._plan(factory, signature, draws, lets, conditions)

    def _complain(self, signature: Signature, wanted_by: str) -> None:
        if signature.errors:
            raise NotPlanned(signature.errors)
        if signature.unreadable:
            raise InvalidAnnotation(
                f"{wanted_by}: {signature.function} has no readable signature",
                "write a small generator function that calls it",
            )
        if signature.missing:
            raise InvalidAnnotation(
                f"{wanted_by}: {signature.function} has {signature.lacking}",
                f"add {', '.join(signature.suggestions)} to {signature.function}",
            )

    def _refuse_unplannable(self, signature: Signature) -> None:
        self.warnings += [mistake for mistake in signature.mistakes if mistake.warning]
        if signature.errors:
            raise NotPlanned(signature.errors)
        if signature.unreadable:
            raise NotPlanned(
                reason="its signature cannot be read", add="a wrapper function with annotations"
            )
        if signature.missing:
            raise NotPlanned(
                reason=signature.lacking,
                add=", ".join(signature.suggestions),
            )

    def arguments(self, signature: Signature, function: Any) -> tuple[list[Draw], list[Let]]:
        """Return the draws of a function's arguments, and the defaults of those left alone."""
        draws: list[Draw] = []
        lets: list[Let] = []
        grouped = {name: group for group in signature.groups for name in group.names}
        for p in signature.parameters:
            if p.name in grouped:
                group = grouped[p.name]
                if group.names[0] == p.name:
                    tree = self._strategy(group.constraint, function, group, signature)
                    draws.append(Draw(group.names, tree))
            elif p.constraint is not None:
                note = _annotation_of(signature, p.name)
                tree = self._strategy(p.constraint, function, note, signature)
                default = p.default if p.takes_default else EMPTY
                drawn_anyway = p.takes_default and p.constraint.is_one_of_few(p.default, FEW)
                draws.append(Draw((p.name,), tree, default, drawn_anyway))
            else:
                lets.append(Let(p.name, _value_left_out(p)))
        return draws, lets

    def _strategy(
        self, constraint: Constraint, function: Any, note: Annotation | None, signature: Signature
    ) -> Expr:
        try:
            if self.survives is not None and not self.survives(constraint.strategy):
                raise InvalidAnnotation(
                    f"{constraint!r} cannot be used: a function that it calls ends its process, "
                    "or does not come to an end",
                    "correct that function",
                )
            tree = constraint.strategy()
            tree = with_factories(tree, function)
            for factory in [node.factory for node in walk(tree) if isinstance(node, Generated)]:
                self.plan_factory(factory)
            self.makes_arrays |= any(part.framework_named() for part in constraint.with_parts())
        except InvalidAnnotation as error:
            site = note.site if note is not None else signature.site
            text = note.text() if note is not None else "type hint"
            mistake = Mistake(site, text, error.reason, error.remedy, signature.function)
            raise NotPlanned((mistake,)) from error
        return tree

    def conditions(
        self,
        signature: Signature,
        names: list[str],
        function: Any,
        known_wrong: Iterable[Mistake] = (),
    ) -> list[Precondition]:
        """Return the preconditions of a function; NotPlanned tells of all that are wrong."""
        compiled: list[Precondition] = []
        wrong = [*known_wrong, *dimension_mistakes(signature, names)]
        dimensions = dimension_names(signature)
        names = [*names, *dimensions]
        starred = starred_dimensions(signature)
        for note in preconditions(signature):
            try:
                where = signature.function
                compiled.append(
                    compile_precondition(note, names, function, where, starred, dimensions)
                )
            except InvalidAnnotation as error:
                if is_left_out(note, error):
                    told = mistake_of(signature, note, left_out_of(error))
                    self.warnings.append(dataclasses.replace(told, warning=True))
                else:
                    wrong.append(mistake_of(signature, note, error))
        if wrong:
            raise NotPlanned((*signature.errors, *wrong))
        return compiled

    def _plan(
        self,
        factory: Factory,
        signature: Signature,
        draws: list[Draw],
        lets: list[Let],
        conditions: list[Precondition],
    ) -> Plan:
        known = conditions
        if self.survives is not None:
            known = [condition for condition in conditions if condition.statement.is_harmless]
        model = model_of(signature, draws, lets, known)
        mistake = contradiction(signature, model, known)
        if mistake is not None:
            raise NotPlanned((mistake,))
        self.live += [value for draw in draws for value in live_in(draw.strategy)]
        steps = arrange(draws, lets, conditions)
        return Plan(factory, steps, model=model, sizes=sizes_of(signature))


def _runs_when_called(cls: type, function: Any) -> bool:
    """Say whether a method is the one that calling an instance runs, as its framework has it."""
    kind = frameworks.module_kind(cls)
    return kind is not None and underlying(static_attribute(cls, kind.called)) is function


def _groups(signature: Signature) -> tuple[tuple[str, ...], ...]:
    return tuple(group.names for group in signature.groups)


def _annotation_of(signature: Signature, name: str) -> Arg | None:
    return next((note for note in signature.of_kind(Arg) if name in note.names), None)


def _value_left_out(p: Parameter) -> Any:
    if p.kind is VAR_POSITIONAL:
        return ()
    if p.kind is VAR_KEYWORD:
        return {}
    return p.default


def _example_recipes(signature: Signature, call: Example) -> dict[str, Any]:
    values = bind_example(signature.parameters, call)
    recipes: dict[str, Any] = {}
    grouped = {name: group for group in signature.groups for name in group.names}
    for p in signature.parameters:
        if p.name in grouped:
            group = grouped[p.name]
            recipes[", ".join(group.names)] = {
                member.name: values.get(member.name, member.default)
                for member in signature.parameters
                if member.name in group.names
            }
        elif p.constraint is not None:
            recipes[p.name] = values.get(p.name, LEFT_OUT)
        elif p.name in values:
            recipes[p.name] = values[p.name]
    return recipes


def _name(function: Any) -> str:
    return str(getattr(function, "__qualname__", shown(function)))
