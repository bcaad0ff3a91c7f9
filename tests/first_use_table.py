"""Annotations that are mistakes, with what is said about each: what people write first, wrongly.

A program begins after `from annotest import *` and what `HEAD` has; its mistake is told with the
line of the file.
"""

HEAD = """\
import asyncio, functools
from math import inf, nan
from annotest import *
async def waits(n): return n > 0
def yields(n): yield n > 0
class Waits:
    async def __call__(self, n): return True
class C:
    @arg(channels=ints(1, 4))
    def __init__(self, channels): pass
"""

METHODS = {  # in class C, after its constructor; at line 11
    "init_in_a_size": (
        '@arg(x=np_arrays("int8", "init.chanels"))\n    def f(self, x): pass',
        "@arg(\"x\"): C.__init__ has no argument 'chanels'. Did you mean 'channels'?",
        "C.__init__ takes: channels",
    ),
    "init_in_a_list": (
        '@arg(x=lists(int_lists(len="init.chanels")))\n    def f(self, x): pass',
        "@arg(\"x\"): C.__init__ has no argument 'chanels'. Did you mean 'channels'?",
        "C.__init__ takes: channels",
    ),
    "init_in_a_precondition": (
        '@require("n < init.chanels")\n    @arg(n=ints())\n    def f(self, n): pass',
        "@require(\"n < init.chanels\"): C.__init__ has no argument 'chanels'. "
        "Did you mean 'channels'?",
        "C.__init__ takes: channels",
    ),
    "init_in_a_hint": (
        'def f(self, x: __import__("typing").Annotated[int, int_lists(len="init.n")]): pass',
        "type hint: C.__init__ has no argument 'n'.",
        "C.__init__ takes: channels",
    ),
    "init_alone": (
        '@arg(x=np_arrays("int8", "init"))\n    def f(self, x): pass',
        "@arg(\"x\"): 'init' is no size",
        "name one of its own: init.NAME",
    ),
    "self_alone": (
        '@arg(x=int_lists(len="self"))\n    def f(self, x): pass',
        "@arg(\"x\"): 'self' is no size",
        "name one of its own: self.NAME",
    ),
    "init_in_a_class_method": (
        '@classmethod\n    @arg(x=np_arrays("int8", "init.channels"))\n    def f(cls, x): pass',
        "@arg(\"x\"): there is no 'init' whose attribute could be a size",
        "use self or init in a method, or an argument that a generator builds",
    ),
}

