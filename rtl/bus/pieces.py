"""Cuts transfers into pieces and counts their units, because a gearbox writes a piece per cycle."""

from amaranth.hdl import Cat, Module, Mux, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out


def transfer(width, **sideband):
    """Returns the layout of a transfer of an AXI4-Stream of ``width`` bytes; ``sideband`` names
    further bits."""
    return data.StructLayout({"tdata": 8 * width, "tkeep": width, "tlast": 1} | sideband)


def piece(width, unit, **sideband):
    """Returns the layout of a piece of ``width`` bytes: a transfer, and ``count``, its number of
    units."""
    return transfer(width, count=Shape.cast(range(width // unit + 1)).width, **sideband)


class Pieces(wiring.Component):
    """Cuts each transfer into as many pieces as its units fill, and counts the units of each piece.

    All units of a transfer count up to the last byte with ``tkeep``. Every piece of a transfer is
    full except the last piece, which also has the ``tlast``. A transfer without units becomes one
    piece without units. Each piece has its part of ``tkeep``. For instance transfers of 8 bytes,
    pieces of 4 and units of 2: a transfer with ``tlast`` and 5 bytes has 3 units, and becomes a
    piece with ``count`` 2, and a piece with ``count`` 1 and ``tlast``.

    Order is kept. Latency 0 cycles, initiation interval 1 cycle: a cycle for each piece. ``o``
    follows ``i``, and ``i.ready`` follows ``o.ready``, in the same cycle. ``i`` is accepted with
    its last piece.

    Parameters
    ----------
    transfer_width, piece_width : int
        Bytes of a transfer, and of a piece.
    unit : int
        Bytes of a unit; divides both widths.
    short : bool
        Every transfer may be short. If False, only a transfer with ``tlast`` may be short, and all
        units of other transfers count, also without ``tkeep``.
    marks : bool
        A transfer without bytes and without ``tlast`` is a mark: a piece without units, also
        without ``short``.
    sideband : dict of str to int
        Widths of the bits that accompany each transfer, by name.

    Members
    -------
    i : In(stream.Signature(transfer(transfer_width, **sideband)))
    o : Out(stream.Signature(piece(piece_width, unit, **sideband)))

    Source: own.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, transfer_width, piece_width, *, unit, short, marks=False, **sideband):
        self._transfer_width = transfer_width
        self._piece_width = piece_width
        self._unit = unit
        self._short = short
        self._marks = marks
        self._sideband = tuple(sideband)
        super().__init__(
            {
                "i": In(stream.Signature(transfer(transfer_width, **sideband))),
                "o": Out(stream.Signature(piece(piece_width, unit, **sideband))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        source = self.i.p
        target = self.o.p
        piece_units = self._piece_width // self._unit
        pieces = -(-self._transfer_width // self._piece_width)
        is_counted = self._is_counted(m, source, pieces * piece_units)
        index = Signal(range(max(2, pieces)))  # number of the piece within the transfer
        piece_counted = Signal(piece_units)
        last = Signal()
        with m.Switch(index):
            for k in range(pieces):
                with m.Case(k):
                    first = k * self._piece_width
                    end = (k + 1) * self._piece_width
                    m.d.comb += [
                        target.tdata.eq(source.tdata[8 * first : 8 * end]),
                        target.tkeep.eq(source.tkeep[first:end]),
                        piece_counted.eq(is_counted[k * piece_units : (k + 1) * piece_units]),
                        last.eq(~is_counted[(k + 1) * piece_units]),
                    ]
        last_unit = piece_counted & ~Cat(piece_counted[1:], 0)  # one bit: the last that counts
        m.d.comb += [
            target.count.eq(_number_of_high(list(last_unit))),
            target.tlast.eq(source.tlast & last),
            *(target[name].eq(source[name]) for name in self._sideband),
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready & last),
        ]
        with m.If(self.i.valid & self.o.ready):
            m.d.sync += index.eq(Mux(last, 0, index + 1))
        return m

    def _is_counted(self, m, source, unit_count):
        """Returns ``unit_count + 1`` bits, one for each unit of all pieces: the unit counts.

        The bits above the units of the transfer are 0.
        """
        units = self._transfer_width // self._unit
        used = Signal(units)
        is_counted = Signal(unit_count + 1)
        used_units = (source.tkeep.word_select(k, self._unit).any() for k in range(units))
        m.d.comb += used.eq(Cat(used_units))
        all_count = 0 if self._short else ~source.tlast
        if self._marks and not self._short:
            all_count = ~source.tlast & used.any()
        m.d.comb += is_counted.eq(Cat(used[k:].any() | all_count for k in range(units)))
        return is_counted


def _number_of_high(bits):
    """Returns the index of the only bit that is high, plus 1; 0 when no bit is high.

    For instance 3 for 0b100. Bit n of the result is high if the high bit has a number with bit n.
    """
    result_bits = range(len(bits).bit_length())
    return Cat(Cat(b for k, b in enumerate(bits, 1) if k >> n & 1).any() for n in result_bits)
