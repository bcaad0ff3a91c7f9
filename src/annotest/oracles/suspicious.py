"""What is suspicious although nobody has promised otherwise: shown apart, and no finding.

Each check begins with what costs little, and with the reasons to say nothing; what there is to say
the oracle of the same name says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from annotest.discovery.targets import CONSTRUCTOR, Target
from annotest.facts import Fault
from annotest.kinds import Verdict
from annotest.oracles.changes import changes, has_changed, marked
from annotest.oracles.looking import Seen, instance_of, seen_in
from annotest.oracles.protocol import Again, Outcome, Returned, TargetCall
from annotest.oracles.returned import RETURNS
from annotest.oracles.words import reasons_of
from annotest.plan.lazy import takes_items
from annotest.plan.postconditions import Postcondition, notes_of
from annotest.plan.returning import Returning
from annotest.promises import BY_DEFAULT, OracleWord
from annotest.records import record
from annotest.signature.parts import STARRED
from annotest.spec import Ensure, Except

SUSPICIOUS = "suspicious"
LARGEST_WHOLE = 10**6  # a whole number above that may well make floats overflow


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


# words in names of functions and arguments that say what is done on purpose
_DTYPES = _set_of("dtype dtypes precision cast astype float double half single type quantize")
_DEVICES = _set_of("device devices cpu cuda gpu host to offload numpy")
_CHANGES = _set_of(
    "inplace place mutate update set fill sort shuffle swap reverse rotate append extend insert "
    "push pop remove delete discard clear reset zero init initialize"
)
_CHANGED = _set_of(
    "out output outputs buffer buffers buf cache caches memo dest dst destination result results "
    "acc accumulator history log visited seen workspace scratch storage memory registry queue "
    "stack heap running state states"
)
_MASKS = _set_of("mask masks masked")
_WEIGHTS = _set_of("weight weights")
# the promises that leave nothing to suspect
_COVERED = {
    "finite": {"finite", "no_nan", "in_range", "sums_to_one", RETURNS},
    "same_dtype": {"same_dtype", RETURNS},
    "same_device": {"same_device"},
    "pure": {"pure"},
}


@record
class Look:
    """A call that is looked at: what it was given, and what it returned."""

    call: TargetCall
    value: Any
    result: Seen
    marks: list[Any]
    again: Again

    @cached_property
    def given(self) -> Seen:
        """What there is among the arguments, the defaults of those that are left out too."""
        seen, target = self.call.seen, self.call.target
        assert target.plan is not None
        names = (p.name for p in target.plan.parameters)
        return seen_in([seen.get(name) for name in names if name != target.signature.self_name])


@record
class Check:
    """Something suspicious: what a person should know of it, when to look, and what there is."""

    why: str
    applies: Callable[[Target], bool]
    reasons: Callable[[Look], Iterator[str]]


class Suspicious:
    """Finds what is suspicious in calls that came back; `heard` says of what, and what is a bug."""

    name = SUSPICIOUS

    def __init__(self, target: Target, heard: Mapping[str, bool]) -> None:
        self._heard, self._target = heard, target
        assert target.plan is not None
        self._watched = [
            p.name
            for p in target.plan.parameters
            if "pure" in heard and p.kind not in STARRED and not _words(p.name) & _CHANGED
        ]

    def before(self, call: TargetCall) -> list[Any]:
        """Mark the arguments that may not be changed."""
        values = call.values
        marks = []
        for name in self._watched:
            if name in values:
                marks += marked(values[name])
        return marks

    def judge(
        self, call: TargetCall, outcome: Outcome, state: list[Any], again: Again
    ) -> Iterator[Fault]:
        """Look at what was returned; of a lazy result nothing is kept."""
        if not isinstance(outcome, Returned) or outcome.lazy:
            return
        look = Look(call, outcome.value, seen_in(outcome.value), state, again)
        for name, is_bug in self._heard.items():
            check = CHECKS[name]
            for reason in check.reasons(look):
                fault = call.fault(name, reason, SUSPICIOUS)
                yield fault if is_bug else _suspected(fault, check.why)
                break


def _suspected(fault: Fault, why: str) -> Fault:
    name = fault.oracle
    how = f'@ensure({name}) makes it a finding, @ensure(except_="{name}") silences it'
    return replace(fault, verdict=Verdict.SUSPICIOUS, remarks=(why, how))


def suspicious_of(target: Target, heard: Mapping[str, bool]) -> Suspicious | None:
    """Return what looks at the calls of a target; None where it is suspected of nothing."""
    if target.kind == CONSTRUCTOR or not target.info.annotated or takes_items(target.function):
        return None  # nothing is kept of what they return
    promised = set(_promised(target))
    listed = {
        name: is_bug
        for name, is_bug in heard.items()
        if not _COVERED[name] & promised
        and name not in _excepted(target)
        and CHECKS[name].applies(target)
    }
    return Suspicious(target, listed) if listed else None


def _promised(target: Target) -> Iterator[str]:
    """Yield the names of the oracles to which calls are held."""
    assert target.plan is not None
    for promise in target.plan.promises:
        if isinstance(promise, Postcondition):
            yield from promise.words
        elif isinstance(promise, Returning) and not promise.is_plain_hint:
            yield RETURNS
        elif isinstance(promise, Ensure) and isinstance(promise.condition, OracleWord):
            yield from target.parts_of(promise.condition)


def _excepted(target: Target) -> set[str]:
    notes = target.signature.of_kind(Except)
    if target.owner is not None:
        notes += tuple(notes_of(target.owner, Except))
    return {name for note in notes for name in note.names}


def _words(name: str) -> set[str]:
    """Return the words of a name without their digits: of `to_float32` to and float."""
    parts = re.split(r"[_\d]+|(?<=[a-z])(?=[A-Z])", name)
    return {part.lower() for part in parts}


def _names(target: Target) -> Iterator[str]:
    assert target.plan is not None
    yield target.attribute
    yield from (p.name for p in target.plan.parameters)


def _is_said(target: Target, words: Iterable[str]) -> bool:
    """Say whether the function or an argument has one of some words in its name."""
    return any(_words(name) & set(words) for name in _names(target))


def _not_finite(look: Look) -> Iterator[str]:
    if not look.result.is_odd:
        return
    given = look.given
    if given.is_odd or given.largest > LARGEST_WHOLE:
        return
    if _leaves_nothing(look.call, given):
        return
    # the largest of nothing is -inf, so is the logarithm of 0, and what masks put in
    is_meant = not look.result.has_infinity or _means_infinity(look.call, given)
    if look.result.has_nan or not is_meant:
        yield from _said("finite", look)


def _leaves_nothing(call: TargetCall, given: Seen) -> bool:
    """Say whether there may be too little to compute with, as it is for a mean or a deviation.

    There may be one element or none, all may be masked, or have no weight.
    """
    views = [view for _, view in given.arrays]
    if any(view.dtype == "bool" or min(view.shape, default=2) < 2 for view in views):
        return True
    named = {name: _words(name) for name, value in call.seen.items() if value is not None}
    if any(words & _MASKS for words in named.values()):
        return True
    return any(seen_in(call.seen[name]).has_zero for name in named if named[name] & _WEIGHTS)


def _means_infinity(call: TargetCall, given: Seen) -> bool:
    """Say whether infinity may be meant: without floats to compute with, or for a probability of 0.

    A function that is given no float writes it down; the logarithm of a probability is so.
    """
    has_floats = bool(given.floats) or any(map(_is_real, given.arrays))
    is_mask = bool(_words(call.target.attribute) & _MASKS)
    return not has_floats or is_mask or any("log" in _words(name) for name in call.seen)


def _is_real(item: tuple[Any, Any]) -> bool:
    return "float" in item[1].dtype


def _other_dtype(look: Look) -> Iterator[str]:
    results = {view.dtype for _, view in filter(_is_real, look.result.arrays) if view.shape}
    if not results:
        return
    given = look.given
    dtypes = {view.dtype for _, view in given.arrays if _is_inexact(view.dtype)} | given.scalars
    if len(dtypes) != 1 or dtypes & results or given.names_dtype:
        return
    (dtype,) = dtypes
    if not _is_wider(dtype, results) and instance_of(look.call).dtypes <= dtypes:
        yield from _said("same_dtype", look)


def _is_inexact(dtype: str) -> bool:
    return "float" in dtype or "complex" in dtype


def _is_wider(dtype: str, others: set[str]) -> bool:
    """Say whether all are wider than a short one: to reckon with more digits is usual."""
    bits = _bits(dtype)
    return bits <= 16 and all(_bits(other) > bits for other in others)


def _bits(dtype: str) -> int:
    found = re.search(r"float(\d+)", dtype)
    return int(found[1]) if found else 64


def _other_device(look: Look) -> Iterator[str]:
    results = {(view.framework, place) for view, place in look.result.places}
    if not results:
        return
    given = {(view.framework, place) for view, place in look.given.places}
    own = instance_of(look.call).places
    frameworks = {framework for framework, _ in given}
    if len(given) == len(frameworks) and own <= given and not results & given:
        yield from _said("same_device", look)


def _changed(look: Look) -> Iterator[str]:
    # what returns nothing is called for what it changes
    if look.value is not None and has_changed(look.marks):
        names = look.call.values
        before = look.again.built()
        yield from changes({name: before[name] for name in before if name in names}, names)


def _said(name: str, look: Look) -> Iterator[str]:
    for reason in reasons_of(name)(look.value, look.call):
        yield f"result{reason}"


CHECKS = {
    "finite": Check(
        "its inputs are neither tiny nor huge",
        lambda target: True,
        _not_finite,
    ),
    "same_dtype": Check(
        "nobody asked for another dtype",
        lambda target: not _is_said(target, _DTYPES),
        _other_dtype,
    ),
    "same_device": Check(
        "nobody asked for another device",
        lambda target: not _is_said(target, _DEVICES),
        _other_device,
    ),
    "pure": Check(
        "a function that changes its arguments has a name that ends in _",
        lambda target: (
            not (
                target.attribute.endswith("_")
                or _words(target.attribute) & _CHANGES
                or _is_said(target, ["inplace"])
            )
        ),
        _changed,
    ),
}
assert tuple(CHECKS) == BY_DEFAULT
