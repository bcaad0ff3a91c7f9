"""What torch keeps for all code in a process: settings, and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from annotest.expr import Ref
from annotest.frameworks import RandomSource, current_device


@cache
def _torch() -> Any:
    import torch

    return torch


def synchronize() -> None:
    """Wait until GPUs have done what they were asked for; raise what went wrong there."""
    torch = _torch()
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def random_sources() -> list[RandomSource]:
    """Return the numbers of `torch.rand` and the like, on the GPUs too if they are in use."""
    torch = _torch()
    of_processor = torch.default_generator.manual_seed
    has_begun, of_gpus = torch.cuda.is_initialized, torch.cuda.manual_seed_all

    def seed(number: int) -> None:  # what torch.manual_seed does takes far longer
        of_processor(number)
        if current_device().startswith("cuda"):
            torch.cuda.init()  # or the first call would begin with other numbers than the next
        if has_begun():
            of_gpus(number)

    def state() -> Any:
        states = [torch.get_rng_state(), *(torch.cuda.get_rng_state_all() if has_begun() else ())]
        return [state.numpy().tobytes() for state in states]

    return [RandomSource("torch", seed, state, Ref("torch", "manual_seed", "torch"))]


def aspects() -> list[Any]:
    """Return what a call may change for all others in its process."""
    torch = _torch()
    return [
        _Setting("torch.set_default_dtype", torch.get_default_dtype, torch.set_default_dtype),
        _Setting("torch.set_grad_enabled", torch.is_grad_enabled, torch.set_grad_enabled),
        _Setting("torch.set_num_threads", torch.get_num_threads, torch.set_num_threads),
        _Setting("torch.set_default_device", torch.get_default_device, _set_device),
        _Setting("torch.use_deterministic_algorithms", _determinism, _set_determinism),
        _Setting("torch.backends.cudnn", _cudnn, _set_cudnn),
        *(
            _Setting(f"torch.autocast({device!r})", *(partial(do, device) for do in _AUTOCAST))
            for device in ("cpu", "cuda")
        ),
    ]


class _Setting:
    """A setting, with the function that reads it and the one that sets it."""

    def __init__(self, name: str, read: Callable[[], Any], write: Callable[[Any], object]) -> None:
        self.name, self.read, self._write = name, read, write
        self.keep()

    def keep(self) -> None:
        self.before = self.read()

    def put_back(self, imported: bool) -> Iterable[str]:
        self._write(self.before)
        return [self.name]


def _set_device(before: Any) -> None:
    # without a default device, that of the processor is told; to set it would slow down all calls
    _torch().set_default_device(None if before.type == "cpu" else before)


def _determinism() -> tuple[bool, bool]:
    torch = _torch()
    told = torch.is_deterministic_algorithms_warn_only_enabled()
    return torch.are_deterministic_algorithms_enabled(), told


def _set_determinism(before: tuple[bool, bool]) -> None:
    is_on, only_warns = before
    _torch().use_deterministic_algorithms(is_on, warn_only=only_warns)


def _cudnn() -> tuple[bool, bool]:
    cudnn = _torch().backends.cudnn
    return cudnn.benchmark, cudnn.deterministic


def _set_cudnn(before: tuple[bool, bool]) -> None:
    cudnn = _torch().backends.cudnn
    cudnn.benchmark, cudnn.deterministic = before


def _autocast(device: str) -> tuple[bool, Any]:
    torch = _torch()
    return torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)


def _set_autocast(device: str, before: tuple[bool, Any]) -> None:
    torch = _torch()
    is_on, dtype = before
    torch.set_autocast_enabled(device, is_on)
    torch.set_autocast_dtype(device, dtype)
    torch.clear_autocast_cache()


_AUTOCAST = _autocast, _set_autocast
