"""Checks copies of blocks in a memory outside of the chip, against a list of each key's blocks."""

import random
from itertools import pairwise

import pytest
from amaranth.hdl import ResetInserter, Signal

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.dram.lines import LINE_BYTES, PAGE_BYTES
from rtl.keyed.store.blocks.copy_memory import JOBS, copy_layout
from rtl.keyed.store.blocks.outer_copies import BUFFER_LINES, OuterCopies, copy_map
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.axi_slave import AxiSlave
from tb.rtl.keyed.store.blocks.copy_jobs import ENTRIES, copies_of, jobs_of

MEMORIES = {
    "fast": {},
    "slow": {"latency": 40},
    "restless": {"latency": 3, "delay": 25, "stall": 0.3},
}
#: Cycles without a transfer that count as a hang.
HANG = 400
#: Bit of the flag ``absent`` in a copy.
ABSENT = copy_layout()["absent"].offset


class Bench:
    """Sends jobs to OuterCopies, with a memory behind its master that holds rubbish at first."""

    def __init__(self, copies, seed, *, stalls=(0.0, 0.0), **memory):
        self.rng = rng = random.Random(str(seed))
        self.map = copy_map(ENTRIES, copies, 32)
        self.dut = OuterCopies(ENTRIES, copies, self.map)
        self.copies, self.stalls = copies, stalls
        self.base = rng.randrange(1 << self.map.base_bits - 1)
        addresses = [self.address(e, c) for e in range(ENTRIES) for c in range(copies)]
        self.contents = {address: rng.getrandbits(512) for address in addresses}
        self.options = memory
        self.input_cycles, self.output_cycles, self.failed = [], [], []

    def address(self, entry, place):
        """Returns the byte address of a copy: successive places of successive entries."""
        return self.base * PAGE_BYTES + (entry * self.copies + place) * LINE_BYTES

    def run(self, jobs, earlier_jobs=(), reset_at=None):
        """Runs ``jobs``, perhaps after a reset amid other jobs; returns the copies."""
        reset, payloads = Signal(), []

        async def bench(ctx):
            ctx.set(self.dut.base, self.base)
            if reset_at is not None:
                await self.drive(ctx, earlier_jobs, reset_at)
                self.was_busy = ctx.get(self.dut.busy)
                ctx.set(reset, 1)
                await ctx.tick()
                ctx.set(reset, 0)
            payloads.extend(await self.drive(ctx, jobs, None))

        simulate(ResetInserter(reset)(self.dut), bench)
        return copies_of(payloads)

    async def drive(self, ctx, jobs, until):
        """Runs until nothing moves; or ``until`` cycles, and then until no burst is under way."""
        dut = self.dut
        slave = AxiSlave(dut.m_axi, 128, self.contents, self.rng, **self.options)
        source = Source(dut.i, jobs, self.stalls[0], self.rng)
        sink = Sink(dut.o, self.stalls[1], self.rng)
        rules = Rules("o")
        ports = [p for s in (dut.i, dut.o) for p in (s.valid, s.ready, as_unsigned(s.p))]
        status = [dut.busy, dut.failed.valid, dut.failed.entry]
        cycle = last = quiet = 0
        while cycle < until if until else quiet < 20:
            for side in (source, sink, slave):
                side.drive(ctx)
            _, _, busy, fails, entry, *sampled = await ctx.tick().sample(
                *status, *ports, *slave.ports
            )
            offered_job, (valid, ready, copy) = sampled[:3], sampled[3:6]
            rules.sample(cycle, valid, ready, copy >> BLOCK_BITS if copy >> ABSENT & 1 else copy)
            assert busy or slave.idle, "bursts under way without busy"
            moved = source.sample(cycle, *offered_job)
            moved |= sink.sample(cycle, valid, ready, copy)
            moved |= slave.sample(*sampled[6:])
            self.failed += [entry] if fails else []
            last = cycle if moved else last
            assert cycle - last < HANG, f"hang after {len(sink.run)} copies"
            quiet = 0 if moved or busy or not source.is_complete else quiet + 1
            cycle += 1
        if until:
            source.stop(ctx)
            ctx.set(dut.o.ready, 0)
            await self.come_to_rest(ctx, slave)
        self.input_cycles, self.output_cycles = source.run.cycles, sink.run.cycles
        return sink.run.payloads

    async def come_to_rest(self, ctx, slave):
        """Waits until no burst is under way, as the guard of a reset does."""
        quiet = 0
        while quiet < 20:
            slave.drive(ctx)
            _, _, *sampled = await ctx.tick().sample(*slave.ports)
            slave.sample(*sampled)
            quiet = quiet + 1 if slave.idle else 0


