"""Commands as people write them: each wants a command line, and none is there."""

import argparse
import getopt
import optparse
import sys

from annotest import arg, ints


@arg(epochs=ints(1, 5))
def schedule(epochs):
    return list(range(epochs))


def options():
    parser = argparse.ArgumentParser(description="Train a model.")
    parser.add_argument("data")
    parser.add_argument("--epochs", type=int, default=5)
    return parser


def main(argv=None):
    wanted = options().parse_args(argv)
    return schedule(wanted.epochs)


def old_main(argv=None):
    parser = optparse.OptionParser("usage: %prog [options] FILE")
    _, files = parser.parse_args(argv or sys.argv[1:])
    if len(files) != 1:
        parser.error("one file, please")


def oldest_main():
    try:
        _, files = getopt.getopt(sys.argv[1:], "v")
        (file,) = files
    except ValueError:
        print(f"Usage: {sys.argv[0]} [-v] FILE", file=sys.stderr)
        sys.exit(2)
    return file


def plain_main():
    if len(sys.argv) < 2:
        sys.exit("usage: commands.py FILE")


def careless_main():
    with open(sys.argv[1]) as file:
        return file.read()


def shows_help():
    options().parse_args(["--help"])
