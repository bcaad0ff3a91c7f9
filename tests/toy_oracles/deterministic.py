"""A toy oracle that calls twice: the same arguments give the same result."""

from annotest.oracles import register
from annotest.oracles.protocol import Returned


class Deterministic:
    name = "deterministic"

    def before(self, call):
        return None

    def judge(self, call, outcome, state, again):
        second = again({})
        if isinstance(outcome, Returned) and isinstance(second, Returned):
            if outcome.value != second.value:
                yield call.fault(self.name, "it returns something else when called again")


register(Deterministic())
