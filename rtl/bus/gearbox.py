"""Converts transfers of one width into transfers of another: bytes packed densely, at full rate."""

from math import gcd

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import Pieces, transfer
from rtl.stream.register import StreamRegister


class Gearbox(wiring.Component):
    """Packs the bytes of each packet into transfers of another width, all full but the last.

    ::

        i, 3 units          place 2              ring of rows, 4 units each       o
        [a b c] -> pieces -> [. . a b c .] ----> row write      [y z a b]  full: closed
                                                 row write + 1  [c . . .]  open
                                                 row read       [s t u v]  closed --> [s t u v]

    A *unit* is the largest number of bytes of which every transfer is a multiple. Units are written
    consecutively into a ring of rows, each as wide as ``o``. A row is *closed* when it is full, or
    has the end of a packet; closed rows go out in order. The bytes after an end begin a new row, so
    neither side waits at the end of a packet. A transfer that would fill more than two rows is
    written in pieces of two rows (:class:`~rtl.bus.pieces.Pieces`).

    ``tkeep`` is stored byte by byte, and is low where a row was closed before it was full. An end
    without bytes goes into the open row, or becomes a row without bytes when no row is open. The
    sideband bits must be the same for all bytes of a row. So they are constant within a packet, or
    change where a row is full: for instance after 12 bytes with an ``out`` of 12.

    ``o`` and ``i.ready`` depend on registers and on ``i`` alone, never on ``o.ready``. Latency 2
    cycles, from the transfer that fills a row. Initiation interval 1 cycle on the side that has
    more transfers in the long run, wherever packets end. Resources: ``tdata`` and ``tkeep`` of two
    to five rows, and of a piece, in registers.

    Parameters
    ----------
    into, out : int
        Bytes of a transfer.
    short : int or None
        Transfers of ``i`` may be short anywhere, by a multiple of this number of bytes, and use the
        lowest bytes. None: only the last transfer of a packet is short; a byte without ``tkeep`` in
        another transfer keeps its place, without ``tkeep``.
    marks : bool
        A transfer without bytes and without ``tlast`` closes the open row, or becomes a row without
        bytes when no row is open; so a row without ``tlast`` may be short.
    sideband : dict of str to int
        Widths of the bits that accompany each transfer, by name.

    Members
    -------
    i : In(stream.Signature(transfer(into, **sideband)))
    o : Out(stream.Signature(transfer(out, **sideband)))
    busy : Out(1)
        Bytes or the end of a packet are stored in the gearbox.

    Source: own.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, into, out, *, short=None, marks=False, **sideband):
        for name, width in (("into", into), ("out", out)):
            if not isinstance(width, int) or width < 1:
                raise ValueError(f"{name} must be an integer of at least 1, not {width!r}")
        self._into = into
        self._short = short is not None
        self._sideband = sideband
        self._marks = marks
        self._unit = gcd(into, out, short or 0)
        self._out = out // self._unit  # units of a row
        self._piece = min(into // self._unit, 2 * self._out)  # units of a piece
        self._touched = -(-(self._out - 1 + self._piece) // self._out)  # rows that a piece touches
        # Closed rows that wait while a piece is written: one, or two where a piece may close two.
        self._rows = self._touched + min(self._touched, 2)
        super().__init__(
            {
                "i": In(stream.Signature(transfer(into, **sideband))),
                "o": Out(stream.Signature(transfer(out, **sideband))),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.pieces = pieces = Pieces(
            self._into,
            self._piece * self._unit,
            unit=self._unit,
            short=self._short,
            marks=self._marks,
            **self._sideband,
        )
        m.submodules.piece = piece = StreamRegister(pieces.o.payload.shape())
        wiring.connect(m, wiring.flipped(self.i), pieces.i)
        wiring.connect(m, pieces.o, piece.i)
        place = Signal(range(max(2, self._out)))  # of the next unit, in the open row
        write = Signal(range(self._rows))
        read = Signal(range(self._rows))
        closed = Signal(range(self._rows + 1))
        piece_fires = piece.o.valid & piece.o.ready
        row_fires = self.o.valid & self.o.ready
        closes, next_place = self._close(m, piece.o.p, place)
        m.d.comb += [
            piece.o.ready.eq(closed <= self._rows - self._touched),
            self.o.valid.eq(closed.any()),
            self.busy.eq(closed.any() | place.any() | piece.o.valid),
        ]
        with m.If(piece_fires):
            m.d.sync += [place.eq(next_place), write.eq(self._row_after(write, closes))]
        with m.If(row_fires):
            m.d.sync += read.eq(self._row_after(read, 1))
        m.d.sync += closed.eq(closed + Mux(piece_fires, closes, 0) - row_fires)
        rows = self._ring(m, row_fires, read)
        with m.If(piece_fires):
            self._write(m, rows, piece.o.p, place, write, closes)
        return m

    def _row_after(self, row, by):
        """Returns the index of a row plus ``by``, which is less than the number of rows, modulo
        that number."""
        sum_ = row + by
        return Mux(sum_ >= self._rows, sum_ - self._rows, sum_)

    def _close(self, m, piece, place):
        """Returns the number of rows that a piece closes, and the place of the next unit after the
        piece."""
        total = Signal(range(self._out + self._piece))
        remainder = Signal.like(place, name="remainder")
        full = Signal(range(self._touched + 1))
        closes = Signal(range(self._touched + 1))
        m.d.comb += [total.eq(place + piece.count), remainder.eq(total)]
        for rows in range(1, self._touched + 1):
            with m.If(total >= rows * self._out):
                m.d.comb += [full.eq(rows), remainder.eq(total - rows * self._out)]
        closing = piece.tlast | (~piece.count.any() if self._marks else 0)
        ends = closing & (remainder.any() | ~total.any())  # closes a row that is not full
        m.d.comb += closes.eq(full + ends)
        return closes, Mux(closing, 0, remainder)

    def _ring(self, m, row_fires, read):
        """Adds the ring, and returns its rows as views of their registers.

        ``tkeep`` of a row is cleared when the row goes out, because the next packet may fill only a
        part of the row.
        """
        shape = self.o.p.shape()
        rows = [shape(Signal(shape, name=f"row{k}", init={"tkeep": 0})) for k in range(self._rows)]
        with m.Switch(read):
            for k, row in enumerate(rows):
                with m.Case(k):
                    m.d.comb += self.o.p.eq(row)
                    with m.If(row_fires):
                        m.d.sync += row.tkeep.eq(0)
        return rows

    def _write(self, m, rows, piece, place, write, closes):
        """Writes each unit of a piece to its place in the open row and in the following rows."""
        size = self._unit
        spread = self._piece + self._out - 1
        present = self._moved(m, ((1 << piece.count) - 1)[: self._piece], place, 1, "present")
        words = [
            (self._moved(m, value, place, bits, name), bits)
            for value, bits, name in ((piece.tdata, 8 * size, "data"), (piece.tkeep, size, "keep"))
        ]
        data, keep = ([moved.word_select(k, bits) for k in range(spread)] for moved, bits in words)
        with m.Switch(write):
            for first in range(self._rows):
                with m.Case(first):
                    open_rows = [rows[(first + k) % self._rows] for k in range(self._touched)]
                    for k in range(spread):
                        row = open_rows[k // self._out]
                        column = k % self._out
                        with m.If(present[k]):
                            m.d.sync += [
                                row.tdata.word_select(column, 8 * size).eq(data[k]),
                                row.tkeep.word_select(column, size).eq(keep[k]),
                            ]
                    for k, row in enumerate(open_rows):
                        m.d.sync += row.tlast.eq(piece.tlast & (closes == k + 1))
                        m.d.sync += [row[name].eq(piece[name]) for name in self._sideband]

    def _moved(self, m, value, place, bits, name):
        """Returns ``value`` moved up by ``place`` units of ``bits`` bits each."""
        for step in range((self._out - 1).bit_length()):
            up = Signal(bits * (self._piece + self._out - 1), name=f"{name}_{step}")
            m.d.comb += up.eq(Mux(place[step], Cat(Const(0, bits << step), value), value))
            value = up
        return value
