"""Checks the guard of a memory master.

A guard that is stopped in any cycle cuts no burst, and withdraws no offer.
"""

import random
from collections import Counter

import pytest

from rtl.bus.axi_memory import MemoryGuard
from rtl.contract.buses import MemoryBus
from tb.bench.unit import simulate

BUS = MemoryBus(name="m_axi", port="memory", data_width=32, address_width=16)
CHANNELS = ("aw", "w", "ar", "b", "r")


class Core:
    """Begins bursts, sends their data no earlier than their address, and takes all responses."""

    def __init__(self, rng):
        self.rng, self.valid = rng, dict.fromkeys(CHANNELS, False)
        self.data = []  # remaining beats of each write whose address was offered

    def drive(self, ctx, port):
        for name in ("aw", "ar"):
            if not self.valid[name] and self.rng.random() < 0.4:
                self.valid[name] = True
                length = self.rng.randrange(4)
                ctx.set(getattr(port, f"{name}len"), length)
                if name == "aw":
                    self.data.append(length + 1)
        self.valid["w"] = self.valid["w"] or (bool(self.data) and self.rng.random() < 0.6)
        for name in ("aw", "w", "ar"):
            ctx.set(getattr(port, f"{name}valid"), self.valid[name])
        ctx.set(port.wlast, bool(self.data) and self.data[0] == 1)
        for name in ("b", "r"):
            ctx.set(getattr(port, f"{name}ready"), self.rng.random() < 0.6)

    def transferred(self, name):
        self.valid[name] = False
        if name == "w":
            self.data[0] -= 1
            if not self.data[0]:
                self.data.pop(0)


class Memory:
    """Answers each burst whose address, and for a write whose data, has come."""

    def __init__(self, rng):
        self.rng, self.written, self.addressed, self.reads = rng, 0, 0, []
        self.valid = dict.fromkeys(CHANNELS, False)

    def drive(self, ctx, port):
        for name in ("aw", "w", "ar"):
            ctx.set(getattr(port, f"{name}ready"), self.rng.random() < 0.4)
        due = {"b": min(self.written, self.addressed) > 0, "r": bool(self.reads)}
        for name in ("b", "r"):
            self.valid[name] = self.valid[name] or (due[name] and self.rng.random() < 0.4)
            ctx.set(getattr(port, f"{name}valid"), self.valid[name])
        ctx.set(port.rlast, bool(self.reads) and self.reads[0] == 1)

    def transferred(self, name, length, last):
        if name in ("b", "r"):
            self.valid[name] = False
        if name == "aw":
            self.addressed += 1
        elif name == "w":
            self.written += last
        elif name == "ar":
            self.reads.append(length + 1)
        elif name == "b":
            self.written, self.addressed = self.written - 1, self.addressed - 1
        else:
            self.reads[0] -= 1
            if not self.reads[0]:
                self.reads.pop(0)

    @property
    def idle(self):
        return not (self.written or self.addressed or self.reads)


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(6))
def test_stops(seed):
    """The guard is stopped now and then until ``quiet``; then no burst is incomplete.

    Each channel transfers in the same cycles on both sides.
    """
    rng, dut = random.Random(seed), MemoryGuard(BUS)
    core, memory, stops, ended_bursts = Core(rng), Memory(rng), 0, Counter()

    async def bench(ctx):
        nonlocal stops
        stop, quiet, offered = False, False, {}
        for _ in range(4_000):
            if stop and quiet:
                assert memory.idle
                assert not any(offered.values())
                stop, stops = False, stops + 1
            elif not stop:
                stop = rng.random() < 0.05
            ctx.set(dut.stop, stop)
            core.drive(ctx, dut.i)
            memory.drive(ctx, dut.o)
            names = [f"{name}{end}" for name in CHANNELS for end in ("valid", "ready")]
            ports = [getattr(side, name) for side in (dut.i, dut.o) for name in names]
            _, _, quiet, awlen, arlen, wlast, *seen = await ctx.tick().sample(
                dut.quiet, dut.o.awlen, dut.o.arlen, dut.o.wlast, *ports
            )
            core_side, pins = (
                dict(zip(names, half, strict=True)) for half in (seen[:10], seen[10:])
            )
            for name in CHANNELS:
                transfers = [
                    side[f"{name}valid"] and side[f"{name}ready"] for side in (core_side, pins)
                ]
                assert transfers[0] == transfers[1], name
                if offered.get(name):
                    assert pins[f"{name}valid"], f"{name} withdrawn"
                elif name in ("aw", "ar") and stop:
                    assert not pins[f"{name}valid"], f"{name} begun"
                if name in ("aw", "w", "ar"):
                    offered[name] = pins[f"{name}valid"] and not transfers[1]
                if transfers[1]:
                    if name in ("aw", "w", "ar"):
                        core.transferred(name)
                    ended_bursts[name] += name == "b" or (name == "r" and memory.reads[0] == 1)
                    memory.transferred(name, awlen if name == "aw" else arlen, wlast)

    simulate(dut, bench)
    assert stops > 20
    # Bursts pass while the guard is not stopped.
    assert min(ended_bursts["b"], ended_bursts["r"]) > 50


