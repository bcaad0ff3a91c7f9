"""A script that reads its command line while it is imported."""

import argparse

from annotest import arg, ints

parser = argparse.ArgumentParser()
parser.add_argument("data")
wanted = parser.parse_args()


@arg(epochs=ints(1, 9))
def train(epochs):
    return wanted.data * epochs
