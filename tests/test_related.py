"""`annotest generate` for related arguments: how it is written."""

import subprocess
import sys

import pytest
from conftest import generated

WRITTEN = {
    "conv": """\
@arg(h=ints(1, 64), k=ints(1, 31), p=ints(0, 3), s=ints(1, 4), bias=bools())
@require("k <= h + 2 * p")
@require("(h + 2 * p - k) % s == 0")
def conv(h, k, p, s, bias): pass
""",
    "matmul": """\
@dims(k=froms([8, 16]))
@arg(x=np_arrays("float32", "b k"), w=np_arrays("float32", "k 2*m"))
def matmul(x, w): pass
""",
    "unfold": """\
@arg(height=ints(1, 99), width=ints(1, 99), patch=ints(1, 32), stride=ints(1, 9))
@require("(height - patch) % stride == 0 or (height + patch) % stride == 1")
@require("(width - patch) % stride == 0 and height - width in (patch, stride)")
def unfold(height, width, patch, stride): pass
""",
    "split": """\
@arg(splits=int_lists(min_len=1, max_len=4, min=1, max=9), d=ints(1, 30))
@require("sum(splits) == d")
def split(splits, d): pass
""",
    "from_zero": """\
@arg(a=ints(0, 99), b=ints(0, 99))
@require("a == b + 50")
def from_zero(a, b): pass
""",
    "alone": """\
@arg(x=np_arrays("int8", "b k"))
@require("b * k == 12")
def alone(x): pass
""",
    "broken_once": """\
@arg(mode=froms([1, 2]), stride=ints(1, 4), kernel=ints(1, 99))
@require("mode != 1 or stride == 1 and kernel % 11 == 0")
def broken_once(mode, stride, kernel): pass
""",
    "quoted": """\
@arg(h=ints(1, 99), w=ints(1, 99))
@require("(h == 50 + w) == True")
def quoted(h, w): pass
""",
    "otherwise": """\
@arg(x=ints(0, 99), mode=froms(["a", "b"]))
@require("x % 2 == 0 if mode == 'a' else x > 3")
def otherwise(x, mode): pass
""",
    "ambiguous": """\
@arg(x=np_arrays("int8", "l k"), y=np_arrays("int8", "k l"))
def ambiguous(x, y): pass
""",
}

CONV = """\
@st.composite
def related_arguments_of_conv(draw):
    p = draw(st.integers(min_value=0, max_value=3))
    s = draw(st.integers(min_value=1, max_value=4))
    k = draw(st.integers(min_value=1, max_value=31))
    fitting = [h for h in range(1, 65) if k <= h + 2 * p and (h + 2 * p - k) % s == 0]
    h = draw(st.sampled_from(fitting or reject()))
    return h, k, p, s


@RELAXED
@given(related=related_arguments_of_conv(), bias=st.booleans())
def test_conv(related, bias):
    h, k, p, s = related
    conv(h=h, k=k, p=p, s=s, bias=bias)
"""

MATMUL = """\
@st.composite
def related_arguments_of_matmul(draw):
    k = draw(st.sampled_from([8, 16]))
    b = draw(st.integers(min_value=1, max_value=8))
    m = draw(st.integers(min_value=1, max_value=8))
    x = draw(
        hnp.arrays(
            dtype="float32",
            shape=(b, k),
            elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
        ),
    )
    w = draw(
        hnp.arrays(
            dtype="float32",
            shape=(k, 2 * m),
            elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
        ),
    )
    return x, w


@RELAXED
@given(related=related_arguments_of_matmul())
def test_matmul(related):
    x, w = related
    matmul(x=x, w=w)
"""

UNFOLD = """\
@st.composite
def related_arguments_of_unfold(draw):
    stride = draw(st.integers(min_value=1, max_value=9))
    patch = draw(st.integers(min_value=1, max_value=32))
    fitting = [width for width in range(1, 99) if (width - patch) % stride == 0]
    width = draw(st.sampled_from(fitting or reject()))
    fitting = [
        height
        for height in range(2, 100)
        if ((height - patch) % stride == 0 or (height + patch) % stride == 1)
        and height - width in (patch, stride)
    ]
    height = draw(st.sampled_from(fitting or reject()))
    return height, width, patch, stride


@RELAXED
@given(related=related_arguments_of_unfold())
def test_unfold(related):
    height, width, patch, stride = related
    unfold(height=height, width=width, patch=patch, stride=stride)
"""

SPLIT = """\
@st.composite
def related_arguments_of_split(draw):
    d = draw(st.integers(min_value=1, max_value=30))
    splits_len = draw(st.integers(min_value=-(-d // 9), max_value=min(4, d)))
    splits = []
    for left in reversed(range(splits_len)):
        so_far = sum(splits)
        least = max(1, d - so_far - 9 * left)
        most = min(9, d - so_far - left)
        splits.append(draw(st.integers(min_value=least, max_value=most)))
    return splits, d


@RELAXED
@given(related=related_arguments_of_split())
def test_split(related):
    splits, d = related
    split(splits=splits, d=d)
"""

GOLDEN = {"conv": CONV, "matmul": MATMUL, "unfold": UNFOLD, "split": SPLIT}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return generated(tmp_path_factory.mktemp("written"), WRITTEN)


def ruff(command, *options, folder):
    words = [sys.executable, "-m", "ruff", command, "--isolated", "--no-cache", *options]
    done = subprocess.run([*words, "."], cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def formatted(written):
    return ruff("format", "--diff", folder=written)


@pytest.fixture(scope="module")
def checked(written):
    return ruff("check", "--output-format", "concise", folder=written)


@pytest.mark.parametrize("name", GOLDEN)
def test_related_arguments_are_written_in_the_order_of_the_plan(written, name):
    text = (written / f"test_{name}.py").read_text()
    _, _, tests = text.partition("RELAXED = ")
    assert (
        tests.partition("\n\n\n")[2].partition("\n\n\n# The precond")[0].rstrip() + "\n"
        == (GOLDEN[name])
    )


@pytest.mark.parametrize("name", WRITTEN)
def test_the_file_is_formatted_as_ruff_formats(formatted, name):
    changes = [one for one in formatted.split("--- ") if one.startswith(f"test_{name}.py")]
    assert changes == []


@pytest.mark.parametrize("name", WRITTEN)
def test_the_file_is_clean(checked, name):
    assert [line for line in checked.splitlines() if line.startswith(f"test_{name}.py:")] == []
