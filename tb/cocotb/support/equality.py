"""The cocotb tests that every bench has: its block gives the rows that PySpark computed."""

import cocotb

from tb.cocotb.support.testbench import STALLS


def rows_equal_spark(bench, reset_after=300):
    """Returns the cocotb tests of a bench: one without stalls, and one with stalls on all sides.

    The second test first resets the block with payloads inside, and then sends everything.

    Parameters
    ----------
    bench : subclass of Testbench
        ``bench(dut, stalls)`` has a method ``start``.
    reset_after : int
        Cycles after which the block is reset.
    """

    async def rows_equal_spark(dut, stalls):
        """Compares all rows."""
        await bench(dut, stalls).run(reset_after if any(stalls) else None)

    rows_equal_spark.__qualname__ = rows_equal_spark.__name__
    rows_equal_spark.__module__ = bench.__module__
    return cocotb.test()(cocotb.parametrize(stalls=STALLS)(rows_equal_spark))
