"""Bugs that are turned into other exceptions, put into groups, or met while others are handled."""

import asyncio

from annotest import arg, froms, ints

TABLE = {"a": 1}


class TrainingError(Exception):
    pass


def step(n):
    if n == 3:
        return TABLE["b"]
    if n == 4:
        return [][n]
    return n


@arg(n=ints(0, 9))
def two_causes(n):
    try:
        return step(n)
    except Exception as error:
        raise TrainingError("training failed") from error  # bugs: 2 chained.TrainingError


@arg(n=ints(0, 9))
def two_contexts(n):
    try:
        return step(n)
    except Exception:
        raise TrainingError("failed again")  # noqa: B904  # bugs: 2 chained.TrainingError


@arg(n=ints(0, 9))
def cut_off(n):
    try:
        return step(n)
    except Exception:
        raise TrainingError("no reason") from None  # bugs: 1 chained.TrainingError


@arg(n=ints(0, 9))
def a_handler_that_fails(n):
    try:
        return step(n)
    except Exception as error:
        return error.missing  # bugs: 1 AttributeError


@arg(n=ints(0, 9))
def one_cause_of_many_numbers(n):
    try:
        return int(f"x{n}")
    except ValueError as error:
        raise TrainingError(n) from error  # bugs: 1 chained.TrainingError


async def fails_as(kind, n):
    if kind == "type":
        return kind + n
    if kind == "value":
        return int(kind)


@arg(kinds=froms([["type"], ["value"], ["type", "value"], []]), n=ints(0, 9))
async def in_a_group(kinds, n):
    async with asyncio.TaskGroup() as tasks:  # bugs: 2 ExceptionGroup
        for kind in kinds:
            tasks.create_task(fails_as(kind, n))


@arg(count=ints(1, 5))
def a_group_of_any_size(count):
    errors = [ValueError(number) for number in range(count)]
    raise ExceptionGroup(f"{count} errors", errors)  # bugs: 1 ExceptionGroup
