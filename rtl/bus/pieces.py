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
        source, target = self.i.p, self.o.p
        units, most = self._into // self._unit, self._width // self._unit
        number, count = Signal(range(units + 1)), -(-self._into // self._width)
        m.d.comb += number.eq(self._units(m, source, units))
        if not self._short:
            with m.If(~source.tlast):
                m.d.comb += number.eq(units)
        index, left, last = Signal(range(max(2, count))), Signal(range(units + 1)), Signal()
        with m.Switch(index):
            for k in range(count):
                with m.Case(k):
                    cut = slice(k * self._width, (k + 1) * self._width)
                    m.d.comb += [
                        target.tdata.eq(source.tdata[8 * cut.start : 8 * cut.stop]),
                        target.tkeep.eq(source.tkeep[cut]),
                        left.eq(number - k * most),
                        last.eq(number <= (k + 1) * most),
                    ]
        m.d.comb += [
            target.count.eq(Mux(last, left, most)),
            target.tlast.eq(source.tlast & last),
            *(target[name].eq(source[name]) for name in self._more),
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready & last),
        ]
        with m.If(self.i.valid & self.o.ready):
            m.d.sync += index.eq(Mux(last, 0, index + 1))
        return m

    def _units(self, m, source, units):
        """Units up to the last one of which a byte is kept, in few levels of logic."""
        kept = Signal(units)
        m.d.comb += kept.eq(
            Cat(source.tkeep.word_select(k, self._unit).any() for k in range(units))
        )
        from_here = Signal(units + 1)  # bit k: unit k is kept, or one behind it
        m.d.comb += from_here.eq(Cat(kept[k:].any() for k in range(units)))
        ends = Signal(units)  # bit k: unit k is the last one
        m.d.comb += ends.eq(from_here[:units] & ~from_here[1:])
        width = range(units.bit_length())
        numbers = ([ends[k] for k in range(units) if k + 1 >> bit & 1] for bit in width)
        return Cat(Cat(bits).any() for bits in numbers)
