"""Monitors of a cocotb bench, which record transfers and check the rules of a channel."""

from cocotb.triggers import RisingEdge


class ChannelMonitor:
    """Checks the rules of a channel and records its transfers, at every rising clock edge.

    The rules: ``valid`` is 0 from the second edge of each reset on; after ``valid`` without
    ``ready`` both ``valid`` and the payload stay until ``ready``, or until a reset; after the reset
    ``valid``, ``ready`` and transferred payloads have no undefined bits. A broken rule goes to
    ``violations``, and the run continues. For instance::

        aresetn    0   0   1   1   1
        valid      1   0   1   1   0
        ready      0   0   0   1   0
                           stalled in cycle 0, transferred in cycle 1

    Parameters
    ----------
    dut : cocotb handle of the top
    name : str
        Name of the channel in messages.
    valid, ready : handle
    payload : sequence of handle

    Attributes
    ----------
    cycle : int
        Number of edges with ``aresetn`` high so far; the first such edge is cycle 0.
    transfers : list of (cycle, tuple of int)
        Cycle and payload of each transfer, with undefined bits of the payload as 0.
    stalled : int
        Number of cycles with ``valid & ~ready``.
    violations : list of str
        Text for each broken rule, such as ``m_axis: payload has an X (cycle 7)``.
    """

    def __init__(self, dut, name, valid, ready, payload):
        self.clock = dut.aclk
        self.aresetn = dut.aresetn
        self.name = name
        self.valid = valid
        self.ready = ready
        self.payload = tuple(payload)
        self.cycle = self.stalled = 0
        self.transfers = []
        self.violations = []

    async def run(self):
        """Monitors the channel for ever."""
        stalled_payload = None
        reset_edges = 0  # number of edges of this reset
        edge = RisingEdge(self.clock)
        while True:
            await edge
            if not self.aresetn.value.is_resolvable or self.aresetn.value == 0:
                stalled_payload = None
                reset_edges += 1
                if reset_edges > 1 and str(self.valid.value) != "0":
                    self.report("valid during reset")
                continue
            reset_edges = 0
            valid, ready = self.valid.value, self.ready.value
            if not (valid.is_resolvable and ready.is_resolvable):
                self.report("valid or ready is X")
            payload = tuple(signal.value for signal in self.payload) if valid == 1 else None
            if stalled_payload is not None:
                if payload is None:
                    self.report("valid withdrawn before ready")
                elif payload != stalled_payload:
                    self.report("payload changed before ready")
            stalled_payload = payload if ready == 0 else None
            if stalled_payload is not None:
                self.stalled += 1
            elif payload is not None:
                if not all(value.is_resolvable for value in payload):
                    self.report("payload has an X")
                    payload = tuple(_resolved(value) for value in payload)
                self.transfers.append((self.cycle, tuple(int(value) for value in payload)))
            self.cycle += 1

    def report(self, rule, cycle=None):
        """Records a violation, in the current cycle or at ``cycle``."""
        self.violations.append(
            f"{self.name}: {rule} (cycle {self.cycle if cycle is None else cycle})"
        )


def _resolved(value):
    """Returns the bits of a value as an integer, with undefined bits as 0."""
    return int(str(value).translate(str.maketrans("XZUW-HL", "0000010", "")), 2)
