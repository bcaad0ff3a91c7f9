"""Values without source in written calls: `annotest.value("…")`, which builds them again."""

from __future__ import annotations

import re
import zlib
from base64 import b85decode, b85encode
from typing import Any

from annotest.expr import Generated, Ref, walk
from annotest.frameworks import Framed
from annotest.large import LARGE
from annotest.plan import plain
from annotest.plan.live import live_in
from annotest.plan.planner import Planner
from annotest.plan.recipe import DIMENSIONS, START, Applied, Made
from annotest.plan.steps import Plan
from annotest.plan.written import recipe_tree
from annotest.records import record
from annotest.source import is_writable, named

VALUE = Ref("annotest", "value", "annotest")
# a value of which the source has more parts is not read
MOST_PARTS = 2 * LARGE
WITHOUT_HEADER = -zlib.MAX_WBITS
_TEXT = re.compile(r"([^:\s]+):([^()\s]+)\(([^()]*)\)(?: of (\S+))? (\S+)")


def live_of(plan: Plan, planner: Planner) -> list[Any]:
    """Return the objects without source that recipes of a plan may hold, in a stable order."""
    plans, live = [plan], []
    for inner in plans:
        live += [] if inner is plan else [inner.factory]
        live += [value for call in (*inner.examples, *inner.calls) for value in call.values()]
        for draw in inner.draws:
            live += live_in(draw.strategy)
            for node in walk(draw.strategy):
                if isinstance(node, Generated) and planner.plans[id(node.factory)] not in plans:
                    plans.append(planner.plans[id(node.factory)])
    return live


@record
class ValueText:
    """What `annotest.value` is given: whose argument it is, and the recipe.

    `annotated_in` is the module that says what is valid, where that is another one.
    """

    module: str
    qualname: str
    argument: str
    annotated_in: str
    packed: str

    def __str__(self) -> str:
        home = f" of {self.annotated_in}" if self.annotated_in else ""
        return f"{self.module}:{self.qualname}({self.argument}){home} {self.packed}"

    @staticmethod
    def read(text: str) -> ValueText | None:
        """Return what a text says; None where it is none of ours."""
        found = _TEXT.fullmatch(text)
        return ValueText(*(part or "" for part in found.groups())) if found else None

    def recipe(self, live: list[Any]) -> Any:
        """Return the recipe; NotPlain where it does not fit the plan."""
        try:
            text = zlib.decompress(b85decode(self.packed), WITHOUT_HEADER).decode()
        except (ValueError, zlib.error) as error:
            raise plain.NotPlain("the text is damaged") from error
        return plain.read_one(text, live)


class Rebuilding:
    """Writes what has no source, in the arguments of one target, as `annotest.value("…")`."""

    def __init__(self, module: str, qualname: str, annotated_in: str, live: list[Any]) -> None:
        self._target = module, qualname
        self._annotated_in = "" if annotated_in == module else annotated_in
        self._live = live

    def call(self, recipes: dict[str, Any]) -> dict[str, Any]:
        """Return the recipes of a call with nodes in the place of what has no source."""
        return {
            key: recipe if key in (DIMENSIONS, START) else self._argument(key, recipe)
            for key, recipe in recipes.items()
        }

    def _argument(self, key: str, recipe: Any) -> Any:
        """Return a recipe with a node in the place of the smallest part that has no source."""
        if _has_source(recipe):
            return recipe
        made = self._by_parts(key, recipe)
        if _has_source(made):
            return made
        text = plain.written(recipe, self._live)
        if not text:
            return made  # what still has no source is shown by its repr
        packed = b85encode(zlib.compress(text.encode(), 9, WITHOUT_HEADER)).decode()
        return VALUE(str(ValueText(*self._target, key, self._annotated_in, packed)))

    def _by_parts(self, key: str, recipe: Any) -> Any:
        """Return a recipe with nodes in the place of its parts, if there is source around them."""
        kind = type(recipe)
        if kind in (list, tuple):
            return kind(self._argument(key, item) for item in recipe)
        if kind is dict:
            return {name: self._argument(key, item) for name, item in recipe.items()}
        if kind is Made and named(recipe.factory.function):
            values = {name: self._argument(key, value) for name, value in recipe.values.items()}
            return Made(recipe.factory, values, recipe.mode)
        if kind is Applied and named(recipe.function):
            return Applied(recipe.function, self._argument(key, recipe.value))
        return recipe


def _has_source(recipe: Any) -> bool:
    """Say whether all of it can be written, and is not too much."""
    tree = recipe_tree(recipe)
    return is_writable(tree) and not (_is_result(recipe) and len(walk(tree)) > MOST_PARTS)


def _is_result(recipe: Any) -> bool:
    """Say whether it is what a nameless function makes: all its elements would be written."""
    return type(recipe) is Applied and not isinstance(recipe.function, Framed)
