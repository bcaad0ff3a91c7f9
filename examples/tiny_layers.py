"""A layer library in miniature, standing where a real program would use a framework.

A layer is called on a network and returns a longer one. Only shapes are computed, as when a
framework builds a model, and sizes that make no sense are refused, as a framework does.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Net:
    """A network: the shapes it takes and gives (without the batch), and its layers."""

    input_shape: tuple
    output_shape: tuple
    layers: tuple = ()

    def then(self, layer, output_shape):
        """Return this network with one more layer."""
        return Net(self.input_shape, tuple(output_shape), (*self.layers, layer))


def at_least(least, **sizes):
    """Refuse sizes that are not whole numbers, or too small: no layer has half a unit."""
    for name, size in sizes.items():
        if type(size) is not int:
            raise TypeError(f"{name} must be an int, got {size!r}")
        if size < least:
            raise ValueError(f"{name} must be at least {least}, got {size}")


def Input(shape):
    """Return a network without layers."""
    for size in shape:
        at_least(1, size=size)
    return Net(tuple(shape), tuple(shape))


def stack(first, second):
    """Return the network that feeds what `first` gives to `second`."""
    if first.output_shape != second.input_shape:
        raise ValueError(f"{first.output_shape} does not fit {second.input_shape}")
    return Net(first.input_shape, second.output_shape, first.layers + second.layers)


def concatenate(first, second):
    """Return `first` with what `second` gives joined to its output, along the last axis."""
    *sides, channels = first.output_shape
    *other_sides, other_channels = second.output_shape
    if sides != other_sides:
        raise ValueError(f"{first.output_shape} and {second.output_shape} cannot be joined")
    return first.then("concatenate", (*sides, channels + other_channels))


@dataclass(frozen=True)
class Dense:
    """Each unit sees the whole input."""

    units: int

    def __post_init__(self):
        at_least(1, units=self.units)

    def __call__(self, net):
        return net.then(self, (self.units,))


@dataclass(frozen=True)
class Conv:
    """A convolution of images; without padding it takes `kernel - 1` off each side."""

    filters: int
    kernel: int
    padded: bool = True
    weight_decay: float = 0.0

    def __post_init__(self):
        at_least(1, filters=self.filters, kernel=self.kernel)
        if self.weight_decay < 0:
            raise ValueError(f"weight_decay must not be negative, got {self.weight_decay}")

    def __call__(self, net):
        lost = 0 if self.padded else self.kernel - 1
        height, width, _ = net.output_shape
        at_least(1, height=height - lost, width=width - lost)
        return net.then(self, (height - lost, width - lost, self.filters))


@dataclass(frozen=True)
class Halve:
    """Pooling that halves both sides of an image."""

    def __call__(self, net):
        height, width, channels = net.output_shape
        at_least(2, height=height, width=width)
        return net.then(self, (height // 2, width // 2, channels))


@dataclass(frozen=True)
class Dropout:
    """Leaves out a share of the units while training."""

    rate: float

    def __post_init__(self):
        if not 0 < self.rate < 1:
            raise ValueError(f"rate must lie between 0 and 1, got {self.rate}")

    def __call__(self, net):
        return net.then(self, net.output_shape)


@dataclass(frozen=True)
class Normalize:
    """Scales what it is given to unit length."""

    def __call__(self, net):
        return net.then(self, net.output_shape)


@dataclass(frozen=True)
class Reshape:
    """Gives its input another shape; as a first layer it also says which shape it takes."""

    shape: tuple
    input_shape: tuple | None = None

    def __post_init__(self):
        for size in (*self.shape, *(self.input_shape or ())):
            at_least(1, size=size)

    def __call__(self, net):
        if math.prod(net.output_shape) != math.prod(self.shape):
            raise ValueError(f"{net.output_shape} cannot be reshaped to {self.shape}")
        return net.then(self, self.shape)
