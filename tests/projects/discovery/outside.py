"""Annotations from outside: for a neighbour, for an installed library, by name and by object."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "library"))

import numpy as np
from outside_library import Layer

from annotest import annotate, arg, froms, ints, lists, require, timeout

annotate("outside_library:scale", arg(x=ints(1, 3)), timeout(5))
annotate("outside_library:Layer.__init__", arg(units=ints(1, 4)))
annotate(Layer.forward, arg(n=ints(1, 4)), require("n <= self.units"))
annotate("outside_library:Layer.static", arg(n=ints(1, 3)))
annotate("outside_library:Layer.make", arg(n=ints(1, 3)))

annotate("numpy:full", arg(shape=ints(1, 3), fill_value=ints(0, 2)))
annotate(np.linalg.norm, arg(x=lists(ints(1, 3), min_len=1), ord=froms([1, 2, "wrong"])))
annotate("numpy.linalg:inv", arg(a=froms([np.eye(2), np.zeros((2, 2))])))

annotate("outside_library:missing", arg(n=ints(1, 3)))
annotate("no_such_module:f", arg(n=ints(1, 3)))
