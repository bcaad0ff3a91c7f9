"""Wrong programs of everyday kinds: their bugs are found here, and nothing else."""

from annotest import arg, ints


@arg(step=ints(0, 100), warmup=ints(0, 20))
def linear_warmup(step, warmup):
    return min(1.0, step / warmup)  # planted: ZeroDivisionError
