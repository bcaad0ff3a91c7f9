"""A module whose import is a test, and passes."""

import annotest.an_language as an

an.annotest_module_test()

SIZES = [2**power for power in range(8)]


def largest():
    return max(SIZES)
