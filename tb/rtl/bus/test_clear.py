"""Checks a soft reset at both ends of a core, cycle by cycle: dropped, cut and ended streams."""

import random
from dataclasses import dataclass, field

import pytest

from rtl.bus.stream_master import StreamMaster
from rtl.bus.stream_slave import StreamSlave
from tb.bench.unit import simulate
from tb.rtl.bus.stream_adapter import PACKING, ROW

LANES = 2
LONGEST = 9
CYCLES = 1_500


@dataclass
class Slave:
    """A model of a slave's contents, after its docstring; a beat is (tuples, last)."""

    stored: list = field(default_factory=list)
    middle: bool = False  # the bus is within a stream
    cutting: bool = False
    cut: int = 0  # tuples of the stored beat of a cut stream
    length: int = 0  # tuples of the stream at ``o``

    @property
    def busy(self):
        return self.middle or bool(self.stored) or self.cut is not None

    def counted(self):
        """Returns the reported tuples of a cut beat, which leaves in the cycle after it came."""
        tuples, self.cut = self.cut or 0, None
        return tuples

    def send(self):
        """Sends a beat to the core; returns tuples, last, and whether its stream is too long."""
        tuples, last = self.stored.pop(0)
        self.length += tuples
        long = self.length > LONGEST
        self.length = 0 if last else self.length
        return tuples, last, long

    def receive(self, tuples, last):
        if self.cutting:
            self.cut = tuples
        else:
            self.stored.append((tuples, last))
        self.middle = not last
        self.cutting &= self.middle

    def clear(self):
        self.stored, self.cut, self.length = [], None, 0
        self.cutting = self.middle


@pytest.mark.parametrize("seed", range(3))
def test_slave(seed):
    """Cleared in any cycle, the slave drops the rest of the current stream of the bus."""
    rng, model = random.Random(seed), Slave(cut=None)
    dut = StreamSlave(PACKING, ROW, LANES, gaps=True, longest=LONGEST)
    size, seen = PACKING.bytes, {"cut": 0, "long": 0, "streams": 0}

    async def bench(ctx):
        offered = None
        events, errors = dut.events, dut.errors
        for _ in range(CYCLES):
            if offered is None and rng.random() < 0.7:
                offered = rng.randint(0, LANES), int(rng.random() < 0.2)
            clears, hold = rng.random() < 0.03, rng.random() < 0.1
            if offered is not None:
                ctx.set(dut.bus.tkeep, (1 << size * offered[0]) - 1)
                ctx.set(dut.bus.tlast, offered[1])
            ready = rng.random() < 0.6
            ctx.set(dut.bus.tvalid, offered is not None)
            ctx.set(dut.o.ready, ready)
            ctx.set(dut.hold, hold)
            ctx.set(dut.clear, clears)
            ctx.set(dut.empty, clears)
            ports = dut.bus.tready, dut.o.valid, dut.o.p.valid, dut.o.p.last, dut.busy
            ports += events.tuples, events.streams, events.cut, errors.too_long, events.stall_in
            _, _, bus_ready, valid, lanes, last, busy, *reports = await ctx.tick().sample(*ports)
            assert busy == model.busy
            assert valid == bool(model.stored)
            assert reports[2] == model.counted()
            seen["cut"] += reports[2]
            if valid and ready:
                tuples, ends, long = model.send()
                assert (lanes.bit_count(), last) == (tuples, ends)
                assert reports[:2] == [tuples, ends]
                assert reports[3] == long
                seen["long"] += long
                seen["streams"] += ends
            else:
                assert reports[:2] == [0, 0]
            assert not (bus_ready and hold)
            assert reports[4] == (offered is not None and not bus_ready)
            if bus_ready and offered is not None:
                model.receive(*offered)
                offered = None
            if clears:
                model.clear()

    simulate(dut, bench)
    assert min(seen.values()) > 10


@dataclass
class Master:
    """A model of a master's contents, after its docstring; a beat is (rows, last)."""

    stored: list = field(default_factory=list)
    in_packet: bool = False  # the beats after the stored ones continue a packet
    ending: bool = False

    def end(self):
        """Stores the beat without rows, if there is room for it: at most two beats are stored."""
        if self.ending and len(self.stored) < 2:
            self.stored.append((0, 1))
            self.ending = self.in_packet = False


@pytest.mark.parametrize("seed", range(3))
def test_master(seed):
    """Cleared in any cycle, the master ends a cut packet, and loses no beat that it took.

    The core begins a new packet; its beats are dropped while ``hold`` is high.
    """
    rng, model = random.Random(seed), Master()
    dut = StreamMaster(PACKING, ROW, LANES)
    size, seen, hold_cycles = PACKING.bytes, {"ended": 0, "held": 0, "packets": 0}, 0

    async def bench(ctx):
        nonlocal hold_cycles
        offered, unaccepted = None, None
        for _ in range(CYCLES):
            if offered is None and rng.random() < 0.7:
                offered = rng.randint(0, LANES), int(rng.random() < 0.2)
            clears = not hold_cycles and rng.random() < 0.04
            if offered is not None:
                ctx.set(dut.i.p.valid, (1 << offered[0]) - 1)
                ctx.set(dut.i.p.last, offered[1])
            ready = rng.random() < 0.6
            ctx.set(dut.i.valid, offered is not None)
            ctx.set(dut.bus.tready, ready)
            ctx.set(dut.hold, hold_cycles > 0)
            ctx.set(dut.clear, clears)
            ports = dut.i.ready, dut.bus.tvalid, dut.bus.tkeep, dut.bus.tlast, dut.busy
            reports = dut.events.rows, dut.events.stall_out
            _, _, ready_in, valid, keep, last, busy, rows, stalls = await ctx.tick().sample(
                *ports, *reports
            )
            assert busy == (bool(model.stored) or model.ending)
            assert valid == bool(model.stored)
            assert stalls == (valid and not ready)
            transfer = (keep.bit_count() // size, last)
            # An offer is neither withdrawn nor changed.
            assert unaccepted in (None, transfer)
            unaccepted = transfer if valid and not ready else None
            i_fires = bool(ready_in and offered is not None)
            counts = i_fires and not hold_cycles
            assert rows == (offered[0] if counts else 0)
            assert not (counts and model.ending)
            assert ready_in or not hold_cycles
            seen["ended"] += model.ending and len(model.stored) < 2
            model.end()
            if counts:
                model.stored.append(offered)
                model.in_packet = not offered[1]
            if valid and ready:
                assert model.stored.pop(0) == transfer
                seen["packets"] += last
            seen["held"] += i_fires and hold_cycles > 0
            if i_fires:
                offered = None
            hold_cycles = max(0, hold_cycles - 1)
            if clears:
                model.ending, offered = model.in_packet, None
                hold_cycles = rng.choice([0, 0, 5])

    simulate(dut, bench)
    assert min(seen.values()) > 10
