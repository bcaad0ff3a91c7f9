import json.no_such_part  # planted: ModuleNotFoundError

from annotest import arg, ints


@arg(n=ints(1, 3))
def f(n):
    return json.no_such_part.dumps(n)
