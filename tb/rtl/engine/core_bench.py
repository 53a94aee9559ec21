"""Runs the core of an engine without its bus, in amaranth's simulator, without a build."""

import random
from dataclasses import dataclass

from amaranth.hdl import Const, Shape

from rtl.contract.counters import errors, events
from rtl.contract.rows import Role
from sim.errors import HangError
from tb.bench.payload import decode, encode
from tb.bench.sides import Rules, Sink, Source, as_unsigned
from tb.bench.unit import simulate

IDLE = 2_000  # cycles without a transfer after which a run is given up
DRAIN = 150  # cycles that a run takes after the last packet; a further packet is returned, too


@dataclass(frozen=True, kw_only=True)
class CoreRun:
    """Output of a core.

    Attributes
    ----------
    packets : list of list of tuple
        The rows of each packet, see :class:`tb.rtl.engine.bench.Run`.
    counters : dict of str to int
        Every counter of the design.
    errors : set of str
        Flags that were high in any cycle.
    start_cycles, end_cycles : list of int
        Cycles in which the first and the last beat of each stream entered.
    packet_end_cycles : list of int
        Cycles in which the last beat of each packet left.
    busy : list of int
        ``busy`` in every cycle.
    """

    packets: list
    counters: dict
    errors: set
    start_cycles: list
    end_cycles: list
    packet_end_cycles: list
    busy: list


def run(design, streams, settings, packet_count, *, stall_in=0.0, stall_out=0.0, seed=0):
    """Feeds streams to the core of a design until ``packet_count`` packets have left.

    ``streams`` has a list of events for each stream: a dict is a tuple, a number the time of a
    punctuation. ``settings`` has the numbers of the host settings by name, for each stream.

    Raises HangError after ``IDLE`` cycles without a transfer, and ProtocolError.
    """
    core, rng = design.create(), random.Random(seed)
    source = Source(core.i, _beats(design, streams, settings), stall_in, rng)
    sink, rules = Sink(core.o, stall_out, rng), [Rules("i"), Rules("o")]
    sampled = [p for s in (core.i, core.o) for p in (s.valid, s.ready, as_unsigned(s.payload))]
    counts = as_unsigned(core.events) if design.counters else Const(0)
    flags = as_unsigned(core.errors) if design.flags else Const(0)
    busy, counted, warned = [], [], 0

    async def bench(ctx):
        nonlocal warned
        idle = quiet = cycle = 0
        while quiet < DRAIN:
            source.drive(ctx)
            sink.drive(ctx)
            _, _, busy_bit, happened, failed, *seen = await ctx.tick().sample(
                core.busy, counts, flags, *sampled
            )
            busy.append(busy_bit)
            counted.append(happened)
            warned |= failed
            moved = False
            for rule, side, values in zip(rules, (source, sink), (seen[:3], seen[3:]), strict=True):
                rule.sample(cycle, *values)
                moved |= side.sample(cycle, *values)
            idle, cycle = 0 if moved else idle + 1, cycle + 1
            complete = source.is_complete and _ends(sink) >= packet_count
            quiet = quiet + 1 if complete else 0
            if idle > IDLE and not complete:
                raise HangError(f"hang in cycle {cycle}: {_ends(sink)} of {packet_count} packets")

    simulate(core, bench)
    return CoreRun(
        packets=_packets(design, sink.run.payloads),
        counters=_counters(design, counted),
        errors={name for name, bit in decode(errors(design.flags), warned).items() if bit},
        start_cycles=_start_cycles(source),
        end_cycles=_end_cycles(source),
        packet_end_cycles=_end_cycles(sink),
        busy=busy,
    )


def _end_cycles(side):
    return [c for b, c in zip(side.run.payloads, side.run.cycles, strict=True) if b["last"]]


def _start_cycles(side):
    firsts = [True, *(beat["last"] for beat in side.run.payloads)]
    return [cycle for cycle, first in zip(side.run.cycles, firsts, strict=False) if first]


def _ends(side):
    return sum(beat["last"] for beat in side.run.payloads)


def _counters(design, counted):
    totals = dict.fromkeys((counter.name for counter in design.counters), 0)
    for bits in counted:
        for name, count in decode(events(design.counters), bits).items():
            totals[name] += count
    return totals


def _beats(design, streams, settings):
    """Yields beats of streams with their settings.

    A beat with a punctuation has ``user``, and the lane of the punctuation is not valid.
    """
    lanes, window = design.input.lanes, design.query.window
    for stream, values in zip(streams, settings, strict=True):
        context = {"context": _context(design, values)} if design.settings.layout.size else {}
        cuts = _cuts(stream, lanes)
        for k, cut in enumerate(cuts):
            tuples = [e if isinstance(e, dict) else {window.attribute.name: e} for e in cut]
            users = [not isinstance(event, dict) for event in cut]
            beat = {"tuples": tuples, "last": int(k == len(cuts) - 1)} | context
            beat |= {"valid": sum(1 << lane for lane, is_user in enumerate(users) if not is_user)}
            yield beat | ({"user": int(any(users))} if design.input.punctuations else {})


def _cuts(stream, lanes):
    """Returns the events of each beat; an empty stream is one empty beat."""
    return [stream[k : k + lanes] for k in range(0, len(stream), lanes)] or [[]]


def _context(design, values):
    """Returns the bits of host settings; a number too large for its field is clipped."""
    layout, fitted = design.settings.layout, {}
    for name, value in values.items():
        shape = Shape.cast(layout[name].shape)
        fitted[name] = min(value, (1 << shape.width - shape.signed) - 1)
    return encode(layout, fitted)


def _packets(design, beats):
    """Returns the rows of each complete packet."""
    packets, rows = [], []
    for beat in beats:
        valid = [t for k, t in enumerate(beat["tuples"]) if beat["valid"] >> k & 1]
        rows += [_row(design.rows, row) for row in valid]
        if beat["last"]:
            packets.append(rows)
            rows = []
    return packets


def _row(schema, row):
    """Returns the values of a row in the order of its fields, without VALID fields.

    A value is None if its VALID field is 0. A VALID field with ``of=None`` belongs to all values.
    """
    values = dict(zip((field.name for field in schema.fields), _leaves(row), strict=True))
    valid = {field.of: values[field.name] for field in schema.with_role(Role.VALID)}
    null = {name for name, ok in valid.items() if not ok}
    if None in null:
        null |= {field.name for field in schema.with_role(Role.VALUE)}
    names = [field.name for field in schema.fields if field.role is not Role.VALID]
    return tuple(None if name in null else values[name] for name in names)


def _leaves(value):
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    return [value]
