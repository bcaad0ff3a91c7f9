"""A builder of densely connected networks: every layer of a block sees all layers before it.

It takes few values of few kinds, so almost every call that a tool could make up is wrong. The
eleven annotations above `DenseNet` say which calls are right.
"""

from tiny_layers import Conv, Dense, Dropout, Halve, Input, concatenate

from annotest import anys, arg, bools, floats, int_lists, ints, require, tuples


@arg("input_shape", tuples(ints(20, 70), ints(20, 70), ints(1, 3)))
@arg("dense_blocks", ints(2, 5))
@arg("dense_layers", anys(-1, ints(1, 5), int_lists(min_len=2, max_len=5, min=2, max=5)))
@arg("growth_rate", ints(1, 20))
@arg("nb_classes", ints(2, 22))
@arg("dropout_rate", floats(0, 1, exclude_min=True, exclude_max=True))
@arg("bottleneck", bools())
@arg("compression", floats(0, 1, exclude_min=True))
@arg("weight_decay", floats(1e-4, 1e-2))
@arg("depth", ints(10, 100))
@require("type(dense_layers) is not list or len(dense_layers) == dense_blocks")
def DenseNet(
    input_shape=None,
    dense_blocks=3,
    dense_layers=-1,
    growth_rate=12,
    nb_classes=None,
    dropout_rate=None,
    bottleneck=False,
    compression=1.0,
    weight_decay=1e-4,
    depth=40,
):
    """Return a network that sorts images of `input_shape` into `nb_classes` classes."""
    if nb_classes is None:
        raise ValueError("nb_classes is missing: into how many classes are the images sorted?")
    if not 0 < compression <= 1:
        raise ValueError(f"compression must be above 0 and at most 1, got {compression}")
    if isinstance(dense_layers, list):
        if len(dense_layers) != dense_blocks:
            raise ValueError(f"{dense_blocks} blocks need as many numbers of layers")
    else:
        if dense_layers == -1:
            # Planted bug: / gives a float, and no block has 12.0 layers. Right: (depth - 4) // 3
            dense_layers = (depth - 4) / 3
        dense_layers = [dense_layers] * dense_blocks

    # unpadded: 20 is the smallest side that can still be halved between five blocks
    net = Conv(2 * growth_rate, kernel=5, padded=False, weight_decay=weight_decay)(
        Input(input_shape)
    )
    for number, layers in enumerate(dense_layers):
        if number > 0:
            net = transition(net, compression, weight_decay)
        net = dense_block(net, layers, growth_rate, dropout_rate, bottleneck, weight_decay)
    return Dense(nb_classes)(net)


def dense_block(net, layers, growth_rate, dropout_rate, bottleneck, weight_decay):
    """Add layers that each see what all layers before them give."""
    # where the planted bug shows: range takes no float
    for _ in range(layers):
        new = net
        if bottleneck:
            new = Conv(4 * growth_rate, kernel=1, weight_decay=weight_decay)(new)
        new = Conv(growth_rate, kernel=3, weight_decay=weight_decay)(new)
        if dropout_rate is not None:
            new = Dropout(dropout_rate)(new)
        net = concatenate(new, net)
    return net


def transition(net, compression, weight_decay):
    """Make the images smaller, and their channels fewer."""
    channels = max(1, int(net.output_shape[-1] * compression))
    return Halve()(Conv(channels, kernel=1, weight_decay=weight_decay)(net))
