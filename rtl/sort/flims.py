"""FLiMS: merges two sorted lists at w tuples per cycle, whatever their skew."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.sort.banks import MergeBanks
from rtl.sort.cardinality import GroupTotals, fronts, marked_layout, row_layout
from rtl.sort.order import before, choose, compare_and_swap
from rtl.stream.beat import beat, build, split
from rtl.stream.register import StreamRegister


class FlimsMerger(wiring.Component):
    """Merges sorted lists in pairs: list k of ``a`` with list k of ``b`` gives list k of ``o``.

    ::

        a --> bank 0  1  2  3     selector i: the lesser of the heads of a's bank i
                   |  |  |  |                 and b's bank w-1-i, popped where it was
                   <  <  <  <
                   |  |  |  |
        b --> bank 3  2  1  0
                   |  |  |  |
              butterfly of log2 w stages: distances w/2, ..., 2, 1
                   o  o  o  o

    Entry r of an input lies in bank r mod w, so nothing is ever rotated: what has been popped of
    both inputs together is a multiple of w, hence the heads that meet in a selector hold ranks that
    add to w-1 modulo w, which is Batcher's first half-cleaner, only rotated. The w taken are the w
    least, in a rotated bitonic sequence, which the butterfly sorts.

    A list is a stream of dense beats up to ``last``: any number of tuples, none included. Lanes
    that are not valid become *pads*, a bit in front of the key, greater than every tuple: so no key
    value is reserved. Two lists that are merged must have a multiple of w entries together, pads
    included. Beats of w always do; of beats of w/2 the two lists must have an even number.

    With ``strip`` the output is dense like the inputs: pads are taken off, and the ``last`` beat is
    empty when no tuple is left for it. Without, every beat of pads is given too, so that the list
    has as many beats as the two together, which is what the next merger of a tree must be able to
    count on.

    Tuples that tie in ``order`` come in any order, also two of the same list: name a field that
    tells them apart where that matters. In one row those of ``a`` go first, in the next those of
    ``b``, so that equal tuples drain both inputs alike.

    With ``order.cardinality`` each tuple comes out with the sum of what its group counts in the two
    lists, made behind the butterfly (:class:`~rtl.sort.cardinality.GroupTotals`). All tuples of a
    group must come with one number in each list; they need not in both.

    Comparators: w selectors and ``w/2 * log2 w`` in the butterfly; with a cardinality also w+1 of
    groups, for equality. Latency ``2 + log2 w`` cycles from the beats that let the first selection
    be made, and 2 more with a cardinality. Initiation interval 1 cycle: w tuples in every cycle,
    while neither input runs dry; lists of n entries together take n/w cycles. A stall at ``o``
    stalls both inputs when the banks are full.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        w, a power of two.
    input_lanes : int
        Tuples of a beat at ``a`` and ``b``: w, or w/2 as in a merge tree.
    strip : bool
        Take beats of pads off.
    depth : int
        Entries of a bank, a power of two of at least 8: how far one input may run ahead.

    Members
    -------
    a, b : In(stream.Signature(beat(order.row, input_lanes)))
    o : Out(stream.Signature(beat(order.row, lanes)))

    Source: seed 003, section 3.3 (the merger); ends without sentinel values are ours.
    """

    initiation_interval = 1

    def __init__(self, order, lanes, *, input_lanes=None, strip=True, depth=8):
        input_lanes = lanes if input_lanes is None else input_lanes
        log2(lanes)
        if input_lanes not in (lanes, lanes // 2) or not input_lanes:
            raise ValueError(f"input_lanes must be {lanes} or {lanes // 2}, not {input_lanes!r}")
        if not isinstance(depth, int) or depth < 8 or depth & (depth - 1):
            raise ValueError(f"depth must be a power of two of at least 8, not {depth!r}")
        self._order, self._lanes, self._depth = order, lanes, depth
        self._input_lanes, self._strip = input_lanes, strip
        narrow, wide = beat(order.row, input_lanes), beat(order.row, lanes)
        super().__init__(
            {
                "a": In(stream.Signature(narrow)),
                "b": In(stream.Signature(narrow)),
                "o": Out(stream.Signature(wide)),
            }
        )

    @staticmethod
    def latency_of(order, lanes):
        """The banks', one cycle for the selectors, one for each stage, and that of the totals."""
        totals = GroupTotals.latency if order.cardinality else 0
        return MergeBanks.latency + 1 + log2(lanes) + totals

    @property
    def latency(self):
        return self.latency_of(self._order, self._lanes)

    def elaborate(self, platform):
        m = Module()
        banks = {}
        for name, port in (("a", self.a), ("b", self.b)):
            banks[name] = m.submodules[name] = MergeBanks(
                self._order, self._lanes, input_lanes=self._input_lanes, depth=self._depth
            )
            wiring.connect(m, wiring.flipped(port), banks[name].i)
        rows = self._select(m, banks["a"], banks["b"])
        if self._order.cardinality:
            rows = self._look_ahead(m, rows, banks["a"], banks["b"])
        for stage in reversed(range(log2(self._lanes))):
            rows = self._stage(m, rows, 1 << stage)
        if self._order.cardinality:
            totals = m.submodules.totals = GroupTotals(self._order, self._lanes)
            wiring.connect(m, rows, totals.i)
            rows = totals.o
        self._give(m, rows)
        return m

    def _register(self, m, name):
        """A register between stages, and the entries that go into it."""
        layout = marked_layout if self._order.cardinality else row_layout
        register = StreamRegister(layout(self._order, self._lanes))
        m.submodules[name] = register
        return register, build(m, register.i.p.entries, f"{name}_entry")

    def _select(self, m, a, b):
        """The lesser of the heads of each pair of banks; all pairs go on together."""
        register, chosen = self._register(m, "select")
        known = Signal(self._lanes)
        go = Signal()
        ends = Signal()
        b_first = Signal()  # where they tie; in turn, so that equal tuples drain both inputs
        with m.If(go):
            m.d.sync += b_first.eq(~b_first)
        for lane in range(self._lanes):
            left, right = a.heads[lane], b.heads[-1 - lane]
            take_b = Signal(name=f"take_b{lane}")
            lesser = before(self._order, right.entry, left.entry, b_first)
            m.d.comb += [
                known[lane].eq(left.known & right.known),
                take_b.eq(left.done | (~right.done & lesser)),
                *choose(chosen[lane], take_b, right.entry, left.entry),
                a.pop[lane].eq(go & ~take_b),
                b.pop[self._lanes - 1 - lane].eq(go & take_b),
            ]
            if self._order.cardinality:
                m.d.comb += chosen[lane].from_b.eq(take_b)
            if lane == 0:  # every pair holds as many entries, so all end in the same cycle
                m.d.comb += ends.eq(Mux(take_b, right.end & left.done, left.end & right.done))
        m.d.comb += [
            register.i.valid.eq(known.all()),
            go.eq(register.i.valid & register.i.ready),
            register.i.p.end.eq(ends),
            a.restart.eq(go & ends),
            b.restart.eq(go & ends),
        ]
        return register.o

    def _look_ahead(self, m, source, a, b):
        """Adds to a selected row what the banks show behind it, as long as it waits."""
        rows = stream.Signature(source.p.shape()).create()
        m.d.comb += [
            rows.p.eq(source.p),
            rows.valid.eq(source.valid),
            source.ready.eq(rows.ready),
        ]
        for name, front in zip("ab", fronts(m, self._order, a, b), strict=True):
            m.d.comb += [
                rows.p.rest[name].eq(front),
                rows.p.rest[name].valid.eq(front.valid & ~source.p.end),
            ]
        return rows

    def _stage(self, m, source, distance):
        """One stage of the butterfly."""
        register, after = self._register(m, f"distance{distance}")
        entries = split(m, source.p.entries, f"before{distance}")
        for lane in range(self._lanes):
            if not lane & distance:
                far = lane + distance
                pair = (after[lane], after[far], entries[lane], entries[far])
                compare_and_swap(m, self._order, *pair)
        m.d.comb += [
            register.i.p.end.eq(source.p.end),
            register.i.valid.eq(source.valid),
            source.ready.eq(register.i.ready),
        ]
        if self._order.cardinality:
            m.d.comb += register.i.p.rest.eq(source.p.rest)
        return register.o

    def _give(self, m, source):
        """Beats without pads: the first that has one is the list's last, and the rest go unseen."""
        entries = split(m, source.p.entries, "entry")
        tuples = build(m, self.o.p.tuples, "tuple")
        m.d.comb += [out.eq(entry.body) for out, entry in zip(tuples, entries, strict=True)]
        valid = Signal(self._lanes)
        over = Signal()
        m.d.comb += [valid.eq(~Cat(entry.pad for entry in entries)), self.o.p.valid.eq(valid)]
        if not self._strip:
            m.d.comb += [
                self.o.p.last.eq(source.p.end),
                self.o.valid.eq(source.valid),
                source.ready.eq(self.o.ready),
            ]
            return
        m.d.comb += [
            self.o.p.last.eq(source.p.end | ~valid.all()),
            self.o.valid.eq(source.valid & ~over),
            source.ready.eq(self.o.ready | over),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += over.eq(~source.p.end & (over | ~valid.all()))
