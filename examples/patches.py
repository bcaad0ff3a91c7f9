"""Images as sequences of patches: the first layer of a vision transformer, and the way back."""

import torch
from torch import nn

from annotest import arg, dims, ints, require, tensors


@arg(images=tensors("b c h w"), patch=ints(1, 4))
@require("h % patch == 0 and w % patch == 0")
def to_patches(images, patch):
    """Cut images into squares: (b, c, h, w) becomes (b, patches, c * patch * patch)."""
    rows = images.unfold(2, patch, patch).unfold(3, patch, patch)
    return rows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


@arg(patches=tensors("b rows*columns channels*patch*patch"))
@arg(rows=ints(1, 5), columns=ints(1, 5), channels=ints(1, 3), patch=ints(1, 3))
def to_images(patches, rows, columns, channels, patch):
    """Put squares together again: so many rows of them, each of so many columns."""
    squares = patches.reshape(-1, rows, columns, channels, patch, patch)
    return squares.permute(0, 3, 1, 4, 2, 5).flatten(4, 5).flatten(2, 3)


class PatchEmbedding(nn.Module):
    """Makes a token of each patch, and tells it where the patch was.

    Sides that are no multiple of the patch are cut off, as a convolution with a stride does.
    """

    @arg(patch=ints(2, 6), width=ints(1, 16), channels=ints(1, 4))
    def __init__(self, patch, width, channels=3, longest=256):
        super().__init__()
        self.patch, self.channels = patch, channels
        self.project = nn.Conv2d(channels, width, kernel_size=patch, stride=patch)
        self.positions = nn.Parameter(torch.randn(longest, width) / width)
        self.norm = nn.LayerNorm(width)

    @arg(images=tensors("b self.channels h w"))
    @dims(h=ints(2, 32), w=ints(2, 32))
    @require("h >= self.patch and w >= self.patch")
    def forward(self, images):
        """Return one token for each patch, row by row."""
        height, width = images.shape[-2:]
        tokens = self.project(images).flatten(2).mT
        # Planted bug: // and * go from left to right, so that what is cut off in a row counts once
        # for all rows together. Right: (height // self.patch) * (width // self.patch)
        count = height // self.patch * width // self.patch
        # where it shows: some widths give more positions than tokens
        tokens = tokens + self.positions[:count]
        return self.norm(tokens)


class PatchClassifier(nn.Module):
    """The smallest network that classifies images by their patches: it takes their mean."""

    @arg(patch=ints(1, 4), width=ints(1, 16), classes=ints(1, 10))
    def __init__(self, patch, width, classes):
        super().__init__()
        self.patch = patch
        self.hidden = nn.Linear(3 * patch * patch, width)
        self.head = nn.Linear(width, classes)

    @arg(images=tensors("b 3 h*self.patch w*self.patch"))
    def forward(self, images):
        """Return a score for each class."""
        tokens = self.hidden(to_patches(images, self.patch)).relu()
        return self.head(tokens.mean(dim=1))
