"""Monitor of ports that answer to a payload of an input stream, in the cycle of its transfer."""

from cocotb.triggers import RisingEdge

from tb.cocotb.support.streams import StreamMonitor


class AnswerMonitor(StreamMonitor):
    """Compares ports that depend combinationally on an accepted payload.

    For instance a cache says of each value at ``i`` whether it is stored: ``decision_stored``.

    Parameters
    ----------
    tb : Testbench
    name : str
        Name of the input stream. The name of the monitor is ``i answers``.
    ports : sequence of str
        Names of the output ports.
    """

    def __init__(self, tb, name, ports):
        super().__init__(tb, name, ports)
        self.name = f"{name} answers"

    async def run(self):
        """Samples the ports at each transfer of the input stream, for ever."""
        while True:
            await RisingEdge(self._tb.clock)
            if self._tb.in_reset:
                continue
            if int(self.pins.valid.value) and int(self.pins.ready.value):
                self._accepted()
                self.count += 1
