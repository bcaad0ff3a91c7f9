"""Right at every end, in every option and pair of options, whatever is left out."""

from annotest import anys, arg, bools, dicts, dims, floats, froms, ints, lists, np_arrays, require


@arg(size=anys(ints(1, 100), froms(["auto"])), patience=ints(0, 64))
def early_stopping(size, patience=8):
    return [1 / (patience + 1)] * (10 if size == "auto" else size)


@arg(dim=ints(1, 512), heads=ints(1, 512), shared=anys(None, ints(1, 512)))
@require("dim % heads == 0")
@require("shared is None or heads % shared == 0")
def grouped_heads(dim, heads=1, shared=None):
    assert dim % heads == 0 and (shared is None or heads % shared == 0)


@arg(low=floats(-1, 1), high=floats(-1, 1), closed=bools())
@require("low < high or (closed and low == high)")
def interval(low, high, closed=True):
    assert low <= high


@arg(x=np_arrays("float64", "b c", min=0, max=1), weights=lists(floats(0.5, 1), len="b"))
@dims(b=ints(0, 40), c=ints(0, 40))
def weighted(x, weights):
    return sum(w * row.sum() for w, row in zip(weights, x, strict=True))


@arg(
    config=dicts({"kind": froms(["sgd", "adam"]), "momentum?": floats(0, 1), "nesterov?": bools()})
)
@require("not config.get('nesterov') or config.get('momentum', 0) > 0")
def optimizer(config):
    assert not config.get("nesterov") or config["momentum"]


class Window:
    @arg(width=ints(1, 64), step=ints(1, 64))
    @require("step <= width")
    def __init__(self, width, step=1):
        self.width, self.step = width, step

    @arg(x=np_arrays("int8", "n self.width"))
    def count(self, x):
        return len(x) * (self.width // self.step)
