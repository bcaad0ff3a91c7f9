"""A script that asks before it begins."""

from annotest import arg, ints

size = int(input("How large? "))


@arg(epochs=ints(1, 9))
def train(epochs):
    return size * epochs
