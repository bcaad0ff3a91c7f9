"""Methods: to call one, an instance is needed, and `cc_example` says how to construct it."""

import os

import numpy as np

from annotest import arg, cc_example, exclude, froms, generator, ints, objs

COLORS = ["gray", "pink", "cool"]


@generator
@exclude
@arg("count", ints(1, 9))
@arg("height", ints(1, 6))
@arg("width", ints(1, 6))
def samples(count, height, width):
    """Return gray images, as a network that makes images would."""
    return np.arange(count * height * width).reshape(count, height, width)


class ImageGridCallback:
    """Saves sample images after each epoch, side by side in one picture.

    The constructor is tested with the inputs of its `@arg`s. The methods are tested on an instance
    made by the `@cc_example` alone: `save` writes to `path`, and tests should leave no file behind.
    A generator is also an ordinary function, so `samples(3, 2, 2)` may stand in the example.
    """

    @arg("path", froms(["grid.txt", "images/grid.txt", "/srv/grids/grid.txt"]))
    @arg("images", objs(samples))
    @arg("colors", froms(COLORS))
    @cc_example([os.devnull, samples(3, 2, 2), "pink"])
    def __init__(self, path, images, colors="gray"):
        if colors not in COLORS:
            raise ValueError(f"colors must be one of {COLORS}, got {colors!r}")
        self.path = path
        self.images = images
        self.colors = colors

    @arg("epoch", ints(0, 100))
    def save(self, epoch):
        """Write one line: the epoch, the colors, and how bright the images are on average."""
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(f"epoch {epoch}, {self.colors}: {self.images.mean():.3f}\n")

    @arg("columns", ints(1, 5))
    def grid(self, columns):
        """Return the images in one picture, `columns` of them side by side."""
        count, height, width = self.images.shape
        # Planted bug: // drops the last row when it is not full. Right: -(-count // columns)
        picture = np.zeros((count // columns * height, columns * width))
        for place, image in enumerate(self.images):
            top, left = place // columns * height, place % columns * width
            # where it shows: there is no row left for the last image
            picture[top : top + height, left : left + width] = image
        return picture
