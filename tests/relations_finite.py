"""Random relations on small finite domains, and all that can be chosen in them."""

import itertools

from relations_random import by_kind, names_of, random_condition

import annotest
from annotest.relations.arguments.model import Unsolvable

FINITE = by_kind(number="ab", list="l", optional="o", flag="f", pairs="p", rows="r")
FINITE_CONSTRAINTS = {
    "a": annotest.ints(0, 5),
    "b": annotest.ints(-2, 4, multiple_of=2),
    "l": annotest.int_lists(min_len=0, max_len=3, min=0, max=2),
    "o": annotest.anys(annotest.ints(0, 2), None),
    "f": annotest.bools(),
    "p": annotest.lists(annotest.tuples(annotest.ints(0, 2), annotest.ints(0, 1)), max_len=2),
    "r": annotest.lists(annotest.lists(annotest.ints(0, 1), max_len=2), max_len=2),
}


def sequences(items, longest):
    """Return all lists of these items."""
    counts = range(longest + 1)
    return [list(one) for count in counts for one in itertools.product(items, repeat=count)]


FINITE_VALUES = {
    "a": list(range(6)),
    "b": [-2, 0, 2, 4],
    "l": sequences(range(3), 3),
    "o": [0, 1, 2, None],
    "f": [False, True],
    "p": sequences(list(itertools.product(range(3), range(2))), 2),
    "r": sequences(sequences(range(2), 2), 2),
}


def random_finite(rng):
    """Return the names of a few arguments with few values, and a random condition on them."""
    names = sorted(rng.sample(sorted(FINITE_CONSTRAINTS), 2))
    kinds = {kind: [one for one in found if one in names] for kind, found in FINITE.items()}
    condition = random_condition(rng, by_kind(**kinds), 1)
    return [name for name in names if name in names_of(condition)], condition


def brute_force(names, condition):
    """Return all valid calls, by trying every one; None where the condition raises for some."""
    found = set()
    for values in itertools.product(*(FINITE_VALUES[name] for name in names)):
        call = dict(zip(names, values, strict=True))
        try:
            holds = eval(condition, dict(call))
        except Exception:
            return None
        if holds:
            found.add(repr(call))
    return found


class Systematic:
    """Picks and draws by a list of places, and says which places come next."""

    def __init__(self, places):
        self.places = places
        self.counts = []

    def place(self, all_values, values, chosen):
        number = len(self.counts)
        self.counts.append(len(values))
        if number == len(self.places):
            self.places.append(0)
        return self.places[number]

    def items(self, constraint, count):
        return [self.value(constraint) for _ in range(count)]

    def value(self, constraint):
        if isinstance(constraint, annotest.tuples):
            return tuple(map(self.value, constraint.elements))
        if isinstance(constraint, annotest.lists):
            shortest, longest = constraint.lengths
            counts = range(shortest, longest + 1)
            return self.items(constraint.elements, counts[self.place(counts, counts, {})])
        values = list(constraint.values)
        return values[self.place(values, values, {})]

    def following(self):
        """Return the places of the next walk, or None after the last."""
        for number in reversed(range(len(self.counts))):
            if self.places[number] + 1 < self.counts[number]:
                return [*self.places[:number], self.places[number] + 1]
        return None


def every_choice(model, names):
    """Return all calls that the ways of a model can choose."""
    found = set()
    for way in model.ways:
        places = []
        while places is not None:
            picker = Systematic(places)
            try:
                chosen = way.choose(picker, picker, {})
                found.add(repr({name: chosen.recipes[name] for name in names}))
            except Unsolvable:
                pass  # of these places no call can be made
            places = picker.following()
    return found
