"""Compresses values as Gorilla's paper describes, as text of bits, independently of the model.

Values are floats. The first value is stored as it is. The text of each later value depends only on
the floats before it. The module has no blocks.
"""

import struct
from itertools import pairwise


def bits_of(value):
    return format(struct.unpack(">Q", struct.pack(">d", value))[0], "064b")


def encode(values):
    """Returns one text of bits for each value."""
    parts, window = [bits_of(values[0])], None
    for previous, value in pairwise(values):
        pairs = zip(bits_of(previous), bits_of(value), strict=True)
        difference = "".join("0" if a == b else "1" for a, b in pairs)
        if "1" not in difference:
            parts.append("0")
            continue
        leading = min(len(difference) - len(difference.lstrip("0")), 31)
        end = len(difference.rstrip("0"))
        if window and leading >= window[0] and end <= window[1]:
            parts.append("10" + difference[window[0] : window[1]])
            continue
        window = leading, end
        length = end - leading
        lengths = format(length if length < 64 else 0, "06b")
        parts.append("11" + format(leading, "05b") + lengths + difference[leading:end])
    return parts
