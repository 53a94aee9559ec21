"""Checks the type of window ends: int64 as long as every end of a window fits."""

import pyarrow as pa
import pytest

from golden.plans.time_rows import end_type
from query.parser import parse

WIDE, NARROW = pa.decimal128(38, 0), pa.int64()


@pytest.mark.parametrize(
    ("time", "size", "slack", "type_"),
    [
        ("int(8)", 10, 0, NARROW),
        ("uint(64)", 10, 0, WIDE),
        # The last time of 63 bits is 2**62 - 1: windows of 2**62 end at 2**63 - 1 at the latest.
        ("int(63)", 1 << 62, 0, NARROW),
        ("int(63)", (1 << 62) + 1, 0, WIDE),
        # The first time of 63 bits is -(2**62), and windows end up to SLACK before it.
        ("int(63)", 10, 1 << 62, NARROW),
        ("int(63)", 10, (1 << 62) + 1, WIDE),
        ("uint(8)", 10, 1 << 63, NARROW),
        ("uint(8)", 10, (1 << 63) + 1, WIDE),
    ],
)
def test_int64_where_every_end_fits(time, size, slack, type_):
    window = f"[RANGE {size} SLIDE {size} WATTR t SLACK {slack}]"
    query = parse(f"CREATE INPUT STREAM S (t {time}); SELECT count(*) FROM S {window};")
    assert end_type(query.window) == type_
