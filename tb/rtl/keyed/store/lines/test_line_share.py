"""Checks that two users of a memory get their own lines, with stalls on all sides."""

import random
from collections import deque

import pytest
from amaranth.hdl import Cat, Mux

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.store.lines.line_share import LineShare
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.line_bench import Read, Write

LINES = LineMap(rings=4, ring_lines=8)
HANG = 300


def commands_of(rng, count):
    return [
        Write(rng.randrange(32), rng.getrandbits(512))
        if rng.random() < 0.4
        else Read(rng.randrange(32), rng.randint(1, 8))
        for _ in range(count)
    ]


class Bench:
    """A memory that takes commands, and returns the lines of reads as of the read, in order.

    ``stalls`` are probabilities by stream: ``updates``, ``windows``, ``commands``, ``updated``,
    ``collected``. The stream ``collected`` stands still in the ``blocked`` cycles.
    """

    def __init__(self, seed, *, reads=4, latency=1, blocked=range(0), **stalls):
        self.rng, self.stalls = random.Random(str(seed)), stalls
        self.dut, self.reads = LineShare(LINES, reads=reads), reads
        self.latency, self.blocked = latency, blocked
        self.lines = [self.rng.getrandbits(512) for _ in range(32)]
        self.reads_inside = 0

    def run(self, updates, windows):
        """Feeds the commands until all are done, and checks the lines of both users."""
        dut, rng = self.dut, self.rng
        payloads = {"updates": updates, "windows": [c.payload(rng) for c in windows]}
        self.sides = {
            name: Source(getattr(dut, name), payloads[name], self.stalls.get(name, 0), rng)
            for name in payloads
        }
        for name in ("commands", "updated", "collected"):
            self.sides[name] = Sink(getattr(dut, name), self.stalls.get(name, 0), rng)
        self.expected = {"updated": [], "collected": []}
        simulate(dut, self.drive)
        for name, expected in self.expected.items():
            assert self.sides[name].run.payloads == expected
        return self

    async def drive(self, ctx):
        dut, sides, pending, cycle, last = self.dut, self.sides, deque(), 0, 0
        rules = {name: Rules(name) for name in sides}
        streams = [getattr(dut, name) for name in sides]
        ports = [p for s in streams for p in (s.valid, s.ready, bits_of(s.p))]
        while not (self.done(pending) and cycle - last > 10):
            for side in sides.values():
                side.drive(ctx)
            if cycle in self.blocked:
                ctx.set(dut.collected.ready, 0)
            due = bool(pending) and pending[0][0] <= cycle
            ctx.set(dut.lines.valid, due)
            ctx.set(dut.lines.p, pending[0][1] if due else rubbish(self.rng))
            payloads = [ctx.get(as_unsigned(stream.p)) for stream in streams]
            _, _, ready, *sampled = await ctx.tick().sample(dut.lines.ready, *ports)
            moved = due and ready
            if moved:
                pending.popleft()
            for k, (name, side) in enumerate(sides.items()):
                rules[name].sample(cycle, *sampled[3 * k : 3 * k + 3])
                valid, ready = sampled[3 * k : 3 * k + 2]
                if side.sample(cycle, valid, ready, payloads[k]):
                    moved = True
                    if name == "commands":
                        self.command(side.run.payloads[-1], pending, cycle)
            self.reads_inside = max(self.reads_inside, sum(line["last"] for _, line in pending))
            last = cycle if moved or cycle in self.blocked else last
            assert cycle - last < HANG, "hang"
            cycle += 1

    def done(self, pending):
        return (
            self.sides["updates"].is_complete and self.sides["windows"].is_complete and not pending
        )

    def command(self, command, pending, cycle):
        """Executes a command, which must be the next command of one of the two users."""
        counts = {name: len(self.sides[name].run) for name in ("updates", "windows")}
        updates, windows = (self.sides[name] for name in counts)
        taken_count = counts["updates"] + counts["windows"]
        assert taken_count == len(self.sides["commands"].run), "taken once, given once"
        is_window = windows.run.cycles[-1:] == [cycle]
        if is_window:
            expected = windows.run.payloads[-1]
            for name in (
                ("write", "line", "data") if expected["write"] else ("write", "line", "count")
            ):
                assert command[name] == expected[name]
        else:
            assert updates.run.cycles[-1] == cycle
            assert command["write"] == 0
            assert (command["line"], command["count"]) == (updates.run.payloads[-1], 1)
        if command["write"]:
            self.lines[command["line"]] = command["data"]
            return
        places = Read(command["line"], command["count"]).places(8)
        for k, place in enumerate(places):
            line = {"data": self.lines[place], "error": self.rng.getrandbits(1)}
            marked = line | {"first": k == 0, "last": k == len(places) - 1}
            pending.append((cycle + self.latency, marked))
            self.expected["collected" if is_window else "updated"].append(
                marked if is_window else line
            )


def bits_of(payload):
    """Returns the bits that stay while a payload is offered: for a read all but ``data``."""
    if payload.shape() != LINES.command():
        return as_unsigned(payload)
    return Cat(Mux(payload.write, payload.data, 0), payload.line, payload.count, payload.write)


def rubbish(rng):
    bits = {name: rng.getrandbits(1) for name in ("error", "first", "last")}
    return {"data": rng.getrandbits(512), **bits}


STALLS = {
    "none": {},
    "a slow memory": {"commands": 0.6, "latency": 12},
    "slow windows": {"collected": 0.7, "updates": 0.3, "latency": 3},
    "all": dict.fromkeys(("updates", "windows", "commands", "updated", "collected"), 0.4),
}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", STALLS)
def test_each_gets_its_own(name):
    rng = random.Random(name)
    updates, windows = [rng.randrange(32) for _ in range(100)], commands_of(rng, 100)
    bench = Bench(name, **STALLS[name]).run(updates, windows)
    assert len(bench.expected["updated"]) == 100


@pytest.mark.parametrize("reads", [2, 5])
def test_so_many_reads_are_inside(reads):
    bench = Bench(reads, reads=reads, latency=40).run(list(range(30)), [])
    assert bench.reads_inside == reads


def test_updates_go_first():
    bench = Bench("first", reads=20).run(list(range(18)), [Write(k, k) for k in range(30)])
    cycles = {name: bench.sides[name].run.cycles for name in ("windows", "updates")}
    assert cycles["updates"] == list(range(18))
    assert cycles["windows"] == list(range(18, 48))


def test_all_wait_where_reads_have_no_room():
    """Reads whose windows stand still take all the room; afterwards all commands continue."""
    bench = Bench("room", blocked=range(200)).run([], [Read(3, 2)] * 4 + [Write(5, 5), Read(1, 1)])
    command_cycles = bench.sides["commands"].run.cycles
    assert command_cycles[3] < 20
    assert command_cycles[4] > 200
