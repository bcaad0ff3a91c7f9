"""`annotest explain`: which targets a name means."""

import pytest
from conftest import annotest, names_shown

ALIKE = """
from annotest import *

class Splitter:
    @arg(n=ints(1, 2))
    def cut(self, n): pass

@arg(n=ints(1, 2))
def {}split_heads(n): pass

@arg(n=ints(1, 2))
def {}split(n): pass

@arg(n=ints(3, 2))
def wrong_split(n): pass

@arg(n=ints(3, 2))
def wrong(n): pass

@arg(n=ints(1, 2))
def partly_done(n): pass

@arg(n=ints(1, 2))
def partly(n, m): pass
"""


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("z.py:split", ["split"]),
        ("split", ["split"]),
        ("a_split", ["a_split"]),
        ("cut", ["Splitter.cut", "Splitter.cut"]),
        ("z.py:Splitter.cut", ["Splitter.cut"]),
        ("split_", ["a_split_heads", "split_heads"]),
        ("SPLITTER", ["Splitter.cut", "Splitter.cut"]),
    ],
)
def test_only_the_target_of_that_name_is_explained_where_there_is_one(project, target, names):
    folder = project(a=ALIKE.format("a_", "a_"), z=ALIKE.format("", ""))
    done = annotest("explain", target, cwd=folder)
    assert names_shown(done.stdout) == names
    assert ("mistake" in done.stdout) == (target == "z.py:SPLIT")


@pytest.mark.parametrize("name", ["wrong", "partly"])
def test_only_the_function_of_that_name_is_told_of(project, name):
    done = annotest("explain", f"m.py:{name}", cwd=project(m=ALIKE.format("", "")))
    assert names_shown(done.stdout) == []
    assert sum(" m.py:" in line for line in done.stdout.splitlines()) == 1
    assert done.status == 2


DEADLY = """
import os
from annotest import *

@generator
@exclude
def dying(): os._exit(3)

@arg(x=objs(dying))
def split_heads(x): pass
"""


@pytest.mark.parametrize(("named", "alike"), ["az", "za"])
def test_nothing_is_said_of_a_target_that_is_only_like_the_named_one(project, named, alike):
    folder = project(**{alike: DEADLY, named: ALIKE.format("", "")})
    done = annotest("explain", "split", cwd=folder)
    assert (names_shown(done.stdout), done.stderr, done.status) == (["split"], "", 0)
