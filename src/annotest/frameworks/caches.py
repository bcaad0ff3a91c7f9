"""What frameworks keep of calls that are over, and fill again when they need it.

Nothing is dropped that a program may count on: `keras.utils.clear_session()` would forget the dtype
policy and the seed that a module has set. What is slow to make again (compiled code) stays, and
goes to a folder as well where a framework can do that, so that other processes find it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any


def _drop_kernels(context: Any) -> None:
    """Drop the kernels of single operations; Keras needs new ones for every model that it makes."""
    context.context().clear_kernel_cache()


# by the module that has the cache: a framework that is not imported has none
_CACHES: dict[str, Callable[[Any], None]] = {"tensorflow.python.eager.context": _drop_kernels}

# by the variable that names the folder: others that have all code kept, however small it is
_COMPILED = {"JAX_COMPILATION_CACHE_DIR": {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"}}


def keep_compiled(folder: str) -> None:
    """Have frameworks that are yet to be imported keep compiled code in a folder.

    One for which the user has named another folder keeps it there.
    """
    for name, others in _COMPILED.items():
        if name not in os.environ:
            os.environ.update({name: folder, **others})


def drop_caches() -> None:
    """Drop the caches of the frameworks that are imported already; import none."""
    for name, drop in _CACHES.items():
        module = sys.modules.get(name)
        if module is not None:
            drop(module)
