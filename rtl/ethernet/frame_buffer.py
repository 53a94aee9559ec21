"""Stores each frame until its end tells whether the frame is good."""

from amaranth.hdl import Module, Mux, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import flow
from rtl.memory.block import BlockMemory


def input_layout(shape):
    """Returns the layout of the input of a :class:`FrameBuffer`.

    ``store``: ``item`` is stored as the frame's next item. ``last``: the frame ends here, with or
    without an item to store. ``good``, valid with ``last``: the frame is to be kept.
    """
    return data.StructLayout({"item": shape, "store": 1, "last": 1, "good": 1})


class FrameBuffer(wiring.Component):
    """Stores frames in a ring whose writer can go back to the beginning of the current frame.

    The ring has two write pointers: after all items, and after the last good frame::

        read          committed     written
         v             v             v
        | good | good |   current   |   room   |

    At the end of a good frame ``committed`` becomes ``written``; at the end of a bad frame
    ``written`` goes back to ``committed``. The items before ``committed`` are offered at ``o``, in
    order.

    The source cannot wait. When the ring is full, the rest of the frame is dropped, and at its end
    the frame is treated as bad: ``fits`` is low from the first dropped item to ``last``. For
    instance with depth 4 and an empty ring a frame of 5 items is dropped, and leaves nothing.

    Latency 2 cycles from the end of a frame to its first item, initiation interval 1 cycle. ``o``
    comes out of block RAM.

    Parameters
    ----------
    shape : ShapeLike
        Shape of an item.
    depth : int
        Items that fit, a power of two of at least 2.

    Members
    -------
    i : In(flow(input_layout(shape)))
        A stream that is never stalled.
    o : Out(stream.Signature(shape))
    fits : Out(1)
        The frame has had room so far, including the item at ``i``. Meaningful while ``i`` is valid.
    room : Out(range(depth + 1))
        Number of items that the ring could take; items of the current frame count as stored.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, shape, depth):
        self._width = Shape.cast(shape).width
        self._depth = depth
        BlockMemory.bits_of(max(1, self._width), depth)
        super().__init__(
            {
                "i": In(flow(input_layout(shape))),
                "o": Out(stream.Signature(shape)),
                "fits": Out(1),
                "room": Out(range(depth + 1)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = BlockMemory(self._width, self._depth)
        read = Signal(range(2 * self._depth))
        committed = Signal(range(2 * self._depth))
        written = Signal(range(2 * self._depth))
        loaded = Signal()
        full = Signal()
        lost = Signal()
        i = self.i.p
        stored = Signal()
        ends = Signal()
        commits = Signal()
        next_written = Signal(written.shape())
        m.d.comb += [
            self.room.eq(self._depth - (written - read)[: len(read)]),
            full.eq((written - read)[: len(read)] == self._depth),
            stored.eq(self.i.valid & i.store & ~full & ~lost),
            self.fits.eq(~lost & ~(i.store & full)),
            ends.eq(self.i.valid & i.last),
            commits.eq(ends & i.good & self.fits),
            next_written.eq(written + stored),
            memory.write_address.eq(written[:-1]),
            memory.write_data.eq(i.item),
            memory.write_enable.eq(stored),
        ]
        with m.If(self.i.valid):
            m.d.sync += lost.eq(~i.last & ~self.fits)
        m.d.sync += written.eq(Mux(ends & ~commits, committed, next_written))
        with m.If(commits):
            m.d.sync += committed.eq(next_written)

        m.d.comb += [
            memory.read_address.eq(read[:-1]),
            memory.read_enable.eq((read != committed) & (~loaded | self.o.ready)),
            self.o.valid.eq(loaded),
            self.o.payload.eq(memory.read_data),
        ]
        m.d.sync += [
            read.eq(read + memory.read_enable),
            loaded.eq(memory.read_enable | (loaded & ~self.o.ready)),
        ]
        return m
