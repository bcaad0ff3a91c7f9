"""Imports annotated code: nothing of it is tested twice."""

import shared as module
from shared import *
from shared import Shared, shared

from annotest import arg, ints

alias = shared


class Derived(Shared):
    pass


@arg(n=ints(1, 3))
def own(n):
    assert n in (1, 2, 3)
    assert module.shared is shared
