"""Modules of torch: what in them is trained, and what is saved of them."""

from __future__ import annotations

from typing import Any


def trained(module: Any) -> dict[str, Any]:
    """Return the parameters by name, those that are frozen too."""
    return {name: value for name, value in module.named_parameters() if _is_made(value)}


def state(module: Any) -> dict[str, Any]:
    """Return the parameters and buffers by name, those too that are not saved."""
    buffers = {name: value for name, value in module.named_buffers() if _is_made(value)}
    return {**trained(module), **buffers}


def restore(module: Any, other: Any) -> None:
    """Load the saved state of another module."""
    module.load_state_dict(other.state_dict())


def _is_made(value: Any) -> bool:
    """Say whether a parameter has a shape: those of lazy modules get it in the first call."""
    import torch

    return not torch.nn.parameter.is_lazy(value)


FACES = trained, state, restore
