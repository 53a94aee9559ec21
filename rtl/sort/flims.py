"""FLiMS: merges two sorted lists at w tuples per cycle for any distribution of their values."""

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

        a --> bank 0  1  2  3     selector i: takes the lesser of the heads of a's bank i
                   |  |  |  |                 and b's bank w-1-i, and pops its bank
                   <  <  <  <
                   |  |  |  |
        b --> bank 3  2  1  0
                   |  |  |  |
              butterfly of log2 w stages: distances w/2, ..., 2, 1
                   o  o  o  o

    Entry r of an input lies in bank r mod w, so no data is rotated. The number of entries popped
    from both inputs together is a multiple of w. Hence the two heads at a selector have ranks whose
    sum is w-1 modulo w, as in Batcher's first half-cleaner, rotated. In a cycle the selectors take
    a *row*, the w least entries of both lists, as a rotated bitonic sequence, which the butterfly
    sorts. For instance with w = 2 and two lists of two beats, where - is a pad::

        a           1 4   6 -
        b           2 3   5 7
        selected    1 2   3 4   6 5   7 -
        o           1 2   3 4   5 6   7 -

    A list is a stream of dense beats up to ``last``, with any number of tuples, 0 included. Lanes
    that are not valid become *pads*: a bit in front of the key makes a pad greater than every
    tuple, so no key value is reserved. The entries of two merged lists together, pads included,
    must be a multiple of w. Beats of w always satisfy the rule; with beats of w/2 the two lists
    together must have an even number of beats.

    With ``strip`` the output is dense like the inputs: pads are removed, and the ``last`` beat is
    empty if no tuple remains for it. Without ``strip`` beats of pads are output as well, so that
    the merged list has as many beats as both lists together: the next merger of a tree relies on
    the number.

    Tuples that tie in ``order`` leave in any order, also two of the same list; add a field to the
    order if ties matter. Ties prefer ``a`` in one row and ``b`` in the next, so that equal tuples
    drain both inputs at one rate.

    With ``order.cardinality`` each tuple leaves with the sum of its group's numbers in the two
    lists (:class:`~rtl.sort.cardinality.GroupTotals`, behind the butterfly). All tuples of a group
    must have one number within a list; the numbers of the two lists may differ.

    Comparators: w selectors and ``w/2 * log2 w`` in the butterfly; with a cardinality also w+1
    equality comparisons of groups. Latency ``2 + log2 w`` cycles from the beats that complete the
    first row of heads, and 2 more with a cardinality. Initiation interval 1 cycle: w tuples per
    cycle while neither input runs dry; lists of n entries together take n/w cycles. A stall at
    ``o`` stalls both inputs when the banks are full.

    Parameters
    ----------
    order : SortOrder
    lanes : int
        w, a power of two.
    input_lanes : int
        Tuples of a beat at ``a`` and ``b``: w, or w/2 as in a merge tree.
    strip : bool
        Remove pads from the output.
    depth : int
        Entries of a bank, a power of two of at least 8: the lead that one input may have.

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
        self._order = order
        self._lanes = lanes
        self._depth = depth
        self._input_lanes = input_lanes
        self._strip = strip
        narrow = beat(order.row, input_lanes)
        wide = beat(order.row, lanes)
        super().__init__(
            {
                "a": In(stream.Signature(narrow)),
                "b": In(stream.Signature(narrow)),
                "o": Out(stream.Signature(wide)),
            }
        )

    @staticmethod
    def latency_of(order, lanes):
        """Latency in cycles: the banks, one for the selectors, one per stage, and the totals."""
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
        self._output(m, rows)
        return m

    def _register(self, m, name):
        """Adds a register between stages; returns the register and its input entries."""
        layout = marked_layout if self._order.cardinality else row_layout
        register = StreamRegister(layout(self._order, self._lanes))
        m.submodules[name] = register
        return register, build(m, register.i.p.entries, f"{name}_entry")

    def _select(self, m, a, b):
        """Selects the lesser head of each pair of banks; all pairs pop in the same cycle."""
        register, chosen = self._register(m, "select")
        filled = Signal(self._lanes)
        pops = Signal()
        ends = Signal()
        b_first = Signal()  # on a tie ``b`` wins; alternates so that ties drain both inputs
        with m.If(pops):
            m.d.sync += b_first.eq(~b_first)
        for lane in range(self._lanes):
            left = a.heads[lane]
            right = b.heads[-1 - lane]
            take_b = Signal(name=f"take_b{lane}")
            right_is_first = before(self._order, right.entry, left.entry, b_first)
            m.d.comb += [
                filled[lane].eq(left.known & right.known),
                take_b.eq(left.done | (~right.done & right_is_first)),
                *choose(chosen[lane], take_b, right.entry, left.entry),
                a.pop[lane].eq(pops & ~take_b),
                b.pop[self._lanes - 1 - lane].eq(pops & take_b),
            ]
            if self._order.cardinality:
                m.d.comb += chosen[lane].from_b.eq(take_b)
            if lane == 0:  # all pairs hold equally many entries and so end in the same cycle
                m.d.comb += ends.eq(Mux(take_b, right.end & left.done, left.end & right.done))
        m.d.comb += [
            register.i.valid.eq(filled.all()),
            pops.eq(register.i.valid & register.i.ready),
            register.i.p.end.eq(ends),
            a.restart.eq(pops & ends),
            b.restart.eq(pops & ends),
        ]
        return register.o

    def _look_ahead(self, m, source, a, b):
        """Adds to the row in the register the least entry that each list still has.

        GroupTotals needs these entries for a group that continues in the next row; the last row of
        a list has none. Returns the extended stream.
        """
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
        """Adds the butterfly stage that compares lanes at ``distance``; returns its output."""
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

    def _output(self, m, source):
        """Drives ``o``. With ``strip`` the first beat with a pad is the list's last one.

        Later beats of the list hold only pads and are dropped.
        """
        entries = split(m, source.p.entries, "entry")
        tuples = build(m, self.o.p.tuples, "tuple")
        m.d.comb += [out.eq(entry.body) for out, entry in zip(tuples, entries, strict=True)]
        valid = Signal(self._lanes)
        list_over = Signal()
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
            self.o.valid.eq(source.valid & ~list_over),
            source.ready.eq(self.o.ready | list_over),
        ]
        with m.If(source.valid & source.ready):
            m.d.sync += list_over.eq(~source.p.end & (list_over | ~valid.all()))
