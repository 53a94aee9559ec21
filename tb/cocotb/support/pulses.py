"""Adds up a port that carries, in each cycle, the number of events in this cycle."""

from cocotb.triggers import RisingEdge


class PulseCounter:
    """Adds up a port over all cycles; a reset sets the count to 0.

    The port usually has one bit, which is high for one cycle for each event.

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
        """Raises AssertionError unless the port has counted ``count`` events."""
        assert self.count == count, f"{self.name} counted {self.count} events, not {count}"

    def expect_between(self, least, most):
        """Raises AssertionError unless the port has counted ``least`` to ``most`` events."""
        message = f"{self.name} counted {self.count} events, not {least} to {most}"
        assert least <= self.count <= most, message

    async def run(self):
        """Samples the port at each rising edge of the clock, for ever."""
        while True:
            await RisingEdge(self._tb.clock)
            value = self._port.value
            self.count = 0 if self._tb.in_reset else self.count + int(value)
