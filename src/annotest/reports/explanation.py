"""`annotest explain` on the screen."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import indent
from typing import Any

from annotest.events import Explained, ExplainedStep
from annotest.facts import PreconditionRate
from annotest.relations.reading.statements import joinable
from annotest.reports.console import Console
from annotest.reports.json import place_record
from annotest.reports.paths import readable

# of the choices that are tried first, so many characters are shown
LONGEST = 96


def print_explanation(console: Console, explained: Explained) -> None:
    """Print how the inputs of one target are made."""
    info = explained.target
    line = "─" * max(3, console.width - len(info.id) - 1)
    console.say(f"{info.id} ", (line, "rule.line"))
    console.say(f"{readable(info.file)}:{info.line}", style="dim")
    _print_steps(console, explained.steps)
    _print_left_out(console, explained.left_out)
    _print_tried_first(console, explained)
    _print_preconditions(console, explained)
    _print_promises(console, explained)
    _print_items(console, explained)
    _print_samples(console, explained)


def _print_steps(console: Console, steps: tuple[ExplainedStep, ...]) -> None:
    if not steps:
        console.say("\nnothing is drawn: it is called as it is")
        return
    console.say("\nchosen in this order")
    width = max(len(step.name) for step in steps)
    for number, step in enumerate(steps, 1):
        such = f", such that {' and '.join(joinable(step.conditions))}" if step.conditions else ""
        line = f"{number:3}. {step.name:{width}}  {step.values}{such}"
        console.say(line)


def _print_left_out(console: Console, left_out: tuple[tuple[str, str], ...]) -> None:
    if not left_out:
        return
    console.say("\nleft out of some calls")
    width = max(len(name) for name, _ in left_out)
    for name, default in left_out:
        console.say(f"  {name:{width}}  it is then {default}")


def _print_tried_first(console: Console, explained: Explained) -> None:
    if not explained.tried_first:
        return
    pairs = f", then {explained.pairs} with pairs of choices" if explained.pairs else ""
    console.say(f"\ntried first: up to {explained.singles} inputs with one choice fixed{pairs}")
    listed = " · ".join(f"{name}: {', '.join(texts)}" for name, texts in explained.tried_first)
    console.say(f"  {listed if len(listed) <= LONGEST else f'{listed[: LONGEST - 1]}…'}")


def _print_preconditions(console: Console, explained: Explained) -> None:
    if not explained.rates:
        return
    console.say("\npreconditions")
    for state, rate in zip(explained.states, explained.rates, strict=True):
        word, share = _word(state, rate), f"{rate.held / rate.asked:.0%}"
        held = f": held for {rate.held} of {rate.asked} inputs ({share})"
        line = f"  {word:9} {rate.text}{held if word == 'filtered' else ''}"
        console.say(line)


def _word(state: str, rate: PreconditionRate) -> str:
    return "built" if state == "built" and rate.held == rate.asked else "filtered"


def _print_promises(console: Console, explained: Explained) -> None:
    """Print what each call is held to, besides not to crash."""
    if not explained.target.promises:
        return
    console.say("\nafter each call")
    for text in explained.target.promises:
        console.say(f"  {text}")


def _print_items(console: Console, explained: Explained) -> None:
    if explained.items:
        most, seconds = f"{explained.items:,}", f"{explained.items_seconds:g}"
        text = f"\nits result is lazy: up to {most} items of it are taken, for up to {seconds} s"
        console.say(text)


def _print_samples(console: Console, explained: Explained) -> None:
    if explained.unbuilt:
        console.say(
            f"\n{explained.unbuilt} inputs could not be made: code that makes or checks them "
            "raised; `annotest run` says where"
        )
    if explained.steps:
        started = explained.reached + explained.discarded
        console.say(f"\n{explained.reached} of {started} inputs are valid, for instance")
        for call in explained.samples or ("(none)",):
            console.say(indent(call, "  "))
    console.say()


def explanation_record(explained: Explained) -> dict[str, Any]:
    """Return an explanation as plain data."""
    pairs = zip(explained.states, explained.rates, strict=True)
    return {
        **place_record(explained.target),
        "steps": [asdict(step) for step in explained.steps],
        "left_out": dict(explained.left_out),
        "tried_first": {name: list(texts) for name, texts in explained.tried_first},
        "inputs_with_one_choice_fixed": explained.singles,
        "inputs_with_pairs": explained.pairs,
        "preconditions": [
            {"text": rate.text, "how": _word(state, rate), "asked": rate.asked, "held": rate.held}
            for state, rate in pairs
        ],
        "promises": list(explained.target.promises),
        "items": (
            {"most": explained.items, "seconds": explained.items_seconds}
            if explained.items
            else None
        ),
        "inputs_valid": explained.reached,
        "inputs_discarded": explained.discarded,
        "inputs_not_made": explained.unbuilt,
        "samples": list(explained.samples),
    }
