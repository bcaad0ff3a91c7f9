"""Keyword arguments that a function takes without naming them: `**kwargs` is one argument too."""

import numpy as np
from tiny_layers import Reshape

from annotest import arg, bools, dicts, froms, ints, np_arrays, np_shapes


@arg("channels", ints(1, 1000))
@arg("side", ints(1, 1000))
@arg("kwargs", dicts(keys=froms(["input_shape"]), values=np_shapes(min_dims=1, max_dims=1)))
def image_reshape(channels, side, **kwargs):
    """Return the layer that makes square images; all but their size is the layer's affair.

    `dicts(keys, values)` is a map from any keys to any values. The one key here may also be
    missing, since nothing asks for a `min_size`: `image_reshape(3, 28)` is among the calls.
    """
    return Reshape((side, side, channels), **kwargs)


AXES = {"channels_first": (2, 0, 1), "channels_last": (0, 1, 2)}


@arg("image", np_arrays("float32", np_shapes(min_dims=3, max_dims=3), min=0, max=255))
@arg("options", dicts({"order": froms(list(AXES)), "scale?": bools()}))
def prepare(image, **options):
    """Return an image as a network wants it: its axes in order, its values from 0 to 1.

    `dicts({...})` is a record: each key has a constraint of its own, and a key that ends in `?`
    may be left out.
    """
    image = np.transpose(image, AXES[options["order"]])
    # Planted bug: "scale" may be left out. Right: options.get("scale", True)
    return image / 255 if options["scale"] else image
