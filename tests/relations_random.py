"""Related arguments for tests: calls drawn as a run draws them, and random relations."""

import ast
import math
import signal
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from hypothesis import reject
from hypothesis.errors import Unsatisfiable

import annotest
from annotest.engine.child.rounds import Stop, run_round
from annotest.outside import annotations_of
from annotest.plan.planner import Planner
from annotest.plan.preconditions import PreconditionFailed
from annotest.plan.strategy import DrawFailed, Interpreter, Tally, run_steps
from annotest.signature import read_signature


class TookLong(BaseException):
    """A block did not end in time; not an Exception, so that nobody catches it."""


@contextmanager
def within(seconds):
    """Raise TookLong where a block takes more seconds of the processor than that."""

    def end(number, frame):
        raise TookLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@dataclass
class Drawn:
    """What came of drawing calls."""

    calls: list = field(default_factory=list)
    refused: int = 0
    errors: list = field(default_factory=list)


def planned(constraints, *requires, defaults=None, sizes=None):
    """Return a planner and the plan of a function with these arguments and preconditions."""
    defaults = defaults or {}
    parameters = [f"{name}={name}" if name in defaults else name for name in constraints]
    scope = {"math": math, "np": np, **defaults}
    exec(f"def f(*, {', '.join(parameters)}): pass", scope)
    function = annotest.arg(**constraints)(scope["f"])
    for one in requires:
        function = annotest.require(one)(function)
    if sizes:
        function = annotest.dims(**sizes)(function)
    planner = Planner()
    signature = read_signature(function, annotations_of(function), "f")
    return planner, planner.plan_function(function, signature)


def drawn_calls(planner, plan, size=50, seed=1):
    """Draw calls as a run does, and return those that reach the function."""
    tally, found = Tally(), Drawn()

    def refuse():
        found.refused += 1
        if found.refused > 2 * size:
            raise Stop

    def test(recipes):
        if isinstance(recipes, DrawFailed):
            found.errors.append(recipes.error)
            return
        try:
            values = run_steps(plan.steps, recipes, tally, plan.sizes)
        except PreconditionFailed as error:
            found.errors.append(error)
            return
        if values is None:
            refuse()
            reject()
        found.calls.append(values)

    strategy = Interpreter(planner, tally).recipes(plan, lambda: None, refuse)
    try:
        run_round(strategy, test, seed, size)
    except (Unsatisfiable, Stop):
        pass  # a contradiction has no calls, which its tests look at
    return found


def broken(constraints, conditions, values):
    """Say what is wrong with a call that reached the function, or return None."""
    for name, value in values.items():
        if value not in constraints[name]:
            return f"{name}={value!r} is not in {constraints[name]!r}"
    for condition in conditions:
        if not eval(condition, {"math": math, "np": np, **values}):
            return f"{condition} does not hold for {values!r}"
    return None


# random expressions: text, made of the names of arguments by what they are

COMPARED = ("==", "!=", "<", "<=", ">", ">=")


def random_number(rng, names, depth=2):
    """Return the text of a number."""
    leaves = [*names["number"], str(rng.randint(-2, 6))]
    leaves += [f"len({one})" for one in names["list"]]
    leaves += [f"{form}({one} or [0])" for one in names["list"] for form in ("sum", "max", "min")]
    leaves += [f"sum(one for one in {each} if one > 1)" for each in names["list"]]
    leaves += [f"sum(one == 1 for one in {each})" for each in names["list"]]
    leaves += [f"({one} or 0)" for one in names["optional"]]
    leaves += [f"{one}.ndim" for one in names["array"]] + [f"{one}.size" for one in names["array"]]
    leaves += [f"{one}.shape[0]" for one in names["array"]]
    leaves += [f"sum(v - u for u, v in {one})" for one in names["pairs"]]
    leaves += [f"sum([len(e) for e in {one}])" for one in names["rows"]]
    if depth == 0 or rng.random() < 0.4:
        return rng.choice(leaves)
    left, right = (random_number(rng, names, depth - 1) for _ in range(2))
    forms = [
        f"({left} {rng.choice('+-*')} {right})",
        f"({left} // {rng.choice([-3, 2, 3])})",
        f"({left} % {rng.choice([2, 3, 5])})",
        f"(-{left})",
        f"abs({left})",
        f"{rng.choice(['max', 'min'])}({left}, {right})",
        f"({left} / 2)",
        f"({left} ** 2)",
    ]
    return rng.choice(forms)


