"""Computes the one's-complement sum of a frame, the basis of all checksums of the internet."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import flow

SUMMED = data.StructLayout({"data": 64, "first": 1, "last": 1})


def folded(value):
    """Returns the 16 lower bits plus the higher bits: in one's complement 2 ** 16 counts as 1.

    One fold makes 17 bits of 32 bits, and a second fold makes 16 bits of them.
    """
    return value[:16] + value[16:]


class OnesSum(wiring.Component):
    """Adds the 16-bit words of a frame, four per cycle, from ``first`` to ``last``.

    The first byte on the wire is the lower byte of a word, and the lower byte of the sum. RFC 1071
    has the higher byte first; but swapping the bytes of all words only swaps the bytes of the sum.
    For instance the bytes 00 01 F2 03 F4 F5 F6 F7 are the words 0x0100, 0x03F2, 0xF5F4 and 0xF7F6
    with the sum 0x1F2DC, which is folded to 0xF2DD: on the wire DD F2, as in the RFC. 0 and 0xFFFF
    both represent zero; the sum is 0 only if all words are 0.

    A frame has at most 65,535 bytes, or 32,768 words, whose sum fits 32 bits, so the sum is folded
    to 16 bits only at the end. Each step takes a cycle: add words in pairs, add the two pairs, add
    the four words to the sum so far, fold, fold again.

    Latency 5 cycles from ``last`` to the sum, initiation interval 1 cycle: nothing stalls, and
    frames may follow one another without a gap. Source: RFC 1071.

    Members
    -------
    i : In(flow(SUMMED))
        A stream that is never stalled.
    o : Out(flow(16))
        The sum of each frame, valid for one cycle.
    """

    latency = 5
    initiation_interval = 1

    def __init__(self):
        super().__init__({"i": In(flow(SUMMED)), "o": Out(flow(16))})

    def elaborate(self, platform):
        m = Module()
        words = [self.i.p.data[k : k + 16] for k in range(0, 64, 16)]
        pairs = [Signal(17, name=f"pair{k}", reset_less=True) for k in range(2)]
        four = Signal(18, reset_less=True)
        total = Signal(32, reset_less=True)
        once = Signal(17, reset_less=True)
        twice = Signal(16, reset_less=True)
        valid = Signal(self.latency)
        first = Signal(self.latency)
        last = Signal(self.latency)
        m.d.sync += [
            pairs[0].eq(words[0] + words[1]),
            pairs[1].eq(words[2] + words[3]),
            four.eq(pairs[0] + pairs[1]),
            once.eq(folded(total)),
            twice.eq(folded(once)),
            valid.eq(Cat(self.i.valid, valid[:-1])),
            first.eq(Cat(self.i.p.first, first[:-1])),
            last.eq(Cat(self.i.valid & self.i.p.last, last[:-1])),
        ]
        with m.If(valid[1]):
            m.d.sync += total.eq(Mux(first[1], 0, total) + four)
        m.d.comb += [self.o.valid.eq(last[-1]), self.o.p.eq(twice)]
        return m
