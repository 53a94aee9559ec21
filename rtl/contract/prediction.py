"""What is to be expected of a design: rates, latencies and memory, without making it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Cycles from one event to another, with no stall but those that the first one tells of.

    Attributes
    ----------
    begin, end : str
        The events, such as "last tuple of a window" and "its first row". A tuple counts when it is
        taken, a row when it is offered.
    cycles : int
    """

    begin: str
    end: str
    cycles: int

    def describe(self, more=0):
        """Plain data for a manifest; ``more`` are the cycles of what stands around."""
        return {"from": self.begin, "to": self.end, "cycles": self.cycles + more}


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a design does with given numbers (window, slide, ...) and data of a given shape.

    Attributes
    ----------
    tuples_per_cycle : float
        Tuples taken in the long run, those that WHERE leaves out among them, while the output does
        not stall: without what only the begin and the end of a stream cost.
    latencies : tuple of Latency
        The first is the one by which engines of its kind are compared.
    memory_bits : int
        Bits of the memories on the chip.
    memory_traffic : mapping of str to float
        Lines of 64 bytes for each tuple, by kind of access; empty without memory masters.
    pause : int
        Cycles that may pass without a transfer on any stream, beyond the latencies.
    clearing : int
        Cycles from a reset on in which no tuple gets past the first registers, as a table is being
        cleared; they are no part of the rate.
    """

    tuples_per_cycle: float
    latencies: tuple[Latency, ...]
    memory_bits: int = 0
    memory_traffic: dict = field(default_factory=dict)
    pause: int = 0
    clearing: int = 0

    @property
    def cycles(self):
        """Those of the first latency."""
        return self.latencies[0].cycles
