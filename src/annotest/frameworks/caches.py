"""What frameworks keep of calls that are over, and fill again when they need it.

Nothing is dropped that a program may count on: `keras.utils.clear_session()` would forget the dtype
policy and the seed that a module has set. What is slow to make again (compiled code) stays, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def _drop_kernels(context: Any) -> None:
    """Drop the kernels of single operations; Keras needs new ones for every model that it makes."""
    context.context().clear_kernel_cache()


# by the module that has the cache: a framework that is not imported has none
_CACHES: dict[str, Callable[[Any], None]] = {"tensorflow.python.eager.context": _drop_kernels}


def drop_caches() -> None:
    """Drop the caches of the frameworks that are imported already; import none."""
    for name, drop in _CACHES.items():
        module = sys.modules.get(name)
        if module is not None:
            drop(module)
