"""A toy oracle that compares with before: a call leaves its arguments as they are."""

import copy

from annotest.oracles import register


class Unchanged:
    name = "unchanged"

    def before(self, call):
        return copy.deepcopy(call.values)

    def judge(self, call, outcome, state, again):
        for name, before in state.items():
            after = call.values[name]
            if after != before:
                yield call.fault(self.name, f"{name} was {before} and is {after}", what=name)


register(Unchanged())
