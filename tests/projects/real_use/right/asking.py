"""Programs that somebody is to type something into."""

import json
import sys

from annotest import arg, ints


@arg(lowest=ints(0, 9), highest=ints(10, 19))
def middle(lowest, highest):
    return (lowest + highest) // 2


def guess():
    answer = input("higher or lower? ")
    return middle(0, 10) if answer == "higher" else middle(0, 5)


def play(rounds=3):
    return [int(sys.stdin.readline()) for _ in range(rounds)]


def settings():
    return json.load(sys.stdin)


def words():
    return sys.stdin.read().split()[0]


def frames():
    header = sys.stdin.buffer.read(4)
    return header[0]


class Session:
    def __init__(self, prompt="name? "):
        self.name = input(prompt)
