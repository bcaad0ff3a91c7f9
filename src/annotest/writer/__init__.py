"""Targets → a readable pytest file, from the same plans and trees that run."""

from __future__ import annotations

import os
import sys
from typing import Any

from annotest.discovery.scan import ModuleFile
from annotest.discovery.targets import MODULE_TEST, PROPERTY, Contents, Target
from annotest.errors import UnwritableValue
from annotest.events import FileWritten
from annotest.expr import Call, Expr, Local, Ref, Star, st, tree
from annotest.imports import by_name
from annotest.plan.lazy import finished_call
from annotest.plan.planner import Planner
from annotest.plan.ready import is_passed_by_name
from annotest.plan.recipe import LEFT_OUT
from annotest.plan.steps import Draw, Let, Plan, Step, is_written_out
from annotest.plan.written import split_groups, whole_call
from annotest.signature import POSITIONAL_ONLY, VAR_KEYWORD, VAR_POSITIONAL
from annotest.source import Names, Renderer, is_writable, source_tree
from annotest.writer.conditions import condition_text
from annotest.writer.header import (
    FOOTER,
    WIDTH,
    Header,
    header_text,
    import_blocks,
    path_lines,
    place_of,
    spaced,
)
from annotest.writer.naming import (
    call_of_locals,
    callee_of,
    home_of,
    identifier,
    inner_function,
    instance_name,
    label_of,
    reference_to,
    test_name,
    untaken,
)
from annotest.writer.related import MOST_LINES, is_filtered, printed
from annotest.writer.statements import StatementWriter

_SETTINGS = "RELAXED = {settings}(deadline=None, suppress_health_check={list}({HealthCheck}))"
_AMBIGUOUS = {"l", "O", "I"}


def write_tests(file: ModuleFile, discovered: Contents, header: Header) -> FileWritten:
    """Return the test file of one module."""
    return _FileWriter(file, discovered, header).write()


