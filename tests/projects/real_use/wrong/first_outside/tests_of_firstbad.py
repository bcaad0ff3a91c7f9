"""A library annotated from outside, by the names under which it shows its classes."""

from annotest import annotate, arg, ints, np_arrays

annotate("firstbad:Linear.__init__", arg(width=ints(1, 4), units=ints(1, 4)))
annotate("firstbad:Linear.forward", arg(x=np_arrays("int8", "b init.width")))
annotate("firstbad:Wide.column", arg(n=ints(0, 4)))
