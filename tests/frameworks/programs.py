"""Programs of small training steps, one for each framework: every step is a target."""

HEADS = {
    "torch": """
import torch

layer = torch.nn.Linear(4, 2)


def step(n):
    loss = layer(torch.ones(n, 4)).square().mean()
    loss.backward()
    assert layer.weight.grad.shape == (2, 4)
""",
    "keras": """
import numpy as np
import keras


def step(n):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
    model.compile(optimizer="sgd", loss="mse")
    model.train_on_batch(np.ones((n, 4), "float32"), np.zeros((n, 2), "float32"))
""",
    "tensorflow": """
import tensorflow as tf


def step(n):
    weights = tf.Variable(tf.ones((4, 2)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.matmul(tf.ones((n, 4)), weights) ** 2)
    assert tape.gradient(loss, weights).shape == (4, 2)
""",
    "jax": """
import jax
import jax.numpy as jnp


def loss(weights, inputs):
    return jnp.mean(jnp.dot(inputs, weights) ** 2)


def step(n):
    gradient = jax.grad(loss)(jnp.ones((4, 2)), jnp.ones((n, 4)))
    assert gradient.shape == (4, 2)
""",
}
TARGET = """
@arg(n=ints(1, 3))
def step_{number:04}(n):
    step(n)
"""


def program(framework, targets):
    """Return the source of a program with so many targets."""
    steps = "".join(TARGET.format(number=number) for number in range(targets))
    return f"from annotest import arg, ints\n{HEADS[framework]}\n{steps}"
