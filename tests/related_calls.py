"""Relations of everything that can be called, and names that clash, for the tests of generated files."""

from related_files import Relation

LABELS = 'labels=np_arrays("int64", "b", min=0, max=99), classes=ints(1, 100)'

RELATIONS = {
    "elements": Relation(LABELS, "(labels < classes).all()"),
    "the_largest_element": Relation(LABELS, "labels.max() < classes"),
    "many_elements": Relation(LABELS, "(labels < classes).all()", dims="b=ints(1, 2000)"),
    "a_side_that_is_chosen": Relation(
        'x=np_arrays("float32", "b c"), axis=ints(-2, 1), k=ints(1, 8)', "k <= x.shape[axis]"
    ),
    "scalars": Relation(
        "h=ints(1, 64), k=ints(1, 31), p=ints(0, 3), s=ints(1, 4), bias=bools()",
        "k <= h + 2*p",
        "(h + 2*p - k) % s == 0",
    ),
    "long": Relation(
        "height=ints(1, 256), width=ints(1, 256), "
        "patch_height=ints(1, 32), patch_width=ints(1, 32)",
        "height % patch_height == 0 and width % patch_width == 0 and "
        "height // patch_height == width // patch_width and height != width",
    ),
    "several": Relation(
        "a=ints(1, 20), b=ints(1, 20), c=ints(1, 20)",
        "a < b or b < c",
        "a * b * c == 64 if a else True",
    ),
    "reals": Relation("x=floats(0, 1), y=floats(0, 1)", "x + 0.5 < y"),
    "choices": Relation(
        "mode=froms(['same', 'valid']), stride=ints(1, 4), k=ints(1, 99)",
        "mode != 'same' or stride == 1 and k % 11 == 0",
    ),
    "union": Relation(
        "a=anys(ints(1, 20), None), n=ints(0, 20)",
        "a is not None and a * 7 == n or a is None and n == 13",
    ),
    "easy_union": Relation("a=anys(ints(0, 20), None), n=ints(0, 20)", "a is None or a * 7 == n"),
    "a_filter_beside_a_relation": Relation(
        'x=np_arrays("int8", "b k"), n=ints(1, 50), m=ints(1, 50)', "n % m == 0", "x.std() <= 1"
    ),
    "sums": Relation(
        "splits=int_lists(min_len=1, max_len=4, min=1, max=9), d=ints(1, 30)", "sum(splits) == d"
    ),
    "named": Relation(
        'x=np_arrays("float32", "b k"), y=np_arrays("float32", "k 2*m")',
        "b != m",
        dims="b=ints(1, 4), k=froms([8, 16])",
        holds="x.shape[1] == y.shape[0] in (8, 16) and y.shape[1] not in (1, 2 * x.shape[0])",
    ),
    "starred": Relation(
        'x=np_arrays("float32", "*batch k"), y=np_arrays("float32", "*batch")',
        holds="x.shape[:-1] == y.shape",
    ),
    "length_is_an_argument": Relation(
        'sizes=int_lists(len="n", min=1, max=3), n=ints(0, 9)', holds="len(sizes) == n"
    ),
    "same_dtype": Relation(
        'x=np_arrays(same("T"), (2,)), y=np_arrays(same("T"), (2,))', holds="x.dtype == y.dtype"
    ),
    "same_dtype_and_sizes": Relation(
        'x=np_arrays(same("T"), "n"), y=np_arrays(same("T"), "n")',
        holds="x.dtype == y.dtype and x.shape == y.shape",
    ),
    "rare": Relation("a=ints(0, 4000), b=ints(0, 4000)", "b == a + 3990 and a % 7 == 3"),
    "rare_sum": Relation("a=ints(0, 4000), b=ints(0, 4000), c=ints(0, 4000)", "a + b + c == 11990"),
}

