"""Any design as shipped Verilog in a simulator: streams of raw tuples enter, rows leave."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rtl.bus.setting_registers import register_words
from rtl.bus.top_registers import counters_of, registers_of
from rtl.contract.design import Design
from rtl.contract.rows import Role
from sim.beats import Beats, pack_fields, unpack_fields
from sim.bench import Bench
from sim.outcome import Outcome
from tb.rtl.bus.tops import bench_of

HALF = {"stall_input": 0.5, "stall_output": 0.5}

#: Counters of tuples and rows that a model can predict.
TALLY = ("tuples", "rows", "streams", "late", "overrun", "nan", "filtered")


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """Output of a run in which no bus rule was broken.

    Attributes
    ----------
    outcome : Outcome
    packets : list of list of tuple
        The rows of each packet, after the reset if the run has one: raw integers in the order of
        the row's fields, None for NULL.
    counters : dict of str to int
        Every counter of the top.
    errors : set of str
        The bits of the status register that are set.
    reads : tuple of int
        Values of the further registers that the caller requested.
    """

    outcome: Outcome
    packets: list
    counters: dict
    errors: set
    reads: tuple

    @property
    def rows(self):
        """The row of each packet, for engines with one row in each packet."""
        if any(len(packet) != 1 for packet in self.packets):
            raise AssertionError("every window must be a packet of one row")
        return [row for (row,) in self.packets]

    @property
    def tally(self):
        """The counters of :data:`TALLY`; 0 for a counter that the design does not have."""
        return {name: self.counters.get(name, 0) for name in TALLY}


@dataclass(frozen=True, kw_only=True)
class Shipped:
    """The shipped Verilog of a design, driven at its ports.

    Streams are lists of events: tuples, as mappings of column name to raw, and punctuations, as
    plain numbers. Settings are mappings of name to value, which may include ``function``.
    """

    design: Design
    registers: dict
    bench: Bench

    def beats(self, streams):
        """Returns the beats of streams; a punctuation has its time, ``tuser``, and rubbish."""
        into, window = self.design.input, self.design.query.window
        names = into.packing.names
        rubbish = dict.fromkeys(names, 1)
        packed, users = [], []
        for events in streams:
            punctuation = [isinstance(event, int) for event in events]
            tuples = [
                rubbish | {window.attribute.name: event} if is_time else event
                for event, is_time in zip(events, punctuation, strict=True)
            ]
            columns = [np.array([t[name] for t in tuples], object) for name in names]
            packed.append(pack_fields(columns, into.packing.fields))
            users.append(np.array(punctuation, np.bool_))
        return Beats.from_streams(packed, into.lanes, users if into.punctuations else None)

    def packets(self, beats):
        """Returns the rows of each packet; None for a value whose VALID field is 0."""
        schema = self.design.rows
        parts = beats.streams(schema.packing.bytes)
        if not parts:
            return []
        fields = unpack_fields(np.concatenate(parts), schema.packing.fields)
        columns_by_name = dict(zip(schema.packing.names, fields, strict=True))
        valid = {field.of: columns_by_name[field.name] for field in schema.with_role(Role.VALID)}
        columns = [
            _values(
                columns_by_name[field.name],
                valid.get(field.name),
                valid.get(None) if field.role is Role.VALUE else None,
            )
            for field in schema.fields
            if field.role is not Role.VALID
        ]
        rows = list(zip(*columns, strict=True))
        ends = np.cumsum([len(part) for part in parts]).tolist()
        return [rows[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]

    def addresses(self, *names):
        """Returns the addresses of registers by name."""
        return [self.registers[name].address for name in names]

    def writes(self, settings):
        """Returns the register writes for ``settings``, in their order."""
        words = {}
        for name, value in settings.items():
            words |= (
                {name: value}
                if name == "function"
                else register_words(self.design.settings[name], value)
            )
        return list(zip(self.addresses(*words), words.values(), strict=True))

    def run(self, streams, settings=(), *, writes=None, reads=(), **options):
        """Runs streams of events, or beats; then reads all counters and the status.

        Parameters
        ----------
        streams : Beats, or list of streams
        settings : sequence of dict
            Settings that the host writes before each stream.
        writes : dict of int to list of (address, value)
            Register writes, as an alternative to ``settings``.
        reads : sequence of str
            Further registers to read.
        **options
            See :meth:`tb.bench.bench.Bench.run`.
        """
        beats = streams if isinstance(streams, Beats) else self.beats(streams)
        if writes is None:
            writes = {k: self.writes(values) for k, values in enumerate(settings)}
        counters = [counter.name for counter in counters_of(self.design)]
        halves = [f"{name}_{half}" for name in counters for half in ("low", "high")]
        outcome = self.bench.run(
            beats, writes=writes, reads=self.addresses(*halves, "status", *reads), **options
        ).checked()
        words, (status, *other_reads) = outcome.reads[: len(halves)], outcome.reads[len(halves) :]
        totals = [low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)]
        bits = self.registers["status"].fields
        return Run(
            outcome=outcome,
            packets=self.packets(outcome.beats[outcome.beats_before_reset or 0 :]),
            counters=dict(zip(counters, totals, strict=True)),
            errors={bit.name for bit in bits if status >> bit.low & 1},
            reads=tuple(other_reads),
        )


@cache
def shipped(design, simulator="compiled"):
    """Returns a design, built once per process; a cache keeps its Verilog and its models."""
    bench = bench_of(design, simulator)
    return Shipped(design=design, registers=registers_of(design), bench=bench)


def joined(answers):
    """Returns the rows of all streams, and the sums of their tallies, from (rows, tally) pairs."""
    answers = list(answers)
    rows = [row for rows, _ in answers for row in rows]
    return rows, {name: sum(tally[name] for _, tally in answers) for name in TALLY}


def as_shape(raw, shape):
    """Returns the lowest bits of an integer, as a number of ``shape``."""
    low = raw & ((1 << shape.width) - 1)
    return low - (1 << shape.width) if shape.signed and low >> (shape.width - 1) else low


def narrowed(rows, shape):
    """Returns rows of a key and a selected result, cut to the width of the item's own result."""
    return [(key, as_shape(raw, shape)) for key, raw in rows]


def _values(column, *valids):
    values = list(map(int, column))
    for valid in valids:
        if valid is not None:
            values = [value if ok else None for value, ok in zip(values, valid, strict=True)]
    return values
