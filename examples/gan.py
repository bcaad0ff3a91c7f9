"""Arguments that are objects: a custom generator builds them, from annotated arguments of its own.

A GAN is two networks: a generator that makes images out of noise, and a discriminator that tells
made images from real ones. (That a network and an aN function are both called generators is
chance.)
"""

import math

from tiny_layers import Dense, Input, Reshape, stack

from annotest import arg, exclude, froms, generator, ints, objs, require

GRAY, COLOR = (8, 8), (8, 8, 3)


def generator_model(latent_dim, image_shape):
    """Return a network from noise to images."""
    net = Dense(math.prod(image_shape))(Input((latent_dim,)))
    return Reshape(image_shape)(net)


def discriminator_model(image_shape, units):
    """Return a network from images to one number: how real they look."""
    net = Reshape((math.prod(image_shape),))(Input(image_shape))
    return Dense(1)(Dense(units)(net))


# @exclude: a generator is there to build inputs; it is no target of its own
@generator
@exclude
@arg("latent_dim", ints(1, 1000))
@arg("image_shape", froms([GRAY, COLOR]))
def gan_gens(latent_dim, image_shape):
    return generator_model(latent_dim, image_shape)


@generator
@exclude
@arg("image_shape", froms([GRAY, COLOR]))
@arg("units", ints(1, 64))
def gan_discs(image_shape, units):
    return discriminator_model(image_shape, units)


# the two networks are built apart, so a precondition says that they must fit
@arg("generator", objs(gan_gens))
@arg("discriminator", objs(gan_discs))
@arg("name", froms(["gan", "gan1", "gan2"]))
@require("generator.output_shape == discriminator.input_shape")
def build_gan(generator, discriminator, name="gan"):
    """Return both networks in one, under a name that says how large the images are."""
    # Planted bug: gray images have no channels. Right: "x".join(map(str, generator.output_shape))
    height, width, channels = generator.output_shape
    return f"{name}_{height}x{width}x{channels}", stack(generator, discriminator)
