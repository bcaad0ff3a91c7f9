"""What frameworks keep of calls that are over is released, and nothing that a program keeps."""

import os
import subprocess
import sys

import pytest
from conftest import run_json

pytestmark = pytest.mark.frameworks

MODELS = """
import gc, os, sys
import keras
from annotest.engine.child import footprint

def make(n):
    model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Conv2D(n % 30 + 1, 3),
                              keras.layers.Flatten(), keras.layers.Dense(9)])
    model.compile(optimizer="adam", loss="mse")

for n in range(40):
    make(n)
gc.collect()
gc.freeze()  # as a worker does
footprint.EVERY, footprint.PAUSE, footprint.STEP = 0, 0, 4 << 20
left = footprint.Footprint()
for n in range(200):
    make(n)
    if sys.argv[1] == "looks":
        left.look()
size = footprint.process.resident(os.getpid())
print((size - left._began_with) >> 20)
"""
KEPT = """
import numpy as np
import keras, tensorflow as tf
from annotest.frameworks.caches import drop_caches

keras.config.set_dtype_policy("mixed_float16")
keras.utils.set_random_seed(3)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dropout(0.5)])
model.compile(optimizer="adam", loss="mse")
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [7]), -1)
numbers = iter(tf.data.Dataset.range(100).shuffle(10, seed=1))
queue = tf.queue.FIFOQueue(5, [tf.int32])
generator = tf.random.Generator.from_seed(1)
weights = tf.Variable(tf.ones((4, 2)))

@tf.function
def step(x):
    return tf.reduce_sum(tf.matmul(x, weights))

def use():
    x = np.ones((2, 4), "float32")
    loss = model.train_on_batch(x, np.zeros((2, 3), "float32"))
    queue.enqueue(4)
    weights.assign_add(tf.ones((4, 2)))
    generator.normal([2])
    return model.predict(x, verbose=0).shape, float(step(x)), int(table.lookup(tf.constant("a")))

assert use() == ((2, 3), 32.0, 7)
steps, seen = int(model.optimizer.iterations), int(next(numbers))
drop_caches()
assert use() == ((2, 3), 48.0, 7)
assert int(model.optimizer.iterations) == steps + 1
assert int(next(numbers)) != seen
assert (int(queue.size()), int(queue.dequeue())) == (2, 4)
assert keras.config.dtype_policy().name == "mixed_float16"
assert keras.layers.Dense(1).name != model.layers[0].name
print("all is well")
"""


def run(source, *words):
    env = os.environ | {"KERAS_BACKEND": "tensorflow", "TF_CPP_MIN_LOG_LEVEL": "3"}
    command = [sys.executable, "-c", source, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_process_that_makes_models_grows_by_less_than_half():
    assert 2 * int(run(MODELS, "looks")) < int(run(MODELS, "does not"))


def test_what_a_program_keeps_goes_on_after_the_caches_are_dropped():
    assert run(KEPT) == "all is well"


COMPILED = """
import jax
import jax.numpy as jnp
from annotest import arg, ints

FOUND = []
jax.monitoring.register_event_listener(lambda event, **_: FOUND.append(event))


def compute(n):
    return jax.jit(lambda x: jnp.tanh(x @ x).sum())(jnp.ones((n, n)))


@arg(n=ints(5, 5))
def compiles(n):
    compute(n)


@arg(n=ints(5, 5))
def uses(n):
    compute(n)
    raise ValueError("found" if "/jax/compilation_cache/cache_hits" in FOUND else "compiled anew")
"""


def test_what_jax_compiles_in_one_process_is_not_compiled_again_in_the_next(tmp_path):
    (tmp_path / "program.py").write_text(COMPILED)
    done = run_json("program.py", "--workers", 1, cwd=tmp_path, tmp_path=tmp_path)
    assert done.target("compiles")["status"] == "passed", done.stdout
    (finding,) = done.findings("uses")
    assert finding["exception"]["message"] == "found"
