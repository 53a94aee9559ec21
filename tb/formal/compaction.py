"""Proves that the compactor returns all valid tuples in order, in dense beats, without a stall."""

from itertools import combinations

from amaranth.hdl import Assert, Module, Mux, Signal, Value

from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import covers, log2, plan
from tb.formal.component_parts import ComponentParts
from tb.formal.numbering import Tally, count, item_shape


def compactor_bench(lanes, *, scan="sklansky", radix=4, invariants=True):
    """Builds a bench that asserts the contract; ``invariants`` make the proof inductive.

    Returns
    -------
    Module, tuple of Value
        The bench and its free ports.
    """
    return _CompactorBench(lanes, scan, radix).build(invariants)


class _CompactorBench:
    def __init__(self, lanes, scan, radix):
        self.lanes, self.plan = lanes, plan(scan, lanes)
        self.bits_of_stage = radix.bit_length() - 1
        self.stages = -(-log2(lanes) // self.bits_of_stage)
        # Capacity: full registers at every level and stage, in the dense buffer and at the output.
        self.item = item_shape(lanes, lanes * (len(self.plan) + self.stages + 2))
        # The context is the stream's number, so the proof covers the context, too.
        self.dut = RoundRobinCompactor(
            self.item, lanes, scan=scan, radix=radix, context=self.item["stream"].width
        )
        self.parts = ComponentParts(self.dut)
        self.m = Module()
        self.m.submodules.dut = self.parts.fragment

    def build(self, invariants):
        self.entered = self._drive()
        self.returned = Tally.register(self.m, self.item, "given")
        after_output = self._contract()
        if invariants:
            for invariant in self._invariants(after_output):
                self.m.d.comb += Assert(invariant)
        return self.m, (self.dut.i.valid, *self.free_ports, self.dut.o.ready)

    def _drive(self):
        """Drives arbitrary beats with arbitrary gaps and numbered valid tuples."""
        m, i = self.m, self.dut.i
        entered = Tally.register(m, self.item, "entered")
        valid, last = Signal(self.lanes, name="some_valid"), Signal(name="some_last")
        rubbish = [Signal(self.item.size, name=f"rubbish{k}") for k in range(self.lanes)]
        self.free_ports = valid, last, *rubbish
        m.d.comb += [i.p.valid.eq(valid), i.p.last.eq(last)]
        m.d.comb += i.p.context.eq(entered.stream)
        for lane in range(self.lanes):
            lanes_before = count(valid[:lane])
            numbered = self.item(Signal(self.item, name=f"numbered{lane}"))
            m.d.comb += [
                numbered.number.eq(entered.number + lanes_before),
                numbered.stream.eq(entered.stream),
                numbered.lane.eq(entered.lane + lanes_before),
                i.p.tuples[lane].eq(Mux(valid[lane], numbered.as_value(), rubbish[lane])),
            ]
        advanced = entered.advanced("entered_next", count(valid), last)
        entered.load(advanced, i.valid & i.ready)
        return entered

    def _contract(self):
        """Asserts the contract of ``o``; returns the tally after the beat that ``o`` offers."""
        m, i, o, returned = self.m, self.dut.i, self.dut.o, self.returned
        valid, last = o.p.valid, o.p.last
        promises = [returned.is_at(o.p.tuples[k], k) | ~valid[k] for k in range(self.lanes)]
        promises += [
            _dense(valid),
            last | valid.all(),
            o.p.context == returned.stream,
            valid.any() | ~returned.nonempty,
        ]
        m.d.comb += [Assert(~o.valid | promise) for promise in promises]
        m.d.comb += [Assert(returned.lane == 0), Assert(~o.ready | i.ready)]
        after_output = returned.advanced("behind_out", _when(o.valid, count(valid)), o.valid & last)
        returned.load(after_output, o.valid & o.ready)
        return after_output

    def _invariants(self, tally):
        """Yields the invariants: the tuples in each register, from the output to the input."""
        tally, dense = self._dense_buffer(tally)
        yield from dense
        stages = [f"router.butterfly.stage{k}" for k in reversed(range(self.stages))]
        levels = [f"scan.scan.level{k}" for k in reversed(range(len(self.plan)))]
        tallies = self._ghosts(stages + levels)
        for stage, path in zip(reversed(range(self.stages)), stages, strict=True):
            yield tally.equals(tallies[path])
            tally, routed = self._stage(tallies[path], stage, self.parts.part(path).o)
            yield from routed
        carry = self.parts.signal("scan", "carry")
        yield tally.lane == _when(self.parts.signal("scan", "continues"), carry)
        for level, path in zip(reversed(range(len(self.plan))), levels, strict=True):
            yield tally.equals(tallies[path])
            tally, scanned = self._level(tallies[path], level, self.parts.part(path).o)
            yield from scanned
        yield tally.equals(self.entered)

    def _ghosts(self, paths):
        """Returns for each register a tally that advances together with the register.

        With these tallies each invariant relates only two neighbouring registers.
        """
        tallies = {path: Tally.register(self.m, self.item, path.split(".")[-1]) for path in paths}
        for path, previous in zip(paths, [*list(tallies.values())[1:], self.entered], strict=True):
            tallies[path].load(previous, self.parts.part(path).i.ready)
        return tallies

    def _dense_buffer(self, tally):
        """Claims about the dense buffer, which stores the next tuples from lane 0 on.

        The buffer is never empty in a stream that has had a tuple.
        """
        filled = self.parts.signal("router.dense", "filled")
        ending = self.parts.signal("router.dense", "ending")
        arrived = self.parts.signal("router.dense", "arrived")
        claims = [_dense(filled), filled.any() | ~tally.nonempty]
        claims.append(~(filled.any() | ending) | (arrived == tally.stream))
        for lane in range(self.lanes):
            stored = self.item(self.parts.signal("router.dense", f"held{lane}"))
            claims.append(~filled[lane] | tally.is_at(stored, lane))
        return tally.advanced("behind_held", count(filled), ending), claims

    def _stage(self, tally, stage, o):
        """Claims about a stage: it stores the next tuples, in lanes with the bits routed so far."""
        valid, tuples = o.p.valid, [routed.tuple for routed in o.p.tuples]
        routed_bits = min((stage + 1) * self.bits_of_stage, log2(self.lanes))
        total, claims = count(valid), [o.p.context == tally.stream]
        for lane, item in enumerate(tuples):
            ahead = (item.number - tally.number)[: len(tally.number)]
            is_routed = item.lane[:routed_bits] == lane % (1 << routed_bits)
            target_is_lane = o.p.tuples[lane].to == item.lane
            claims.append(
                ~valid[lane]
                | (tally.is_at(item, ahead) & (ahead < total) & is_routed & target_is_lane)
            )
        for a, b in combinations(range(self.lanes), 2):
            claims.append(~(valid[a] & valid[b]) | (tuples[a].number != tuples[b].number))
        advanced = tally.advanced(f"behind_stage{stage}", _when(o.valid, total), o.valid & o.p.last)
        return advanced, [~o.valid | condition for condition in claims]

    def _level(self, tally, level, o):
        """Claims that a level stores the next tuples in order, with counts of the lanes covered."""
        beat, last = o.p.rest.passenger, o.p.rest.last
        valid, claims = beat.valid, [last == beat.last, beat.context == tally.stream]
        for lane, cover in enumerate(covers(self.plan, self.lanes)[level]):
            claims.append(~valid[lane] | tally.is_at(beat.tuples[lane], count(valid[:lane])))
            counted = o.p.states[str(lane)].value
            within = count(valid[lane + 1 - cover : lane + 1])
            claims.append(counted == within[: len(counted)])
        total = _when(o.valid, count(valid))
        advanced = tally.advanced(f"behind_level{level}", total, o.valid & last)
        return advanced, [~o.valid | condition for condition in claims]


def _dense(valid):
    """Returns a Value: no valid lane follows an invalid lane."""
    return ~(valid[1:] & ~valid[:-1]).any()


def _when(condition, value):
    """Returns ``value`` if the condition holds, else 0."""
    return Mux(condition, Value.cast(value), 0)