@pytest.mark.in_turn
@pytest.mark.parametrize("copies", [1, 2, 8])
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("stalls", [(0, 0), (0.1, 0.6)])
def test_a_read_finds_the_blocks_closed_before_it(stalls, memory, copies):
    """Blocks that are closed after a read, while it waits, take the places that it reads."""
    bench = Bench(copies, f"{stalls} {memory} {copies}", stalls=stalls, **MEMORIES[memory])
    jobs, expected = jobs_of(bench.rng, 120, copies)
    assert bench.run(jobs) == expected
    assert not bench.failed
    written = {}
    for job in jobs:
        if job.get("write"):
            written[bench.address(job["entry"], job["place"])] = job["block"]
    assert len(written) == ENTRIES * copies
    assert bench.contents == written


def test_reads_at_the_rate_of_the_port():
    """A block takes 4 cycles, also with one block in each read and 40 cycles to the answer."""
    bench = Bench(2, 1, latency=40)
    writes = [{"write": 1, "entry": e, "place": p, "block": 1} for e in range(4) for p in (0, 1)]
    reads = [{"entry": n % 4, "place": n % 2, "count": 1} for n in range(60)]
    assert len(bench.run(writes + reads)) == 60
    cycles = bench.output_cycles
    assert [b - a for a, b in pairwise(cycles[20:])] == [4] * 39


@pytest.mark.parametrize("latency", [1, 9])
def test_latency(latency):
    bench = Bench(2, 1, latency=latency)
    earlier_jobs = [{"write": 1, "entry": 3, "place": 1, "block": 77}, *[{"count": 0}] * 60]
    [*absent, copy] = bench.run([*earlier_jobs, {"entry": 3, "place": 1, "count": 1}])
    assert copy == (77, True, True, False, False, False)
    assert absent == [(None, True, True, False, True, False)] * 60
    # The slave's first beat comes ``latency`` cycles after the cycle of its address.
    assert bench.output_cycles[-1] - bench.input_cycles[-1] == bench.dut.latency + latency


def test_a_stall_stops_reads_and_then_jobs():
    """No copy is lost when the buffer, or the queue of reads, is full: jobs wait."""
    bench = Bench(8, 3, stalls=(0, 0.8))
    writes = [{"write": 1, "entry": 0, "place": p, "block": p + 1} for p in range(8)]
    expected = [(p + 1, p == 0, p == 7, False, False, False) for p in range(8)]
    count = BUFFER_LINES // 8 + JOBS
    reads, absent = [{"place": 0, "count": 8}] * count, (None, True, True, False, True, False)
    without_copies = [{"count": 0}] * (2 * JOBS)
    expected_copies = expected * count + [absent] * (2 * JOBS)
    assert bench.run(writes + reads + without_copies) == expected_copies
    last = bench.input_cycles[-1]
    assert sum(cycle < last for cycle in bench.output_cycles) > BUFFER_LINES


def test_errors_of_the_memory():
    """A read with an error marks its copy, and a failed write names its entry."""
    bench = Bench(4, 5)
    bad = {(1, 2), (3, 0)}
    bench.options = {"bad_reads": {bench.address(*copy) for copy in bad}}
    jobs, expected = jobs_of(bench.rng, 200, 4, bad)
    assert bench.run(jobs) == expected
    assert sum(copy[-1] for copy in expected) > 5
    assert not bench.failed

    bench = Bench(4, 6)
    bench.options = {"bad_writes": {bench.address(2, 3)}}
    jobs = [{"write": 1, "entry": e, "place": p, "block": 9} for e in (1, 2, 3) for p in range(4)]
    bench.run(jobs)
    assert bench.failed == [2]


@pytest.mark.in_turn
@pytest.mark.parametrize("cycle", range(5, 90, 12))
def test_a_reset_forgets_all_jobs(cycle):
    """A reset while no burst is under way drops waiting jobs and copies."""
    bench = Bench(4, cycle, stalls=(0.1, 0.4), **MEMORIES["restless"])
    earlier_jobs, _ = jobs_of(bench.rng, 60, 4)
    jobs, expected = jobs_of(bench.rng, 60, 4)
    assert bench.run(jobs, earlier_jobs, cycle) == expected
    assert bench.was_busy


def test_two_entries_share_a_ring_if_each_has_one_copy():
    lines = copy_map(8, 1, 32)
    assert (lines.rings, lines.ring_lines, lines.beats) == (4, 2, 4)
    lines = copy_map(8, 4, 32)
    assert (lines.rings, lines.ring_lines, lines.port_bytes) == (8, 4, 8 * 4 * 64)


def test_its_memory_on_the_chip():
    assert OuterCopies.memory_bits_of() == BUFFER_LINES * 513
