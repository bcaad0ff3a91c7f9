# Made by annotest 0.1.0 from layers.py
# with: annotest generate layers.py
# Generating again overwrites this file: change the annotations instead.
"""Property-based tests of layers."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
from annotest.strategies import calls, inputs, parts
from hypothesis import HealthCheck, assume, given, reject, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from layers import (
    LIMIT,
    Callback,
    Mode,
    Optimizer,
    activate,
    build,
    combine,
    convolve,
    dense,
    fits,
    is_power_of_two,
    pair,
    scale,
    zipped,
)

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))


def test_import_of_layers():
    code = 'import importlib; importlib.import_module("layers")'
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)


@RELAXED
@given(inputs=inputs(build))
def test_build(inputs):
    build(**inputs)


@settings(RELAXED, max_examples=50, deadline=timedelta(seconds=5.0))
@given(
    width=st.integers(min_value=1, max_value=64).filter(is_power_of_two),
    depth=st.sampled_from(range(2, 17, 2)),
    mode=st.sampled_from([Mode.TRAIN, Mode.TEST]),
)
def test_scale(width, depth, mode):
    assume(fits(width=width, depth=depth))
    assume(
        width >= depth or width * depth <= LIMIT // 2 or (width == LIMIT and depth == 1)
    )
    scale(width, depth, mode=mode)


@st.composite
def made_by_dense(draw):
    bias = draw(st.booleans())
    fitting = [units for units in range(1, 9) if units > 1 or bias]
    units = draw(st.sampled_from(fitting or reject()))
    return dense(units=units, bias=bias)


@RELAXED
@given(
    net=made_by_dense(),
    nets=st.lists(made_by_dense(), min_size=0, max_size=2),
    options=st.fixed_dictionaries(
        {
            "name": st.text(
                st.characters(min_codepoint=32, max_codepoint=126),
                min_size=0,
                max_size=20,
            ),
        },
        optional={"seed": st.integers(min_value=0, max_value=1000)},
    ),
)
def test_combine(net, nets, options):
    combine(net=net, nets=nets, **options)


@st.composite
def made_by_pair(draw):
    size = draw(st.integers(min_value=2, max_value=4))
    return pair(size=size)


@RELAXED
@given(left_and_right=made_by_pair())
def test_zipped(left_and_right):
    left, right = parts(left_and_right, "left", "right")
    zipped(left=left, right=right)


@RELAXED
@given(
    image=hnp.arrays(
        dtype="float32",
        shape=hnp.array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
        elements=st.floats(
            min_value=0.0,
            max_value=1.0,
            width=32,
            allow_nan=False,
            allow_infinity=False,
        ),
    ),
    kernel=hnp.arrays(dtype="int8", shape=(3, 3)),
)
def test_convolve(image, kernel):
    assume(image.std() < 1)
    convolve(image=image, kernel=kernel)


def test_convolve_example_1():
    convolve(
        image=np.full((2, 2), 0.0, dtype="float32"),
        kernel=np.full((3, 3), 1, dtype="int8"),
    )


@RELAXED
@given(kind=st.sampled_from(["relu", "tanh"]), inplace=st.booleans())
def test_activate(kind, inplace):
    activate(kind=kind, inplace=inplace)


@RELAXED
@given(
    rate=st.one_of(
        st.floats(
            min_value=0.0001,
            max_value=0.1,
            allow_nan=False,
            allow_infinity=False,
        ),
        st.just(0.01),
    ),
)
def test_Optimizer_init(rate):
    Optimizer(rate=rate)


@RELAXED
@given(call=calls(Optimizer.step))
def test_Optimizer_step(call):
    call()


@st.composite
def instances_of_Optimizer(draw):
    rate = draw(
        st.one_of(
            st.floats(
                min_value=0.0001,
                max_value=0.1,
                allow_nan=False,
                allow_infinity=False,
            ),
            st.just(0.01),
        ),
    )
    return Optimizer(rate=rate)


@RELAXED
@given(instance=instances_of_Optimizer())
def test_Optimizer_speed(instance):
    _ = instance.speed


@RELAXED
@given(name=st.sampled_from(["sgd", "adam"]))
def test_Optimizer_named(name):
    Optimizer.named(name=name)


@RELAXED
@given(path=st.sampled_from(["a.png", "b.png"]))
def test_Callback_init(path):
    Callback(path=path)


@st.composite
def instances_of_Callback(draw):
    arguments = draw(
        st.sampled_from([{"path": "a.png", "every": 2}, {"path": "b.png"}]),
    )
    return Callback(**arguments)


@RELAXED
@given(instance=instances_of_Callback(), epoch=st.integers(min_value=0, max_value=9))
def test_Callback_on_epoch_end(instance, epoch):
    instance.on_epoch_end(epoch=epoch)


@RELAXED
@given(instance=instances_of_Callback())
def test_Callback_on_epoch_end_example_1(instance):
    instance.on_epoch_end(epoch=3)


# The preconditions and argument names above are the annotated program's own words.
# ruff: noqa: RUF100, E711, E712, E713, E714, E721, E731, E741, F632, B015, C400, C401
# ruff: noqa: C402, C403, C404, C405, C408, C409, C410, C411, C413, C414, C415, C416
# ruff: noqa: C417, C418, C419, FURB168, FURB169, FURB192, PLC0208, PLR0124, PLR0133
# ruff: noqa: PLR1716, PLW0177, RUF007, RUF015, RUF046, RUF057, SIM101, SIM118, SIM201
# ruff: noqa: SIM202, SIM208, SIM210, SIM211, SIM220, SIM221, SIM222, SIM223, UP018
# ruff: noqa: UP034
