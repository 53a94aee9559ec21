"""Decodes blocks of bases and deltas, one block in a cycle."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, block_layout
from rtl.stream.choice import chosen
from rtl.stream.handshake import handshakes
from rtl.stream.line import line
from rtl.stream.register import StreamRegister

#: Number of slots whose demarcations are counted in the first stage.
GROUP = 8


class BaseDeltaDecoder(wiring.Component):
    """Decodes all values of a block at once.

    ::

        i --> count demarcations --> index of each --> select the --> base + delta --> o
              in groups of 8 slots   slot's base       base

    The base of a slot belongs to the last demarcation up to the slot. So the count of demarcations
    up to the slot is the index of its base; base 0 is the seed. For instance with demarcations in
    slots 2 and 5, slots 0 and 1 have base 0, slots 2 to 4 base 1, and later slots base 2. Blocks do
    not depend on each other. A coded block without values, or whose parts overlap, is broken and
    has an ``error``.

    Order is kept. Latency 4 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(line(codec.width, codec.lanes, passenger=...)))
        Lane k has the block's value k, or any value if ``error`` is high. It is valid from value
        ``skip`` of the block on. The line's ``passenger`` consists of ``error`` and the block's
        ``passenger``.

    Source: seed 000, section 3.4.1.
    """

    latency = 4 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        source = block_layout(passenger)
        info = data.StructLayout({"error": 1, "passenger": passenger})
        self._line = line(codec.width, codec.lanes, passenger=info)
        slots = codec.slots
        number = range(slots + 1)
        in_group = data.ArrayLayout(range(GROUP + 1), slots)
        values = data.ArrayLayout(codec.width, codec.lanes)
        self._grouped = data.StructLayout({"source": source, "in_group": in_group})
        self._numbered = data.StructLayout(
            {"source": source, "base": data.ArrayLayout(number, slots)}
        )
        deltas = data.ArrayLayout(codec.delta_bits, slots)
        self._based = data.StructLayout({"line": self._line, "bases": values, "deltas": deltas})
        super().__init__(
            {"i": In(stream.Signature(source)), "o": Out(stream.Signature(self._line))}
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.grouped = grouped = StreamRegister(self._grouped)
        m.submodules.numbered = numbered = StreamRegister(self._numbered)
        m.submodules.based = based = StreamRegister(self._based)
        m.submodules.line = line_ = StreamRegister(self._line)
        m.d.comb += handshakes(self.i, grouped, numbered, based, line_)
        wiring.connect(m, line_.o, wiring.flipped(self.o))
        m.d.comb += [
            grouped.i.p.source.eq(self.i.p),
            numbered.i.p.source.eq(grouped.o.p.source),
        ]
        self._group(m, grouped.i.p)
        self._number(m, grouped.o.p, numbered.i.p)
        self._choose(m, numbered.o.p, based.i.p)
        self._add(m, based.o.p, line_.i.p)
        return m

    def _delta(self, block, slot):
        bits = self._codec.delta_bits
        return block[slot * bits : (slot + 1) * bits]

    def _group(self, m, o):
        """Counts for each slot the demarcations of its group up to the slot."""
        block = o.source.block
        marks = []
        for slot in range(self._codec.slots):
            mark = Signal(name=f"mark{slot}")
            delta = self._delta(block, slot)
            m.d.comb += mark.eq((delta == self._codec.demarcation) & (o.source.count > slot))
            marks.append(mark)
        for first in range(0, self._codec.slots, GROUP):
            for k, count in enumerate(_counts(marks[first : first + GROUP])):
                m.d.comb += o.in_group[first + k].eq(count)

    def _number(self, m, i, o):
        """Adds up the counts of groups to the index of each slot's base."""
        slots = self._codec.slots
        groups_before = Signal(range(slots + 1))
        for slot in range(slots):
            if slot % GROUP == 0 and slot:
                group_start = Signal.like(groups_before, name=f"before{slot}")
                m.d.comb += group_start.eq(groups_before + i.in_group[slot - 1])
                groups_before = group_start
            m.d.comb += o.base[slot].eq(groups_before + i.in_group[slot])

    def _choose(self, m, i, o):
        """Chooses the base of each slot; for a raw block, the value itself."""
        codec = self._codec
        source = i.source
        width = codec.width
        block = source.block
        raw_values = codec.format.raw_values
        top = BLOCK_BITS - codec.format.head_bits
        bases = [Signal(width, name=f"base{k}") for k in range(codec.bases)]
        for k, base in enumerate(bases):
            m.d.comb += base.eq(block[top - width * (k + 1) :][:width])
        for slot in range(codec.slots):
            number = i.base[slot]
            delta = self._delta(block, slot)
            is_delta = source.coded & (delta != codec.demarcation)
            base = chosen(bases, number)
            if slot < raw_values:
                raw = block[BLOCK_BITS - width * (slot + 1) :][:width]
                base = Mux(source.coded, base, raw)
            m.d.comb += [
                o.bases[slot].eq(base),
                o.deltas[slot].eq(Mux(is_delta, delta, 0)),
                o.line.valid[slot].eq((source.skip <= slot) & (source.count > slot)),
            ]
        used_bits = source.count * codec.delta_bits + i.base[codec.slots - 1] * width
        room = top - width
        m.d.comb += [
            o.line.last.eq(source.last),
            o.line.passenger.passenger.eq(source.passenger),
            o.line.passenger.error.eq(source.coded & ((used_bits > room) | (source.count == 0))),
        ]

    def _add(self, m, i, o):
        """Adds the delta of each slot to its base."""
        codec = self._codec
        m.d.comb += o.eq(i.line)
        for slot in range(codec.slots):
            value = i.bases[slot] + i.deltas[slot].as_signed()
            m.d.comb += o.tuples[slot].eq(value)


def _counts(bits):
    """Returns for each bit the count of 1s up to the bit, by halves: the depth is logarithmic."""
    if len(bits) == 1:
        return bits
    half = len(bits) // 2
    low = _counts(bits[:half])
    high = _counts(bits[half:])
    return [*low, *(low[-1] + count for count in high)]
