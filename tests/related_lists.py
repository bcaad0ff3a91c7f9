"""Conditions on lists and shapes as a whole, for the tests of generated files.

Every function checks its own precondition, so that an invalid input fails its test.
"""

A = "a=lists(ints(1, 20), min_len=1, max_len=5)"
B = "b=lists(ints(1, 20), min_len=1, max_len=5)"
C = "c=np_shapes(max_dims=3, max_side=8)"
D = "d=np_shapes(max_dims=3, max_side=8)"
N = "n=ints(0, 20)"
X = 'x=np_arrays("int8", np_shapes(max_dims=3, max_side=6))'
Y = 'y=np_arrays("int8", np_shapes(max_dims=3, max_side=6))'
W = 'w=np_arrays("int8", np_shapes(min_dims=2, max_dims=2, max_side=6))'
PAIRS = "layers=lists(tuples(ints(1, 64), ints(1, 64)), min_len=1, max_len=5)"
BOXES = "boxes=lists(tuples(ints(0, 64), ints(0, 64), ints(0, 64), ints(0, 64)), max_len=3)"
STEPS = "steps=lists(tuples(froms(['conv', 'pool']), ints(1, 8)), min_len=1, max_len=5)"
FEW = "lists(ints(1, 9), min_len=1, max_len=4)"
CONFIG = f"config=dicts({{'a': {FEW}, 'b': {FEW}}})"
WORDS = "words=lists(froms(['r', 'g', 'b']), min_len=1, max_len=3)"

