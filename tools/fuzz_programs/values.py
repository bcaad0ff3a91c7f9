"""Every kind of value, each with the options that it has."""

from enum import Enum

from annotest import *


class Mode(Enum):
    SAME = 1
    VALID = 2


@arg(n=ints(1, 9), m=ints(-20, 20, multiple_of=5), far=ints(min=10**6))
def wholes(n, m=0, far=10**6):
    return far // n + m


@arg(x=floats(0, 1, exclude_min=True), y=floats(width=16, allow_nan=True, allow_infinity=True))
@arg("z", complexes(max_magnitude=9.5, width=64))
def reals(x, y, z):
    return 1 / x + y, z * 2


@arg(name=strs(alphabet="abc", min_len=1, max_len=4), code=strs(pattern=r"[a-z]{2}\d?"))
@arg(mode=froms(list(Mode)), late=froms(lambda: [1, "two", None, (3.5,)]))
def words(name, code, mode=Mode.SAME, late=1):
    return name[0] + code[1] * mode.value, late


@arg(xs=lists(ints(0, 4), min_len=1, max_len=3, unique=True), ys=int_lists(len=2, min=1, max=9))
@arg(flags=bool_lists(min_len=1), names=str_lists(max_len=2, min_len=0), fs=float_lists(min=0))
def listings(xs, ys, flags, names, fs=(1.0,)):
    return xs[0] + ys[1], flags, sorted(names), sum(fs)


@arg(pair=tuples(ints(), bools()), many=tuples(floats(0, 1), min_len=1, max_len=3))
@arg(some=sets(ints(1, 5), min_len=1, max_len=2), table=dicts(strs(max_len=2), ints(), max_size=2))
@arg(options=dicts({"rate": floats(0, 1), "seed?": anys(None, ints(0, 3))}))
def containers(pair, many, some, table, **options):
    return pair[0], max(many), min(some), table, options.get("seed")


@arg(either=anys(ints(1, 3), "same", None, lists(bools(), len=2)))
@arg(even=ints(0, 50).map(lambda v: 2 * v), odd=ints(0, 50).where(lambda v: v % 2))
def unions(either, even, odd):
    assert even % 2 == 0 and odd % 2 == 1
    return either


@arg(shape=np_shapes(min_dims=2, max_dims=3, min_side=1, max_side=4))
@arg(x=np_arrays("float32", (2, 3), min=0, max=1, exclude_max=True))
@arg(y=np_arrays("int16", np_shapes(max_dims=2), elements=ints(0, 7)))
@arg(z=np_arrays("float64", 4, allow_nan=True, allow_infinity=True, unique=True))
@arg(w=np_arrays("bool", "3 2"), c=np_arrays("complex64", "2", elements=complexes(width=64)))
def arrays(shape, x, y, z, w, c):
    return x.reshape(3, 2) @ x, y.sum() / len(shape), z[0], w.T, c.real
