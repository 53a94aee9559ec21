"""Lists types of times with the extreme times of each type."""

import pyarrow as pa

#: Type of the times, and the extreme times of this type.
TIMES = {
    "signed": (pa.int64(), (-(1 << 63), (1 << 63) - 1, -1, 0, 5)),
    "unsigned": (pa.decimal128(20, 0), (0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)),
}
