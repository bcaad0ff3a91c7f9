"""A module whose import is a test, and fails."""

import annotest.an_language as an

an.annotest_module_test()

SIZES = {}

LARGEST = max(SIZES)  # planted: ValueError
