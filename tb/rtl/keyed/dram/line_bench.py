"""Commands of a line memory, their expected results, and slaves behind its ports."""

import random
from dataclasses import dataclass, field
from itertools import accumulate

from amaranth.hdl import Cat, Value

from rtl.keyed.dram.line_memory import LineMemory
from tb.bench.payload import decode
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE, AxiSlave

#: Cycles without any transfer after which a run fails.
HANG = 500
#: Cycles without any transfer at the end of a run.
DRAIN = 16


@dataclass(frozen=True)
class Write:
    line: int
    data: int

    def payload(self, rng):
        return {"write": 1, "line": self.line, "count": rng.randrange(4), "data": self.data}


@dataclass(frozen=True)
class Read:
    line: int
    count: int

    def payload(self, rng):
        return {"write": 0, "line": self.line, "count": self.count, "data": rng.getrandbits(512)}

    def places(self, ring_lines):
        """Returns the numbers of the read lines, in order."""
        ring = self.line // ring_lines * ring_lines
        return [ring + (self.line + k) % ring_lines for k in range(self.count)]


def answers(commands, lines, ring_lines, *, bad_reads=(), bad_writes=()):
    """Returns the lines that the commands read in sequence; writes change ``lines``.

    A read line is (data, error, first, last); its data is None if it has an error.
    """
    read_lines = []
    for command in commands:
        if isinstance(command, Write):
            if command.line not in bad_writes:
                lines[command.line] = command.data
            continue
        places = command.places(ring_lines)
        for k, place in enumerate(places):
            error = place in bad_reads
            data = None if error else lines[place]
            read_lines.append((data, error, k == 0, k == len(places) - 1))
    return read_lines


@dataclass
class Run:
    """Results of a run; cycles are those of the transfers of commands and of lines."""

    commands: list = field(default_factory=list)
    cycles: list = field(default_factory=list)
    lines: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    read: int = 0
    written: int = 0
    slaves: list = field(default_factory=list)
    cycle: int = 0
    last: int = 0

    def note(self, dut, events, failed):
        if events:
            counted = decode(dut.events.shape(), events)
            self.read += counted["m3_lines_read"]
            self.written += counted["m3_lines_written"]
        if failed:
            failed_ports = decode(dut.failed.shape(), failed)
            self.failed += [port["line"] for port in failed_ports if port["valid"]]

    def results(self):
        """Returns the lines in the form of :func:`answers`."""
        return [
            (None if p["error"] else p["data"], p["error"], p["first"], p["last"])
            for p in self.lines
        ]


class Together:
    """A context that collects values until :meth:`apply`, so the design settles once in a cycle."""

    def __init__(self):
        self.values = {}

    def set(self, signal, value):
        self.values[id(signal)] = (Value.cast(signal), int(value))

    def apply(self, ctx):
        word = at = 0
        for signal, value in self.values.values():
            word |= (value & ((1 << len(signal)) - 1)) << at
            at += len(signal)
        ctx.set(Cat(signal for signal, _ in self.values.values()), word)


