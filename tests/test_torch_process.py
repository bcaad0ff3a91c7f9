"""What a call changes for all code that uses torch in its process: it is put back."""

from contextlib import contextmanager

import pytest

from annotest.engine.child.surroundings import Surroundings

torch = pytest.importorskip("torch", reason="torch is not installed")


def deterministic():
    only_warns = torch.is_deterministic_algorithms_warn_only_enabled()
    return torch.are_deterministic_algorithms_enabled(), only_warns


def cudnn():
    return torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic


def autocast(device):
    return torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)


def enter_autocast(device, dtype):
    torch.autocast(device, dtype).__enter__()


# what the code under test says, what is named, and what must be as it was
CHANGES = {
    "torch.set_default_dtype(torch.float64)": (
        "torch.set_default_dtype",
        lambda: torch.zeros(1).dtype,
    ),
    "torch.set_grad_enabled(False)": ("torch.set_grad_enabled", torch.is_grad_enabled),
    "torch.no_grad().__enter__()": ("torch.set_grad_enabled", torch.is_grad_enabled),
    "torch.set_num_threads(torch.get_num_threads() + 1)": (
        "torch.set_num_threads",
        torch.get_num_threads,
    ),
    "torch.set_default_device('meta')": (
        "torch.set_default_device",
        lambda: torch.zeros(1).device,
    ),
    "torch.use_deterministic_algorithms(True)": (
        "torch.use_deterministic_algorithms",
        deterministic,
    ),
    "torch.use_deterministic_algorithms(True, warn_only=True)": (
        "torch.use_deterministic_algorithms",
        deterministic,
    ),
    "torch.backends.cudnn.benchmark = True": ("torch.backends.cudnn", cudnn),
    "torch.backends.cudnn.deterministic = True": ("torch.backends.cudnn", cudnn),
    "enter_autocast('cpu', torch.float16)": ("torch.autocast('cpu')", lambda: autocast("cpu")),
    "torch.set_autocast_enabled('cuda', True)": (
        "torch.autocast('cuda')",
        lambda: autocast("cuda"),
    ),
}


@contextmanager
def watched():
    """Stand for the engine around a call; not as a fixture, as pytest itself sets variables."""
    surroundings = Surroundings()
    surroundings.before_call()
    try:
        yield surroundings
    finally:
        surroundings.close()


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_call_changes_is_put_back_and_named(change):
    named, look = CHANGES[change]
    before = look()
    with watched() as surroundings:
        exec(change, globals())
        assert look() != before
        assert surroundings.restore() == (named,)
        assert look() == before
        assert surroundings.restore() == ()


def test_a_default_device_of_the_module_itself_is_put_back():
    torch.set_default_device("meta")
    try:
        with watched() as surroundings:
            torch.set_default_device(None)
            assert surroundings.restore() == ("torch.set_default_device",)
        assert torch.zeros(1).device == torch.device("meta")
    finally:
        torch.set_default_device(None)
