"""Selection by rank: marks the median, or any percentile, of each sorted group."""

from fractions import Fraction

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.aggregate.count import Count
from rtl.aggregate.operator import Segmented, Tuple
from rtl.aggregate.targets import CompiledTargets, RunTimeTargets, wait_of
from rtl.network.boundaries import marked_beat
from rtl.network.rolling import RollingScan
from rtl.stream.beat import build, copy_sideband, split, wire
from rtl.stream.skid import SkidBuffer


class Ranks(wiring.Component):
    """Marks the tuples that are the percentiles of their groups.

    ::

        i -> rolling scan ----> rank -------------------+
             of a count    \\                            = --> hits of o
                            +-> cardinality --> target -+

    A scan computes the *rank* of a tuple in its group, from 1. The *target* of percentile p in a
    group of n tuples is ceil(p * n), computed for each tuple from the cardinality n that the tuple
    carries. In each group exactly one tuple's rank equals the target: the *hit* of the percentile.

    Groups must be sorted, and each tuple's cardinality must be the size of its group. Order is
    kept, and streams may follow each other without a gap. The stages after the scan advance
    together into a queue. They stop while the queue is full, and ``i`` stalls once the scan is
    full. ``hits`` are undefined in lanes that are not valid.

    Latency: the levels of the scan, the cycles of the targets, and 1 cycle for the queue.
    Initiation interval 1 cycle.

    Parameters
    ----------
    row : data.StructLayout
        Layout of a tuple.
    lanes : int
        A power of two.
    targets : sequence of Fraction or str
        For each hit, p itself or the name of the context's member that holds p in units of 1/65536;
        all of one kind.
    tuples : int
        Tuples of the largest group.
    distinct : iterable of str
        As for :class:`~rtl.network.boundaries.GroupBoundaries`.
    context : data.StructLayout
        Layout of the beats' context.
    scan : str
        Shape of the scan's network, see :mod:`rtl.network.plan`.

    Members
    -------
    i : In(stream.Signature(marked_beat(row, lanes, distinct, context.size, cardinality=...)))
    o : Out(stream.Signature(marked_beat(row, lanes, distinct, context.size, hits=...)))

    Source: seed 003, section 3.2 steps (c) and (d); any percentile, and several at once, are ours.
    """

    initiation_interval = 1

    def __init__(self, row, lanes, *, targets, tuples, distinct=(), context=None, scan="sklansky"):
        self._context = data.StructLayout({}) if context is None else context
        self._lanes = lanes
        self._tuples = tuples
        self._shape = scan
        self._names = tuple(targets)
        self._target_latency = wait_of(self._names, tuples)
        self._targets = [
            CompiledTargets(target, lanes, tuples)
            if isinstance(target, Fraction)
            else RunTimeTargets(lanes, tuples)
            for target in self._names
        ]
        count = bits_for(tuples)
        common = (row, lanes, distinct, self._context.size)
        counted = marked_beat(*common, cardinality=count)
        self._operator = Segmented(Count(count))
        self._scan = RollingScan(
            self._operator, lanes, tuples=tuples, shape=scan, passenger=counted
        )
        self._pending = data.StructLayout(
            {"beat": marked_beat(*common), "ranks": data.ArrayLayout(count, lanes)}
        )
        self._marked = marked = marked_beat(*common, hits=len(self._names))
        super().__init__({"i": In(stream.Signature(counted)), "o": Out(stream.Signature(marked))})

    @staticmethod
    def latency_of(lanes, *, targets, tuples, scan="sklansky"):
        """Latency of the scan, the targets and the queue, in cycles."""
        wait = wait_of(targets, tuples)
        return RollingScan.latency_of(lanes, scan) + wait + SkidBuffer.latency

    @property
    def latency(self):
        return self.latency_of(
            self._lanes, targets=self._names, tuples=self._tuples, scan=self._shape
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.scan = scan = self._scan
        m.submodules.queue = queue = SkidBuffer(self._marked)
        self._count(m)
        enable = Signal()
        valid = scan.o.valid
        pending = self._ranked(m)
        targets = self._lane_targets(m, enable)
        for level in range(self._target_latency):
            next_valid = Signal(name=f"valid{level}")
            next_pending = Signal.like(pending, name=f"waiting{level}", reset_less=True)
            with m.If(enable):
                m.d.sync += [next_valid.eq(valid), next_pending.eq(pending)]
            valid = next_valid
            pending = next_pending
        self._mark(m, queue.i.p, pending, targets)
        m.d.comb += [
            queue.i.valid.eq(valid),
            enable.eq(queue.i.ready | ~valid),
            scan.o.ready.eq(enable),
        ]
        wiring.connect(m, queue.o, wiring.flipped(self.o))
        return m

    def _count(self, m):
        """Feeds the scan: every tuple counts 1, and a group's first tuple restarts the count."""
        scan = self._scan
        beat_ = split(m, self.i.p, "in")
        states = build(m, scan.i.p.states, "lifted", deep=True)
        for state, tuple_ in zip(states, split(m, beat_["tuples"], "tuple"), strict=True):
            m.d.comb += wire(state, self._operator.lift(Tuple(first=tuple_.first), None))
        m.d.comb += [
            scan.i.p.passenger.eq(self.i.p),
            scan.i.p.last.eq(beat_["last"]),
            scan.i.valid.eq(self.i.valid),
            self.i.ready.eq(scan.i.ready),
        ]

    def _ranked(self, m):
        """Returns the beat, without cardinalities, and its ranks, at the output of the scan."""
        scan = self._scan
        pending = Signal(self._pending)
        states = split(m, scan.o.p.states, "state", deep=True)
        beat_ = split(m, scan.o.p.passenger, "counted")
        tuples = build(m, pending.beat.tuples, "ranked", deep=True)
        for tuple_, counted in zip(
            tuples, split(m, beat_["tuples"], "lane", deep=True), strict=True
        ):
            m.d.comb += wire(tuple_, counted)
        m.d.comb += [
            pending.beat.valid.eq(beat_["valid"]),
            *copy_sideband(pending.beat, beat_),
            pending.ranks.as_value().eq(Cat(state["state"]["value"] for state in states)),
        ]
        return pending

    def _lane_targets(self, m, enable):
        """Adds the target components; returns the targets of every lane, for each percentile."""
        passenger = self._scan.o.p.passenger
        counts = Cat(t["cardinality"] for t in split(m, passenger.tuples, "aimed", deep=True))
        lane_targets = []
        for k, (name, target) in enumerate(zip(self._names, self._targets, strict=True)):
            m.submodules[f"targets{k}"] = target
            m.d.comb += [target.enable.eq(enable), target.counts.as_value().eq(counts)]
            if not isinstance(name, Fraction):
                m.d.comb += target.fraction.eq(self._context(passenger.context)[name])
            lane_targets.append(target.targets)
        return lane_targets

    def _mark(self, m, target, pending, targets):
        """Marks hits: compares the ranks with the targets."""
        beat_ = split(m, pending.beat, "waited")
        marked = build(m, target.tuples, "marked", deep=True)
        for lane, tuple_ in enumerate(split(m, beat_["tuples"], "waited_tuple", deep=True)):
            hits = Cat(pending.ranks[lane] == ranks[lane] for ranks in targets)
            m.d.comb += wire(marked[lane], tuple_ | {"hits": hits})
        m.d.comb += [target.valid.eq(beat_["valid"]), *copy_sideband(target, beat_)]
