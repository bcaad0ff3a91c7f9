"""Floats of 16, 32 and 64 bits: which numbers they can be, and their neighbours."""

from __future__ import annotations

import math
import struct

# the largest finite floats of so many bits, those of fewer than 64
LARGEST = {16: 65504.0, 32: 3.4028234663852886e38}
_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}

WIDTHS = tuple(_FORMATS)


def representable(value: float, width: int) -> bool:
    """Say whether a float of `width` bits can be exactly `value`."""
    return math.isnan(value) or nearest(value, width) == value


def nearest(value: float, width: int) -> float:
    """Return the float of `width` bits that is nearest to a number."""
    try:
        return float(struct.unpack(_FORMATS[width][0], struct.pack(_FORMATS[width][0], value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def neighbour(value: float, width: int, up: bool) -> float:
    """Return the next float of `width` bits above or below a representable `value`."""
    as_float, as_int = _FORMATS[width]
    if value == 0:
        smallest: float = struct.unpack(as_float, struct.pack(as_int, 1))[0]
        return smallest if up else -smallest
    bits: int = struct.unpack(as_int, struct.pack(as_float, value))[0]
    bits += 1 if (value > 0) == up else -1
    return float(struct.unpack(as_float, struct.pack(as_int, bits))[0])


def rounded(value: float, width: int, up: bool) -> float:
    """Return the float of `width` bits nearest to `value` on the upper or the lower side."""
    near = nearest(value, width)
    if (up and near < value) or (not up and near > value):
        near = neighbour(near, width, up)
    return near
