"""Of which framework the arrays of a function are, where its annotations leave that open."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable
from typing import Any

from annotest import frameworks
from annotest.constraints import Constraint

_NAMED = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)


def framework_of(function: Any, constraints: Iterable[Constraint]) -> str:
    """Return the framework of the arrays that it takes besides; else that its module imports.

    Among arrays of several kinds, tensors decide.
    """
    parts = [part for constraint in constraints for part in constraint.with_parts()]
    named = [part.framework_named() for part in parts]
    tensors = [name for name in named if name in frameworks.WITH_TENSORS]
    if tensors or "numpy" in named:
        return tensors[0] if tensors else "numpy"
    return _imported_by(function) or "numpy"


def _imported_by(function: Any) -> str:
    """Return the first framework with tensors of which the function's module has a name."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    values = vars(module).values() if module is not None else ()
    named = [value for value in [module, *values] if isinstance(value, _NAMED)]
    roots = {root for value in named for root in _roots(value)}
    return next((name for name in frameworks.WITH_TENSORS if name in roots), "")


def _roots(value: Any) -> set[str]:
    """Return the packages that a module, a function, or a class with all its bases is of."""
    if isinstance(value, types.ModuleType):
        names = [value.__name__]
    else:
        names = [
            part.__module__ for part in (value.__mro__ if isinstance(value, type) else [value])
        ]
    return {str(name).partition(".")[0] for name in names}
