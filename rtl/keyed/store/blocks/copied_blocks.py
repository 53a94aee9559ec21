"""Puts the blocks of a window in order: blocks from M3, then the copies in M2."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.store.blocks.copy_memory import copy_layout


def sourced_line():
    """Returns the layout of a closed block of a window.

    The members of :func:`~rtl.keyed.dram.line_stripes.marked_line`, and ``m3``: the block was read
    from M3, not from a copy.
    """
    return data.StructLayout({**marked_line().members, "m3": 1})


class CopiedBlocks(wiring.Component):
    """Sends the closed blocks of each window: blocks from M3, then copies.

    Each copy is newer than every block that a window has from M3. So the blocks of a window are
    sent in the order in which they were closed. For instance a window of the blocks 3 to 6, of
    which 3 and 4 come from M3, and a window of the blocks 8 and 9, of which M2 has copies::

        copies    5 older    6 last                        8         9 last
        lines     3 first    4 last
        o         3 first    4         5         6 last    8 first   9 last

    A copy with ``older`` waits for the blocks of its window from M3. An item of ``copies`` with
    ``absent`` stands for a read without copies, whose blocks are all from M3.

    Order is kept. Latency 0 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``copies``
    and ``lines``.

    Members
    -------
    copies : In(stream.Signature(copy_layout()))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(sourced_line()))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "copies": In(stream.Signature(copy_layout())),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(sourced_line())),
            }
        )

    def elaborate(self, platform):
        m = Module()
        copy = self.copies.p
        line = self.lines.p
        o = self.o.p
        is_copy = Signal()
        transfer = Signal()
        ends_older = Signal()
        with m.FSM():
            with m.State("OLDER"):
                m.d.comb += is_copy.eq(~copy.older)
                with m.If(transfer & ends_older & ~copy.absent):
                    m.next = "COPY"
            with m.State("COPY"):
                m.d.comb += is_copy.eq(1)
                with m.If(transfer):
                    m.next = "OLDER"
        m.d.comb += [
            transfer.eq(self.o.valid & self.o.ready),
            ends_older.eq(~is_copy & line.last),
            self.o.valid.eq(self.copies.valid & (is_copy | self.lines.valid)),
            self.copies.ready.eq(transfer & (is_copy | (ends_older & copy.absent))),
            self.lines.ready.eq(transfer & ~is_copy),
            o.data.eq(Mux(is_copy, copy.block, line.data)),
            o.error.eq(Mux(is_copy, copy.error, line.error)),
            o.first.eq(Mux(is_copy, copy.opens & ~copy.older, line.first)),
            o.last.eq(Mux(is_copy, copy.last, line.last & copy.absent)),
            o.m3.eq(~is_copy),
        ]
        return m
