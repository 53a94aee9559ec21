"""Transfers cut into pieces, each with its number of units: what the gearbox writes in a cycle."""

from amaranth.hdl import Cat, Module, Mux, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out


def transfer(width, **more):
    """Layout of what an AXI4-Stream of ``width`` bytes carries; ``more`` are bits beside it."""
    return data.StructLayout({"tdata": 8 * width, "tkeep": width, "tlast": 1} | more)


def piece(width, unit, **more):
    """Layout of a piece of ``width`` bytes: a transfer, and as ``count`` its number of units."""
    return transfer(width, count=Shape.cast(range(width // unit + 1)).width, **more)


class Pieces(wiring.Component):
    """Cuts each transfer into pieces, as many as it has bytes for, and counts their units.

    A piece is full, but for the last one of a transfer, which alone has the ``tlast``. A transfer
    without any byte is a piece without one. ``tkeep`` goes along; up to the last byte that is kept
    all units count.

    Latency 0 cycles, initiation interval 1 cycle: a cycle for each piece. ``o`` follows ``i``, and
    ``i.ready`` follows ``o.ready``, in the same cycle.

    Parameters
    ----------
    into, width : int
        Bytes of a transfer, and of a piece.
    unit : int
        Bytes of a unit; divides both.
    short : bool
        Every transfer may be short. If not, only one with ``tlast``, and all units of others count.
    more : dict of str to int
        Bits beside each transfer, by name.

    Members
    -------
    i : In(stream.Signature(transfer(into, **more)))
    o : Out(stream.Signature(piece(width, unit, **more)))

    Source: own.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, into, width, *, unit, short, **more):
        self._into, self._width, self._unit = into, width, unit
        self._short, self._more = short, tuple(more)
        super().__init__(
            {
                "i": In(stream.Signature(transfer(into, **more))),
                "o": Out(stream.Signature(piece(width, unit, **more))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        source, target, most = self.i.p, self.o.p, self._width // self._unit
        pieces = -(-self._into // self._width)
        counts = self._counts(m, source, pieces * most)
        index, here, last = Signal(range(max(2, pieces))), Signal(most), Signal()
        with m.Switch(index):
            for k in range(pieces):
                with m.Case(k):
                    first, end = k * self._width, (k + 1) * self._width
                    m.d.comb += [
                        target.tdata.eq(source.tdata[8 * first : 8 * end]),
                        target.tkeep.eq(source.tkeep[first:end]),
                        here.eq(counts[k * most : (k + 1) * most]),
                        last.eq(~counts[(k + 1) * most]),
                    ]
        ends = here & ~Cat(here[1:], 0)  # the last unit of the piece that counts
        m.d.comb += [
            target.count.eq(_number(list(ends))),
            target.tlast.eq(source.tlast & last),
            *(target[name].eq(source[name]) for name in self._more),
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready & last),
        ]
        with m.If(self.i.valid & self.o.ready):
            m.d.sync += index.eq(Mux(last, 0, index + 1))
        return m

    def _counts(self, m, source, width):
        """A bit for each unit: it counts; none does behind the transfer's own."""
        units = self._into // self._unit
        kept, counts = Signal(units), Signal(width + 1)
        each = (source.tkeep.word_select(k, self._unit).any() for k in range(units))
        m.d.comb += kept.eq(Cat(each))
        all_of = 0 if self._short else ~source.tlast
        m.d.comb += counts.eq(Cat(kept[k:].any() | all_of for k in range(units)))
        return counts


def _number(ends):
    """One more than the place of the only bit that is high; 0 when none is."""
    width = range(len(ends).bit_length())
    return Cat(Cat(b for k, b in enumerate(ends, 1) if k >> bit & 1).any() for bit in width)
