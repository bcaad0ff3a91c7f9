"""Open arguments: lists for *args, dictionaries for **kwargs."""

import annotest.an_language as an

KNOWN = {"lr": 0.1, "decay": 0.0}


@an.arg("sizes", an.integer_lists())
@an.arg(
    "options",
    an.dictionaries(keys=an.sampled(elements=["lr", "decay", "momentum"]), values=an.floats(0, 1)),
)
def configure(name="net", *sizes, **options):
    assert name == "net"
    assert 1 <= len(sizes) <= 3
    assert all(1 <= size <= 6 for size in sizes)
    for option in options:
        if option not in KNOWN:
            raise KeyError(option)  # planted: KeyError
    return {**KNOWN, **options}


@an.arg("counts", an.dictionaries(an.integers(0, 9), an.integers(1, 9), min_size=1, max_size=2))
def mean(counts):
    assert 1 <= len(counts) <= 2
    return sum(key * weight for key, weight in counts.items()) / sum(counts.values())


@an.arg("dense_layers", an.multiple(an.integers(min_value=1, max_value=4), an.integer_lists()))
@an.arg("dense_blocks", an.integers(2, 5))
@an.precondition("type(dense_layers) is not list or len(dense_layers) == dense_blocks")
def dense_net(dense_blocks=3, dense_layers=-1):
    if type(dense_layers) is list:
        assert len(dense_layers) == dense_blocks
        return dense_layers
    if dense_layers == -1:
        return [dense_blocks - 3 // 0]  # planted: ZeroDivisionError
    return [dense_layers] * dense_blocks
