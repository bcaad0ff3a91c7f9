"""Runs generated tests and checks each input by plain Python, on the source of the annotations.

    python generated_checks.py FOLDER COUNT

FOLDER holds annotated modules, and their tests in `annotest_tests`. Nothing of annotest is asked:
preconditions are evaluated as they are written, with the arguments of the finished call as names,
and sizes are told from shapes. Printed is, for each function, how many inputs reached it and which
of them are invalid.
"""

import ast
import functools
import importlib
import inspect
import json
import sys
from pathlib import Path

from hypothesis import Phase, settings

MOST_SHOWN = 3


class Contract:
    """What the decorators of one function say."""

    def __init__(self, definition, scope):
        self.scope = scope
        self.arguments, self.dims, self.conditions = {}, {}, []
        for call in [one for one in definition.decorator_list if isinstance(one, ast.Call)]:
            word = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
            if word in ("arg", "dims"):
                named = {one.arg: one.value for one in call.keywords}
                if len(call.args) == 2:
                    named[call.args[0].value] = call.args[1]
                (self.arguments if word == "arg" else self.dims).update(named)
            elif word in ("require", "precondition"):
                self.conditions.append(call.args[0])

    def complaints(self, values):
        """Yield what is wrong with the arguments of a call."""
        sizes = {name: one for name, one in values.items() if type(one) is int}
        dtypes, later = {}, []
        for name, node in self.arguments.items():
            if name in values and not fits(values[name], node):
                yield f"{name} is not {ast.unparse(node)}"
            if name in values and hasattr(values[name], "shape"):
                later += list(told_sizes(values[name], node, sizes, dtypes))
        for text, size in later:
            if eval(text, {}, dict(sizes)) != size:
                yield f"a side is {size}, and not {text}, where {sizes}"
        for name, node in self.dims.items():
            if name in sizes and not fits(sizes[name], node):
                yield f"{name} is not {ast.unparse(node)}"
        for condition in self.conditions:
            if not self.holds(condition, {**sizes, **values}):
                yield f"not {ast.unparse(condition)}"

    def holds(self, condition, values):
        if isinstance(condition, ast.Constant):
            return eval(condition.value, {**self.scope, **values})
        function = eval(ast.unparse(condition), self.scope)
        return function(**{name: values[name] for name in inspect.signature(function).parameters})


def fits(value, node):
    """Say whether a value is what a plain constraint says; True for others."""
    word = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    check = {"ints": fits_number, "floats": fits_number, "lists": fits_list, "froms": fits_choice}
    return check[word](value, node) if word in check else True


def fits_number(value, node):
    kind = int if node.func.id == "ints" else float
    ends = [ast.literal_eval(one) for one in node.args]
    return type(value) is kind and (len(ends) < 2 or ends[0] <= value <= ends[1])


def fits_list(value, node):
    ends = {
        one.arg: one.value.value for one in node.keywords if isinstance(one.value, ast.Constant)
    }
    inside = ends.get("min_len", 0) <= len(value) <= ends.get("max_len", len(value))
    return type(value) is list and inside and all(fits(item, node.args[0]) for item in value)


def fits_choice(value, node):
    try:
        return value in ast.literal_eval(node.args[0])
    except ValueError:
        return True


def told_sizes(array, node, sizes, dtypes):
    """Learn what names mean from an array; yield the sides that are more than names."""
    given = [*(node.args if isinstance(node, ast.Call) else []), None, None]
    of_tensor = isinstance(node, ast.Call) and ast.unparse(node.func) == "tensors"
    text, dtype = given[:2] if of_tensor else given[1::-1]
    if isinstance(dtype, ast.Call) and dtype.func.id == "same":
        label = dtype.args[0].value
        yield repr(dtypes.setdefault(label, str(array.dtype))), str(array.dtype)
    if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    sides = text.value.split()
    if any(side.startswith(("*", "...")) for side in sides):
        return
    for side, size in zip(sides, array.shape, strict=True):
        if side.isidentifier() and side != "_":
            sizes.setdefault(side, size)
        if side != "_":
            yield side, size


def recorded(name, function, contract, found):
    """Return what stands for a function in its test: it notes each input, and calls nothing."""

    @functools.wraps(function)
    def record(*args, **kwargs):
        values = inspect.signature(function).bind(*args, **kwargs)
        values.apply_defaults()
        found["inputs"] += 1
        for complaint in contract.complaints(values.arguments):
            found["invalid"].append(f"{name}({values.arguments}): {complaint}")

    return record


def checked(module, tests):
    """Run the test of each function of a module, and return what was found."""
    everything = {}
    tree = ast.parse(Path(module.__file__).read_text())
    for definition in [one for one in tree.body if isinstance(one, ast.FunctionDef)]:
        name = definition.name
        test = getattr(tests, f"test_{name}", None)
        if test is None or "calls(" in inspect.getsource(test):
            continue  # a whole call looks up the function itself
        found = everything[name] = {"inputs": 0, "invalid": []}
        contract = Contract(definition, vars(module))
        function = getattr(module, name)
        called = [local for local, one in vars(tests).items() if one is function]
        vars(tests).update(dict.fromkeys(called, recorded(name, function, contract, found)))
        test()
        found["invalid"] = found["invalid"][:MOST_SHOWN]
    return everything


def main(folder, count):
    settings.register_profile(
        "checked",
        max_examples=int(count),
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile("checked")
    sys.path[:0] = [folder, f"{folder}/annotest_tests"]
    found = {}
    for path in sorted(Path(folder).glob("*.py")):
        if (Path(folder) / "annotest_tests" / f"test_{path.stem}.py").exists():
            module = importlib.import_module(path.stem)
            found |= checked(module, importlib.import_module(f"test_{path.stem}"))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
