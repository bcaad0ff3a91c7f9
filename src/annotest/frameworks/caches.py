"""What frameworks keep of calls that are over, and make again when they need it.

Nothing is dropped that a program may count on: `keras.utils.clear_session()` would forget the dtype
policy and the seed that a module has set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

Caches = Mapping[str, Callable[[Any], None]]


def _clear_jax(jax: Any) -> None:
    if hasattr(jax, "clear_caches"):  # which old releases have not
        jax.clear_caches()


# by the module that has them: a framework that is not imported has none.
# Kernels are of single operations; Keras needs new ones for every model that it makes
KERNELS: Caches = {
    "tensorflow.python.eager.context": lambda eager: eager.context().clear_kernel_cache()
}
# code that is compiled for each shape takes long to make again
COMPILED: Caches = {"jax": _clear_jax}


def drop(caches: Caches) -> None:
    """Drop caches of the frameworks that are imported already; import none."""
    for name, clear in caches.items():
        module = sys.modules.get(name)
        if module is not None:
            clear(module)
