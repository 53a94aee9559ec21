"""The one's-complement sum of a frame's bytes, on which all checksums of the internet are based."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import flow

SUMMED = data.StructLayout({"data": 64, "first": 1, "last": 1})


def folded(value):
    """Returns the 16 lower bits plus the higher bits, a step towards 16 bits: 2 ** 16
    counts as 1."""
    return value[:16] + value[16:]


class OnesSum(wiring.Component):
    """Adds the 16-bit words of a frame, four per cycle, from ``first`` to ``last``.

    The lower byte of a word comes first, and the sum has the same order of bytes. The order does
    not matter, because swapping the bytes of all words only swaps the bytes of the sum (RFC 1071).
    0 and 0xFFFF both represent zero; the sum is 0 only if all words are 0.

    A frame has at most 65,535 bytes, or 32,768 words, whose sum fits 32 bits, so the sum is folded
    to 16 bits only at the end. The steps are: words in pairs, all four words, the sum so far, two
    folds.

    Latency 5 cycles from ``last``, initiation interval 1 cycle: nothing stalls, and frames may
    follow one another without a gap. Source: RFC 1071.

    Members
    -------
    i : In(flow(SUMMED))
        A stream that is never stalled.
    o : Out(flow(16))
        The sum of each frame.
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
        total, once, twice = (
            Signal(width, name=name, reset_less=True)
            for name, width in (("total", 32), ("once", 17), ("twice", 16))
        )
        valid, first, last = (Signal(self.latency, name=n) for n in ("valid", "first", "last"))
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
