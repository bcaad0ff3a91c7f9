"""Right programs of everyday kinds: nothing is to be found here."""

from annotest import arg, floats, ints, raises, require


@arg(step=ints(0, 100), warmup=ints(1, 20))
def linear_warmup(step, warmup):
    return min(1.0, step / warmup)


@arg(rate=floats(0, 1), steps=ints(0, 50))
@require("rate < 1 or steps == 0")
def decayed(rate, steps):
    return 0 if steps else 1 / (1 - rate if rate < 1 else 1)


@raises(KeyError)
@arg(name=ints(0, 9))
def looked_up(name):
    return {2: "two"}[name]
