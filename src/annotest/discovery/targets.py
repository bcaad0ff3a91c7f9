"""Targets: what is called, as the worker that holds it sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotest.errors import Mistake
from annotest.facts import NotTestable, TargetInfo
from annotest.plan.planner import Planner
from annotest.plan.rebuilding import Rebuilding, live_of
from annotest.plan.recipe import Factory
from annotest.plan.steps import Plan, Promise, text_of_promise
from annotest.promises import SOUND, SOUND_FUNCTION, SOUND_METHOD, OracleWord, sound_module
from annotest.signature import Signature, as_written, site_of
from annotest.source import shown

FUNCTION, CONSTRUCTOR, METHOD = "function", "constructor", "method"
CLASS_METHOD, STATIC_METHOD, PROPERTY = "class method", "static method", "property"
MODULE = "module"
MODULE_TEST = "<module>"  # the name of a module's import as a target


@dataclass(eq=False)
class Target:
    """A target as its worker sees it: alive, in a module that is called `home` here.

    `annotated_in` is the module that says what is valid, which may be another one.
    """

    info: TargetInfo
    signature: Signature
    function: Any
    home: str
    annotated_in: str
    planner: Planner
    owner: type | None = None
    plan: Plan | None = None

    @cached_property
    def rebuilding(self) -> Rebuilding:
        """What writes those of its arguments that have no source."""
        assert self.plan is not None
        live = live_of(self.plan, self.planner)
        return Rebuilding(self.home, self.info.qualname, self.annotated_in, live)

    @property
    def kind(self) -> str:
        """What sort of thing is called."""
        return self.info.kind

    @property
    def needs_instance(self) -> bool:
        """Whether an instance must be built before the call."""
        return self.kind in (METHOD, PROPERTY)

    @property
    def is_inherited(self) -> bool:
        """Whether it is tested on instances of another class than the one that defines it."""
        return self.needs_instance and self.attribute not in vars(self.owner)

    @property
    def code(self) -> Any:
        """The code of the function that a person wrote; None of what is no Python function."""
        function = self.function.__init__ if self.kind == CONSTRUCTOR else self.function
        return getattr(as_written(function), "__code__", None)

    @cached_property
    def promised(self) -> tuple[str, ...]:
        """What its calls are held to, as the user wrote it; of `sound_module`, which parts hold."""
        assert self.plan is not None
        return tuple(map(self._promise, self.plan.promises))

    def _promise(self, promise: Promise) -> str:
        text, word = text_of_promise(promise), getattr(promise, "condition", None)
        if not isinstance(word, OracleWord) or word.name != sound_module.name:
            return text
        return f"{text}: {', '.join(self.sound_parts(word)) or 'nothing'}"

    def parts_of(self, word: OracleWord) -> tuple[str, ...]:
        """Return the names of the oracles that a word stands for here."""
        return self.sound_parts(word) if word.name == sound_module.name else (word.name,)

    def sound_parts(self, word: OracleWord) -> tuple[str, ...]:
        """Return the oracles that `sound_module` asks about its calls.

        All of them are about the method that calling a module runs; of another method, or of a
        function, some hold whatever it is for. Of a constructor there are none.
        """
        assert self.plan is not None
        parts: tuple[str, ...]
        if self.plan.calls_instance:
            parts = SOUND
        elif self.kind == CONSTRUCTOR:
            parts = ()
        else:
            parts = SOUND_METHOD if self.needs_instance else SOUND_FUNCTION
        except_ = word.options.get("except_", ())
        left_out = [except_] if isinstance(except_, str) else except_
        return tuple(part for part in parts if part not in left_out)

    @property
    def attribute(self) -> str:
        """The name by which an instance or class has the function."""
        return self.info.qualname.rpartition(".")[2]


@dataclass
class Contents:
    """What a module holds."""

    targets: list[Target] = field(default_factory=list)
    not_testable: list[NotTestable] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    planner: Planner = field(default_factory=Planner)

    def searches_constructor(self, target: str) -> bool:
        """Say whether a constructor is a target here that has a search of its own."""
        planned = (each.info.id for each in self.targets if each.plan and each.kind == CONSTRUCTOR)
        return target in planned


def factory_info(factory: Factory) -> TargetInfo:
    """Return where a generator or constructor is, for what goes wrong while it builds."""
    function = factory.function
    module = getattr(function, "__module__", "") or ""
    qualname = getattr(function, "__qualname__", shown(function))
    if factory.is_constructor:
        site = site_of(function.__init__)
        if not site.file or site.file == "<string>":
            site = site_of(function)
        return TargetInfo(module, f"{qualname}.__init__", "constructor", site.file, site.line)
    site = site_of(function)
    return TargetInfo(module, qualname, "generator", site.file, site.line)
