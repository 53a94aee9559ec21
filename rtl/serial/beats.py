"""Converts bytes of a serial line to beats of a MAC's stream, and back."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.serial.cobs_decoder import FRAME_ITEM
from rtl.serial.cobs_encoder import FRAME_BYTE
from rtl.stream.axi_stream import axi_stream_members

#: Bytes of a beat.
BEAT_BYTES = 8


class BeatWriter(wiring.Component):
    """Collects the bytes of a frame into beats; the last beat has the frame's ``bad`` in ``tuser``.

    A full beat waits for the next item, which decides whether the beat is the last. For instance a
    frame of 10 bytes becomes 8 bytes, and then 2 bytes with ``tkeep`` 0x03 and ``tlast``; a frame
    of 8 bytes becomes one beat. A frame without a byte is one beat without a byte.

    Latency 1 cycle from a frame's end to its last beat, and from the byte after a full beat to the
    full beat. Initiation interval 1 cycle. ``i`` stalls while a beat at ``bus`` is not accepted.

    Members
    -------
    i : In(stream.Signature(FRAME_ITEM))
    bus : Out(the ports of :func:`axi_stream_members`)
        8 bytes wide, with ``tuser``.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(stream.Signature(FRAME_ITEM)),
                "bus": Out(wiring.Signature(axi_stream_members(BEAT_BYTES, Out, user=1))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        bytes_ = Signal(8 * BEAT_BYTES)
        count = Signal(range(BEAT_BYTES + 1))
        i = self.i.payload
        bus = self.bus
        is_full = Signal()
        transfer = Signal()
        m.d.comb += [
            is_full.eq(count == BEAT_BYTES),
            self.i.ready.eq(~bus.tvalid | bus.tready),
            transfer.eq(self.i.valid & self.i.ready),
        ]
        with m.If(bus.tready):
            m.d.sync += bus.tvalid.eq(0)
        with m.If(transfer & (i.end | is_full)):
            m.d.sync += [
                bus.tvalid.eq(1),
                bus.tdata.eq(bytes_),
                bus.tkeep.eq(Cat(count > k for k in range(BEAT_BYTES))),
                bus.tlast.eq(i.end),
                bus.tuser.eq(i.bad),
            ]
        with m.If(transfer & i.end):
            m.d.sync += [count.eq(0), bytes_.eq(0)]
        with m.Elif(transfer & is_full):
            m.d.sync += [count.eq(1), bytes_.eq(i.data)]
        with m.Elif(transfer):
            m.d.sync += [count.eq(count + 1), bytes_.word_select(count[:3], 8).eq(i.data)]
        return m


class BeatReader(wiring.Component):
    """Sends the bytes of each beat one by one, from its lowest byte on.

    The ones of ``tkeep`` must be its lowest bits, and every beat must have a byte. A beat is
    accepted with its last byte, so a beat with ``tkeep`` 0x07 stays at ``bus`` for 3 cycles. With
    ``tlast`` its last byte is the ``last`` of the frame.

    Latency 0 cycles, initiation interval 1 cycle for each byte. A stall at ``o`` stalls ``bus``.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        8 bytes wide.
    o : Out(stream.Signature(FRAME_BYTE))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(BEAT_BYTES, In))),
                "o": Out(stream.Signature(FRAME_BYTE)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        index = Signal(range(BEAT_BYTES))
        bus = self.bus
        is_last_byte = Signal()
        m.d.comb += [
            is_last_byte.eq(~(bus.tkeep >> 1).bit_select(index, 1)),
            self.o.valid.eq(bus.tvalid),
            self.o.payload.data.eq(bus.tdata.word_select(index, 8)),
            self.o.payload.last.eq(bus.tlast & is_last_byte),
            bus.tready.eq(self.o.ready & is_last_byte),
        ]
        with m.If(bus.tvalid & self.o.ready):
            m.d.sync += index.eq(index + 1)
            with m.If(is_last_byte):
                m.d.sync += index.eq(0)
        return m
