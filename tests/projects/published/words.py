"""The same words, imported by name."""

from annotest.an_language import arg, exclude, floats, integers, multiple, precondition, sampled

LAYERS = {"dense": 1, "conv": 2}


@arg("kind", sampled(elements=["dense", "conv", "pool"]))
@arg("units", integers(min_value=1, max_value=9))
def layer(kind, units):
    return LAYERS[kind] * units  # planted: KeyError


@arg(arg_name="rate", arg_type=multiple(integers(), sampled(elements=["auto"]), floats(0, 1)))
def dropout(rate):
    return 0.5 if rate == "auto" else float(rate)


@exclude()
@arg("n", integers())
def not_tested(n):
    raise RuntimeError("excluded functions are not called")


@precondition(predicate="low < high")
@arg("low", floats())
@arg("high", floats())
def interval(low, high):
    assert low < high
    return (low, high)
