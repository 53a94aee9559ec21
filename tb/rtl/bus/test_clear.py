"""A soft reset at the two ends of a core, cycle for cycle: what is dropped, cut, and ended."""

import random
from dataclasses import dataclass, field

import pytest

from rtl.bus.axi_stream import StreamMaster, StreamSlave
from tb.bench.unit import simulate
from tb.rtl.bus.test_axi_stream import PACKING, ROW

LANES = 2
LONGEST = 9
CYCLES = 1_500


@dataclass
class Slave:
    """What a slave has inside by its docstring; a beat is (tuples, last)."""

    inside: list = field(default_factory=list)
    middle: bool = False  # of a stream, on the bus
    cutting: bool = False
    cut: int = 0  # tuples of the beat of a cut stream that is inside
    length: int = 0  # of the stream at ``o``

    @property
    def busy(self):
        return self.middle or bool(self.inside) or self.cut is not None

    def counted(self):
        """What is reported of a cut beat, which leaves in the cycle after it came."""
        found, self.cut = self.cut or 0, None
        return found

    def leaves(self):
        """A beat goes to the core; gives tuples, last, and whether its stream is too long."""
        tuples, last = self.inside.pop(0)
        self.length += tuples
        long = self.length > LONGEST
        self.length = 0 if last else self.length
        return tuples, last, long

    def comes(self, tuples, last):
        if self.cutting:
            self.cut = tuples
        else:
            self.inside.append((tuples, last))
        self.middle = not last
        self.cutting &= self.middle

    def clear(self):
        self.inside, self.cut, self.length = [], None, 0
        self.cutting = self.middle


@pytest.mark.parametrize("seed", range(3))
def test_slave(seed):
    """Cleared in any cycle, it lets nothing in of the stream that the bus was in the middle of."""
    rng, model = random.Random(seed), Slave(cut=None)
    dut = StreamSlave(PACKING, ROW, LANES, gaps=True, longest=LONGEST)
    size, seen = PACKING.bytes, {"cut": 0, "long": 0, "streams": 0}

    async def bench(ctx):
        offered, clears = None, False
        events, errors = dut.events, dut.errors
        for _ in range(CYCLES):
            if offered is None and rng.random() < 0.7:
                offered = rng.randint(0, LANES), int(rng.random() < 0.2)
            clears, holds = rng.random() < 0.03, rng.random() < 0.1
            if offered is not None:
                ctx.set(dut.bus.tkeep, (1 << size * offered[0]) - 1)
                ctx.set(dut.bus.tlast, offered[1])
            ready = rng.random() < 0.6
            ctx.set(dut.bus.tvalid, offered is not None)
            ctx.set(dut.o.ready, ready)
            ctx.set(dut.hold, holds)
            ctx.set(dut.clear, clears)
            ctx.set(dut.empty, clears)
            ports = dut.bus.tready, dut.o.valid, dut.o.p.valid, dut.o.p.last, dut.busy
            reports = events.tuples, events.streams, events.cut, errors.too_long
            _, _, taken, valid, lanes, last, busy, *told = await ctx.tick().sample(*ports, *reports)
            assert busy == model.busy
            assert valid == bool(model.inside)
            assert told[2] == model.counted()
            seen["cut"] += told[2]
            if valid and ready:
                tuples, ends, long = model.leaves()
                assert (lanes.bit_count(), last) == (tuples, ends)
                assert told[:2] == [tuples, ends]
                assert told[3] == long
                seen["long"] += long
                seen["streams"] += ends
            else:
                assert told[:2] == [0, 0]
            assert not (taken and holds)
            if taken and offered is not None:
                model.comes(*offered)
                offered = None
            if clears:
                model.clear()

    simulate(dut, bench)
    assert min(seen.values()) > 10


@dataclass
class Master:
    """What a master has inside by its docstring; a beat is (rows, last)."""

    inside: list = field(default_factory=list)
    middle: bool = False  # of a packet, behind what is inside
    ending: bool = False

    def end(self):
        """The beat without rows goes in, if there is room for it: two beats are inside at most."""
        if self.ending and len(self.inside) < 2:
            self.inside.append((0, 1))
            self.ending = self.middle = False


@pytest.mark.parametrize("seed", range(3))
def test_master(seed):
    """Cleared in any cycle, it ends the packet that it cuts, and loses nothing that it had taken.

    The core begins a packet anew; what it gives while it is held is dropped.
    """
    rng, model = random.Random(seed), Master()
    dut = StreamMaster(PACKING, ROW, LANES)
    size, seen, held = PACKING.bytes, {"ended": 0, "held": 0, "packets": 0}, 0

    async def bench(ctx):
        nonlocal held
        offered, waits = None, None
        for _ in range(CYCLES):
            if offered is None and rng.random() < 0.7:
                offered = rng.randint(0, LANES), int(rng.random() < 0.2)
            clears = not held and rng.random() < 0.04
            if offered is not None:
                ctx.set(dut.i.p.valid, (1 << offered[0]) - 1)
                ctx.set(dut.i.p.last, offered[1])
            ready = rng.random() < 0.6
            ctx.set(dut.i.valid, offered is not None)
            ctx.set(dut.bus.tready, ready)
            ctx.set(dut.hold, held > 0)
            ctx.set(dut.clear, clears)
            ports = dut.i.ready, dut.bus.tvalid, dut.bus.tkeep, dut.bus.tlast, dut.busy
            reports = dut.events.rows, dut.events.stall_out
            _, _, takes, valid, keep, last, busy, rows, stalls = await ctx.tick().sample(
                *ports, *reports
            )
            assert busy == (bool(model.inside) or model.ending)
            assert valid == bool(model.inside)
            assert stalls == (valid and not ready)
            given = (keep.bit_count() // size, last)
            assert waits in (None, given)  # what is offered is neither withdrawn nor changed
            waits = given if valid and not ready else None
            taken = bool(takes and offered is not None)
            counts = taken and not held
            assert rows == (offered[0] if counts else 0)
            assert not (counts and model.ending)
            assert takes or not held
            seen["ended"] += model.ending and len(model.inside) < 2
            model.end()
            if counts:
                model.inside.append(offered)
                model.middle = not offered[1]
            if valid and ready:
                assert model.inside.pop(0) == given
                seen["packets"] += last
            seen["held"] += taken and held > 0
            if taken:
                offered = None
            held = max(0, held - 1)
            if clears:
                model.ending, offered = model.middle, None
                held = rng.choice([0, 0, 5])

    simulate(dut, bench)
    assert min(seen.values()) > 10
