"""Describes an engine without a cache: every answer is "not cached", and there is no hardware."""

from dataclasses import dataclass

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out


@dataclass(frozen=True)
class NoCache:
    """Describes a store without a cache, in the place of a CachePlan.

    A store of blocks uses this plan and a :class:`~rtl.keyed.cache.cache_plan.CachePlan` by the
    same attributes and methods, so it connects the same components with and without a cache.
    ``keys`` is 0, and ``stores_values`` False: blocks need no value for the cache.

    Members of the layouts have 0 bits: they read as 0, so no value is ``stored``, no window is a
    ``hit``, and neither a queue nor a register has a bit for them. The components are wires.
    """

    keys = 0
    counters = ()
    stores_values = False
    #: Layout of the decision about a value, without bits.
    decision = data.StructLayout({"hit": 0, "claims": 0, "stored": 0, "place": 0})
    #: Layout of the report about a window, without bits.
    report = data.StructLayout({"hit": 0, "claims": 0, "noted": 0, "place": 0})

    def lookup(self, entries):
        """Builds the component that accepts each value and stores none."""
        return NoWindows(self.decision)

    def reports(self, ring, numbered):
        """Builds the component that passes windows and their feedback on."""
        return NoReports(ring, numbered)

    def merger(self, shape):
        """Builds the component that passes lines on."""
        return NoLines(shape)

    def lines_of(self, size):
        """Returns 0, the number of lines of a cached window, because no window is cached."""
        return 0

    def memory_bits_of(self, ring):
        """Returns 0, the bits of the block memories, because there are none."""
        return 0


class NoWindows(wiring.Component):
    """Accepts each value, stores none, and outputs no line of a window.

    The ports are those of :class:`~rtl.keyed.cache.window_cache.WindowCache`. Latency 0 cycles,
    initiation interval 1 cycle.

    Parameters
    ----------
    decision : data.StructLayout
        Without bits.

    Members
    -------
    i : In(stream.Signature(0))
        Always ready.
    decision : Out(decision)
        Without bits.
    o : Out(stream.Signature(0))
        Never valid.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, decision):
        empty = stream.Signature(data.StructLayout({}))
        super().__init__({"i": In(empty), "decision": Out(decision), "o": Out(empty)})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.i.ready.eq(1)
        return m


class NoReports(wiring.Component):
    """Passes on the blocks of windows and their feedback, in the same cycle.

    The ports are those of :class:`~rtl.keyed.cache.walk_reports.WalkReports`. Latency 0 cycles,
    initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    ring : RingPlan
    numbered : data.StructLayout
        Layout of a block of a window.

    Members
    -------
    i : In(stream.Signature(numbered))
    o : Out(stream.Signature(numbered))
    fed : In(stream.Signature(ring.feedback, always_ready=True))
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, ring, numbered):
        feedback = stream.Signature(ring.feedback, always_ready=True)
        super().__init__(
            {
                "i": In(stream.Signature(numbered)),
                "o": Out(stream.Signature(numbered)),
                "fed": In(feedback),
                "feedback": Out(feedback),
            }
        )

    def elaborate(self, platform):
        m = Module()
        wiring.connect(m, wiring.flipped(self.i), wiring.flipped(self.o))
        wiring.connect(m, wiring.flipped(self.fed), wiring.flipped(self.feedback))
        return m


class NoLines(wiring.Component):
    """Passes on the lines of windows, in the same cycle.

    The ports are those of :class:`~rtl.keyed.cache.cached_lines.CachedLines`. Latency 0 cycles,
    initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    shape : data.StructLayout
        Layout of a line of a window.

    Members
    -------
    i : In(stream.Signature(shape))
    states : In(stream.Signature(0))
        Never ready, since no window comes out of a cache.
    o : Out(stream.Signature(shape))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, shape):
        super().__init__(
            {
                "i": In(stream.Signature(shape)),
                "states": In(stream.Signature(data.StructLayout({}))),
                "o": Out(stream.Signature(shape)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        wiring.connect(m, wiring.flipped(self.i), wiring.flipped(self.o))
        return m
