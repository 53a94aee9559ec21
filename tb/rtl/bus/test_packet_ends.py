"""Checks ends of packets (joined, marked, cut), and the gate, which lets streams in one by one.

A transfer is a pair (number of bytes, ``tlast``); the bytes of a transfer are rows.
"""

import random

import pytest
from amaranth.lib import data

from rtl.bus.packet_cutter import PacketCutter
from rtl.bus.packet_ends import PacketEnds
from rtl.bus.stream_gate import StreamGate
from tb.bench.unit import run_stream, simulate

WIDTH = 4


def joined(transfers):
    """Returns the transfers with bytes as one packet; without any, one transfer of no bytes."""
    sizes = [size for size, _ in transfers if size]
    return [(n, int(k == len(sizes) - 1)) for k, n in enumerate(sizes)] or [(0, 1)]


def marked(transfers):
    """Returns the transfers of a stream, followed by a packet without bytes."""
    return [*transfers, (0, 1)]


def random_stream(rng):
    """Returns the transfers of up to three complete packets, some of them without bytes."""
    packets = [[rng.choice((0, 1, WIDTH)) for _ in range(rng.randint(1, 3))] for _ in range(3)]
    packets = packets[: rng.randrange(4)]
    return [(n, int(k == len(p) - 1)) for p in packets for k, n in enumerate(p)]


class Ends:
    """Feeds transfers to a dut, accepts its transfers, and drives ``finish`` or ``clear``.

    ``tdata`` numbers the fed transfers from 1. ``received`` has (``tdata`` or None if there are no
    bytes, number of bytes, ``tlast``) of each accepted transfer.
    """

    def __init__(self, ctx, dut, rng, stall):
        self.ctx, self.dut, self.rng, self.stall = ctx, dut, rng, stall
        self.received, self.number = [], 0

    async def tick(self):
        """Runs a cycle; returns ``i.ready``, ``ready_to_finish`` and ``busy``."""
        dut, ready = self.dut, self.rng.random() >= self.stall
        self.ctx.set(dut.o.ready, ready)
        ports = (
            dut.o.valid,
            dut.i.ready,
            dut.ready_to_finish,
            dut.busy,
            dut.o.p.tdata,
            dut.o.p.tkeep,
        )
        _, _, valid, i_ready, can_finish, busy, number, keep, last = await self.ctx.tick().sample(
            *ports, dut.o.p.tlast
        )
        if valid and ready:
            self.received.append((number if keep else None, keep.bit_count(), last))
        return i_ready, can_finish, busy

    async def feed(self, transfers):
        """Sends transfers, numbered consecutively."""
        for rows, last in transfers:
            self.number += 1
            while self.rng.random() < self.stall:
                await self.tick()
            self.ctx.set(self.dut.i.p.tdata, self.number)
            self.ctx.set(self.dut.i.p.tkeep, (1 << rows) - 1)
            self.ctx.set(self.dut.i.p.tlast, last)
            self.ctx.set(self.dut.i.valid, 1)
            i_ready = False
            while not i_ready:
                i_ready, _, _ = await self.tick()
            self.ctx.set(self.dut.i.valid, 0)

    async def strobe(self, port):
        """Waits for ``ready_to_finish``, as the gate does, and sets ``port`` high for a cycle."""
        can_finish = False
        while not can_finish:
            _, can_finish, _ = await self.tick()
        self.ctx.set(port, 1)
        await self.tick()
        self.ctx.set(port, 0)

    async def quiet(self):
        """Runs until ``busy`` is low."""
        busy = True
        while busy:
            _, _, busy = await self.tick()


@pytest.mark.parametrize("stall", [0.0, 0.5])
@pytest.mark.parametrize(("join", "model"), [(True, joined), (False, marked)])
def test_each_stream_is_ended_once(join, model, stall):
    """Streams without packets, with packets without bytes, and others end once, in order."""
    rng, dut = random.Random(f"{join} {stall}"), PacketEnds(WIDTH, join=join)
    streams = [[], [(0, 1)], *(random_stream(rng) for _ in range(60)), []]

    async def bench(ctx):
        ends, expected, number = Ends(ctx, dut, rng, stall), [], 0
        for stream in streams:
            await ends.feed(stream)
            await ends.strobe(dut.finish)
            numbers = [number + k for k, (n, _) in enumerate(stream, 1) if n]
            number += len(stream)
            expected += [
                (numbers.pop(0) if rows else None, rows, last) for rows, last in model(stream)
            ]
        await ends.quiet()
        assert ends.received == expected

    simulate(dut, bench, streams={"o": dut.o})


