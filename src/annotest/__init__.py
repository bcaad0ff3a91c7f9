"""annotest: say which inputs are valid, and have neural-network programs tested with them.

Importing this package loads neither Hypothesis nor NumPy nor any framework: annotations stand in
production code and cost nothing there.
"""

from annotest.checking import CallCheck, CheckFailed, CheckPassed, check, check_call, value
from annotest.constraints import (
    Constraint,
    anys,
    bool_lists,
    bools,
    complexes,
    dicts,
    float_lists,
    floats,
    froms,
    int_lists,
    ints,
    lists,
    np_arrays,
    np_shapes,
    objs,
    same,
    sets,
    str_lists,
    strs,
    tensors,
    tuples,
)
from annotest.decorators import (
    arg,
    budget,
    cc_example,
    dims,
    example,
    exclude,
    generator,
    module_test,
    raises,
    require,
    timeout,
)
from annotest.errors import AnnotestError, InvalidAnnotation, MissingFramework
from annotest.outside import annotate

__version__ = "0.1.0"

__all__ = [
    "AnnotestError",
    "CallCheck",
    "CheckFailed",
    "CheckPassed",
    "Constraint",
    "InvalidAnnotation",
    "MissingFramework",
    "__version__",
    "annotate",
    "anys",
    "arg",
    "bool_lists",
    "bools",
    "budget",
    "cc_example",
    "check",
    "check_call",
    "complexes",
    "dicts",
    "dims",
    "example",
    "exclude",
    "float_lists",
    "floats",
    "froms",
    "generator",
    "int_lists",
    "ints",
    "lists",
    "module_test",
    "np_arrays",
    "np_shapes",
    "objs",
    "raises",
    "require",
    "same",
    "sets",
    "str_lists",
    "strs",
    "tensors",
    "timeout",
    "tuples",
    "value",
]
