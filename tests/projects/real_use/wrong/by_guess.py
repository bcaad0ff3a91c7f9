"""Functions that nobody annotated, and that fail with their defaults."""

import argparse
import sys

from annotest import arg, ints


@arg(n=ints(1, 3))
def f(n):
    return n


def mean(values=()):
    return sum(values) / len(values)  # planted: ZeroDivisionError


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0)
    wanted = parser.parse_args(argv)
    return 1 / wanted.rate  # planted: ZeroDivisionError


def leave(status=3):
    sys.exit(status)  # planted: SystemExit


def first(argv=()):
    names = sorted(argv)
    return names[0]  # planted: IndexError


class Counter:
    def __init__(self, start=None):
        self.count = start + 1  # planted: TypeError


class Reader:
    def __init__(self):
        self.line = input()  # planted: EOFError

    @arg(n=ints(1, 3))
    def repeated(self, n):
        return self.line * n