@pytest.mark.parametrize("stall", [0.0, 0.5])
def test_a_stream_that_is_cut_is_ended_if_it_has_a_row(stall):
    rng, dut = random.Random(stall), PacketEnds(WIDTH, join=True)
    cut, nothing = [(2, 0), (4, 1), (3, 1)], [(0, 1), (0, 0)]

    async def bench(ctx):
        ends = Ends(ctx, dut, rng, stall)
        for stream in (cut, nothing, cut[:1], []):
            await ends.feed(stream)
            await ends.strobe(dut.clear)
        await ends.feed(cut)
        await ends.strobe(dut.finish)
        await ends.quiet()
        assert ends.received == [
            *((1, 2, 0), (2, 4, 0), (3, 3, 1)),
            (6, 2, 1),
            *((7, 2, 0), (8, 4, 0), (9, 3, 1)),
        ]

    simulate(dut, bench)


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.parametrize("join", [False, True])
def test_busy_until_a_saved_transfer_and_the_end_have_left(join, rows):
    """A transfer comes in cycle 1 and ``finish`` in cycle 4, and the end leaves in cycle 8."""
    dut, busy = PacketEnds(WIDTH, join=join), []

    async def bench(ctx):
        ctx.set(dut.i.p.tkeep, (1 << rows) - 1)
        for cycle in range(12):
            ctx.set(dut.i.valid, cycle == 1)
            ctx.set(dut.o.ready, cycle in (1, 8))
            ctx.set(dut.finish, cycle == 4)
            busy.append(ctx.get(dut.busy))
            await ctx.tick()

    simulate(dut, bench)
    first = 2 if join and rows else 5
    assert busy == [first <= cycle <= 8 for cycle in range(12)]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("ready", [False, True])
def test_what_is_offered_when_it_is_cut_counts_only_if_it_was_taken(kept, ready):
    """Transfer 50 is offered in the cycle of ``clear``. If a transfer is saved (``kept``), 50 is
    accepted only while ``o`` is ready; otherwise 50 is always accepted."""
    dut = PacketEnds(WIDTH, join=True)

    async def bench(ctx):
        ends = Ends(ctx, dut, random.Random(0), 0.0)
        await ends.feed([(1, 0)] if kept else [])
        ctx.set(dut.i.p.tdata, 50)
        ctx.set(dut.i.p.tkeep, 1)
        ctx.set(dut.i.valid, 1)
        ctx.set(dut.clear, 1)
        ends.stall = 0.0 if ready else 1.0
        await ends.tick()
        ctx.set(dut.clear, 0)
        ctx.set(dut.i.valid, 0)
        ends.stall = 0.0
        for _ in range(5):
            await ends.tick()
        if not kept:
            assert ends.received == [(50, 1, 1)]
        else:
            assert ends.received == ([(1, 1, 0), (50, 1, 1)] if ready else [(1, 1, 1)])

    simulate(dut, bench)


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.4)])
@pytest.mark.parametrize("limit", [1, 2, 3, 8])
def test_packets_of_at_most_so_many_transfers(limit, stall_in, stall_out):
    rng, payloads, expected = random.Random(limit), [], []
    for length in (1, 7, 3, 8, 16, 2, 9):
        for k in range(1, length + 1):
            keep = (1 << rng.randint(0, WIDTH)) - 1
            payloads.append(
                {"tdata": rng.getrandbits(32), "tkeep": keep, "tlast": int(k == length)}
            )
            expected.append(payloads[-1] | {"tlast": int(k == length or k % limit == 0)})
    stalls = {"stall_in": stall_in, "stall_out": stall_out, "seed": limit}
    run = run_stream(PacketCutter(WIDTH, limit), payloads, expected=len(payloads), **stalls)
    assert run.payloads == expected


def test_nothing_enters_before_the_last_stream_is_out():
    """The gate is shut after each last beat until ``finish``.

    ``finish`` comes when the core is not busy, the receiver is ready, and ``hold`` is low.
    """
    rng = random.Random(4)
    dut = StreamGate(data.StructLayout({"number": 8, "last": 1}))
    seen = {"finish": 0, "waits": 0, "held": 0, "not free": 0}

    async def bench(ctx):
        closed, number, last = False, 0, 0
        for _ in range(2000):
            valid, ready, busy, can_finish, hold = (
                int(rng.random() < p) for p in (0.7, 0.7, 0.5, 0.7, 0.2)
            )
            ctx.set(dut.i.valid, valid)
            ctx.set(dut.i.p, {"number": number % 256, "last": last})
            ctx.set(dut.o.ready, ready)
            for name, value in (
                ("core_busy", busy),
                ("ready_to_finish", can_finish),
                ("hold", hold),
            ):
                ctx.set(getattr(dut, name), value)
            ports = dut.o.valid, dut.i.ready, dut.finish, dut.busy, dut.o.p.number, dut.o.p.last
            _, _, valid_out, ready_in, finish, busy_out, *beat = await ctx.tick().sample(*ports)
            assert busy_out == closed
            assert finish == (closed and not busy and can_finish and not hold)
            assert valid_out == (valid and not closed)
            assert ready_in == (ready and not closed)
            seen["finish"] += finish
            seen["waits"] += closed and valid
            seen["held"] += closed and not busy and can_finish and hold
            seen["not free"] += closed and not busy and not can_finish
            if valid_out:
                assert beat == [number % 256, last]
            if valid and ready_in:
                closed, number, last = bool(last), number + 1, int(rng.random() < 0.3)
            elif finish:
                closed = False

    simulate(dut, bench)
    assert min(seen.values()) > 20
