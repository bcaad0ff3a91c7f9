# Made by annotest 0.1.0 from shapes.py
# with: annotest generate shapes.py
# Generating again overwrites this file: change the annotations instead.
"""Property-based tests of shapes."""

import sys
from pathlib import Path

import hypothesis.strategies as st
from annotest.strategies import arrays, calls, inputs
from hypothesis import HealthCheck, given, reject, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shapes import (
    arrays_from_sides,
    assignment,
    by_name,
    by_place,
    different,
    each_item,
    in_order,
    interval,
    length,
    listing,
    permutation,
)

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def related_arguments_of_assignment(draw):
    hidden = draw(st.integers(min_value=1, max_value=9))
    out = 2 * hidden + 1
    return hidden, out


@RELAXED
@given(related=related_arguments_of_assignment(), mode=st.sampled_from(["sum", "mean"]))
def test_assignment(related, mode):
    hidden, out = related
    assignment(hidden=hidden, out=out, mode=mode)


@st.composite
def related_arguments_of_interval(draw):
    warmup = draw(st.integers(min_value=0, max_value=99))
    total = draw(st.integers(min_value=warmup + 1, max_value=100))
    lo = draw(st.floats(min_value=0.0, max_value=1.0, exclude_max=True))
    hi = draw(st.floats(min_value=lo, max_value=1.0, exclude_min=True))
    return lo, hi, warmup, total


@RELAXED
@given(related=related_arguments_of_interval())
def test_interval(related):
    lo, hi, warmup, total = related
    interval(lo=lo, hi=hi, warmup=warmup, total=total)


@st.composite
def related_arguments_of_listing(draw):
    s = draw(st.integers(min_value=1, max_value=4))
    p = draw(st.integers(min_value=0, max_value=5))
    k = draw(st.integers(min_value=1, max_value=11))
    fitting = [h for h in range(1, 65) if k <= h + 2 * p and (h + 2 * p - k) % s == 0]
    h = draw(st.sampled_from(fitting or reject()))
    return h, k, p, s


@RELAXED
@given(related=related_arguments_of_listing())
def test_listing(related):
    h, k, p, s = related
    listing(h=h, k=k, p=p, s=s)


@st.composite
def related_arguments_of_arrays_from_sides(draw):
    k = draw(st.sampled_from([8, 16]))
    b = draw(st.integers(min_value=1, max_value=8))
    m = draw(st.integers(min_value=1, max_value=8))
    x = draw(arrays(dtype="float32", shape=(b, k), min=-1.0, max=1.0))
    w = draw(arrays(dtype="float32", shape=(k, 2 * m), min=-1.0, max=1.0))
    return x, w


@RELAXED
@given(related=related_arguments_of_arrays_from_sides())
def test_arrays_from_sides(related):
    x, w = related
    arrays_from_sides(x=x, w=w)


@st.composite
def related_arguments_of_each_item(draw):
    classes = draw(st.integers(min_value=1, max_value=20))
    labels = draw(
        st.lists(
            st.integers(min_value=0, max_value=classes - 1),
            min_size=1,
            max_size=8,
        ),
    )
    return labels, classes


@RELAXED
@given(related=related_arguments_of_each_item())
def test_each_item(related):
    labels, classes = related
    each_item(labels=labels, classes=classes)


@st.composite
def related_arguments_of_in_order(draw):
    rates = sorted(
        draw(
            st.lists(
                st.floats(
                    min_value=0.0,
                    max_value=1.0,
                    allow_nan=False,
                    allow_infinity=False,
                ),
                min_size=1,
                max_size=5,
            ),
        ),
        reverse=True,
    )
    return rates


@RELAXED
@given(rates=related_arguments_of_in_order())
def test_in_order(rates):
    in_order(rates=rates)


@st.composite
def related_arguments_of_different(draw):
    ids = draw(
        st.lists(
            st.integers(min_value=0, max_value=31),
            min_size=1,
            max_size=8,
            unique=True,
        ),
    )
    return ids


@RELAXED
@given(ids=related_arguments_of_different())
def test_different(ids):
    different(ids=ids)


@st.composite
def related_arguments_of_permutation(draw):
    order_len = draw(st.integers(min_value=1, max_value=8))
    n = order_len
    order = draw(st.permutations(range(order_len)))
    return n, order


@RELAXED
@given(related=related_arguments_of_permutation())
def test_permutation(related):
    n, order = related
    permutation(n=n, order=order)


@st.composite
def related_arguments_of_length(draw):
    layers_len = draw(st.integers(min_value=1, max_value=10))
    n = layers_len
    layers = draw(
        st.lists(
            st.integers(min_value=1, max_value=64),
            min_size=layers_len,
            max_size=layers_len,
        ),
    )
    return n, layers


@RELAXED
@given(related=related_arguments_of_length())
def test_length(related):
    n, layers = related
    length(n=n, layers=layers)


@RELAXED
@given(inputs=inputs(by_name))
def test_by_name(inputs):
    by_name(**inputs)


@RELAXED
@given(call=calls(by_place))
def test_by_place(call):
    call()


# The preconditions and argument names above are the annotated program's own words.
# ruff: noqa: RUF100, E711, E712, E713, E714, E721, E731, E741, F632, B015, C400, C401
# ruff: noqa: C402, C403, C404, C405, C408, C409, C410, C411, C413, C414, C415, C416
# ruff: noqa: C417, C418, C419, FURB168, FURB169, FURB192, PLC0208, PLR0124, PLR0133
# ruff: noqa: PLR1716, PLW0177, RUF007, RUF015, RUF046, RUF057, SIM101, SIM118, SIM201
# ruff: noqa: SIM202, SIM208, SIM210, SIM211, SIM220, SIM221, SIM222, SIM223, UP018
# ruff: noqa: UP034
