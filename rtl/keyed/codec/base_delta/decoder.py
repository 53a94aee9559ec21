"""Decodes blocks of bases and deltas, one in a cycle."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, block_layout
from rtl.stream.line import line
from rtl.stream.register import StreamRegister

#: Slots whose demarcations are counted together.
GROUP = 8


class BaseDeltaDecoder(wiring.Component):
    """Gives all values of a block at once.

    ::

        i --> demarcations in each --> before each slot --> its base --> base and delta --> o
              group of 8 slots

    A slot's base is the one that belongs to the last demarcation up to it, so it has the number of
    these: none is the seed. Nothing depends on another block. ``error`` goes with a block that is
    no block: its parts overlap.

    Order is kept. Latency 4 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(line(codec.width, codec.lanes, passenger=...)))
        Lane k has the block's value k; with an ``error`` rubbish. ``passenger`` has ``error``, and
        ``passenger``.

    Source: seed 000, section 3.4.1.
    """

    latency = 4 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        goes = block_layout(passenger)
        told = data.StructLayout({"error": 1, "passenger": passenger})
        self._line = line(codec.width, codec.lanes, passenger=told)
        slots = codec.slots
        number = range(slots + 1)
        within = data.ArrayLayout(range(GROUP + 1), slots)
        values = data.ArrayLayout(codec.width, codec.lanes)
        self._grouped = data.StructLayout({"goes": goes, "within": within})
        self._numbered = data.StructLayout({"goes": goes, "base": data.ArrayLayout(number, slots)})
        deltas = data.ArrayLayout(codec.delta_bits, slots)
        self._based = data.StructLayout({"line": self._line, "bases": values, "deltas": deltas})
        super().__init__({"i": In(stream.Signature(goes)), "o": Out(stream.Signature(self._line))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.grouped = grouped = StreamRegister(self._grouped)
        m.submodules.numbered = numbered = StreamRegister(self._numbered)
        m.submodules.based = based = StreamRegister(self._based)
        m.submodules.line = line_ = StreamRegister(self._line)
        steps = (
            (self.i, grouped.i),
            (grouped.o, numbered.i),
            (numbered.o, based.i),
            (based.o, line_.i),
        )
        for source, target in steps:
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        wiring.connect(m, line_.o, wiring.flipped(self.o))
        m.d.comb += [
            grouped.i.p.goes.eq(self.i.p),
            numbered.i.p.goes.eq(grouped.o.p.goes),
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
        """Of each slot the demarcations of its group up to it."""
        block, marks = o.goes.block, []
        for slot in range(self._codec.slots):
            mark = Signal(name=f"mark{slot}")
            delta = self._delta(block, slot)
            m.d.comb += mark.eq((delta == self._codec.demarcation) & (o.goes.count > slot))
            marks.append(mark)
        for first in range(0, self._codec.slots, GROUP):
            for k, count in enumerate(_counts(marks[first : first + GROUP])):
                m.d.comb += o.within[first + k].eq(count)

    def _number(self, m, i, o):
        """Of each slot the number of its base."""
        slots = self._codec.slots
        before = Signal(range(slots + 1))
        for slot in range(slots):
            if slot % GROUP == 0 and slot:
                more = Signal.like(before, name=f"before{slot}")
                m.d.comb += more.eq(before + i.within[slot - 1])
                before = more
            m.d.comb += o.base[slot].eq(before + i.within[slot])

    def _choose(self, m, i, o):
        """Of each slot the base, or the value itself of a raw block."""
        codec, goes = self._codec, i.goes
        width, block, raw_values = codec.width, goes.block, codec.format.raw_values
        top = BLOCK_BITS - codec.format.head_bits
        bases = [Signal(width, name=f"base{k}") for k in range(codec.bases)]
        for k, base in enumerate(bases):
            m.d.comb += base.eq(block[top - width * (k + 1) :][:width])
        for slot in range(codec.slots):
            number = i.base[slot]
            delta = self._delta(block, slot)
            is_delta = goes.coded & (delta != codec.demarcation)
            base = self._one_of(bases, number)
            if slot < raw_values:
                raw = block[BLOCK_BITS - width * (slot + 1) :][:width]
                base = Mux(goes.coded, base, raw)
            m.d.comb += [
                o.bases[slot].eq(base),
                o.deltas[slot].eq(Mux(is_delta, delta, 0)),
                o.line.valid[slot].eq((goes.skip <= slot) & (goes.count > slot)),
            ]
        used = goes.count * codec.delta_bits + i.base[codec.slots - 1] * width
        room = top - width
        m.d.comb += [
            o.line.last.eq(goes.last),
            o.line.passenger.passenger.eq(goes.passenger),
            o.line.passenger.error.eq(goes.coded & ((used > room) | (goes.count == 0))),
        ]

    def _one_of(self, bases, number):
        """By a tree, with the last one for all numbers above."""
        chosen = list(bases)
        for bit in range((len(bases) - 1).bit_length()):
            pairs = zip(chosen[::2], [*chosen[1::2], chosen[-1]], strict=False)
            chosen = [low if low is high else Mux(number[bit], high, low) for low, high in pairs]
        return chosen[0]

    def _add(self, m, i, o):
        codec = self._codec
        m.d.comb += o.eq(i.line)
        for slot in range(codec.slots):
            value = i.bases[slot] + i.deltas[slot].as_signed()
            m.d.comb += o.tuples[slot].eq(value)


def _counts(bits):
    """Of each bit how many are set up to it: by halves, so that no sum waits for all before it."""
    if len(bits) == 1:
        return bits
    half = len(bits) // 2
    low, high = _counts(bits[:half]), _counts(bits[half:])
    return [*low, *(low[-1] + count for count in high)]
