"""Counts pulses of a port that is high for one cycle for each event."""

from cocotb.triggers import RisingEdge


class PulseCounter:
    """Counts the cycles in which a port of one bit is high; a reset sets the count to 0.

    Parameters
    ----------
    tb : Testbench
    name : str
        Name of the port: ``late``.
    """

    def __init__(self, tb, name):
        self.name = name
        self.count = 0
        self._tb = tb
        self._port = getattr(tb.dut, name)

    def expect(self, count):
        """Raises AssertionError unless the port was high in ``count`` cycles."""
        assert self.count == count, f"{self.name} was high in {self.count} cycles, not in {count}"

    async def run(self):
        """Samples the port at each rising edge of the clock, for ever."""
        while True:
            await RisingEdge(self._tb.clock)
            self.count = 0 if self._tb.in_reset else self.count + (str(self._port.value) == "1")