def random_condition(rng, names, depth=2):
    """Return the text of a condition."""
    if depth and rng.random() < 0.6:
        left, right = (random_condition(rng, names, depth - 1) for _ in range(2))
        forms = [
            f"({left} and {right})",
            f"({left} or {right})",
            f"(not {left})",
            f"({left} if {right} else {random_condition(rng, names, 0)})",
            f"({left} == {right})",
        ]
        return rng.choice(forms)
    sign = rng.choice(COMPARED)
    number = random_number(rng, names)
    forms = [f"({number} {sign} {random_number(rng, names)})"] * 3
    forms += [f"({number} in (0, 1, 4))", f"(0 <= {number} < {random_number(rng, names)})"]
    for one in names["list"]:
        kind = rng.choice(["all", "any"])
        forms.append(f"{kind}(one {sign} {number} for one in {one})")
        forms += [f"({one} == sorted({one}))", f"({one}[1:] == {one}[:-1])", f"({number} in {one})"]
        forms += [f"(len(set({one})) == len({one}))", f"({one} {rng.choice(['==', '!='])} [1, 0])"]
    for one in names["pairs"] + names["rows"]:
        forms += nested_conditions(rng, names, one)
    forms += [f"({one} is None)" for one in names["optional"]]
    forms += [f"(type({one}) is int)" for one in names["optional"]]
    forms += [*names["flag"], *(f"({one} is True)" for one in names["flag"])]
    forms += [f"({one} {rng.choice(['==', '!='])} 'a')" for one in names["text"]]
    forms += [f"({one}.max() {sign} {number})" for one in names["array"]]
    forms += [f"({one} {sign} {number}).all()" for one in names["array"]]
    return rng.choice(forms)


def nested_conditions(rng, names, one):
    """Return the texts of conditions on a list of pairs, or of lists."""
    sign, kind, number = rng.choice(COMPARED), rng.choice(["all", "any"]), random_number(rng, names)
    forms = [f"({one} == sorted({one}))", f"(len({one}) {sign} {number})"]
    forms.append(f"{kind}(e {sign} d for e, d in zip({one}, {one}[1:]))")
    if one in names["rows"]:
        return forms + [
            f"{kind}(len(e) {sign} {number} for e in {one})",
            f"{kind}(u {sign} {number} for e in {one} for u in e)",
            f"{kind}(e == sorted(e) for e in {one})",
            f"(len({{len(e) for e in {one}}}) == 1)",
            f"{kind}(len(e) {sign} len({one}[0]) for e in {one})",
            f"{kind}(sum(e) {sign} {number} for e in {one} if e)",
        ]
    return forms + [
        f"{kind}(u {sign} v for u, v in {one})",
        f"{kind}(e[1] {sign} d[0] for e, d in zip({one}, {one}[1:]))",
        f"{kind}(u {sign} {number} and v != u for u, v in {one})",
        f"(len(set({one})) == len({one}))",
        f"({one} != [] and {one}[0][1] {sign} {number})",
        f"{kind}(u <= {number} for e in {one} for u in e)",
    ]


def names_of(condition):
    """Return the names that a condition mentions."""
    return {one.id for one in ast.walk(ast.parse(condition)) if isinstance(one, ast.Name)}


def by_kind(**kinds):
    """Return the names of arguments by their kind; kinds that are missing have none."""
    found = ("number", "list", "optional", "flag", "text", "array", "pairs", "rows")
    return {one: list(kinds.get(one, ())) for one in found}


