"""Custom generators: nested, in containers, elsewhere, filtered, by name, failing."""

from shared import pairs

from annotest import arg, dicts, exclude, froms, generator, ints, lists, objs, require, tuples


@generator
@exclude
@arg(n=ints(1, 3))
def leaf(n):
    return {"leaf": n}


@generator
@exclude
@arg(inner=objs(leaf), scale=froms([10, 20]))
def branch(inner, scale):
    return {"branch": inner["leaf"] * scale}


@generator
@exclude
@arg(inner=objs(branch), leaves=lists(objs(leaf), min_len=1, max_len=2))
def tree(inner, leaves):
    return {"tree": [inner["branch"], *(one["leaf"] for one in leaves)]}


@arg(x=objs(tree))
def nested(x):
    first, *rest = x["tree"]
    assert first in (10, 20, 30, 40, 60)
    assert 1 <= len(rest) <= 2
    assert first != 60  # planted: AssertionError


@arg(xs=lists(objs(leaf), min_len=1, max_len=3))
def in_a_list(xs):
    assert all(1 <= x["leaf"] <= 3 for x in xs)
    assert len({id(x) for x in xs}) == len(xs)
    assert xs[-1]["leaf"] != 3  # planted: AssertionError


@arg(config=dicts({"net": objs(leaf), "pair": tuples(objs(leaf), ints(7, 7))}))
def in_a_dict(config):
    assert config["pair"][1] == 7
    assert config["net"]["leaf"] == config["pair"][0]["leaf"]  # planted: AssertionError


@arg(pair=objs(pairs))
def from_another_module(pair):
    a, b = pair
    assert a < b
    assert pair != (3, 4)  # planted: AssertionError


@arg(x=objs("later"))
def by_name(x):
    assert x in (7, 8)
    assert x != 8  # planted: AssertionError


@arg(pair=objs("shared:pairs"))
def by_full_name(pair):
    assert pair[0] < pair[1]


@generator
@exclude
@arg(n=ints(7, 8))
def later(n):
    return n


class Model:
    @arg(units=ints(1, 3))
    def __init__(self, units):
        self.units = units


@arg(model=objs(Model))
def by_class(model):
    assert model.units != 3  # planted: AssertionError


@arg("width, height", objs(pairs))
def together(width, height):
    assert width < height
    assert width + height != 7  # planted: AssertionError


@generator
@exclude
@arg(n=ints(1, 3))
def broken(n):
    raise OSError("no file")  # planted: OSError


@arg(x=objs(broken))
def of_a_broken_generator(x):
    raise RuntimeError("never reached")


@generator
@exclude
@arg(n=ints(1, 3))
def sometimes_broken(n):
    if n == 2:
        raise OSError("no file")  # planted: OSError
    return n


@arg(x=objs(sometimes_broken))
def of_a_sometimes_broken_generator(x):
    assert x in (1, 3)


@generator
@arg(n=ints(1, 3))
def tested_too(n):
    assert n != 3  # planted: AssertionError
    return n


@generator
@exclude
@arg(n=ints(1, 3))
def variadic(*args, n, **kwargs):
    assert (args, kwargs) == ((), {})
    return n


@arg(n=objs(variadic))
@require("n != 2")
def of_a_variadic_generator(n):
    assert n in (1, 3)


@arg(n=objs(leaf))
def calls_a_generator_itself(n):
    assert leaf(9) == {"leaf": 9}
    assert branch(inner=n, scale=10)["branch"] in (10, 20, 30)
