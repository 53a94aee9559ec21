"""Counts the events that a port reports: a pulse for each event, or their number in a cycle."""

from cocotb.triggers import RisingEdge


class PulseCounter:
    """Adds up the numbers of a port, such as 1 in each cycle with an event; a reset sets 0.

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
        """Raises AssertionError unless the port reported ``count`` events; X is no event."""
        assert self.count == count, f"{self.name} reported {self.count} events, not {count}"

    async def run(self):
        """Samples the port at each rising edge of the clock, for ever."""
        while True:
            await RisingEdge(self._tb.clock)
            value = self._port.value
            self.count += int(value) if value.is_resolvable else 0
            self.count = 0 if self._tb.in_reset else self.count
