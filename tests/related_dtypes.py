"""Arrays whose dtypes are related, for the tests of generated files.

Every function checks its own precondition, so that an invalid input fails its test.
"""

HEAD = """\
import numpy as np

FLOATS = ["float16", "float32", "float64"]
U, LIMIT = 3, 5


def floats_of(shape):
    return np_arrays(froms(FLOATS), shape)


"""

OPAQUE = {
    "not_every_dtype_has_them": """\
@arg(a=np_arrays(same("D", of=["int8", "int16"]), "n"), b=np_arrays(same("D"), "n"), k=ints(0, 999))
@require("(a > k).all()")
def not_every_dtype_has_them(a, b, k):
    assert a.dtype == b.dtype and a.min() > k
""",
    "of_several_widths": """\
@arg(a=np_arrays(same("D", of=["float16", "float64"]), "n", elements=floats(0, 1, width=32)))
@arg(b=np_arrays(same("D"), "n"))
def of_several_widths(a, b):
    assert a.dtype == b.dtype and 0 <= a.min() <= a.max() <= 1
""",
}

CHOSEN = {
    "named": """\
@arg(a=np_arrays(same("T", of=["float16", "float32", "int32"]), "n"), b=np_arrays(same("T"), "n"))
def named(a, b):
    assert a.dtype == b.dtype in FLOATS + ["int32"] and np.isfinite(a).all() and len(a) == len(b)
""",
    "equal": """\
@arg(a=np_arrays(froms(FLOATS + ["int8"]), np_shapes(max_dims=2)), b=floats_of(np_shapes(max_dims=1)))
@require("a.dtype == b.dtype")
def equal(a, b):
    assert a.dtype == b.dtype and np.isfinite(a).all() and np.isfinite(b).all()
""",
    "chain": """\
@arg(x=floats_of("n d"), y=floats_of("n"), z=floats_of("d"), l=int_lists(max_len=9))
@require("x.dtype == y.dtype == z.dtype and len(l) == n")
def chain(x, y, z, l):
    assert x.dtype == y.dtype == z.dtype and x.shape == (len(y), len(z)) and len(l) == len(y)
""",
    "constant": """\
@arg(a=floats_of("n"), b=floats_of("n"))
@require("a.dtype == 'float32'")
@require("b.dtype in (np.float16, np.float64)")
def constant(a, b):
    assert a.dtype == "float32" != b.dtype
""",
    "unlike": """\
@arg(a=floats_of("n k"), b=floats_of("k n"))
@require("a.dtype != b.dtype")
def unlike(a, b):
    assert a.dtype != b.dtype and a.shape == b.shape[::-1]
""",
    "argument": """\
@arg(dtype=froms(["float64", "float32", "int8"]), x=floats_of("n"))
@require("dtype == x.dtype")
def argument(dtype, x):
    assert x.dtype == dtype
""",
    "live": """\
@arg(dtype=froms([np.float32, np.dtype("float64"), "half"]), x=floats_of("n"), y=floats_of("n"))
@require("x.dtype == dtype and y.dtype == dtype")
def live(dtype, x, y):
    assert x.dtype == dtype == y.dtype
""",
    "live_and_more": """\
@arg(dtype=froms([np.float16, np.float32, np.float64]), x=floats_of("n"))
@require("x.dtype == dtype and x.dtype != np.float64")
def live_and_more(dtype, x):
    assert x.dtype == dtype != np.float64
""",
    "bounds": """\
@arg(a=np_arrays(same("D", of=FLOATS), "n d", min=0, max=0.1), b=np_arrays(same("D"), "d m", min=-1))
@require("n <= m")
def bounds(a, b):
    assert a.dtype == b.dtype and 0 <= a.min() <= a.max() <= 0.1 and len(a) <= b.shape[1]
""",
    "whole": """\
@arg(a=np_arrays(same("D", of=["int32", "int64"]), "n", min=0, max=9), b=np_arrays(same("D"), "n"))
@require("(a > 3).all()")
def whole(a, b):
    assert a.dtype == b.dtype and 3 < a.min() <= a.max() <= 9
""",
    "narrow": """\
@arg(a=np_arrays(same("D", of=["int8", "int16"]), "n", max=999), b=np_arrays(same("D"), "n"), k=ints(0, 999))
@require("(a < k).all()")
def narrow(a, b, k):
    assert a.dtype == b.dtype and a.max() < k
""",
    "elements": """\
@arg(a=np_arrays(same("D", of=FLOATS), "n", elements=floats(0, 1)), b=np_arrays(same("D"), "n"))
@arg(c=np_arrays(same("D"), "n", elements=ints(0, 3)), d=np_arrays(same("D"), "n", allow_nan=True))
def elements(a, b, c, d):
    assert {one.dtype for one in (b, c, d)} == {a.dtype} and 0 <= a.min() <= a.max() <= 1
    assert set(c.tolist()) <= {0, 1, 2, 3} and np.isfinite(b).all() and not np.isinf(d).any()
""",
    "large": """\
@arg(a=np_arrays(same("D", of=["float32", "int32"]), (2000,)), b=np_arrays(same("D"), (2000,), min=1, max=2.5))
def large(a, b):
    assert a.dtype == b.dtype and 1 <= b.min() <= b.max() <= 2.5
""",
    "optional": """\
@arg(a=floats_of("n d"), mask=anys(None, floats_of("n")))
@require("mask is None or mask.dtype == a.dtype")
def optional(a, mask):
    assert mask is None or (mask.dtype == a.dtype and len(mask) == len(a))
""",
    "mode": """\
@arg(a=floats_of("n"), mode=froms(["half", "single"]))
@require("(mode == 'half') == (str(a.dtype) == 'float16')")
def mode(a, mode):
    assert (mode == "half") == (a.dtype == np.float16)
""",
    "any_of_them": """\
@arg(a=np_arrays(shape="n"), b=np_arrays(shape="n"), arrays=bools())
@require("a.dtype == b.dtype")
def any_of_them(a, b, arrays):
    assert a.dtype == b.dtype and type(arrays) is bool
""",
    "two_pairs": """\
@arg(a=floats_of("n"), b=floats_of("n"), c=floats_of("n"), d=floats_of("n"))
@require("a.dtype == b.dtype and c.dtype == d.dtype and a.dtype.itemsize <= c.dtype.itemsize")
def two_pairs(a, b, c, d):
    assert a.dtype == b.dtype and c.dtype == d.dtype and a.itemsize <= c.itemsize
""",
    "module_names": """\
@arg(a=np_arrays(same("U", of=FLOATS), "n"), b=np_arrays(same("U"), "n"), k=ints(1, 20))
@require("k % U == 0 and n < LIMIT")
def module_names(a, b, k):
    assert a.dtype == b.dtype and k % 3 == 0
""",
    "Pair_init": """\
class Pair:
    @arg(a=np_arrays(same("T", of=FLOATS), "n"), b=np_arrays(same("T"), "n"), T=ints(1, 4), k=bools())
    def __init__(self, a, b, T, k):
        assert a.dtype == b.dtype and type(T) is int and type(k) is bool
        self.dtype = a.dtype
""",
    "Pair_like": """\
    @arg(x=floats_of("n"), y=floats_of("n"), dtype=ints(1, 4))
    @require("x.dtype == y.dtype")
    def like(self, x, y, dtype):
        assert x.dtype == y.dtype and type(dtype) is int
""",
    "Pair_same": """\
    @arg(x=floats_of("n"))
    @require("x.dtype == self.dtype")
    def same(self, x):
        assert x.dtype == self.dtype
""",
}

CASES = OPAQUE | CHOSEN
