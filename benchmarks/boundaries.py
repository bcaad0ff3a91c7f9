"""How surely bugs at boundaries, options, pairs and defaults are found: 30 planted ones.

    python benchmarks/boundaries.py                    # 10 seeds, 200 inputs; needs numpy
    python benchmarks/boundaries.py --seeds 3 --only "heads"

Each program of the table raises where its condition holds. Printed is in how many of the seeds
the bug was found: by a search as `annotest run` does it, systematic cases first, and by chance
alone. The search runs in this process. The exit status is 0 where at least 29 of 30 bugs are
found with every seed.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotest import guard, process
from annotest.discovery.discover import discover
from annotest.engine.child.bench import Bench
from annotest.engine.child.doing import do
from annotest.engine.jobs import RunTarget
from annotest.engine.shards import SearchOptions, shards_of
from annotest.events import FailureFound
from annotest.oracles.project import Project
from annotest.process.limits import Limits

INPUTS, SEEDS, MAY_MISS = 200, 10, 1


@dataclass(frozen=True)
class Planted:
    """A function that raises where a condition on its arguments holds.

    `owner` is the text of the class whose method it is, without it.
    """

    title: str
    annotations: str
    arguments: str
    bug: str
    owner: str = ""


BLOCK = """\
class Block:
    @arg(width=ints(1, 512), norm=froms(['batch', 'layer', 'group', 'instance']), bias=bools())
    def __init__(self, width, norm='batch', bias=True):
        self.norm = norm
