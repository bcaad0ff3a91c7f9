"""Wrong annotations as they are written: each with its reason, and with what to do.

A constraint alone stands for `@arg(n=…)`, and the reason then begins with `@arg("n"): `. What is
annotated is `def f(n): pass` if nothing else is. The mistake is in the first line, or in the one
that is marked.
"""

TEXT = r"""
@require("n > 1", "must be so")
@arg(n=ints(1, 3))
    @require(…): require() got 2 arguments by position and takes 1 (condition)
    leave the others out
@timeout()
@arg(n=ints(1, 3))
    @timeout(…): timeout() lacks its argument 'seconds'
    write timeout(seconds)
@budget(3)
@arg(n=ints(1, 3))
    @budget(…): budget() got 1 arguments by position and takes none
    give the others by name
@budget(example=3)
@arg(n=ints(1, 3))
    @budget(…): budget() has no argument 'example'. Did you mean 'examples'?
    its arguments are: examples, seconds
@arg("a, b", tuples(np_arrays("int8", "n"), np_arrays("int8", "n")))
def f(a, b): pass
    @arg("a, b"): dimensions and shared dtypes are not known where one annotation is for several arguments
    annotate each argument by itself, or have a generator build them
@arg("sise", ints())
def f(size): pass
    @arg("sise"): f has no argument 'sise'. Did you mean 'size'?
    f takes: size
ints(min=5, max=1)
    ints(min=5, max=1) allows nothing: min=5 is above max=1
    make min at most max
ints(1.5, 3)
    ints(min=1.5): min must be a whole number, got float
    give min as an int
ints(10**5000)
    ints(min=…): min has more than 420 digits
    use a number that is nearer to 0
ints(1, 9, multiple_of=-10**5000)
    ints(multiple_of=…): multiple_of has more than 420 digits
    use a number that is nearer to 0
floats(10**5000)
    floats(min=inf) allows nothing: no number is above that
    leave min out
lists(ints(), min_len=10**5000)
    lists(min_len=…): nothing in Python is longer than 9223372036854775807
    lower min_len
np_arrays("uint8", "9**9**9")
    np_arrays: '9**9**9' in '9**9**9' is never a size
    make it a whole number from 0
@exclude(size=3)
@arg(n=ints())
    @exclude(…) takes no arguments
    write @exclude
@timeout(10**5000)
@arg(n=ints())
    @timeout(…): timeout() cannot be made of what it is given: OverflowError: int too large to convert to float
    correct its arguments
@budget(examples=10**5000)
@arg(n=ints())
    @budget(…): budget() cannot be made of what it is given: OverflowError: int too large to convert to float
    correct its arguments
@dims(h=ints(5, 1))
@arg(n=np_arrays("uint8", "h"))
    @dims(h): ints(min=5, max=1) allows nothing: min=5 is above max=1
    make min at most max
ints(mim=3)
    ints() has no argument 'mim'. Did you mean 'min'?
    its arguments are: min, max, multiple_of, min_value, max_value
ints(1, 2, 3)
    ints() got 3 arguments by position and takes 2 (min, max)
    give the others by name
ints(1, 5, multiple_of=7)
    ints(min=1, max=5, multiple_of=7) allows nothing: no multiple of 7 lies between 1 and 5
    widen the range or drop multiple_of
ints(min=1, min_value=2)
    ints() got min and min_value, which mean the same
    keep min
floats(2, 1)
    floats(min=2.0, max=1.0) allows nothing: min=2.0 is above max=1.0
    make min at most max
floats("a")
    floats(min='a'): min must be a number, got str
    give min as a float
floats(exclude_min=True)
    floats(exclude_min=True) opens an end it does not have: exclude_min=True without min
    give min, or leave exclude_min out
floats(0, 0, exclude_min=True)
    floats(min=0.0, max=0.0, exclude_min=True) allows nothing: no 64-bit float lies between its ends
    widen the range
complexes(width=32)
    complexes(width=32) has a wrong width: expected 64 or 128
    use width=64
complexes(max_magnitude=-1)
    complexes(max_magnitude=-1.0) allows nothing: max_magnitude=-1.0 is below 0
    make max_magnitude at least 0
complexes(max_magnitude=1, allow_infinity=True)
    complexes(max_magnitude=1.0, allow_infinity=True) allows infinity beyond its max_magnitude
    drop allow_infinity or max_magnitude
floats(width=8)
    floats(width=8) has a wrong width: expected 16, 32 or 64
    use width=32
floats(0, 1, allow_infinity=True)
    floats(min=0.0, max=1.0, allow_infinity=True) allows infinity between two finite bounds
    drop allow_infinity or a bound
floats(min=float("nan"))
    floats(min=nan): no number compares with nan
    leave min out
froms([])
    froms([]) allows nothing: the list is empty
    list at least one value
froms("relu")
    froms('relu') expects a list of values, got str
    write froms(['relu'])
froms([ints(), 3])
    froms([…]) lists a constraint, ints(), where values are expected
    use anys(ints(), …) for a union
froms(lambda: [])
    froms(<lambda>): the function returned [], expected a list of values
    return a list with at least one value
froms(lambda: 1 / 0)
    froms(<lambda>) cannot be used: ZeroDivisionError: division by zero
    correct the function that it calls
@arg(n=froms(lambda: unknown))
def f(n=1): pass
    @arg("n"): froms(<lambda>) cannot be used: NameError: name 'unknown' is not defined
    correct the function that it calls
@example(1)
@arg(n=froms(lambda: unknown))  #!
    @arg("n"): froms(<lambda>) cannot be used: NameError: name 'unknown' is not defined
    correct the function that it calls
@example(1)
@arg(n=ints(1, 5).where(lambda v: v / 0))  #!
    .where(<lambda>): the predicate raises ZeroDivisionError: division by zero
    make it return True or False for every value
anys()
    anys() allows nothing: no alternative is given
    list some
lists(5)
    lists: expected a constraint, got 5 (int)
    for this one value, write froms([5])
lists(ints)
    lists: ints is not called
    write ints(), with its arguments
lists()
    lists() lacks its argument 'elements'
    write lists(elements, …)
lists(ints(), min_len=3, max_len=2)
    lists(ints(), min_len=3, max_len=2) allows nothing: min_len=3 is above max_len=2
    make min_len at most max_len
lists(ints(), len=2, min_len=1)
    lists(ints(), len=2, min_len=1) says its length twice
    give len, or min_len and max_len
lists(ints(), min_len=-1)
    lists(ints(), min_len=-1) has a wrong min_len: expected a whole number from 0, got -1
    give min_len as a whole number
lists(bools(), min_len=3, unique=True)
    lists(bools(), min_len=3, unique=True) allows nothing: 3 distinct elements are wanted and bools() has 2
    lower min_len or widen the elements
sets(lists(ints()))
    sets(lists(ints())) has elements that cannot be in a set
    use tuples for the elements
tuples(ints(), bools(), min_len=1)
    tuples(ints(), bools(), min_len=1) gives lengths for a tuple of fixed elements
    use one element with min_len and max_len, or drop them
dicts(strs())
    dicts(strs()) says nothing about the values
    write dicts(strs(), values)
dicts({"a": 3})
    dicts({'a': …}): expected a constraint, got 3 (int)
    for this one value, write froms([3])
dicts(froms(["a"]), ints(), min_size=2)
    dicts(froms(['a']), ints(), min_size=2) allows nothing: 2 keys are wanted and froms(['a']) has 1
    lower min_size or widen the keys
strs(pattern="(")
    strs(pattern='(') has a wrong pattern: missing ), unterminated subpattern at position 0
    give a regular expression as text
strs(alphabet="")
    strs(alphabet='') has a wrong alphabet: expected characters, got ''
    give the characters as text, such as alphabet='abc'
np_shapes(min_dims=3, max_dims=2)
    np_shapes(min_dims=3, max_dims=2) allows nothing: min_dims=3 is above max_dims=2
    make min_dims at most max_dims
np_arrays("float23")
    np_arrays: unknown dtype 'float23'. Did you mean 'float32'?
    use one of int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bool, complex64, complex128
np_arrays("uint8", (2, 0.5))
    np_arrays: a shape is a tuple of sizes or a constraint, got (2, 0.5)
    write shape=(3, 4), shape='b 3 h w' or shape=np_shapes(min_dims=2)
np_arrays("uint8", "b c d:3")
    np_arrays: 'd:3' in 'b c d:3' is no size
    use names, whole numbers and arithmetic without blanks, as in 'b 2*h w+1 3'
np_arrays("uint8", "b 3-5")
    np_arrays: '3-5' in 'b 3-5' is never a size
    make it a whole number from 0
np_arrays("uint8", "... c *b")
    np_arrays: the shape '... c *b' has two parts of any length
    keep one of them
int_lists(len="a b")
    int_lists: 'a b' in 'a b' is no size
    use names, whole numbers and arithmetic without blanks, as in 'b 2*h w+1 3'
@arg(m=strs(), n=np_arrays("uint8", "m"))
def f(m, n): pass
    @arg("n"): the dimension 'm' has the name of an argument that is no whole number
    rename the dimension, or annotate the argument with ints(…)
@dims(n=ints(1, 3))
@arg(n=ints(1, 9))
    @dims(n=…): the dimension 'n' is an argument of f
    give its values with @arg(n=…)
@dims(h=floats(1, 3))
@arg(n=np_arrays("uint8", "h"))
    @dims(h): @dims(h=floats(min=1.0, max=3.0)): sizes are whole numbers from 0 up
    write @dims(h=ints(1, 64)) or @dims(h=froms([8, 16]))
np_arrays("uint8", "b foo.units")
    there is no 'foo' whose attribute could be a size
    use self or init in a method, or an argument that a generator builds
@dims(hh=ints(1, 2))
@arg(n=np_arrays("uint8", "h w"))
    @dims(hh=…): no shape, length or precondition of f mentions 'hh'. Did you mean 'h'?
    name the dimension in a shape, or leave it out here
@require("h >= 16")
@arg(n=np_arrays("uint8", "h w"))
    @require("h >= 16"): h in 1..8 and h >= 16 cannot both hold
    widen the values, or correct the precondition
@require("h >= 16")
@arg(h=ints(1, 8))
def f(h): pass
    @require("h >= 16"): h in 1..8 and h >= 16 cannot both hold
    widen the values, or correct the precondition
@require("x > 1")
@arg(x=floats(0, 1))
def f(x): pass
    @require("x > 1"): x in floats(min=0.0, max=1.0) and x > 1 cannot both hold
    widen the values, or correct the precondition
@require("a < b")
@require("b < a")  #!
@arg(a=ints(1, 8), b=ints(1, 8))
def f(a, b): pass
    @require("b < a"): a in 1..8, b in 1..8, a < b and b < a cannot all hold
    widen the values, or correct the precondition
np_arrays(same("T", of=[]))
    same('T', of=[]) allows nothing
    list some dtypes
np_arrays("uint8", min=300)
    np_arrays(dtype='uint8', min=300) allows nothing: no value of uint8 lies in the range
    widen the range or take another dtype
np_arrays("uint8", min=1, elements=ints())
    np_arrays(dtype='uint8', min=1, elements=ints()) bounds its elements twice
    use elements, or min and max
np_arrays("float32", "n", elements=strs())
    np_arrays(dtype='float32', shape='n', elements=strs()) has elements that an array of float32 cannot hold: strs()
    use values of its dtype, such as elements=floats(0, 1)
np_arrays(elements=lists(ints()))
    np_arrays(elements=lists(ints())) has elements that an array of numbers cannot hold: lists(ints())
    use values of its dtype, such as elements=ints(-128, 127)
np_arrays("uint8", elements=ints(0, 300))
    np_arrays(dtype='uint8', elements=ints(min=0, max=300)) has elements that an array of uint8 cannot hold: ints(min=0, max=300)
    use values of its dtype, such as elements=ints(0, 255)
np_arrays("bool", elements=ints(0, 1))
    np_arrays(dtype='bool', elements=ints(min=0, max=1)) has elements that an array of bool cannot hold: ints(min=0, max=1)
    use values of its dtype, such as elements=bools()
np_arrays("float32", elements=floats(1e300))
    np_arrays(dtype='float32', elements=floats(min=1e+300)) has elements that an array of float32 cannot hold: floats(min=1e+300)
    use values of its dtype, such as elements=floats(0, 1)
np_arrays("float16", elements=anys(1, "a"))
    np_arrays(dtype='float16', elements=anys(1, 'a')) has elements that an array of float16 cannot hold: anys(1, 'a')
    use values of its dtype, such as elements=floats(0, 1)
np_arrays("complex64", elements=froms([2, "a"]))
    np_arrays(dtype='complex64', elements=froms([2, 'a'])) has elements that an array of complex64 cannot hold: froms([2, 'a'])
    use values of its dtype, such as elements=complexes()
np_arrays("int8", elements=froms(lambda: [1, 300]))
    np_arrays(dtype='int8', elements=froms(<lambda>)) has elements that an array of int8 cannot hold: froms(<lambda>)
    use values of its dtype, such as elements=ints(-128, 127)
np_arrays("int8", elements=np_arrays("int8"))
    np_arrays(dtype='int8', elements=np_arrays(dtype='int8')) has elements that an array of int8 cannot hold: np_arrays(dtype='int8')
    use values of its dtype, such as elements=ints(-128, 127)
np_arrays("int8", elements=strs().where(len))
    np_arrays(dtype='int8', elements=strs().where(len)) has elements that an array of int8 cannot hold: strs().where(len)
    use values of its dtype, such as elements=ints(-128, 127)
floats(1e300, width=32)
    floats(min=1e+300, width=32) allows nothing: no 32-bit float lies between its ends
    widen the range
objs(3)
    objs(3) expects a generator function, got int
    give a function marked @generator, a class, or the name of one
objs(unmarked)
    objs(unmarked): unmarked is not marked as a generator
    put @generator above unmarked
objs(bare_gen)
    objs(bare_gen): bare_gen has no annotation for 'size'
    add @arg(size=…) to bare_gen
objs("bare_gan")
    objs('bare_gan'): there is no generator 'bare_gan'. Did you mean 'bare_gen'?
    name a function marked @generator, visible where the annotation stands
3
    expected a constraint, got 3 (int)
    for this one value, write froms([3])
ints
    ints is not called
    write ints(), with its arguments
@arg("n")
    @arg("n") has no constraint
    write @arg("n", constraint)
@arg(ints())
    @arg(ints()) expects the name of an argument as text
    write @arg("name", constraint)
@arg()
    @arg() names no argument
    write @arg("name", constraint)
@arg(n=ints())
@arg("n", bools())  #!
    @arg("n"): f has two annotations for its argument 'n'
    keep one; anys(…) says a union
@arg(n=ints())
def f(*n): pass
    @arg("n"): *n takes a list or tuple, and ints() gives none
    write lists(…)
@arg(n=lists(ints()))
def f(**n): pass
    @arg("n"): **n takes a dict, and lists(ints()) gives none
    write dicts({"name": …})
@require("n >")
@arg(n=ints())
    @require("n >") is not a Python expression: invalid syntax
    correct the expression; it is Python, as after `if`
@require("(n := 5)")
@arg(n=ints())
    @require("(n := 5)"): it assigns to 'n', and must leave the arguments as they are
    compare with n ==, or assign to another name
@require("[k := m for m in [n]] and (h := k) > 1")
@arg(n=np_arrays("uint8", "h"))
    @require("[k := m for m in [n]] and (h := k) > 1"): it assigns to 'h', and must leave the arguments as they are
    compare with h ==, or assign to another name
@require("(yield n) > 0")
@arg(n=ints())
    @require("(yield n) > 0") is not a Python expression: 'yield' outside function
    correct the expression; it is Python, as after `if`
@require("await n")
@arg(n=ints())
    @require("await n") is not a Python expression: 'await' outside function
    correct the expression; it is Python, as after `if`
@require("[m async for m in n]")
@arg(n=ints())
    @require("[m async for m in n]") is not a Python expression: asynchronous comprehension outside of an asynchronous function
    correct the expression; it is Python, as after `if`
@require("(lambda: (yield n))()")
@arg(n=ints(1, 3))
    @require("(lambda: (yield n))()"): it raises TypeError: it gives a generator, which is always true for n=1
    guard it, or correct it
@require("lambda n: n > 0")
@arg(n=ints(1, 3))
    @require("lambda n: n > 0"): it raises TypeError: it gives a function, which is always true for n=1
    guard it, or correct it
@require("# n > 1")
@arg(n=ints())
    @require("# n > 1") says nothing
    write @require("n > 0")
@require("m > 0")
@arg(n=ints())
    @require("m > 0"): f knows no name 'm'.
    use the arguments, the names of the module, or builtins
@require("1 / n > 0")
@arg(n=ints())
    @require("1 / n > 0"): it raises ZeroDivisionError: division by zero for n=0
    guard it with `n != 0 and …`, or annotate a range without 0
@require(lambda m: m > 0)
@arg(n=ints())
    @require(<lambda>): the condition asks for 'm', which f does not have.
    name its parameters after: n
@require(3)
@arg(n=ints())
    @require(3) expects an expression as text, or a callable, got int
    write @require("n > 0")
@timeout(-1)
@arg(n=ints())
    @timeout(-1) expects a number of seconds above 0
    write @timeout(30)
@timeout(1)
@timeout(2)  #!
@arg(n=ints())
    @timeout(2): f has two @timeout annotations
    keep one
@budget()
@arg(n=ints())
    @budget() says nothing
    write @budget(examples=500)
@budget(examples=0)
@arg(n=ints())
    @budget(examples=0) has wrong examples: expected a number above 0
    write @budget(examples=60)
@cc_example([1])
@arg(n=ints())
    @cc_example([1]): f is not a constructor
    put it on the __init__ of a class
@example(1, 2)
@arg(n=ints())
    @example(1, 2): too many positional arguments
    f takes: n
@example(-1)
@arg(n=ints())
    @example(-1): not a valid call: n: expected at least 0, got -1 (int)
    correct the example or the constraint
@arg(n=ints(1, 5))
def f(n=9): pass
    @arg("n"): the default of 'n' lies outside its constraint: n: expected at most 5, got 9 (int)
    widen the constraint if the default is valid; it is not tested
@arg(a=ints(1, 5), b=ints(1, 5))
@arg(c=strs(min_len=2), d=ints(1, 5), n=ints(1, 5))
def f(n, a=9, b=0, c="", d=-1): pass
    f: the defaults of 'a', 'b', 'c' and 'd' lie outside their constraints: a: expected at most 5, got 9 (int); b: expected at least 1, got 0 (int); len(c): expected at least 2, got 0 (int); …
    widen the constraints if the defaults are valid; they are not tested
@arg(n=ints(1, 5).where(lambda v: v / 0))
    .where(<lambda>): the predicate raises ZeroDivisionError: division by zero
    make it return True or False for every value
ints(1, 5).map(3)
    ints(min=1, max=5).map(3) expects a function
    give a function
def f(n: Annotated[int, ints(1, 2), ints(3, 4)]): pass
    type hint: 'n': Annotated[…] holds two constraints, ints(min=1, max=2) and ints(min=3, max=4)
    keep one; anys(…) says a union
@require("len(batch) > 1")
@arg(n=np_arrays("uint8", "*batch h w"))
    @require("len(batch) > 1"): *batch stands for any number of sides, and has no value in a precondition
    write n.shape[:-2] instead of batch
@require("len(batch) > 1")
@arg(n=np_arrays("uint8", "c *batch"))
    @require("len(batch) > 1"): *batch stands for any number of sides, and has no value in a precondition
    write n.shape[1:] instead of batch
@require(lambda batch: batch)
@arg(n=np_arrays("uint8", "*batch"))
    @require(<lambda>): *batch stands for any number of sides, and has no value in a precondition
    write n.shape instead of batch
@require("batch != ()")
@arg(n=lists(np_arrays("uint8", "*batch")))
    @require("batch != ()"): *batch stands for any number of sides, and has no value in a precondition
    use the shapes that n has
@require("heigth > 2")
@arg(n=np_arrays("uint8", "height w"))
    @require("heigth > 2"): f knows no name 'heigth'. Did you mean 'height'?
    use the arguments, the dimensions (height, w), the names of the module, or builtins
@require("size > n")
@arg(n=ints(), sizes=ints())
def f(n, sizes=1): pass
    @require("size > n"): f knows no name 'size'. Did you mean 'sizes'?
    use the arguments, the names of the module, or builtins
"""


def _read(text):
    rows, code = [], []
    lines = iter(text.strip().splitlines())
    for line in lines:
        if not line.startswith("    "):
            code.append(line)
            continue
        said, remedy = line.strip(), next(lines).strip()
        if not code[0].startswith(("@", "def ")):
            code, said = [f"@arg(n={code[0]})"], f'@arg("n"): {said}'
        if not code[-1].startswith("def "):
            code.append("def f(n): pass")
        rows.append(("\n".join(code), said, remedy))
        code = []
    return rows


MISTAKES = _read(TEXT)
