"""Keeps what belongs to a frame until its end says whether it was good."""

from amaranth.hdl import Module, Mux, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import flow
from rtl.memory.block import BlockMemory


def arriving(shape):
    """Layout of what comes to a :class:`FrameBuffer`.

    ``store`` says that the ``item`` is to be kept, ``last`` that the frame ends, and with it
    ``good`` that it counts.
    """
    return data.StructLayout({"item": shape, "store": 1, "last": 1, "good": 1})


class FrameBuffer(wiring.Component):
    """A ring whose writer can go back to where a frame began.

    There are two pointers of writing: behind all, and behind the last good frame::

        read          committed     written
         v             v             v
        | good | good | of this one |   room   |

    At the end of a good frame the second follows the first, at the end of a bad one the first goes
    back to the second. What is before ``committed`` is given at ``o``, in order.

    The source cannot wait: when there is no room, nothing more of the frame is kept, and at its end
    it is as a bad one: ``fits`` says, with the last item, that this is not so.

    Latency 2 cycles from the end of a frame to its first item, initiation interval 1 cycle. ``o``
    comes out of block RAM.

    Parameters
    ----------
    shape : ShapeLike
        Of an item.
    depth : int
        Items that fit, a power of two of at least 2.

    Members
    -------
    i : In(flow(arriving(shape)))
        A stream that is never stalled.
    o : Out(stream.Signature(shape))
    fits : Out(1)
        So far, the item at ``i`` with it, there was room for the frame.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, shape, depth):
        self._width, self._depth = Shape.cast(shape).width, depth
        BlockMemory.bits_of(max(1, self._width), depth)
        super().__init__(
            {
                "i": In(flow(arriving(shape))),
                "o": Out(stream.Signature(shape)),
                "fits": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = BlockMemory(self._width, self._depth)
        read, committed, written = (
            Signal(range(2 * self._depth), name=name) for name in ("read", "committed", "written")
        )
        loaded, full, lost = (Signal(name=name) for name in ("loaded", "full", "lost"))
        i, stored, ends, taken = self.i.p, Signal(), Signal(), Signal()
        behind = Signal(written.shape())
        m.d.comb += [
            full.eq((written - read)[: len(read)] == self._depth),
            stored.eq(self.i.valid & i.store & ~full & ~lost),
            self.fits.eq(~lost & ~(i.store & full)),
            ends.eq(self.i.valid & i.last),
            taken.eq(ends & i.good & self.fits),
            behind.eq(written + stored),
            memory.write_address.eq(written[:-1]),
            memory.write_data.eq(i.item),
            memory.write_enable.eq(stored),
        ]
        with m.If(self.i.valid):
            m.d.sync += lost.eq(~i.last & ~self.fits)
        m.d.sync += written.eq(Mux(ends & ~taken, committed, behind))
        with m.If(taken):
            m.d.sync += committed.eq(behind)

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
