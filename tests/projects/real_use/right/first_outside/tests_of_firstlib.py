"""A library annotated from outside, by the names under which it shows its classes."""

import numpy as np
from firstlib import Metric

from annotest import annotate, arg, ints, np_arrays

annotate("firstlib:Linear.__init__", arg(width=ints(1, 4), units=ints(1, 4)))
annotate("firstlib:Dense.forward", arg(x=np_arrays("int8", "b init.width")))
annotate("firstlib:Wide.columns", arg(n=ints(0, 4)))
annotate(Metric.mean, arg(a=np_arrays("int8", "n"), b=np_arrays("int8", "n")))


class Distance(Metric):
    def score(self, a, b):
        return np.abs(a.astype(int) - b)
