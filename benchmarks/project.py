"""The project that `generate.py` measures on: annotated in the one spelling that both tools read.

The published tool reads annotations as text: only `an.name(...)`, one argument a decorator, and
generators in the module that uses them. It writes broken files where `integer_lists` stand in a
module that has classes, so every second module has the one, and the others have the other.
"""

from __future__ import annotations

import random
from pathlib import Path
from string import Template
from typing import NamedTuple

PACKAGES = ("blocks", "data", "losses", "models", "training")
FILES_PER_PACKAGE = 10
TARGETS_PER_FILE = 20
CLASSES_PER_FILE = 2  # in every second file
METHODS = ("forward", "resize", "summary", "load")
LISTS = ("dense_sizes", "configure")

HEAD = Template('''\
"""$title: one of the modules of a made-up model zoo."""

from datetime import timedelta

import numpy as np

import annotest.an_language as an

SCALE = $scale


@an.exclude()
@an.generator()
@an.arg("width", an.integers(min_value=1, max_value=$width))
@an.arg("depth", an.integers(min_value=1, max_value=4))
@an.precondition("width >= depth")
def gen_plan(width, depth):
    """Return the layer sizes of a small network."""
    return {"sizes": [max(1, width // (i + 1)) for i in range(depth)], "scale": SCALE}
''')

FUNCTIONS = {
    "output_size": '''
@an.arg("size", an.integers(min_value=1, max_value=$big))
@an.arg("kernel", an.integers(min_value=1, max_value=$small))
@an.arg("stride", an.integers(min_value=1, max_value=4))
@an.precondition("kernel <= size")
def $name(size, kernel, stride=1):
    """Return the side of a convolution's output."""
    padded = size + 2 * (kernel // 2)
    return (padded - kernel) // stride + 1
''',
    "scale_by": '''
@an.arg("value", an.floats(min_value=-$big, max_value=$big))
@an.arg("factor", an.floats(min_value=0, max_value=1, exclude_min=True))
def $name(value, factor=0.5):
    """Return the value, scaled and clipped."""
    scaled = value * factor * SCALE
    return max(-$big, min($big, scaled))
''',
    "activation": '''
@an.arg("kind", an.sampled(elements=["relu", "tanh", "sigmoid", "linear"]))
@an.arg("inplace", an.sampled([True, False]))
def $name(kind, inplace=False):
    """Return an activation by name."""
    table = {"relu": lambda x: x if x > 0 else 0, "tanh": np.tanh, "linear": lambda x: x}
    found = table.get(kind, lambda x: 1 / (1 + np.exp(-x)))
    return found, inplace
''',
    "input_shape": '''
@an.arg("shape", an.tuples(an.integers(20, $big), an.integers(20, $big), an.integers(1, 3)))
@an.arg("classes", an.integers(min_value=2, max_value=$big))
def $name(shape, classes=10):
    """Return the number of weights of a dense layer on images."""
    height, width, channels = shape
    return height * width * channels * classes + classes
''',
    "dense_sizes": '''
@an.arg("sizes", an.integer_lists(min_len=2, max_len=$small, min_value=1, max_value=$big))
@an.arg("growth", an.integers(min_value=1, max_value=20))
def $name(sizes, growth=12):
    """Return the sizes of the layers, each grown by all before it."""
    grown = []
    for place, size in enumerate(sizes):
        grown.append(size + growth * place)
    return grown
''',
    "normalise": '''
@an.arg("x", an.np_arrays(dtype=np.dtype("float32"), shape=an.array_shapes(min_dims=2)))
@an.arg("eps", an.floats(min_value=1e-06, max_value=1.0))
def $name(x, eps=0.001):
    """Return the array with mean 0 and deviation 1."""
    finite = np.nan_to_num(x.astype("float64"), posinf=$big, neginf=-$big)
    return (finite - finite.mean()) / (finite.std() + eps)
''',
    "one_hot": '''
@an.arg("labels", an.np_arrays(np.uint8, an.sampled(elements=[(3,), (3, 2), ($small, 2)])))
@an.arg("classes", an.integers(min_value=256, max_value=512))
def $name(labels, classes=256):
    """Return the labels as one-hot vectors."""
    out = np.zeros((labels.size, classes), dtype="float32")
    out[np.arange(labels.size), labels.ravel()] = 1
    return out.reshape((*labels.shape, classes))
''',
    "histogram": '''
@an.arg("counts", an.dictionaries(keys=an.integers(0, $big), values=an.floats(0, 1)))
@an.arg("bins", an.integers(min_value=1, max_value=$small))
def $name(counts, bins=10):
    """Return the counts, gathered in bins."""
    out = [0.0] * bins
    for key, weight in counts.items():
        out[key % bins] += weight
    return out
''',
    "dropout_rate": '''
@an.arg("rate", an.multiple(an.integers(0, 1), an.floats(0, 1), an.sampled(elements=["auto"])))
@an.arg("layers", an.integers(min_value=1, max_value=$small))
def $name(rate, layers=3):
    """Return the dropout rate of each layer."""
    start = 0.5 if rate == "auto" else float(rate)
    return [start / (place + 1) for place in range(layers)]
''',
    "build": '''
@an.arg("plan", an.obj(generator=gen_plan))
@an.arg("name", an.sampled(elements=["small", "medium", "large"]))
def $name(plan, name="small"):
    """Return the layers of a network by name."""
    return [(f"{name}-{place}", size) for place, size in enumerate(plan["sizes"])]
''',
    "learning_rate": '''
@an.deadline(timedelta(seconds=$small))
@an.arg("step", an.integers(min_value=0, max_value=$big))
@an.arg("warmup", an.integers(min_value=1, max_value=$big))
@an.arg("total", an.integers(min_value=1, max_value=$big))
@an.precondition("warmup < total")
@an.precondition("step <= total")
def $name(step, warmup, total, base=0.1):
    """Return the learning rate of a step: a linear warm-up, then a linear decay."""
    if step < warmup:
        return base * step / warmup
    return base * (total - step) / (total - warmup)
''',
    "configure": '''
@an.arg("sizes", an.integer_lists())
@an.arg("options", an.dictionaries(keys=an.sampled(elements=["lr", "mu"]), values=an.floats(0, 1)))
def $name(*sizes, **options):
    """Return a configuration."""
    config = {"sizes": list(sizes), "lr": $small / 1000, "mu": 0.0}
    config.update(options)
    return config
''',
}

