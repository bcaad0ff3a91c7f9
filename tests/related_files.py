"""Generated files of related arguments, for the tests that read and run them."""

import re
import subprocess
import sys


def composites_in(text):
    """Return the test of each function, with the composite of its own, by its name."""
    found = {}
    for block in text.split("\n\n\n"):
        name = re.search(r"^def (?:related_arguments_of|test)_(\w+)", block, re.MULTILINE)
        if name:
            found[name[1]] = found.get(name[1], "") + block
    return found


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
