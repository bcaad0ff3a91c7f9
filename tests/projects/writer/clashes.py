"""Arguments named like their function, like Hypothesis' names, and like what a test file imports."""

from annotest import arg, bools, cc_example, generator, ints, np_shapes, objs, require


@arg(shape=np_shapes())
def shape(shape):
    return len(shape)


@arg(given=bools(), assume=bools(), st=bools(), sys=bools(), settings=ints(1, 3), list=bools())
@require("settings > 1 or given")
def shadows(given, assume, st, sys, settings, list):
    return settings


@generator
@arg(draw=ints(1, 3))
@require("draw > 1")
def made(draw):
    return draw


@arg(made=objs(made), Path=bools(), instance=bools())
def uses_made(made, Path, instance):
    assert made in (2, 3)


class Layer:
    @cc_example([3])
    def __init__(self, arguments):
        self.arguments = arguments

    @arg(instance=ints(0, 2))
    @require("instance < self.arguments")
    def call(self, instance):
        yield self.arguments - instance


@arg(list=ints(1, 2))
def lazy(list):
    yield list