"""

PLANTED = (
    # boundaries
    Planted(
        "n=0 of n=ints(0, 64) with a default, beside a union",
        "@arg(n=ints(0, 64), size=anys(ints(1, 100), tuples(ints(1, 100), ints(1, 100))))",
        "size, n=8",
        "n == 0",
    ),
    Planted(
        "the largest of many, among many others",
        "@arg(a=ints(0, 10**6), b=ints(0, 10**6), c=ints(0, 10**6), d=ints(0, 10**6))",
        "a=5, b=5, c=5, d=5",
        "d == 10**6",
    ),
    Planted("one of a thousand", "@arg(n=ints(1, 1000), m=ints(1, 1000))", "n=32, m=32", "n == 1"),
    Planted(
        "a rate of exactly 1.0",
        "@arg(rate=floats(0, 1), width=ints(1, 512), depth=ints(1, 64))",
        "width, depth, rate=0.5",
        "rate == 1.0",
    ),
    Planted(
        "a rate of exactly 0.0",
        "@arg(rate=floats(0, 1), momentum=floats(0, 0.999), name=strs())",
        "rate, momentum, name",
        "rate == 0.0 and len(name) > 0",
    ),
    Planted(
        "an end in a tuple",
        "@arg(shape=tuples(ints(20, 700), ints(20, 700), ints(1, 300)), scale=floats(0.1, 10))",
        "shape, scale=1.0",
        "shape[2] == 300",
    ),
    Planted(
        "a negative end",
        "@arg(axis=ints(-40, 40), keep=bools(), size=ints(1, 1000))",
        "size, axis=-1, keep=False",
        "axis == -40",
    ),
    # options
    Planted(
        "the last of twelve options",
        "@arg(mode=froms([f'mode{i}' for i in range(12)]), n=ints(0, 1000), m=ints(0, 1000))",
        "n, m, mode='mode0'",
        "mode == 'mode11' and n == 0",
    ),
    Planted(
        "the last of two hundred options",
        "@arg(name=froms([f'resnet{i}' for i in range(200)]), pretrained=bools())",
        "name='resnet0', pretrained=False",
        "name == 'resnet199'",
    ),
    Planted(
        "one alternative of six",
        "@arg(pad=anys('same', 'valid', 'full', None, ints(0, 9), tuples(ints(0, 9), ints(0, 9))),"
        " a=ints(1, 99), b=ints(1, 99))",
        "a, b, pad='same'",
        "pad == 'full' and a == 1",
    ),
    Planted(
        "an alternative inside an alternative",
        "@arg(norm=anys(None, dicts({'kind': froms(['batch', 'layer', 'group']),"
        " 'groups?': ints(1, 64)})), width=ints(1, 512))",
        "width, norm=None",
        "norm is not None and norm.get('groups') == 64",
    ),
    Planted(
        "one dtype of the usual ones",
        "@arg(x=np_arrays(shape=np_shapes(max_dims=2)), scale=floats(0.5, 2))",
        "x, scale=1.0",
        "str(x.dtype) == 'float16' and x.size == 1",
    ),
    # defaults
    Planted(
        "left out, together with a size of one",
        "@arg(x=lists(ints(0, 99), max_len=40), start=anys(ints(0, 50), froms([None])))",
        "x, start=None",
        "start is None and len(x) == 1",
    ),
    Planted(
        "None given for a size",
        "@arg(out=anys(None, ints(1, 300)), kernel=ints(1, 300), stride=ints(1, 300))",
        "out=None, kernel=3, stride=1",
        "out is None and kernel == 300",
    ),
    Planted(
        "a default that is no longer legal beside another",
        "@arg(a=ints(0, 500), b=ints(0, 500), c=ints(0, 500), d=ints(0, 500))",
        "a=1, b=2, c=3, d=4",
        "(a, b, c) == (1, 2, 3) and d == 0",
    ),
    Planted(
        "everything left out",
        "@arg(a=ints(0, 99), b=ints(0, 99), c=ints(0, 99), d=ints(0, 99), e=ints(0, 99))",
        "a=7, b=7, c=7, d=7, e=7",
        "(a, b, c, d, e) == (7, 7, 7, 7, 7)",
    ),
    # sizes
    Planted(
        "an empty list among full ones",
        "@arg(xs=lists(ints(0, 99), max_len=50), ys=lists(ints(0, 99), max_len=50), n=ints(1, 99))",
        "xs, ys, n=1",
        "not ys and len(xs) > 2",
    ),
    Planted(
        "a list of one, the largest",
        "@arg(layers=int_lists(min=1, max=512, max_len=6), act=froms(['relu', 'tanh', 'none']))",
        "layers, act='relu'",
        "layers == [512]",
    ),
    Planted(
        "the longest list",
        "@arg(xs=lists(floats(-1, 1), max_len=30), window=ints(1, 99))",
        "xs, window=3",
        "len(xs) == 30",
    ),
    Planted(
        "an empty text",
        "@arg(text=strs(max_len=40), vocabulary=ints(10, 9999), lower=bools())",
        "vocabulary, text='a', lower=True",
        "text == '' and not lower",
    ),
    Planted(
        "a batch of one",
        "@arg(x=np_arrays('float32', 'b c', min=-1, max=1), eps=floats(0, 0.1))\n"
        "@dims(b=ints(1, 64), c=ints(1, 64))",
        "x, eps=0.01",
        "x.shape[0] == 1 and x.shape[1] > 1",
    ),
    Planted(
        "the largest batch",
        "@arg(x=np_arrays('float32', 'b c h'), y=np_arrays('int64', 'b', min=0, max=9))\n"
        "@dims(b=ints(1, 40), c=ints(1, 40), h=ints(1, 40))",
        "x, y",
        "x.shape[0] == 40",
    ),
    Planted(
        "a side of zero",
        "@arg(x=np_arrays('float32', np_shapes(min_dims=2, max_dims=3, min_side=0, max_side=20)),"
        " axis=ints(0, 1))",
        "x, axis=0",
        "x.size == 0 and axis == 1",
    ),
    # relations
    Planted(
        "heads == dim where heads divides dim",
        "@arg(dim=ints(1, 512), heads=ints(1, 512), drop=floats(0, 1))\n"
        "@require('dim % heads == 0')",
        "dim, heads=1, drop=0.0",
        "heads == dim and dim > 1",
    ),
    Planted(
        "the widest window, as long as the text",
        "@arg(length=ints(1, 400), window=ints(1, 400), step=ints(1, 400))\n"
        "@require('window <= length')\n@require('step <= window')",
        "length, window, step=1",
        "window == 400 and step == 1",
    ),
    # pairs
    Planted(
        "two flags both on, the three others off",
        "@arg(a=bools(), b=bools(), c=bools(), d=bools(), e=bools(), n=ints(1, 999))",
        "n, a=False, b=False, c=False, d=False, e=False",
        "a and d and not (b or c or e) and n > 1",
    ),
    Planted(
        "an option together with a bound",
        "@arg(pool=froms(['max', 'mean', 'sum', 'last', 'attention']), k=ints(1, 128),"
        " stride=ints(1, 128))",
        "k, stride=1, pool='max'",
        "pool == 'attention' and stride == 128",
    ),
    Planted(
        "two options of six each",
        "@arg(act=froms(list('abcdef')), norm=froms(list('uvwxyz')), width=ints(1, 999))",
        "width, act='a', norm='u'",
        "act == 'e' and norm == 'y' and width > 1",
    ),
    Planted(
        "an optional key together with a flag",
        "@arg(config=dicts({'lr': floats(0, 1), 'warmup?': ints(0, 900), 'decay?': floats(0, 1),"
        " 'nesterov': bools()}), steps=ints(1, 9999))",
        "steps, config",
        "config['nesterov'] and config.get('warmup') == 0",
    ),
    Planted(
        "the constructor's last option, with a batch of one",
        "@arg(x=np_arrays('float32', 'b 4'))\n@dims(b=ints(1, 64))",
        "self, x",
        "self.norm == 'instance' and x.shape[0] == 1",
        owner=BLOCK,
    ),
)


def written(planted: Planted, name: str) -> str:
    """Return the text of a program."""
    lines = [*planted.annotations.split("\n"), f"def {name}({planted.arguments}):"]
    lines += [f"    if {planted.bug}:", "        raise ValueError('planted')"]
    if not planted.owner:
        return "\n".join(lines)
    return planted.owner + "\n".join(f"    {line}" for line in lines)


def benches(table: Sequence[Planted]) -> list[tuple[int, Bench, list[Any]]]:
    """Return for each program the place of its target, what is needed to search it, its events."""
    folder = tempfile.mkdtemp()
    text = "\n\n\n".join(written(planted, f"f{place}") for place, planted in enumerate(table))
    file = Path(folder, "planted.py")
    file.write_text(f"from annotest import *\n\n\n{text}\n")
    spec = importlib.util.spec_from_file_location("planted", file)
    assert spec is not None and spec.loader is not None
    module = sys.modules["planted"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    contents = discover(module, "planted", False, frozenset())
    places = {target.info.qualname.split(".")[-1]: p for p, target in enumerate(contents.targets)}
    shared = Project((folder,), folder), process.Blackboard(), process.Output()
    made = []
    for number in range(len(table)):
        place, events = places[f"f{number}"], []  # type: tuple[int, list[Any]]
        told = (guard.Log(), None, Limits(), events.append, tuple, None)
        made.append((place, Bench(contents.targets[place], contents, *shared, *told), events))
    return made


def found(
    place: int, bench: Bench, events: list[Any], seed: int, inputs: int, systematic: bool
) -> bool:
    """Say whether a search finds the bug."""
    events.clear()
    options = SearchOptions(seed, shards_of(inputs), systematic=systematic)
    do(bench, RunTarget(place, options, math.inf))
    return any(isinstance(event, FailureFound) for event in events)


def main() -> int:
    """Search all programs with all seeds, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    table = [planted for planted in PLANTED if chosen.only in planted.title]
    missed = 0
    print(f"{'':55} systematic  chance alone")
    for planted, (place, bench, events) in zip(table, benches(table), strict=True):
        counts = [
            sum(found(place, bench, events, s, chosen.inputs, way) for s in range(chosen.seeds))
            for way in (True, False)
        ]
        missed += counts[0] < chosen.seeds
        print(f"{planted.title:55} {counts[0]:7}/{chosen.seeds:<3} {counts[1]:9}/{chosen.seeds}")
    print(f"\n{len(table) - missed} of {len(table)} are found with every seed")
    return int(missed > MAY_MISS)


if __name__ == "__main__":
    raise SystemExit(main())