# everything else that can be called; each checks its own precondition
SOURCES = """\
@arg(a=ints(0, 99), b=ints(0, 99))
@require(lambda a, b: a == b + 20)
def by_lambda(a, b):
    check(a == b + 20)


def is_twice(a, b):
    return a == 2 * b


@arg(a=ints(0, 99), b=ints(0, 99))
@require(is_twice)
def by_name(a, b):
    check(a == 2 * b)


LIMIT = 7


@arg(a=ints(1, 99), b=ints(1, 99))
@require("a == b * LIMIT")
def of_module(a, b):
    check(a == b * 7)


class Dense:
    @arg(units=ints(1, 64), groups=ints(1, 64))
    @require("units % groups == 0 and units > groups")
    def __init__(self, units, groups):
        check(units % groups == 0 and units > groups)
        self.units = units

    @arg(n=ints(1, 640), k=ints(1, 9))
    @require("n % self.units == 0 and k % 3 == n % 3")
    def cut(self, n, k):
        check(n % self.units == 0 and k % 3 == n % 3)

    @arg(x=np_arrays("float32", "b self.units"))
    def apply(self, x):
        check(x.shape[1] == self.units)

    @classmethod
    @arg(a=ints(1, 50), b=ints(1, 50))
    @require("a * b == 36")
    def of_class(cls, a, b):
        check(cls is Dense and a * b == 36)

    @staticmethod
    @arg(a=ints(1, 50), b=ints(1, 50))
    @require("a * b == 48")
    def static(a, b):
        check(a * b == 48)

    @staticmethod
    @arg(a=int_lists(min_len=1, max_len=3, min=1, max=9), b=ints(1, 50))
    @require("sum(a) == b")
    def static_list(a, b):
        check(sum(a) == b)


@generator
@arg(low=ints(0, 99), high=ints(0, 99))
@require("low + 5 == high")
def interval(low, high):
    check(low + 5 == high)
    return range(low, high)


@arg(span=objs(interval), flag=bools())
def inside(span, flag):
    check(len(span) == 5)


@arg(x=np_arrays("int8", "b k"), labels=int_lists(len="b"), mask=anys(np_arrays("bool", "b"), None))
def left_out(x, labels, mask=None):
    check(len(x) == len(labels) and (mask is None or len(mask) == len(x)))


@arg(n=ints(0, 99), k=ints(1, 50))
@require("n == 3 * k")
def defaults(n=30, k=10):
    check(n == 3 * k)


@arg(args=int_lists(max_len=4, min=0, max=30), n=ints(0, 30))
@require("sum(args) == n")
def spread(n, *args):
    check(sum(args) == n)


@arg(n=ints(0, 30), kwargs=dicts({"a": ints(0, 30), "b?": ints(0, 30)}))
@require("kwargs['a'] == n + 7")
def keywords(n, **kwargs):
    check(kwargs["a"] == n + 7)


@arg(a=ints(0, 99), b=ints(0, 99))
@require("a == b + 50")
def positional(a, b, /):
    check(a == b + 50)


@arg(a=int_lists(min_len=1, max_len=3, min=0, max=9), b=ints(0, 27))
@require("sum(a) == b")
def positional_list(a, /, b, *, c=0):
    check(sum(a) == b)


@arg(a=ints(0, 99), b=ints(0, 99))
@require("a == b + 40")
def lazy(a, b):
    check(a == b + 40)
    yield a


@arg(a=int_lists(min_len=1, max_len=3, min=0, max=9), b=ints(0, 27))
@require("sum(a) == b")
def lazy_list(a, b):
    check(sum(a) == b)
    yield a


@arg(a=ints(0, 99), b=ints(0, 99))
@require("a == b + 30")
async def later(a, b):
    check(a == b + 30)


@arg(a=int_lists(min_len=1, max_len=3, min=0, max=9), b=ints(0, 27))
@require("sum(a) == b")
async def later_list(a, b):
    check(sum(a) == b)
"""
TEXT = "".join(case.source(name) for name, case in RELATIONS.items()) + SOURCES

