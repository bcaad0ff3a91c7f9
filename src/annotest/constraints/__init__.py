"""The constraints of aN: sets of valid values, one class each."""

from annotest.constraints._arrays import ArrayConstraint
from annotest.constraints._arrays import NpArrays as np_arrays
from annotest.constraints._base import REGISTRY, Broken, Constraint, Mismatch, broken, broken_in
from annotest.constraints._broadcasts import Broadcasts as broadcasts
from annotest.constraints._calls import checked_calls
from annotest.constraints._checking import checked
from annotest.constraints._choices import Anys as anys
from annotest.constraints._choices import Froms as froms
from annotest.constraints._choices import Objs as objs
from annotest.constraints._complexes import Complexes as complexes
from annotest.constraints._containers import Lists as lists
from annotest.constraints._containers import Sets as sets
from annotest.constraints._containers import Tuples as tuples
from annotest.constraints._dtypes import Same as same
from annotest.constraints._mappings import Dicts as dicts
from annotest.constraints._numbers import Bools as bools
from annotest.constraints._numbers import Floats as floats
from annotest.constraints._numbers import Ints as ints
from annotest.constraints._rngs import Rngs as rngs
from annotest.constraints._shapes import NpShapes as np_shapes
from annotest.constraints._shorthands import BoolLists as bool_lists
from annotest.constraints._shorthands import FloatLists as float_lists
from annotest.constraints._shorthands import IntLists as int_lists
from annotest.constraints._shorthands import StrLists as str_lists
from annotest.constraints._tensors import Tensors as tensors
from annotest.constraints._text import Strs as strs
from annotest.constraints._words import Images as images
from annotest.constraints._words import Labels as labels
from annotest.constraints._words import Masks as masks
from annotest.constraints._words import OneHots as one_hots
from annotest.constraints._words import Probabilities as probabilities
from annotest.constraints._words import TokenIds as token_ids

__all__ = [
    "REGISTRY",
    "ArrayConstraint",
    "Broken",
    "Constraint",
    "Mismatch",
    "anys",
    "bool_lists",
    "bools",
    "broadcasts",
    "broken",
    "broken_in",
    "checked",
    "checked_calls",
    "complexes",
    "dicts",
    "float_lists",
    "floats",
    "froms",
    "images",
    "int_lists",
    "ints",
    "labels",
    "lists",
    "masks",
    "np_arrays",
    "np_shapes",
    "objs",
    "one_hots",
    "probabilities",
    "rngs",
    "same",
    "sets",
    "str_lists",
    "strs",
    "tensors",
    "token_ids",
    "tuples",
]
