"""Exceptions that are not held against the code: what is missing on this machine, and notes."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

from annotest.discovery.scan import is_source_folder
from annotest.facts import Fault, TargetInfo
from annotest.kinds import Verdict
from annotest.oracles.exceptions import innermost, is_a, message_of, plain_attribute, statement
from annotest.oracles.project import Project

# they read command lines, and leave with a usage message
_PARSERS = {"absl", "argparse", "click", "docopt", "fire", "getopt", "optparse", "typer", "tyro"}
_USAGE = re.compile(r"^\s*usage\b", re.IGNORECASE | re.MULTILINE)
_MOST_FOLDERS = 5000
# two letters that changed places in a short name: `utlis`
_LIKE = 0.8

AT_IMPORT = 'none of its functions is tested: put that below `if __name__ == "__main__":`'


def by_guess(info: TargetInfo) -> str:
    """Say why a target that nobody has annotated was called."""
    if info.inputs:
        return "nobody annotated it; called with what its type hints allow"
    return "nobody annotated it; called with its defaults"


def leave_out(info: TargetInfo) -> str:
    """Say what to do about a target that was called although nobody has annotated it."""
    return f"{by_guess(info)}: annotate it, or leave it out with @exclude"


def for_want_of_package(fault: Fault, error: BaseException, project: Project, what: str) -> Fault:
    """Return the fault as one of the environment if what is missing is no part of the project.

    `what` says how to do without.
    """
    package = _not_found(error).partition(".")[0]
    if not package or _is_there(package) or _is_meant(package, project):
        return fault
    remark = f"needs {package}; install it, or {what}"
    return replace(fault, verdict=Verdict.ENVIRONMENT, remarks=(remark,))


def for_want_of_user(
    fault: Fault, error: BaseException, asked_for_input: bool, remedy: str
) -> Fault:
    """Return the fault as a note if the code expects a command line, or somebody who types."""
    if asked_for_input:
        reason = "it reads standard input, and there is none"
    elif is_a(error, SystemExit) and _is_usage(error, fault.output):
        reason = "it reads the command line, and leaves with a usage message"
    elif is_a(error, IndexError) and "argv[" in _last_statement(error):
        reason = "it reads the command line, and there is none"
    else:
        return fault
    return replace(fault, verdict=Verdict.NOTE, remarks=(reason, remedy))


def _not_found(error: BaseException) -> str:
    """Return the module that Python did not find, where an exception is due to that."""
    seen: set[int] = set()
    link: Any = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        following = plain_attribute(link, BaseException, "__cause__")
        if is_a(link, ImportError):
            name = plain_attribute(link, ImportError, "name")
            if type(name) is str:  # raised by the import itself
                return name if is_a(link, ModuleNotFoundError) else ""
        if is_a(link, ImportError) or is_a(link, SystemExit):  # said in other words, or given up
            following = following or plain_attribute(link, BaseException, "__context__")
        link = following
    return ""


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return True  # half imported: it is there


def _is_meant(package: str, project: Project) -> bool:
    """Say whether a module of the project has that name, or one so like it that it is meant."""
    names = _names_below((project.root, *project.folders))
    return bool(difflib.get_close_matches(package, names, 1, _LIKE))


@cache
def _names_below(tops: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the modules and packages of a project."""
    names: set[str] = set()
    for top in tops:
        for place, folders, files in islice(os.walk(top), _MOST_FOLDERS):
            folders[:] = [name for name in folders if is_source_folder(place, name)]
            names.update(folders, (name[:-3] for name in files if name.endswith(".py")))
    return frozenset(names)


def _is_usage(error: BaseException, printed: str) -> bool:
    step = innermost(error)
    name = "" if step is None else step.tb_frame.f_globals.get("__name__")
    said = f"{printed}\n{message_of(error)}"
    return str(name).partition(".")[0] in _PARSERS or bool(_USAGE.search(said))


def _last_statement(error: BaseException) -> str:
    step = innermost(error)
    return "" if step is None else statement(step)
