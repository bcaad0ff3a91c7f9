"""Native functions, and those of `*args, **kwargs`: their documentation tells the arguments."""

import pytest
from conftest import run_json

from annotest.signature.documented import raw_signature

torch = pytest.importorskip("torch", reason="torch is not installed")

SIGNATURES = {
    "nn.functional.conv1d": "(input, weight, /, bias=None, stride=1, padding=0, dilation=1, groups=1)",
    "nn.functional.one_hot": "(tensor, /, num_classes=-1)",
    # it goes on in a second line, and ends in a colon
    "nn.functional.scaled_dot_product_attention": "(query, key, value, /, attn_mask=None, "
    "dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False)",
    "topk": "(input, k, /, dim=None, largest=True, sorted=True, *, out=None)",
    "empty_like": "(input, /, *, dtype=None, layout=None, device=None, requires_grad=False, "
    "memory_format=Ellipsis)",
    # it is written in Python, as a function of `*args, **kwargs`
    "nn.functional.max_pool1d": "(input, kernel_size, /, stride=None, padding=0, dilation=1, "
    "ceil_mode=False, return_indices=False)",
    # only its overloads name the arguments
    "nn.GRU.__init__": "(self, input_size: int, hidden_size: int, num_layers: int = 1, "
    "bias: bool = True, batch_first: bool = False, dropout: float = 0.0, "
    "bidirectional: bool = False, device=None, dtype=None) -> None",
    # the documentation gives types
    "squeeze": "(input, dim, /)",
}


def function_of(name):
    value = torch
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("name", SIGNATURES)
def test_arguments_are_those_of_the_documentation(name):
    assert str(raw_signature(function_of(name))) == SIGNATURES[name]


# an optional argument before a needed one; square brackets; no documentation
@pytest.mark.parametrize("function", [torch.arange, max, torch.batch_norm])
def test_documentation_that_gives_no_signature_is_not_guessed_at(function):
    with pytest.raises(ValueError, match="signature"):
        raw_signature(function)


CHECKS = """
import torch
from annotest import annotate, anys, arg, ints, require, tensors

least = 0
annotate(
    torch.nn.functional.conv1d,
    arg(input=tensors("n groups*i t"), weight=tensors("groups*o i k"), groups=ints(1, 3)),
    arg(bias=anys(None, tensors("groups*o")), stride=ints(1, 3)),
    require("k <= max(least, t)"),  # of this module and Python's, not torch.max
)
annotate(
    "torch.nn:GRU.__init__",
    arg(input_size=ints(1, 4), hidden_size=ints(1, 4), num_layers=ints(1, 2)),
)
annotate("torch.nn:GRU.forward", arg(input=tensors("t n init.input_size")))
annotate("torch:topk", arg(input=tensors("n"), k=ints(1, 9)))
annotate("torch:bmm", arg(input=tensors("b n k"), mat=tensors("b k m")))
"""


def test_native_functions_are_tested_from_outside(project, tmp_path):
    done = run_json(".", "--seed", "1", cwd=project(checks=CHECKS), tmp_path=tmp_path)
    assert {each["qualname"]: each["status"] for each in done.report["targets"]} == {
        "conv1d": "passed",
        "topk": "failed",
        "bmm": "error",
        "GRU.__init__": "passed",
        "GRU.forward": "passed",
    }
    (found,) = done.report["findings"]
    assert found["call"].splitlines()[-1] == "topk(torch.zeros(1), 2)"
    (mistake,) = done.report["mistakes"]
    assert mistake["reason"] == "bmm has no argument 'mat'. Did you mean 'mat2'?"