FUNCTIONS = {  # at line 11
    'init_in_a_function': (
        '@arg(x=np_arrays("int8", "init.n"))\ndef f(x): pass',
        "@arg(\"x\"): there is no 'init' whose attribute could be a size",
        "use self or init in a method, or an argument that a generator builds",
    ),
    'raises_text': (
        '@raises("ValueError")\n@arg(n=ints())\ndef f(n): pass',
        "@raises('ValueError') expects classes of exceptions, got str",
        "write @raises(ValueError, KeyError)",
    ),
    'raises_an_instance': (
        '@raises(ValueError("x"))\n@arg(n=ints())\ndef f(n): pass',
        "@raises(ValueError('x')) expects classes of exceptions, got ValueError",
        "write @raises(ValueError, KeyError)",
    ),
    'raises_another_class': (
        '@raises(KeyError, int)\n@arg(n=ints())\ndef f(n): pass',
        "@raises(KeyError, int) expects classes of exceptions, and int is none",
        "write @raises(ValueError, KeyError)",
    ),
    'raises_a_tuple': (
        '@raises((KeyError, ValueError))\n@arg(n=ints())\ndef f(n): pass',
        "@raises((KeyError, ValueError)) expects classes of exceptions, got tuple",
        "write @raises(ValueError, KeyError)",
    ),
    'raises_nothing': (
        '@raises()\n@arg(n=ints())\ndef f(n): pass',
        "@raises() names no exception",
        "write @raises(ValueError)",
    ),
    'raises_bare': (
        '@raises\n@arg(n=ints())\ndef f(n): pass',
        "@raises(f) expects classes of exceptions, got function",
        "write @raises(ValueError, KeyError)",
    ),
    'async_precondition': (
        '@require(waits)\n@arg(n=ints())\ndef f(n): pass',
        "@require(waits) is an async function: what it returns must be awaited, and is always true",
        "make it a plain function that returns True or False",
    ),
    'generator_precondition': (
        '@require(yields)\n@arg(n=ints())\ndef f(n): pass',
        "@require(yields) is a generator function: what it returns is a generator, and always true",
        "make it a plain function that returns True or False",
    ),
    'async_call_in_text': (
        '@require("waits(n)")\n@arg(n=ints())\ndef f(n): pass',
        '@require("waits(n)"): it raises TypeError: it gives a coroutine, which is always true '
        "for n=0",
        "guard it, or correct it",
    ),
    'generator_in_text': (
        '@require("(m for m in [n])")\n@arg(n=ints())\ndef f(n): pass',
        '@require("(m for m in [n])"): it raises TypeError: it gives a generator, which is always '
        "true for n=0",
        "guard it, or correct it",
    ),
    'async_where': (
        '@arg(n=ints().where(waits))\ndef f(n): pass',
        '@arg("n"): ints().where(waits): waits is an async function: what it returns must be '
        "awaited, and is always true",
        "make it a plain function that returns True or False",
    ),
    'generator_where_in_a_list': (
        '@arg(n=lists(ints().where(yields)))\ndef f(n): pass',
        '@arg("n"): ints().where(yields): yields is a generator function: what it returns is a '
        "generator, and always true",
        "make it a plain function that returns True or False",
    ),
    'async_behind_a_lambda': (
        '@arg(n=ints().where(lambda n: waits(n)))\ndef f(n): pass',
        ".where(<lambda>): the predicate raises TypeError: it gives a coroutine, which is always "
        "true",
        "make it return True or False for every value",
    ),
    'floats_above_infinity': (
        '@arg(n=floats(inf, None))\ndef f(n): pass',
        '@arg("n"): floats(min=inf) allows nothing: no number is above that',
        "leave min out",
    ),
    'floats_below_infinity': (
        '@arg(n=floats(None, -inf))\ndef f(n): pass',
        '@arg("n"): floats(max=-inf) allows nothing: no number is below that',
        "leave max out",
    ),
    'floats_from_nan': (
        '@arg(n=floats(nan, 3))\ndef f(n): pass',
        '@arg("n"): floats(min=nan): no number compares with nan',
        "leave min out",
    ),
    'array_above_infinity': (
        '@arg(n=np_arrays("float32", (3,), min=inf))\ndef f(n): pass',
        '@arg("n"): np_arrays(min=inf) allows nothing: no number is above that',
        "leave min out",
    ),
    'huge_array': (
        '@arg(n=np_arrays("float32", (10**6, 10**6)))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays(dtype='float32', shape=(1000000, 1000000)) has 1,000,000,000,000 "
        "elements or more, and arrays of at most 20,000,000 are made",
        "use smaller sides",
    ),
    'huge_line': (
        '@arg(n=np_arrays("float32", 10**9))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays(dtype='float32', shape=1000000000) has 1,000,000,000 elements or "
        "more, and arrays of at most 20,000,000 are made",
        "use smaller sides",
    ),
    'huge_shapes': (
        '@arg(n=np_arrays("int8", np_shapes(min_dims=4, min_side=500)))\ndef f(n): pass',
        "@arg(\"n\"): np_arrays(dtype='int8', shape=np_shapes(min_dims=4, min_side=500)) has "
        "62,500,000,000 elements or more, and arrays of at most 20,000,000 are made",
        "use smaller sides",
    ),
    'huge_dimensions': (
        '@dims(h=ints(10**5, 10**6), w=ints(10**5, 10**6))\n@arg(n=np_arrays("int8", "h w"))\n'
        "def f(n): pass",
        "f: n has 10,000,000,000 elements or more, and arrays of at most 20,000,000 are made",
        "let its sides be smaller",
    ),
    'a_circle': (
        '@generator\n@exclude\n@arg(n=lists(objs("circle"), min_len=1))\ndef circle(n): pass\n'
        "@arg(n=objs(circle))\ndef f(n): pass",
        '@arg("n"): objs(circle) needs itself to build a value',
        "let a value do without: anys(None, objs(…)), or a list that may be empty",
    ),
    'outside_a_misspelt_function': (
        'annotate("math:sqroot", arg(x=ints()))',
        "annotate(\"math:sqroot\"): math has no 'sqroot'. Did you mean 'sqrt'?",
        "correct the name: module:qualname, as it can be imported",
    ),
    'outside_a_misspelt_class': (
        'annotate("fractions:Fracton.limit_denominator", arg(n=ints()))',
        "annotate(\"fractions:Fracton.limit_denominator\"): fractions has no 'Fracton'. "
        "Did you mean 'Fraction'?",
        "correct the name: module:qualname, as it can be imported",
    ),
    'outside_a_class': (
        'annotate("fractions:Fraction", arg(n=ints()))',
        'annotate("fractions:Fraction"): Fraction is a class',
        'annotate its constructor: annotate("fractions:Fraction.__init__", …)',
    ),
    'outside_a_nested_function': (
        'annotate("functools:wraps.inner", arg(n=ints()))',
        "annotate(\"functools:wraps.inner\"): wraps has no 'inner'.",
        "correct the name: module:qualname, as it can be imported",
    ),
    'outside_a_function_made_inside': (
        'annotate("functools:lru_cache.decorating_function", arg(n=ints()))',
        'annotate("functools:lru_cache.decorating_function"): lru_cache makes '
        "decorating_function anew at each call",
        "annotate a function of a module that calls lru_cache and decorating_function; or, if a "
        "module keeps what lru_cache returns, the name that it has there: "
        'annotate("module:name", …)',
    ),
    'outside_what_is_returned': (
        'annotate(functools.lru_cache(), arg(n=ints()))',
        "annotate(<lru_cache.<locals>.decorating_function>) names decorating_function, which "
        "lru_cache makes anew at each call",
        "annotate a function of a module that calls lru_cache and decorating_function; or, if a "
        "module keeps what lru_cache returns, the name that it has there: "
        'annotate("module:name", …)',
    ),
    'outside_keywords': (
        'annotate("functools:partial.__init__", arg(base=ints()))\n'
        "def g(*args, **options): pass\nannotate(g, arg(base=ints()))",
        "@arg(\"base\"): g has no argument 'base'.",
        "g takes: args, options; say what is in options: arg(options=dicts({'base': …}))",
    ),
}  # fmt: skip
