"""The compactor gives every valid tuple once, in order, in dense beats, and never stalls."""

from itertools import combinations

from amaranth.hdl import Assert, Module, Mux, Signal, Value

from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import covers, log2, plan
from tb.formal.inside import Inside
from tb.formal.numbering import Tally, count, item_shape


def compactor_bench(lanes, *, scan="sklansky", radix=4, invariants=True):
    """A bench for the contract; with ``invariants``, also for what makes it inductive.

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
        # Full registers everywhere: every level and stage, what is held back, and the output's.
        self.item = item_shape(lanes, lanes * (len(self.plan) + self.stages + 2))
        # A stream's context is its number: so it is proved to go along.
        self.dut = RoundRobinCompactor(
            self.item, lanes, scan=scan, radix=radix, context=self.item["stream"].width
        )
        self.inside = Inside(self.dut)
        self.m = Module()
        self.m.submodules.dut = self.inside.fragment

    def build(self, invariants):
        self.entered = self._drive()
        self.given = Tally.register(self.m, self.item, "given")
        behind = self._contract()
        if invariants:
            for invariant in self._invariants(behind):
                self.m.d.comb += Assert(invariant)
        return self.m, (self.dut.i.valid, *self.free, self.dut.o.ready)

    def _drive(self):
        """Any beats, with any gaps; valid tuples numbered, the others rubbish."""
        m, i = self.m, self.dut.i
        entered = Tally.register(m, self.item, "entered")
        valid, last = Signal(self.lanes, name="some_valid"), Signal(name="some_last")
        rubbish = [Signal(self.item.size, name=f"rubbish{k}") for k in range(self.lanes)]
        self.free = valid, last, *rubbish
        m.d.comb += [i.p.valid.eq(valid), i.p.last.eq(last)]
        m.d.comb += i.p.context.eq(entered.stream)
        for lane in range(self.lanes):
            ahead = count(valid[:lane])
            numbered = self.item(Signal(self.item, name=f"numbered{lane}"))
            m.d.comb += [
                numbered.number.eq(entered.number + ahead),
                numbered.stream.eq(entered.stream),
                numbered.lane.eq(entered.lane + ahead),
                i.p.tuples[lane].eq(Mux(valid[lane], numbered.as_value(), rubbish[lane])),
            ]
        moved = entered.moved("entered_next", count(valid), last)
        entered.keep(moved, i.valid & i.ready)
        return entered

    def _contract(self):
        """What the docstring promises of ``o``; returns the tally behind the beat offered there."""
        m, i, o, given = self.m, self.dut.i, self.dut.o, self.given
        valid, last = o.p.valid, o.p.last
        promises = [given.is_at(o.p.tuples[k], k) | ~valid[k] for k in range(self.lanes)]
        promises += [
            _dense(valid),
            last | valid.all(),
            o.p.context == given.stream,
            valid.any() | ~given.some,
        ]
        m.d.comb += [Assert(~o.valid | promise) for promise in promises]
        m.d.comb += [Assert(given.lane == 0), Assert(~o.ready | i.ready)]
        behind = given.moved("behind_out", _when(o.valid, count(valid)), o.valid & last)
        given.keep(behind, o.valid & o.ready)
        return behind

    def _invariants(self, tally):
        """Which tuples are in which register, from the output to the input."""
        tally, dense = self._dense_buffer(tally)
        yield from dense
        stages = [f"router.butterfly.stage{k}" for k in reversed(range(self.stages))]
        levels = [f"scan.scan.level{k}" for k in reversed(range(len(self.plan)))]
        begins = self._ghosts(stages + levels)
        for stage, path in zip(reversed(range(self.stages)), stages, strict=True):
            yield tally.equals(begins[path])
            tally, routed = self._stage(begins[path], stage, self.inside.part(path).o)
            yield from routed
        carry = self.inside.signal("scan", "carry")
        yield tally.lane == _when(self.inside.signal("scan", "began"), carry)
        for level, path in zip(reversed(range(len(self.plan))), levels, strict=True):
            yield tally.equals(begins[path])
            tally, scanned = self._level(begins[path], level, self.inside.part(path).o)
            yield from scanned
        yield tally.equals(self.entered)

    def _ghosts(self, paths):
        """For each register a tally that moves along with it: so invariants stay between two."""
        begins = {path: Tally.register(self.m, self.item, path.split(".")[-1]) for path in paths}
        for path, before in zip(paths, [*list(begins.values())[1:], self.entered], strict=True):
            begins[path].keep(before, self.inside.part(path).i.ready)
        return begins

    def _dense_buffer(self, tally):
        """The tuples held back are the next ones, from lane 0, and never none after some."""
        filled = self.inside.signal("router.dense", "filled")
        ending = self.inside.signal("router.dense", "ending")
        arrived = self.inside.signal("router.dense", "arrived")
        said = [_dense(filled), filled.any() | ~tally.some]
        said.append(~(filled.any() | ending) | (arrived == tally.stream))
        for lane in range(self.lanes):
            held = self.item(self.inside.signal("router.dense", f"held{lane}"))
            said.append(~filled[lane] | tally.is_at(held, lane))
        return tally.moved("behind_held", count(filled), ending), said

    def _stage(self, tally, stage, o):
        """A stage holds the next tuples, each where the bits of its lane routed so far say."""
        valid, tuples = o.p.valid, [routed.tuple for routed in o.p.tuples]
        routed_bits = min((stage + 1) * self.bits_of_stage, log2(self.lanes))
        total, said = count(valid), [o.p.context == tally.stream]
        for lane, item in enumerate(tuples):
            ahead = (item.number - tally.number)[: len(tally.number)]
            there = item.lane[:routed_bits] == lane % (1 << routed_bits)
            asks = o.p.tuples[lane].to == item.lane
            said.append(~valid[lane] | (tally.is_at(item, ahead) & (ahead < total) & there & asks))
        for a, b in combinations(range(self.lanes), 2):
            said.append(~(valid[a] & valid[b]) | (tuples[a].number != tuples[b].number))
        moved = tally.moved(f"behind_stage{stage}", _when(o.valid, total), o.valid & o.p.last)
        return moved, [~o.valid | condition for condition in said]

    def _level(self, tally, level, o):
        """A level holds the next tuples in their order, and the counts that its network covers."""
        beat, last = o.p.rest.passenger, o.p.rest.last
        valid, said = beat.valid, [last == beat.last, beat.context == tally.stream]
        for lane, cover in enumerate(covers(self.plan, self.lanes)[level]):
            said.append(~valid[lane] | tally.is_at(beat.tuples[lane], count(valid[:lane])))
            counted = o.p.states[str(lane)].value
            within = count(valid[lane + 1 - cover : lane + 1])
            said.append(counted == within[: len(counted)])
        total = _when(o.valid, count(valid))
        moved = tally.moved(f"behind_level{level}", total, o.valid & last)
        return moved, [~o.valid | condition for condition in said]


def _dense(valid):
    return ~(valid[1:] & ~valid[:-1]).any()


def _when(condition, value):
    return Mux(condition, Value.cast(value), 0)
