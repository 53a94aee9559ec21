"""Monitors of a cocotb bench: what passes on a channel, and whether its rules are kept."""

from cocotb.triggers import RisingEdge


class ChannelMonitor:
    """Holds one channel to its rules and takes note of what passes, at every rising clock edge.

    Parameters
    ----------
    dut : cocotb handle of the top
    name : str
        Of the channel, as an error bears it.
    valid, ready : handle
    payload : sequence of handle

    Attributes
    ----------
    cycle : int
        Edges seen with ``aresetn`` high.
    taken : list of (cycle, tuple of int)
    stalled : int
        Cycles with ``valid & ~ready``.
    violations : list of str
    """

    def __init__(self, dut, name, valid, ready, payload):
        self.clock, self.aresetn, self.name = dut.aclk, dut.aresetn, name
        self.valid, self.ready, self.payload = valid, ready, tuple(payload)
        self.cycle = self.stalled = 0
        self.taken, self.violations = [], []

    async def run(self):
        held, in_reset, edge = None, 0, RisingEdge(self.clock)
        while True:
            await edge
            if not self.aresetn.value.is_resolvable or self.aresetn.value == 0:
                held, in_reset = None, in_reset + 1
                if in_reset > 1 and str(self.valid.value) != "0":
                    self.broken("valid during reset")
                continue
            valid, ready = self.valid.value, self.ready.value
            if not (valid.is_resolvable and ready.is_resolvable):
                self.broken("valid or ready is X")
            now = tuple(signal.value for signal in self.payload) if valid == 1 else None
            if held is not None:
                if now is None:
                    self.broken("valid withdrawn before ready")
                elif now != held:
                    self.broken("payload changed before ready")
            held = now if ready == 0 else None
            if held is not None:
                self.stalled += 1
            elif now is not None:
                if not all(value.is_resolvable for value in now):
                    self.broken("payload has an X")
                    now = tuple(_resolved(value) for value in now)
                self.taken.append((self.cycle, tuple(int(value) for value in now)))
            self.cycle += 1

    def broken(self, what, cycle=None):
        """Notes that a rule was broken, now or at ``cycle``."""
        self.violations.append(
            f"{self.name}: {what} (cycle {self.cycle if cycle is None else cycle})"
        )


def _resolved(value):
    return int(str(value).translate(str.maketrans("XZUW-HL", "0000010", "")), 2)
