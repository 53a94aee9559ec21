"""A design for windows of time of each key."""

from tb.rtl.engine.key_time_bench import point

PLAIN = point(where="WHERE y < 14", m2_lines=2)
