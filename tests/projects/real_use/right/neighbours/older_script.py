"""A script that takes its command line as it comes."""

import sys

from annotest import arg, ints

folder = sys.argv[1]


@arg(epochs=ints(1, 9))
def train(epochs):
    return folder * epochs
