"""Values made of values of their own kind: trees, forests, expressions, nested configurations."""

from annotest import anys, arg, dicts, exclude, generator, ints, lists, objs, require, strs, tuples


@generator
@exclude
@arg(value=ints(0, 9), left=anys(None, objs("trees")), right=anys(None, objs("trees")))
def trees(value, left, right):
    return {"value": value, "left": left, "right": right}


def depth(tree):
    return 0 if tree is None else 1 + max(depth(tree["left"]), depth(tree["right"]))


@arg(tree=anys(None, objs(trees)))
def measured(tree):
    assert depth(tree) >= (tree is not None)


@generator
@exclude
@arg(name=strs(max_len=3), children=lists(objs("forests"), max_len=3))
def forests(name, children):
    return name, children


@arg(forest=objs(forests))
def counted(forest):
    return 1 + sum(map(counted, forest[1]))


@generator
@exclude
@arg(inner=anys(ints(0, 3), objs("products")))
def sums(inner):
    return "+", inner


@generator
@exclude
@arg(inner=anys(ints(0, 3), objs("sums"), tuples(objs("sums"), objs("products"))))
def products(inner):
    return "*", inner


@arg(expression=objs(sums))
def shown(expression):
    assert expression[0] == "+"


@generator
@exclude
@arg(values=dicts({"n": ints(0, 3), "inner?": objs("configs")}))
def configs(values):
    return values


@arg(config=objs(configs))
def flattened(config):
    return [config["n"], *(flattened(config["inner"]) if "inner" in config else [])]


class Block:
    @arg(n=ints(1, 3), inner=anys(None, objs("Block")))
    def __init__(self, n, inner=None):
        self.n, self.inner = n, inner

    def total(self):
        return self.n + (self.inner.total() if self.inner else 0)


@generator
@exclude
@arg(value=ints(0, 9), rest=anys(None, objs("rising")))
@require("rest is None or value < rest[0]")
def rising(value, rest):
    return value, rest


@arg(chain=objs(rising))
def first_is_least(chain):
    assert chain[1] is None or chain[0] < chain[1][0]
