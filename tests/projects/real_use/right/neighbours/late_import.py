"""Imports what it needs when it needs it, and does without what it can do without."""

from annotest import arg, ints

try:
    import theano
except ImportError:
    theano = None


@arg(rows=ints(1, 9))
def on_the_card(rows):
    from pycuda import gpuarray

    return gpuarray.zeros(rows)


@arg(rows=ints(1, 9))
def anywhere(rows):
    return [0] * rows if theano is None else theano.shared(rows)


class Plotter:
    def __init__(self):
        try:
            import no_such_plotting_library as plotting
        except ImportError:
            raise ImportError("Plotter needs no_such_plotting_library") from None
        self.plotting = plotting

    @arg(points=ints(1, 9))
    def draw(self, points):
        return self.plotting.draw(points)
