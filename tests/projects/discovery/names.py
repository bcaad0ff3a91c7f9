"""Which names are targets without an annotation, and which only with one."""

from annotest import arg, ints, module_test, timeout


@arg(n=ints(1, 3))
def _private(n):
    assert n != 3  # planted: AssertionError


@arg(n=ints(1, 3))
def test_annotated(n):
    assert n != 2  # planted: AssertionError


@timeout(5)
def size_test():
    raise KeyError  # planted: KeyError


def _unannotated():
    raise RuntimeError("private and not annotated")


def test_unannotated():
    raise RuntimeError("named like a test")


def training_tests():
    raise RuntimeError("named like tests")


def needs_nothing():
    return 1 / 0  # planted: ZeroDivisionError


def all_defaults(a=1, *rest, b=2, **more):
    assert (a, rest, b, more) == (1, (), 2, {})
    return [][0]  # planted: IndexError


def needs_input(first, second, *, third):
    raise RuntimeError("nobody says which values are valid")


alias = needs_nothing


def _make():
    return lambda: 1 / 0


nameless = _make()

module_test()
