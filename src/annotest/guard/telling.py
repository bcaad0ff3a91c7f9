"""Programs that print facts about the machine and do nothing else: code asks them in passing.

This is the one list of them. The audit hook lets them through with the words that it names, and
the kernel lets them run.
"""

from __future__ import annotations

import builtins
import re
from shlex import shlex

globals()["__builtins__"] = vars(builtins).copy()

_ANY = ".*"
_VERSION = r"(-v|-V|--?version|-dumpmachine|-dump(full)?version)( -dump(full)?version)?"
_QUERY = r"-[qLx]|-[id] \S+|--(list-gpus|query|format|id|display)\S*"
# a program, and the words after its name with which it only tells
_TELLING = {
    **dict.fromkeys(("uname", "arch", "nproc", "getconf", "lscpu", "lspci", "file"), _ANY),
    **dict.fromkeys(("which", "whoami", "id", "lsb_release", "fc-list", "fc-match"), _ANY),
    **dict.fromkeys(("cc", "gcc", "c++", "g++", "clang", "clang++", "gfortran"), _VERSION),
    **dict.fromkeys(("nvcc", "ld", "make", "cmake", "ninja", "ffmpeg"), _VERSION),
    "ldconfig": r"-p|--print-cache|-V|--version",
    "nvidia-smi": rf"topo -\w+|(({_QUERY})( |$))*",
    "git": r"(-C \S+ )?(rev-parse|describe)( .*)?|(--)?version",
}
# in a shell: what passes on what these print, and what the shell itself does
_FILTERS = dict.fromkeys(("grep", "head", "tail", "wc", "cut", "tr", "cat"), _ANY)
_BUILT_IN = {**dict.fromkeys(("echo", "type", "true", "false", ":"), _ANY), "command": "-v .*"}
_IN_SHELL = {**_TELLING, **_FILTERS, **_BUILT_IN}
_SHELLS = ("sh", "bash", "dash")
# some of them are scripts, which start these
_BEHIND = ("ldconfig.real", "getopt")
PROGRAMS = (*_TELLING, *_FILTERS, *_SHELLS, *_BEHIND)

# of x86_64-linux-gnu-gcc-12, gcc
_plain_name = re.compile(r"(?:.*/)?(?:[^/]*-linux-gnu-)?([^/]+?)(?:-\d[\d.]*)?").fullmatch
_matches = re.fullmatch
# with these a command may do anything: substitutions, groups, escapes, several lines
_DEEP = frozenset("$`(){}\\\n\r")
_JOINING = frozenset(("|", "||", "&&", ";"))
_PUNCTUATION = frozenset("|&;<>")
_without_redirection = re.compile(r"(\d|&)?>\s*/dev/null(?=[\s|&;]|$)|2>&1").sub


def is_telling(program: str, words: list[str]) -> bool:
    """Say whether a program, with these words after its name, only tells facts."""
    try:
        if _name(program) in _SHELLS:
            return len(words) == 2 and words[0] == "-c" and _is_telling_command(words[1])
        return _tells(_TELLING, program, words)
    except Exception:  # code under test has replaced what this stands on
        return False


def _name(program: str) -> str:
    match = _plain_name(program)
    return match[1] if match else ""


def _tells(known: dict[str, str], program: str, words: list[str]) -> bool:
    pattern = known.get(_name(program))
    return pattern is not None and _matches(pattern, " ".join(words), re.DOTALL) is not None


def _is_telling_command(text: str) -> bool:
    """Say whether a shell's command is made of such programs only, and writes nothing."""
    if _DEEP & set(text):
        return False
    lexer = shlex(_without_redirection(" ", text), posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split, lexer.commenters = True, ""
    command: list[str] = []
    for word in [*lexer, ";"]:
        if word in _JOINING:
            if command and not _tells(_IN_SHELL, command[0], command[1:]):
                return False
            command = []
        elif set(word) <= _PUNCTUATION:
            return False
        else:
            command.append(word)
    return True
