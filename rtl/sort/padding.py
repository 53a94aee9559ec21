"""Fills windows up with pads for a sorter that takes full beats and a size fixed in advance."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.network.plan import log2
from rtl.sort.order import SortOrder
from rtl.stream.beat import beat, build, split


def padded(shape):
    """Layout of an entry of the sorter: a ``value``, or a pad (``pad`` is high)."""
    return data.StructLayout({"value": shape, "pad": 1})


def padded_order(shape, floating=False):
    """Order that is ascending by value, with pads behind every value."""
    return SortOrder(padded(shape), ("pad", "value"), ("value",) if floating else ())


def padding_context(beats_max, context=0):
    """Layout of the context of :class:`Padding`.

    Members: ``last_beat``, the number of the window's last beat, counted from 0, of at most
    ``beats_max`` beats; ``context``, of the caller.
    """
    return data.StructLayout({"last_beat": range(max(2, beats_max)), "context": context})


class Padding(wiring.Component):
    """Extends each dense window to ``last_beat + 1`` full beats.

    A lane without a value becomes a pad, and beats of pads follow a window's last beat until the
    window has ``last_beat + 1`` beats. With 4 lanes and ``last_beat`` 2, a window of 6 values
    ``abcd ef..`` becomes ``abcd efPP PPPP``, and ``count`` is 6.

    Order is kept, and each window ends with ``last``. A window must have at most ``last_beat + 1``
    beats; a window without values becomes pads only. ``o`` is combinational from ``i``: latency
    0 cycles. Initiation interval 1 cycle; ``i`` stalls while ``o`` does, and on a window's last
    beat for as many cycles as there are beats of pads.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes : int
        A power of two.
    window_max : int
        Values of the largest window: a multiple of the lanes.
    context : ShapeLike
        Shape of the caller's part of the context at ``i``, which the component ignores.

    Members
    -------
    i : In(stream.Signature(beat(shape, lanes, padding_context(...).size)))
        Dense windows.
    o : Out(stream.Signature(beat(padded(shape), lanes, 1)))
        Windows for a :class:`~rtl.sort.merge_sorter.MergeSorter`. The context is 0, so no stream
        ends.
    rows : Out(unsigned)
        Beats of the window at ``o``.
    counted : Out(1)
        High for one cycle per window: the window's last beat at ``i`` leaves at ``o`` for the first
        time, before beats of pads.
    count : Out(unsigned)
        Number of the window's values while ``counted`` is high.

    Source: ours; for seed 000, section 4.1.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, shape, lanes, window_max, *, context=0):
        self._lanes = lanes
        self._shift = log2(lanes)
        beats_max = window_max // lanes
        self._context = padding_context(beats_max, context)
        super().__init__(
            {
                "i": In(stream.Signature(beat(shape, lanes, self._context.size))),
                "o": Out(stream.Signature(beat(padded(shape), lanes, 1))),
                "rows": Out(bits_for(beats_max)),
                "counted": Out(1),
                "count": Out(bits_for(window_max)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        beat_number = Signal(self._context["last_beat"].shape)  # of the beat at ``o``
        only_pads = Signal()  # the window's last value has left
        transfer = Signal()
        last_beat = Signal.like(beat_number)
        values = Signal(self._lanes)
        m.d.comb += [
            last_beat.eq(self._context(self.i.p.context).last_beat),
            values.eq(Mux(only_pads, 0, self.i.p.valid)),
            transfer.eq(self.o.valid & self.o.ready),
            self.rows.eq(last_beat + 1),
            self.o.p.valid.eq(~0),
            self.o.p.last.eq(self.i.p.last & (beat_number >= last_beat)),
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready & (self.o.p.last | ~self.i.p.last)),
            self.counted.eq(transfer & self.i.p.last & ~only_pads),
            self.count.eq(
                Cat(sum(values)[: self._shift], beat_number) + (values.all() << self._shift)
            ),
        ]
        tuples = split(m, self.i.p.tuples, "value")
        for lane, entry in enumerate(build(m, self.o.p.tuples, "entry")):
            m.d.comb += [entry.value.eq(tuples[lane]), entry.pad.eq(~values[lane])]
        with m.If(transfer):
            m.d.sync += [
                beat_number.eq(Mux(self.o.p.last, 0, beat_number + 1)),
                only_pads.eq(self.i.p.last & ~self.o.p.last),
            ]
        return m