@pytest.mark.parametrize("channel", ["ar", "aw"])
def test_as_many_bursts_as_the_count_can_hold(channel):
    """The memory accepts 255 addresses and answers none; then the guard is stopped.

    ``quiet`` rises after the last of the 255 answers.
    """
    dut, accepted = MemoryGuard(BUS), 0
    answer = {"ar": "r", "aw": "b"}[channel]

    async def bench(ctx):
        nonlocal accepted
        ctx.set(getattr(dut.i, f"{channel}valid"), 1)
        ctx.set(getattr(dut.o, f"{channel}ready"), 1)
        for _ in range(400):
            _, _, ready = await ctx.tick().sample(getattr(dut.i, f"{channel}ready"))
            accepted += ready
        assert accepted == 255
        ctx.set(dut.stop, 1)
        ctx.set(getattr(dut.i, f"{channel}valid"), 0)
        for name in ("wvalid", "wlast", "wready"):
            ctx.set(getattr(dut.o if name == "wready" else dut.i, name), channel == "aw")
        for _ in range(accepted):  # the data of the writes
            await ctx.tick()
        ctx.set(dut.i.wvalid, 0)
        ctx.set(getattr(dut.i, f"{answer}ready"), 1)
        ctx.set(getattr(dut.o, f"{answer}valid"), 1)
        ctx.set(dut.o.rlast, 1)
        for _ in range(accepted):
            _, _, quiet = await ctx.tick().sample(dut.quiet)
            assert not quiet
        ctx.set(getattr(dut.o, f"{answer}valid"), 0)
        _, _, quiet = await ctx.tick().sample(dut.quiet)
        assert quiet

    simulate(dut, bench)


def test_the_data_of_one_burst_too_many_wait_with_its_address():
    """The core offers address and data together; the memory answers no write of 255."""
    dut, passed = MemoryGuard(BUS), 0

    async def bench(ctx):
        nonlocal passed
        for name in ("awvalid", "wvalid", "wlast", "bready"):
            ctx.set(getattr(dut.i, name), 1)
        for name in ("awready", "wready"):
            ctx.set(getattr(dut.o, name), 1)
        for _ in range(400):
            _, _, valid = await ctx.tick().sample(dut.o.wvalid)
            passed += valid
        assert passed == 255
        ctx.set(dut.stop, 1)
        for name in ("awvalid", "wvalid"):
            ctx.set(getattr(dut.i, name), 0)
        ctx.set(dut.o.bvalid, 1)
        for _ in range(passed):
            _, _, quiet = await ctx.tick().sample(dut.quiet)
            assert not quiet
        ctx.set(dut.o.bvalid, 0)
        _, _, quiet = await ctx.tick().sample(dut.quiet)
        assert quiet

    simulate(dut, bench)
