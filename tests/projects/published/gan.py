"""Objects made by generators, alone and together."""

import annotest.an_language as an


class Network:
    def __init__(self, inputs, outputs):
        self.inputs, self.outputs = inputs, outputs


@an.exclude()
@an.generator()
@an.arg("latent", an.integers(min_value=1, max_value=50))
@an.arg("shape", an.array_shapes(min_dims=2))
@an.precondition("latent > len(shape)")
def gen_generator(latent, shape):
    assert latent > len(shape) >= 2
    return Network(latent, shape)


@an.generator()
@an.exclude()
@an.arg("shape", an.array_shapes(min_dims=2, max_dims=2))
def gen_discriminator(shape):
    return Network(shape, 1)


@an.arg("generator", an.obj(generator=gen_generator))
@an.arg("discriminator", an.obj(gen_discriminator))
@an.arg("name", an.sampled(elements=["gan1", "gan2"]))
def build_gan(generator, discriminator, name="gan"):
    if len(generator.outputs) != len(discriminator.inputs):
        raise ValueError(f"{name}: shapes do not fit")  # planted: ValueError
    return Network(generator.inputs, discriminator.outputs)


@an.arg("network", an.obj(generator=gen_generator))
def latent_of(network=None):
    return network.inputs  # an obj argument does not take its default: None never comes here


@an.generator()
@an.arg("units", an.integers(1, 5))
def gen_units(units=0):
    # no @exclude: a generator is tested like any function, here with its default, 0
    return [1 / units]  # planted: ZeroDivisionError