# names of the program that the file needs itself; each in a file of its own
CLASHES = {
    **{
        f"a_dimension_is_called_{name}": Relation(
            f'x=np_arrays("int8", "{name} k"), y=np_arrays("int8", "k {name}")',
            holds="x.shape == y.shape[::-1]",
        )
        for name in ("st", "hnp", "draw")
    },
    "a_dimension_is_called_reject": Relation(
        'x=np_arrays("int8", "reject n"), n=ints(1, 9), m=ints(1, 9)',
        "n == m * 2",
        holds="x.shape[1] == n == m * 2",
    ),
    "an_argument_is_called_draw": Relation(
        "draw=ints(1, 64), h=ints(1, 64), k=ints(1, 9)", "h == draw + k"
    ),
    "an_argument_is_called_fitting": Relation(
        "fitting=ints(1, 64), n=ints(1, 640)",
        "n % fitting == 0 and n // fitting <= 9 and n + fitting < 600",
    ),
    "an_argument_is_called_related": Relation(
        "h=ints(1, 64), w=ints(1, 64), related=bools()", "h == w"
    ),
    "an_argument_is_called_range": Relation(
        "h=ints(1, 64), range=ints(1, 64), list=ints(1, 64)", "h == range + list"
    ),
    "several_are_squared": Relation(
        "cache=ints(1, 40), range=ints(1, 40), draw=ints(1, 40)",
        "cache * cache + range * range == draw * draw",
    ),
    "made_up_names_are_arguments": Relation(
        'x=np_arrays("int8", np_shapes(min_dims=1, max_dims=1)), x_0=ints(1, 9), '
        "xs=int_lists(max_len=9), xs_len=ints(1, 9)",
        "x.shape[0] == x_0 and len(xs) == xs_len",
    ),
    "a_loop_has_the_name_of_an_argument": Relation(
        "n=ints(0, 5), xs=int_lists(max_len=4, min=0, max=9)", "all(n > 3 for n in xs)"
    ),
}
CLASHING = {name: case.source("f") for name, case in CLASHES.items()} | {
    "made_up_names_are_known_to_the_module": """\
xs_len, fitting = 3, (2, 4)


@arg(xs=int_lists(max_len=9), n=ints(1, 9))
@require("len(xs) + xs_len == n and n * 2 not in fitting")
def f(xs, n):
    check(len(xs) + 3 == n and n not in (1, 2))
""",
    "a_builtin_is_replaced": """\
def sorted(items):
    return [*items][::-1]


@arg(xs=int_lists(max_len=4, min=0, max=3))
@require("xs == sorted(xs)")
def f(xs):
    check(xs == xs[::-1])
""",
    "a_name_of_the_module_is_called_x": """\
x = [3, 1, 2]


@arg(v=int_lists(max_len=4, min=0, max=3))
@require("v == sorted(x)")
def f(v):
    check(v == [1, 2, 3])
""",
    "a_list_of_the_module_is_called_others": """\
others = []


class Layer:
    @arg(n=ints(1, 4))
    def __init__(self, n):
        self.n = n


@arg(layer=objs(Layer), a=int_lists(min=1, max=20, max_len=5), b=int_lists(min=1, max=20))
@require("len(a) == layer.n and a[0] == b[-1] + len(others)")
def f(layer, a, b):
    check(len(a) == layer.n and a[0] == b[-1])
""",
}

# each has a mistake that some valid inputs show
MISTAKEN = """\
@arg(h=ints(1, 64), k=ints(1, 31), p=ints(0, 3), s=ints(1, 4))
@require("k <= h + 2*p")
@require("(h + 2*p - k) % s == 0")
def conv(h, k, p, s):
    assert not (p == 2 and s == 3)


@arg(x=np_arrays("float32", "b k"), w=np_arrays("float32", "k m"))
def matmul(x, w):
    assert len(x) > 1 or w.shape[1] == 1


@arg(splits=int_lists(min_len=1, max_len=4, min=1, max=9), d=ints(1, 30))
@require("sum(splits) == d")
def split(splits, d):
    assert len(splits) != 3
"""
