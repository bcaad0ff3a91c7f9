"""A custom generator that nobody had to invent: it was extracted from code the project had.

`conv_block` needs a network, which no constraint describes. But `build_network` calls it, so the
lines there that prepare the network already know how to make a valid one:

1. find a caller of the function to be tested: `build_network`;
2. extract the lines that make the argument into a function of their own, `block_inputs`; what those
   lines read from outside becomes its arguments;
3. mark it `@generator`, and annotate its arguments like those of any function.
"""

from tiny_layers import Conv, Dense, Dropout, Input, Normalize, Reshape, concatenate

from annotest import anys, arg, bools, exclude, floats, froms, generator, ints, objs


@generator
@exclude
@arg("latent_size", ints(1, 64))
@arg("label_size", ints(0, 10))
@arg("normalized", bools())
def block_inputs(latent_size, label_size, normalized):
    """Return a network that `conv_block` may continue: images of one pixel."""
    net = Input((latent_size,))
    if normalized:
        net = Normalize()(net)
    if label_size:
        net = concatenate(net, Input((label_size,)))
    return Reshape((1, 1, net.output_shape[-1]))(net)


@arg("net", objs(block_inputs))
@arg("filters", ints(1, 128))
@arg("kernel", froms([1, 3, 5]))
@arg("dropout", anys(None, floats(0, 1, exclude_min=True, exclude_max=True)))
def conv_block(net, filters, kernel=3, dropout=None):
    """Add a convolution, and dropout on demand."""
    net = Conv(filters, kernel)(net)
    return net if dropout is None else Dropout(dropout)(net)


@arg("classes", ints(2, 10))
@arg("latent_size", ints(1, 64))
@arg("label_size", ints(0, 10))
@arg("normalized", bools())
def build_network(classes, latent_size=16, label_size=0, normalized=True):
    """Return a small network; the caller that the generator was extracted from."""
    net = block_inputs(latent_size, label_size, normalized)
    net = conv_block(net, filters=32)
    net = conv_block(net, filters=64, dropout=0.5)
    return Dense(classes)(net)