CLASS = Template('''
class $name:
    """A layer with weights of its own."""

    $example@an.arg("units", an.integers(min_value=1, max_value=$big))
    @an.arg("gain", an.floats(min_value=0, max_value=4))
    def __init__(self, units, gain=1.0):
        self.units = units
        self.gain = gain
        self.weights = np.full((units,), gain)

    @an.arg("x", an.np_arrays(dtype=np.dtype("int32"), shape=an.sampled(elements=[(1,), (4, 1)])))
    def forward(self, x):
        """Return the outputs for a batch."""
        return x * self.weights

    @an.arg("factor", an.integers(min_value=1, max_value=$small))
    @an.precondition("factor > 1")
    def resize(self, factor):
        """Make the layer wider."""
        self.units *= factor
        self.weights = np.full((self.units,), self.gain)
        return self.units

    @an.arg("precision", an.sampled(elements=[2, 4, $small]))
    @an.arg("verbose", an.sampled([True, False]))
    def summary(self, precision=2, verbose=True):
        """Return the layer in words."""
        text = f"{self.units} units, gain {self.gain:.{precision}f}"
        return text if verbose else text[:$small]

    @an.arg("plan", an.obj(generator=gen_plan))
    def load(self, plan):
        """Take the first size of a plan."""
        self.units = plan["sizes"][0]
        return self
''')


class Module(NamedTuple):
    """One file, and the names of its annotated functions as `Class.method` or `function`."""

    package: str
    stem: str
    targets: tuple[str, ...]


def write_project(folder: Path, seed: int = 0) -> list[Module]:
    """Write the project of 50 files with 20 targets each; the same one for the same seed."""
    chance = random.Random(seed)
    modules = []
    for package in PACKAGES:
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("")
        for number in range(FILES_PER_PACKAGE):
            stem = f"{package}_{number:02}"
            text, targets = module_text(stem, number, chance)
            (folder / package / f"{stem}.py").write_text(text)
            modules.append(Module(package, stem, targets))
    return modules


def module_text(stem: str, number: int, chance: random.Random) -> tuple[str, tuple[str, ...]]:
    """Return one module's text and its targets."""
    head = HEAD.substitute(title=stem, scale=chance.randint(1, 9), width=chance.randint(8, 64))
    parts, targets = [head], []
    with_classes = number % 2 == 0
    count = TARGETS_PER_FILE - with_classes * CLASSES_PER_FILE * (1 + len(METHODS))
    kinds = [kind for kind in FUNCTIONS if not (with_classes and kind in LISTS)]
    for place, kind in enumerate((kinds + chance.sample(kinds, len(kinds)))[:count]):
        name = f"{kind}_{place:02}"
        sizes = {"small": chance.randint(5, 12), "big": chance.randint(50, 500)}
        parts.append(Template(FUNCTIONS[kind]).substitute(name=name, **sizes))
        targets.append(name)
    for place in range(CLASSES_PER_FILE * with_classes):
        name = f"Layer{number}{place}"
        parts.append(class_text(name, place > 0, chance))
        targets += [f"{name}.__init__", *(f"{name}.{method}" for method in METHODS)]
    return "\n".join(parts), tuple(targets)


def class_text(name: str, with_example: bool, chance: random.Random) -> str:
    """Return a class, built by its constructor's annotations or by an example."""
    example = f"@an.cc_example(elements=[({chance.randint(1, 9)}, 1.0)])\n    "
    return CLASS.substitute(
        name=name,
        example=example if with_example else "",
        small=chance.randint(5, 12),
        big=chance.randint(50, 500),
    )
