# Made by annotest 0.1.0 from attention.py
# with: annotest generate attention.py
# Generating again overwrites this file: change the annotations instead.
"""Property-based tests of attention."""

import sys
from pathlib import Path

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import torch
from annotest.strategies import calls, tensors
from annotest.strategies import inputs as inputs_
from hypothesis import HealthCheck, given, reject, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attention import (
    Linear,
    degrees,
    dropped,
    graphs,
    halved,
    joined,
    logarithms,
    normalised,
    product,
    scores,
)

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def related_arguments_of_scores(draw):
    b = draw(st.integers(min_value=1, max_value=8))
    m = draw(st.integers(min_value=1, max_value=8))
    n = draw(st.integers(min_value=1, max_value=8))
    heads = draw(st.integers(min_value=1, max_value=8))
    fitting = [d for d in range(1, 33) if d % heads == 0]
    d = draw(st.sampled_from(fitting or reject()))
    q = draw(tensors(shape=(b, n, d), min=-1, max=1))
    k = draw(tensors(shape=(b, m, d), min=-1, max=1))
    return q, k, heads


@RELAXED
@given(related=related_arguments_of_scores())
def test_scores(related):
    q, k, heads = related
    scores(q=q, k=k, heads=heads)


@st.composite
def related_arguments_of_normalised(draw):
    b = draw(st.integers(min_value=1, max_value=8))
    h = draw(st.integers(min_value=1, max_value=8))
    w = draw(st.integers(min_value=1, max_value=8))
    images = draw(tensors(shape=(b, 3, h, w), dtype="uint8", layout="channels_last"))
    return images


@RELAXED
@given(images=related_arguments_of_normalised())
def test_normalised(images):
    normalised(images=images)


@RELAXED
@given(
    x=tensors(shape=(8, 16), dtype="bfloat16", min=0, max=1, requires_grad=True),
    rate=st.sampled_from([0.0, 0.5]),
)
def test_dropped(x, rate):
    dropped(x=x, rate=rate)


@RELAXED
@given(
    x=tensors(
        shape=(3, 4),
        elements=st.floats(
            min_value=0.0,
            max_value=1.0,
            exclude_min=True,
            width=32,
            allow_nan=False,
            allow_infinity=False,
        ),
        layout=["contiguous"],
    ),
)
def test_logarithms(x):
    logarithms(x=x)


@RELAXED
@given(inputs=inputs_(product))
def test_product(inputs):
    product(**inputs)


@RELAXED
@given(inputs=inputs_(joined))
def test_joined(inputs):
    joined(**inputs)


@RELAXED
@given(
    x=tensors(
        shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6),
    ).map(torch.relu),
)
def test_halved(x):
    halved(x=x)


@st.composite
def made_by_graphs(draw):
    m = draw(st.integers(min_value=1, max_value=8))
    edges = draw(tensors(shape=(2, m), dtype="int64", min=0, max=5))
    return graphs(edges=edges)


@RELAXED
@given(graph=made_by_graphs())
def test_degrees(graph):
    degrees(graph=graph)


@RELAXED
@given(
    inputs=st.integers(min_value=1, max_value=8),
    outputs=st.integers(min_value=1, max_value=8),
)
def test_Linear_init(inputs, outputs):
    Linear(inputs=inputs, outputs=outputs)


@RELAXED
@given(call=calls(Linear.forward))
def test_Linear_forward(call):
    call()


# The preconditions and argument names above are the annotated program's own words.
# ruff: noqa: RUF100, E711, E712, E713, E714, E721, E731, E741, F632, B015, C400, C401
# ruff: noqa: C402, C403, C404, C405, C408, C409, C410, C411, C413, C414, C415, C416
# ruff: noqa: C417, C418, C419, FURB168, FURB169, FURB192, PLC0208, PLR0124, PLR0133
# ruff: noqa: PLR1716, PLW0177, RUF007, RUF015, RUF046, RUF057, SIM101, SIM118, SIM201
# ruff: noqa: SIM202, SIM208, SIM210, SIM211, SIM220, SIM221, SIM222, SIM223, UP018
# ruff: noqa: UP034