class LineBench:
    """A line memory with slaves that contain the given lines.

    Parameters
    ----------
    lines : LineMap
    contents : list of int
        Initial data of all lines.
    seed : anything
    stall_in, stall_out : float
    bad_reads, bad_writes : collection of int
        Lines that give errors.
    port : dict
        Sizes of the ports.
    kind : str
        Kind of the memory; without "external" there are no slaves, and no initial contents.
    **memory
        As for :class:`AxiSlave`.
    """

    def __init__(self, lines, contents, seed, *, stall_in=0.0, stall_out=0.0, **options):
        self.rng = rng = random.Random(str(seed))
        self.map, self.ports = lines, lines.ports
        self.bad = {k: options.pop(k, ()) for k in ("bad_reads", "bad_writes")}
        kind = options.pop("kind", "external")
        self.masters = lines.ports if kind == "external" else 0
        self.dut = LineMemory(lines, kind=kind, **options.pop("port", {}))
        self.stalls, self.memory = (stall_in, stall_out), options
        room = (1 << lines.address_width) - lines.lines // lines.ports * LINE
        self.bases = [rng.randrange(room // PAGE + 1) for _ in range(self.ports)]
        self.memories = [{} for _ in range(self.ports)]
        for number, data in enumerate(contents):
            port, address = self.place(number)
            self.memories[port][address] = data

    def place(self, number):
        """Returns port and byte address of a line."""
        stripe, within = divmod(number, self.map.stripe_lines)
        port = (stripe + number // self.map.ring_lines) % self.ports
        local = stripe // self.ports * self.map.stripe_lines + within
        return port, self.bases[port] * PAGE + local * LINE

    def contents(self):
        """Returns the data of all lines in the memories."""
        places = map(self.place, range(self.map.lines))
        return [self.memories[port][address] for port, address in places]

    def slave(self, port):
        bad = {
            kind: {address for p, address in map(self.place, numbers) if p == port}
            for kind, numbers in self.bad.items()
        }
        axi, width = getattr(self.dut, f"m_axi_{port}"), self.map.data_width
        return AxiSlave(axi, width, self.memories[port], self.rng, **bad, **self.memory)

    def run(self, commands):
        """Runs the commands to their end and 16 more cycles; returns the Run."""
        seen = Run()
        seen.slaves = [self.slave(port) for port in range(self.masters)]

        async def bench(ctx):
            await self.drive(ctx, commands, seen)

        simulate(self.dut, bench)
        return seen

    async def drive(self, ctx, commands, seen):
        dut, rng = self.dut, self.rng
        payloads = [command.payload(rng) for command in commands]
        source = Source(dut.commands, payloads, self.stalls[0], rng)
        sink, rules = Sink(dut.lines, self.stalls[1], rng), Rules("lines")
        writes = [0, *accumulate(isinstance(c, Write) for c in commands)]
        owed = [0, *accumulate(c.count if isinstance(c, Read) else 0 for c in commands)]
        ctx.set(dut.bases, self.bases)
        line_ports = [dut.lines.valid, dut.lines.ready, as_unsigned(dut.lines.p)]
        status_ports = [
            dut.busy,
            as_unsigned(dut.events),
            as_unsigned(dut.failed),
            dut.commands.ready,
        ]
        ports = [port for slave in seen.slaves for port in slave.ports]
        quiet = 0
        together, max_cycles = Together(), 2_000 + 60 * (len(commands) + owed[-1])
        while quiet < DRAIN:
            for side in (source, sink, *seen.slaves):
                side.drive(together)
            together.apply(ctx)
            _, _, *sampled = await ctx.tick().sample(*status_ports, *line_ports, *ports)
            busy, events, failed, is_accepted, *sampled = sampled
            all_read = owed[len(source.run)] == len(sink.run)
            all_written = writes[len(source.run)] == seen.written
            rules.sample(seen.cycle, *sampled[:3])
            moved = source.sample(seen.cycle, 1, is_accepted, 0)
            moved |= sink.sample(seen.cycle, *sampled[:3])
            for at, slave in enumerate(seen.slaves):
                moved |= slave.sample(*sampled[3 + 5 * at : 8 + 5 * at])
            if not busy:
                assert all_read, "lines inside without busy"
                assert all_written, "writes inside without busy"
                assert all(slave.idle for slave in seen.slaves), "bursts under way without busy"
            seen.note(dut, events, failed)
            is_idle = not busy and source.is_complete and not moved
            quiet = quiet + 1 if is_idle else 0
            seen.last = seen.cycle if moved else seen.last
            seen.cycle += 1
            told_so_far = f"{len(source.run)} commands, {len(sink.run)} lines"
            assert seen.cycle - seen.last < HANG, f"hang: {told_so_far}"
            assert len(sink.run) <= owed[-1], f"too many lines: {told_so_far}"
            assert seen.cycle < max_cycles, f"no end: {told_so_far}"
        seen.commands, seen.lines, seen.cycles = (
            source.run.cycles,
            sink.run.payloads,
            sink.run.cycles,
        )


def some_lines(rng, count):
    return [rng.getrandbits(512) for _ in range(count)]


SMALL = {"commands": 3, "writes": 3, "reads": 2, "buffer_lines": 4}


def some_commands(rng, lines, count):
    """Returns writes and reads of random lines."""
    commands = []
    for _ in range(count):
        line = rng.randrange(lines.lines)
        if rng.random() < 0.6:
            commands.append(Write(line, rng.getrandbits(512)))
        else:
            sizes = (0, 1, rng.randint(1, lines.ring_lines), lines.ring_lines)
            commands.append(Read(line, rng.choice(sizes)))
    return commands