PAIRS = annotest.tuples(annotest.ints(-1, 5), annotest.floats(-2, 8))
ROWS = annotest.int_lists(min_len=0, max_len=3, min=-1, max=5)
WIDE = by_kind(
    number="abx", list="ls", optional="o", flag="f", text="tw", array="z", pairs="p", rows="r"
)
WIDE_CONSTRAINTS = {
    "a": annotest.ints(0, 9),
    "b": annotest.ints(-3, 300),
    "x": annotest.floats(-2, 8),
    "l": annotest.int_lists(min_len=0, max_len=4, min=-1, max=5),
    "s": annotest.np_shapes(max_dims=3).map(list),
    "o": annotest.anys(annotest.ints(0, 5), None),
    "f": annotest.bools(),
    "t": annotest.froms(["a", "b", ""]),
    "w": annotest.strs(max_len=2),
    "z": annotest.np_arrays(
        annotest.froms(["int8", "float32"]), annotest.np_shapes(max_dims=2), min=-3, max=9
    ),
    "p": annotest.lists(PAIRS, max_len=4),
    "r": annotest.lists(ROWS, max_len=4),
}


def random_relation(rng):
    """Return constraints of all kinds, and a random condition on some of them."""
    condition = random_condition(rng, WIDE, 2)
    used = names_of(condition)
    constraints = {name: one for name, one in WIDE_CONSTRAINTS.items() if name in used}
    return constraints or {"a": WIDE_CONSTRAINTS["a"]}, condition


NAMED = by_kind(number="nkmc", list="l", flag="f", text="w")
NAMED_CONSTRAINTS = {
    "x": annotest.np_arrays("int8", "n k"),
    "y": annotest.np_arrays("int8", "*batch k m+1"),
    "l": annotest.int_lists(len="n", min=-1, max=5),
    "c": annotest.ints(1, 9),
    "o": annotest.anys(annotest.np_arrays("int8", "c n"), None),
    "f": annotest.bools(),
    "w": annotest.strs(max_len=2),
}


def disagreement(values, condition):
    """Say which dimensions of a call with these arguments disagree, or return None."""
    (n, k), (*_, again, m), sizes = values["x"].shape, values["y"].shape, len(values["l"])
    if k != again or n != sizes or m < 2:
        return f"{values!r}"
    if values["o"] is not None and values["o"].shape != (values["c"], n):
        return f"{values!r}"
    holds = eval(condition, {**values, "n": n, "k": k, "m": m - 1})
    return None if holds else f"{condition} does not hold for {values!r}"


def random_named(rng):
    """Return a random condition on named dimensions and arguments beside them."""
    return random_condition(rng, NAMED, 2)


class Mutation(ast.NodeTransformer):
    """Changes one place of an expression."""

    def __init__(self, rng, names):
        self._rng = rng
        self._names = names
        self._left = 0

    def of(self, text):
        """Return the text with one place changed."""
        tree = ast.parse(text, mode="eval")
        places = [one for one in ast.walk(tree) if isinstance(one, ast.expr) and self._can(one)]
        self._chosen = self._rng.choice(places)
        return ast.unparse(self.visit(tree))

    def _can(self, node):
        if isinstance(node, ast.Name):
            return node.id in self._names
        return isinstance(node, ast.BinOp | ast.Compare | ast.BoolOp | ast.Constant)

    def visit(self, node):
        return self._changed(node) if node is self._chosen else super().visit(node)

    def _changed(self, node):
        rng = self._rng
        if isinstance(node, ast.Name):
            return ast.Name(rng.choice(self._names), node.ctx)
        if isinstance(node, ast.Constant):
            return ast.Constant(rng.choice([0, 1, -1, 7, 2.5, None, "a"]))
        if isinstance(node, ast.BinOp):
            if rng.random() < 0.3:
                return ast.BinOp(node.right, node.op, node.left)
            return ast.BinOp(node.left, rng.choice(OPERATORS)(), node.right)
        if isinstance(node, ast.Compare) and rng.random() < 0.6:
            return ast.Compare(node.left, [rng.choice(SIGNS)() for _ in node.ops], node.comparators)
        return ast.UnaryOp(ast.Not(), node)


OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.Pow, ast.BitAnd)
SIGNS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)


def mutated(text, names, rng):
    """Return a condition with an operator, a constant or a name replaced, or a part negated."""
    return Mutation(rng, sorted(names)).of(text)
