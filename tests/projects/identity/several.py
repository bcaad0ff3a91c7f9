"""Several targets with several bugs each."""

from annotest import arg, dicts, floats, ints, np_arrays, tuples


@arg(x=np_arrays("float64", "n"), y=np_arrays("float64", "m"))
def dot(x, y):
    if x.size > 6:
        return x[100]  # bugs: 1 IndexError
    return x @ y  # bugs: 1 ValueError


@arg(pair=tuples(ints(0, 4), ints(0, 4)))
def divided(pair):
    a, b = pair
    if a == b == 4:
        return a[b]  # bugs: 1 TypeError
    return a % b  # bugs: 1 ZeroDivisionError


@arg(options=dicts({"rate?": floats(0, 1), "steps": ints(0, 3)}))
def trained(options):
    steps = 10 // options["steps"]  # bugs: 1 ZeroDivisionError
    return steps * options["rate"]  # bugs: 1 KeyError
