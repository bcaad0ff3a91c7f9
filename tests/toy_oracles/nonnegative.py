"""A toy oracle that looks at the result: a number that a call returns is not below zero."""

from annotest.oracles import register
from annotest.oracles.protocol import Returned


class NonNegative:
    name = "nonnegative"

    def before(self, call):
        return None

    def judge(self, call, outcome, state, again):
        if isinstance(outcome, Returned) and outcome.value is not None and outcome.value < 0:
            yield call.fault(self.name, f"it returns {outcome.value}")


register(NonNegative())