WHOLE = {
    "equal": ("a == b", A, B),
    "turned": ("b == a[::-1]", A, B),
    "in_order": ("b == sorted(a)", A, B),
    "narrower": ("a == b", A, "b=lists(ints(3, 90), min_len=3, max_len=9)"),
    "shuffled": ("sorted(a) == sorted(b)", A, B),
    "beginning": ("len(b) <= len(a) and b == a[:len(b)]", A, B),
    "mirrored": ("a == a[::-1]", A),
    "mirrored_shape": ("c == c[::-1]", C),
    "mirrored_words": ("words == words[::-1]", WORDS),
    "same_shape": ("x.shape == y.shape", X, Y),
    "shape_of_list": ("x.shape == tuple(a)", X, A),
    "trailing_sides": ("x.shape[-len(c):] == c", X, C),
    "paired": ("len(a) == len(b) and all(p <= q for p, q in zip(a, b))", A, B),
    "paired_divisors": ("all(p % q == 0 for p, q in zip(a, b))", A, B),
    "by_place": ("all(a[i] <= b[i] for i in range(min(len(a), len(b))))", A, B),
    "chained": ("all(q % p == 0 for p, q in zip(a, a[1:]))", A),
    "broadcast": ("all(p == q or 1 in (p, q) for p, q in zip(c[::-1], d[::-1]))", C, D),
    "no_pair_alike": ("not any(p == q for p, q in zip(a, b))", A, B),
    "only_if_asked": ("n == 0 or all(p < q for p, q in zip(a, a[1:]))", A, N),
    "subset": ("set(a) <= set(b)", A, B),
    "superset": ("set(a) >= set(b)", A, B),
    "apart": ("not set(a) & set(b)", A, B),
    "apart_in_words": ("set(a).isdisjoint(b)", A, B),
    "bounded_product": ("math.prod(a) <= 64", A),
    "member": ("n in a", A, N),
    "largest": ("max(a) == n", A, N),
    "largest_of_both": ("max(a) == max(b)", A, B),
    "smallest_of_a_narrow_one": ("min(a) == n", A, "n=ints(3, 4)"),
    "first": ("a[0] == n", A, N),
    "first_and_last": (
        "a[0] == n and a[-1] == k",
        A.replace("1, max", "2, max"),
        "n=ints(1, 9)",
        "k=ints(1, 9)",
    ),
    "chain_of_two": ("b[0] == a[-1]", A, B),
    "side_at_axis": ("axis < x.ndim and x.shape[axis] == n", X, "axis=ints(0, 2)", N),
    "split_of_axis": (
        "axis < x.ndim and x.shape[axis] % n == 0",
        X,
        "axis=ints(0, 2)",
        "n=ints(1, 6)",
    ),
    "linear": ("x.shape[-1] == w.shape[0]", X, W),
    "sums": ("sum(a) == sum(b)", A, B),
    "smaller_sum": ("sum(a) < sum(b)", A, B),
    "below": ("max(a) <= min(b)", A, B),
    "strictly_below": ("min(a) > max(b)", A, B),
    "product_of_shape": ("math.prod(c) == n", C, "n=ints(1, 512)"),
    "sum_of_shape": ("sum(c) == n", C, N),
    "same_size": ("math.prod(c) == math.prod(d)", C, D),
    "same_size_large": ("math.prod(c) == math.prod(a)", C, A),
    "reshaped": ("x.size == math.prod(c)", X, C),
    "same_but_the_first": ("x.shape[1:] == y.shape[1:]", X, Y),
    "chained_layers": ("all(a[1] == b[0] for a, b in zip(layers, layers[1:]))", PAIRS),
    "boxes": ("all(x1 < x2 <= n and y1 < y2 for x1, y1, x2, y2 in boxes)", BOXES, "n=ints(2, 64)"),
    "spans_in_order": (
        "all(s[0] < s[1] for s in layers) "
        "and all(p[1] <= q[0] for p, q in zip(layers, layers[1:]))",
        PAIRS.replace("max_len=5", "max_len=2"),
    ),
    "edges": ("all(i < n and j < n and i != j for i, j in layers)", PAIRS, "n=ints(3, 64)"),
    "part_by_kind": ("all(kind != 'pool' or k <= n for kind, k in steps)", STEPS, "n=ints(1, 8)"),
    "shadowed": ("all(n < k for n, k in layers) and len(layers) == n", PAIRS, "n=ints(1, 5)"),
    "record": (
        "len(config['a']) == len(config['b']) and config['a'][0] == n",
        CONFIG,
        "n=ints(1, 9)",
    ),
    "paired_in_record": ("all(p <= q for p, q in zip(config['b'], config['a']))", CONFIG),
    "first_of_an_array": ("a[0] == w.shape[1]", A, W),
    "first_part": ("layers[0][0] == n", PAIRS, "n=ints(1, 64)"),
    "long_words": (
        "all(p == q or p == 1 or q == 1 for p, q in zip(reversed(x.shape), reversed(y.shape)))",
        X,
        Y,
    ),
    "whole_items": ("all(sum(t) == n for t in layers)", PAIRS, "n=ints(2, 9)"),
    "ends_of_parts": (
        "all(min(i, j) >= 3 for i, j in layers) and all(max(i, j) <= n for i, j in layers)",
        PAIRS.replace("min_len=1", "min_len=0"),
        "n=ints(3, 20)",
    ),
    "sum_between": ("n <= sum(a) <= k", A, N, "k=ints(1, 20)"),
    "sum_known_and_less": ("n == sum(a) and sum(a) <= sum(b)", A, B, N),
    "listed_of_some_lengths": (
        "math.prod(q) + max(q) <= n * 3 and 2 <= len(q)",
        "q=lists(ints(2, 5), min_len=1, max_len=3)",
        "n=ints(4, 9)",
    ),
    "parts_left_out": ("all(o == i for (_, o), (i, _) in zip(layers, layers[1:]))", PAIRS),
    "few_that_differ": ("len(set(words)) == len(words) and (len(words) == n or n == 0)", WORDS, N),
}
COMPUTED = {
    "close": ("math.isclose(sum(p), 1)", "p=lists(floats(0, 1), min_len=2, max_len=5)"),
    "close_enough": (
        "len(a) == len(p) and math.isclose(sum(p), 1.0, abs_tol=1e-3)",
        A,
        "p=lists(floats(0, 1), min_len=2, max_len=5)",
    ),
    "of_a_known_length": ("a == b and len(b) == n", A, B, N),
    "spread": ("max(a) - min(a) == n", A, N),
    "count_of_different": ("n == len(set(a))", A, N),
    "moved_by_one": ("b == [p + 1 for p in a]", A, B),
}
OTHERS = {
    "own_length": ("all(i < len(layers) for i, j in layers)", PAIRS.replace("1, 64", "0, 5")),
    "nested": (
        "layers[0][0] == a[0] and sum(i * j for i, j in layers) <= n",
        PAIRS.replace("max_len=5", "max_len=1"),
        A,
        "n=ints(0, 300)",
    ),
    # the product of nothing is one, which may be too much
    "none": ("math.prod(a) <= n", A.replace("min_len=1", "min_len=0"), "n=ints(-9, 20)"),
    # of the lists of so many numbers, very few have this sum and this product
    "hard": ("sum(a) == n * len(a) and a[0] * a[-1] == n", A, N),
}


def function(name, condition, *constraints):
    arguments = ", ".join(one.partition("=")[0] for one in constraints)
    return (
        f'@arg({", ".join(constraints)})\n@require("{condition}")\n'
        f"def {name}({arguments}):\n    assert {condition}\n\n\n"
    )


HEAD = "import math\n\n\n"
CASES = {name: function(name, *parts) for name, parts in (WHOLE | COMPUTED | OTHERS).items()}