class _FileWriter:
    """Writes one file."""

    def __init__(self, file: ModuleFile, discovered: Contents, header: Header) -> None:
        self.file = file
        self.discovered = discovered
        self.planner: Planner = discovered.planner
        self.header = header
        self.names = Names(
            frozenset(self._argument_names()), lambda seen, path: place_of(path, header)
        )
        self.renderer = Renderer(self.names, WIDTH, lambda made: f"{self.composite(made)}()")
        self.statements = StatementWriter(self.names, self.renderer)
        self.composites: dict[int, str] = {}
        self.blocks: list[str] = []
        self.tests = 0
        self.statements.quotes = bool(_AMBIGUOUS & self._argument_names())

    def _argument_names(self) -> set[str]:
        names = {"instance", "draw", "RELAXED", "call", "related"}
        plans = [target.plan for target in self.discovered.targets if target.plan is not None]
        for target in self.discovered.targets:
            names |= {p.name for p in target.signature.parameters}
        for plan in (*plans, *self.planner.plans.values()):
            names |= {p.name for p in plan.parameters}
            names |= set() if plan.sizes is None else {*plan.sizes.domains}
        return names

    def write(self) -> FileWritten:
        if self.file.has_module_test and self.file.wants(self.file.module, MODULE_TEST):
            self._write_module_test()
        for target in self.discovered.targets:
            if not self.file.wants(target.info.module, target.info.qualname):
                continue
            if target.plan is None:
                self._leave_out(target, "its annotations are wrong")
                continue
            try:
                self._write_target(target)
            except UnwritableValue as error:
                self._leave_out(target, str(error))
        return FileWritten(self._assembled(), self.tests)

    def _assembled(self) -> str:
        body = [*self.blocks, *[FOOTER] * self.statements.quotes]
        if any("RELAXED" in block for block in body):
            used = {name: self.statements.hypothesis(name) for name in ("settings", "HealthCheck")}
            used["list"] = self.names.of(Ref("builtins", "list"))
            body.insert(0, _SETTINGS.format(**used))
        self.names.forget_unused("\n".join(body))  # what a precondition says may be said otherwise
        paths = path_lines(self.header)
        lines = [*self.names.imports(), "import sys", "from pathlib import Path"]
        lines += self._annotating_import(lines)
        libraries, project = import_blocks(lines, self._project_modules())
        head = header_text(self.header, self.file.module)
        top = [head, libraries, "\n".join(paths), project]
        return "\n\n".join(part for part in top if part) + "\n\n" + spaced(body)

    def _annotating_import(self, imports: list[str]) -> list[str]:
        """Return the import of the module itself, where it says what is valid for others."""
        name, targets = self.file.module, self.discovered.targets
        has_all = all(target.info.module == name for target in targets)
        words = f"import {name}", f"from {name} import"
        is_there = any(line.startswith(words) for line in imports)
        if has_all or is_there or self.file.loaded_as:
            return []
        return [f"import {name}  # noqa: F401  (it annotates what is tested here)"]

    def _project_modules(self) -> frozenset[str]:
        """Return the top-level modules that the project's own folders hold."""
        ours = {self.file.module.partition(".")[0]}
        for name in {line.split()[1].partition(".")[0] for line in self.names.imports()}:
            module = sys.modules.get(name)
            path = getattr(module, "__file__", None) or [*getattr(module, "__path__", []), ""][0]
            is_ours = any(os.path.realpath(path).startswith(f + os.sep) for f in self.file.folders)
            if is_ours and "site-packages" not in path:
                ours.add(name)
        return frozenset(ours)

    def _leave_out(self, target: Target, reason: str) -> None:
        text = f"# No test of {target.info.qualname}: {reason}. See: annotest list"
        self.blocks.append(text if len(text) <= WIDTH else text[: WIDTH - 1] + "…")

    def _write_module_test(self) -> None:
        self.tests += 1
        os_, subprocess_ = (self.names.of(Ref(name, "")) for name in ("os", "subprocess"))
        name = self.names.reserve(f"test_import_of_{identifier(self.file.module)}")
        code, more = f"import importlib; {by_name(self.file.module)}", ""
        if self.file.loaded_as:
            code = "import runpy, sys; runpy.run_path(sys.argv[1])"
            more = f", {place_of(self.file.path, self.header)}"
        lines = [
            f"def {name}():",
            f"    code = {self.renderer.flat(tree(code))}",
            f'    env = {os_}.environ | {{"PYTHONPATH": {os_}.pathsep.join(sys.path)}}',
            f'    {subprocess_}.run([sys.executable, "-c", code{more}], check=True, env=env)',
        ]
        self.blocks.append("\n".join(lines))

    def _write_target(self, target: Target) -> None:
        plan = target.plan
        assert plan is not None
        name = self.names.reserve(f"test_{test_name(target)}")
        self.tests += 1
        if any(map(is_written_out, plan.promises)):
            self._write_check(target, name)
            return
        together = self._related(plan)
        if together is not None:
            self._write_unpacked(target, plan, together, name)
        elif is_filtered(plan):
            self._write_filtered(target, plan, name)
        else:
            self._write_whole(target, plan, name)
        for number, example in enumerate(plan.examples, 1):
            self._write_example(target, example, f"{name}_example_{number}")

    def _write_check(self, target: Target, name: str) -> None:
        """Write a test of what oracles judge, which the engine alone can ask."""
        check = self.names.of(Ref("annotest", "check"))
        self.blocks.append(
            f"def {name}():\n    {check}({self.renderer.flat(reference_to(target))})"
        )

    def _related(self, plan: Plan) -> list[str] | None:
        """Return the draws of arguments that depend on each other, where they are easily read."""
        if plan.model is None:
            return None
        function, texts = inner_function(plan), {}
        lets = {step.name: source_tree(step.value) for step in plan.steps if isinstance(step, Let)}
        for precondition in plan.preconditions:
            known = [
                name for name in precondition.needs if name in lets and is_writable(lets[name])
            ]
            said = {name: self.renderer.flat(lets[name]) for name in known}
            try:
                text = condition_text(precondition, function, self.names, said)
            except UnwritableValue:
                return None
            texts[precondition.statement] = text
        lines = printed(plan, texts, self.names, self.renderer, untaken("draw", plan.parameters))
        self.statements.quotes |= lines is not None and bool(texts)
        return lines

    def _write_filtered(self, target: Target, plan: Plan, name: str) -> None:
        """Write a test that draws each argument by itself."""
        renamed = _renamed(target)
        given = [self._given(draw, target, renamed) for draw in plan.draws]
        body = self._body(target, plan, plan.steps)
        self.blocks.append(self._test(target, name, given, body))

    def _test(
        self, target: Target, name: str, given: list[tuple[str, str]], body: list[str]
    ) -> str:
        arguments = ", ".join(label for label, _ in given)
        definition = f"def {name}({arguments}):"
        if len(definition) > WIDTH:
            spread = [f"    {label}," for label, _ in given]
            definition = "\n".join([f"def {name}(", *spread, "):"])
        return "\n".join([*self._decorators(target, given), definition, *body])

    def _write_whole(self, target: Target, plan: Plan, name: str) -> None:
        """Write a test that draws all arguments together, as the annotations themselves say."""
        reference, call = self.renderer.flat(reference_to(target)), "call()"
        label, strategy = "call", "calls"
        if is_passed_by_name(plan):
            label = strategy = "inputs"
            made = Call(callee_of(target), (), (("", Star(Local(label), "**")),))
            call = self.renderer.layout(finished_call(made, target.function), 4)
        if target.is_inherited:
            assert target.owner is not None
            reference += f", of={self.renderer.flat(home_of(target.owner))}"
        given = [(label, f"{self.names.of(Ref('annotest.strategies', strategy))}({reference})")]
        self.blocks.append(self._test(target, name, given, self._allowing(target, f"    {call}")))

    def _write_unpacked(self, target: Target, plan: Plan, lines: list[str], name: str) -> None:
        """Write a composite that draws related arguments together, and the test with it."""
        assert plan.model is not None
        names = plan.model.names
        composite = self.names.reserve(f"related_arguments_of_{test_name(target)}")
        draw = untaken("draw", plan.parameters)
        head = f"@{self.renderer.flat(st.composite)}\ndef {composite}({draw}):"
        self.blocks.append("\n".join([head, *lines, f"    return {', '.join(names)}"]))
        label = names[0] if len(names) == 1 else untaken("related", plan.parameters)
        alone = [draw for draw in plan.draws if draw.key not in names]
        given = [self._given(draw, target, _renamed(target)) for draw in alone]
        given.insert(int(target.needs_instance), (label, f"{composite}()"))
        body = [f"    {', '.join(names)} = {label}"] if len(names) > 1 else []
        body += self._body(target, plan, ())
        self.blocks.append(self._test(target, name, given, body))

    def _given(self, draw: Draw, target: Target, renamed: dict[str, str]) -> tuple[str, str]:
        label = label_of(draw, target.signature.parameters, renamed)
        node = self.statements.strategy(draw, reference_to(target))
        return label, self.renderer.layout(node, 4, len(label) + 1)

    def _decorators(self, target: Target, given: list[tuple[str, str]]) -> list[str]:
        if not given:
            return []
        word = self.statements.hypothesis("given")
        lines = [f"@{self._settings(target)}"]
        flat = f"@{word}({', '.join(f'{label}={text}' for label, text in given)})"
        if len(flat) <= WIDTH and "\n" not in flat:
            return [*lines, flat]
        return [*lines, f"@{word}(", *(f"    {label}={text}," for label, text in given), ")"]

    def _settings(self, target: Target) -> str:
        options: dict[str, Any] = {}
        budget = target.signature.budget
        if budget is not None and budget.examples is not None:
            options["max_examples"] = budget.examples
        if target.signature.timeout is not None:
            options["deadline"] = Ref("datetime", "timedelta")(seconds=target.signature.timeout)
        if not options:
            return "RELAXED"
        given = ", ".join(f"{k}={self.renderer.flat(tree(v))}" for k, v in options.items())
        return f"{self.statements.hypothesis('settings')}(RELAXED, {given})"

    def _body(self, target: Target, plan: Plan, steps: tuple[Step, ...]) -> list[str]:
        """Return the statements of a test; `steps` has the preconditions still to be checked."""
        renamed = _renamed(target)
        lines = self.statements.unpacking(plan, renamed)
        lines += self.statements.conditions(plan, steps, reference_to(target), renamed)
        if target.kind == PROPERTY:
            # reading it is the call; a bare expression would look like a mistake
            text = f"_ = {instance_name(target)}.{target.attribute}"
        else:
            call = call_of_locals(callee_of(target), plan, target.signature.self_name)
            text = self.renderer.layout(finished_call(call, target.function), 4)
        return lines + self._allowing(target, f"    {text}")

    def _allowing(self, target: Target, call: str) -> list[str]:
        """Return a call in a test, with what it may raise on valid input."""
        kinds = [kind for note in target.signature.may_raise for kind in note.types]
        if not kinds:
            return [call]
        suppress = self.names.of(Ref("contextlib", "suppress"))
        listed = ", ".join(self.renderer.flat(home_of(kind)) for kind in kinds)
        inner = [f"    {line}" for line in call.splitlines()]
        return [f"    with {suppress}({listed}):", *inner]

    def _write_example(self, target: Target, recipes: dict[str, Any], name: str) -> None:
        assert target.plan is not None
        values = {key: value for key, value in recipes.items() if value is not LEFT_OUT}
        values = split_groups(target.plan.factory.groups, values)
        made = whole_call(callee_of(target), target.plan.factory, values)
        call = finished_call(made, target.function)
        if not is_writable(call):
            return  # the annotation's own values have no source; `annotest run` still tests them
        text = self.renderer.layout(call, indent=4)
        lines, argument = [], ""
        if target.needs_instance:
            word = self.statements.hypothesis("given")
            argument = instance_name(target)
            lines += ["@RELAXED", f"@{word}({argument}={self.composite(target.owner)}())"]
        body = self._allowing(target, f"    {text}")
        self.blocks.append("\n".join([*lines, f"def {name}({argument}):", *body]))
        self.tests += 1

    def composite(self, factory: Any) -> str:
        """Return the name of the function that draws what `factory` builds, writing it once."""
        if id(factory) not in self.composites:
            plan = self.planner.plans[id(factory)]
            home_of(factory)  # refused before anything is written
            what = "instances_of" if plan.factory.is_constructor else "made_by"
            name = self.names.reserve(f"{what}_{identifier(factory.__qualname__)}")
            self.composites[id(factory)] = name
            self.blocks.append(self._composite_text(name, plan))
        return self.composites[id(factory)]

    def _composite_text(self, name: str, plan: Plan) -> str:
        reference = home_of(plan.factory.function)
        draw = untaken("draw", plan.parameters)
        head = ["@" + self.renderer.flat(st.composite), f"def {name}({draw}):"]
        if plan.calls:
            return "\n".join(head + self._chosen_call(plan, reference, draw))
        together = self._related(plan)
        # never too deep, and never with what a constructor may raise
        is_plain = id(plan.factory.function) not in self.planner.recursive
        is_plain = is_plain and not plan.factory.may_raise
        if is_plain and (together is not None or is_filtered(plan)):
            lines = self._drawn_arguments(plan, together, reference, draw)
            result = "    return " + self.renderer.layout(call_of_locals(reference, plan), 4, 7)
            text = "\n".join([*head, *lines, result])
            if text.count("\n") < MOST_LINES:
                return text
        return "\n".join([*head, self._drawn_by_annotation(reference, draw)])

    def _drawn_arguments(
        self, plan: Plan, related: list[str] | None, reference: Ref, draw: str
    ) -> list[str]:
        """Return the statements of a composite that draw the arguments of a call."""
        lines = list(related or ())
        together = plan.model.names if plan.model is not None and related is not None else ()
        for step in (step for step in plan.draws if step.key not in together):
            label = label_of(step, plan.parameters, {})
            drawn = Call(Local(draw), (self.statements.strategy(step, reference),))
            text = self.renderer.layout(drawn, 4, len(f"{label} = "))
            lines.append(f"    {label} = {text}")
        lines += self.statements.unpacking(plan, {})
        steps = plan.steps if related is None else ()
        return lines + self.statements.conditions(plan, steps, reference, {})

    def _drawn_by_annotation(self, reference: Expr, draw: str) -> str:
        instances = self.names.of(Ref("annotest.strategies", "instances"))
        return f"    return {draw}({instances}({self.renderer.flat(reference)}))"

    def _chosen_call(self, plan: Plan, reference: Ref, draw: str) -> list[str]:
        by_name = (POSITIONAL_ONLY, VAR_POSITIONAL, VAR_KEYWORD)
        spread = any(p.kind in by_name for p in plan.parameters)
        node = st.sampled_from([source_tree(call) for call in plan.calls])
        if spread or not is_writable(node):
            return [self._drawn_by_annotation(reference, draw)]
        text = self.renderer.layout(Call(Local(draw), (node,)), 4, len("arguments = "))
        call = f"{self.renderer.flat(reference)}(**arguments)"
        return [f"    arguments = {text}", f"    return {call}"]


def _renamed(target: Target) -> dict[str, str]:
    """Return what the arguments are called in the test of a target, where that differs."""
    return {target.signature.self_name: instance_name(target)} if target.needs_instance else {}
