"""Random changes of images, each image by itself, the same whenever the seed is the same."""

import torch

from annotest import arg, dims, floats, ints, require, tensors


def chosen_at_random(count, p, generator):
    """Return the places of those among `count` images that chance has chosen."""
    return (torch.rand(count, generator=generator) < p).nonzero().flatten().tolist()


@arg(images=tensors("b c h w", min=0, max=1), p=floats(0, 1), seed=ints(0, 99))
def flip(images, p, seed=0):
    """Mirror some of the images."""
    generator = torch.Generator().manual_seed(seed)
    mirrored = torch.rand(len(images), generator=generator) < p
    return torch.where(mirrored[:, None, None, None], images.flip(-1), images)


@arg(image=tensors("c h w", min=0, max=1))
@arg(top=ints(0, 7), left=ints(0, 7), size=ints(1, 8))
@require("top + size <= h and left + size <= w")
def without_square(image, top, left, size):
    """Return an image in which a square is gray."""
    image = image.clone()
    image[:, top : top + size, left : left + size] = 0.5
    return image


@arg(images=tensors("b c h w", min=0, max=1), p=floats(0, 1), size=ints(1, 4), seed=ints(0, 99))
@dims(h=ints(4, 12), w=ints(4, 12))
def erase(images, p, size=2, seed=0):
    """Make a square gray in some of the images, each at a place of its own."""
    generator = torch.Generator().manual_seed(seed)
    height, width = images.shape[-2:]
    chosen = chosen_at_random(len(images), p, generator)
    erased = []
    for place in chosen:
        top = int(torch.randint(height - size + 1, (), generator=generator))
        left = int(torch.randint(width - size + 1, (), generator=generator))
        erased.append(without_square(images[place], top, left, size))
    images = images.clone()
    # Planted bug: there is nothing to stack where no image was chosen, as with p=0.
    # Right: if chosen: images[chosen] = …
    images[chosen] = torch.stack(erased)
    return images


@arg(images=tensors("b c h w", min=0, max=1), labels=tensors("b", "int64", min=0, max=9))
@arg(share=floats(0, 1), seed=ints(0, 99))
def mixed(images, labels, share, seed=0):
    """Blend each image, and its label, with those of another one of the batch."""
    generator = torch.Generator().manual_seed(seed)
    partner = torch.randperm(len(images), generator=generator)
    one_hot = torch.nn.functional.one_hot(labels, 10).float()
    blended = torch.lerp(images, images[partner], share)
    return blended, torch.lerp(one_hot, one_hot[partner], share)


@arg(images=tensors("b 3 h w", "uint8"))
@arg(mean=tensors("3", min=0, max=1), deviation=tensors("3", min=0.01, max=1))
def normalised(images, mean, deviation):
    """Return images as a network likes them: about zero, with a deviation of about one."""
    scaled = images.float() / 255
    return (scaled - mean[:, None, None]) / deviation[:, None, None]
