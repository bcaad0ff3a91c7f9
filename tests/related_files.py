"""Generated files of related arguments, for the tests that read and run them."""

import ast
import re
import subprocess
import sys


class Relation:
    """A function whose arguments are related, and which checks what it is called with.

    Checked is what is required, or else `holds`; and that each argument is in its constraint.
    """

    def __init__(self, arguments, *required, holds="", dims=""):
        self.arguments, self.required, self.holds, self.dims = arguments, required, holds, dims

    def source(self, name):
        """Return the function as Python."""
        given = ast.parse(f"f({self.arguments})", mode="eval").body.keywords
        lines = [f"@dims({self.dims})"] if self.dims else []
        lines += [f"@arg({self.arguments})", *(f"@require({text!r})" for text in self.required)]
        lines += [f"def {name}({', '.join(argument.arg for argument in given)}):"]
        holds = [self.holds] if self.holds else self.required
        inside = [f"{argument.arg} in {ast.unparse(argument.value)}" for argument in given]
        return "\n".join([*lines, *(f"    check({text})" for text in (*holds, *inside)), "\n\n"])


def composites_in(text):
    """Return the test of each function, with the composite of its own, by its name."""
    composites = {}
    for block in text.split("\n\n\n"):
        name = re.search(r"^def (?:related_arguments_of|test)_(\w+)", block, re.MULTILINE)
        if name:
            composites[name[1]] = composites.get(name[1], "") + block
    return composites


def shape_of(block):
    """Return in which of the few shapes a test draws its arguments."""
    if re.search(r"^@given\(call=calls_*\(", block, re.MULTILINE):
        return "calls"
    if re.search(r"^@given\(inputs=inputs_*\(", block, re.MULTILINE):
        return "inputs"
    if "def related_arguments_of_" in block:
        return "composite" if "assume(" not in block else "composite and assume"
    return "assume" if "assume(" in block else "plain"


def run_ruff(folder, *words):
    """Run ruff on generated tests, with its own settings."""
    command = [sys.executable, "-m", "ruff", *words, "--isolated", "--no-cache", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)
