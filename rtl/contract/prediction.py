"""Holds the predicted rates, latencies and memory of a design, which need no hardware."""

from dataclasses import dataclass, field

from rtl.contract.shape import Pace


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Counts the cycles from one event to another while nothing else stalls.

    The text of ``begin`` names the load, if the cycles hold under a load. For instance the latency
    of ``two-stacks`` begins with "last tuple of a window" and ends with "its row"; 5 ``cycles``
    with 3 ``extra_cycles`` are 8 cycles in the manifest.

    Attributes
    ----------
    begin, end : str
        The events, such as "last tuple of a window" and "its first row". The event of a tuple is
        the cycle in which the engine takes the tuple; the event of a row is the cycle of the row's
        first offer.
    cycles : int
    """

    begin: str
    end: str
    cycles: int

    def describe(self, extra_cycles=0):
        """Returns plain data for a manifest; ``extra_cycles`` is the latency of the blocks around
        the core."""
        return {"from": self.begin, "to": self.end, "cycles": self.cycles + extra_cycles}


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """Describes how a design behaves with one set of window lengths and data of one shape.

    For instance an engine with ``tuples_per_cycle`` 0.5 takes 1,000 tuples in about 2,000 cycles,
    which begin ``clearing`` cycles after a reset.

    Attributes
    ----------
    tuples_per_cycle : float
        Tuples taken per cycle in the long run while the output does not stall, tuples that WHERE
        drops included. Costs of a stream's begin and end are not included.
    latencies : tuple of Latency
        The first latency is the one by which engines of the same kind are compared.
    memory_bits : int
        Bits of the memories on the chip.
    memory_traffic : mapping of str to float
        Lines of 64 bytes for each stored tuple, by kind of access; a tuple that WHERE drops is not
        stored. Empty for an engine without such lines.
    pause : int
        Maximum number of cycles without a transfer on any stream, beyond the latencies and
        ``search``.
    search : int
        Maximum number of cycles without a transfer in which the engine goes through the values of
        one window again and again, to find its percentiles; 0 if it goes through them once.
    clearing : int
        Cycles after a reset in which no tuple passes the first registers, because a table is being
        cleared. The rate does not include them.
    slowest_stage : str or None
        Name of the stage that takes the most cycles for a tuple, as in "bounded by the engine, by
        its reads of lines"; None if the engine has one stage, or if no stage takes more than a
        cycle for a stored tuple.
    pace : Pace or None
        Pace at which the engine takes tuples and ends windows, for a caller that knows how many
        cycles the rows of each window take at the output; None for an engine with windows of keys.
    waits_for_rows : bool
        True if tuples wait while rows leave, so that the rate is lower than the rate that the mean
        of the rows allows; for instance if rows come in bursts.
    """

    tuples_per_cycle: float
    latencies: tuple[Latency, ...]
    memory_bits: int = 0
    memory_traffic: dict = field(default_factory=dict)
    pause: int = 0
    search: int = 0
    clearing: int = 0
    slowest_stage: str | None = None
    pace: Pace | None = None
    waits_for_rows: bool = False

    @property
    def cycles(self):
        """Cycles of the first latency."""
        return self.latencies[0].cycles
