"""Appends the frame check sequence of Ethernet to sent frames, and checks it in received ones."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.crc.catalog import CRC32_ETHERNET
from amaranth.lib.wiring import In, Out

from rtl.serial.cobs_decoder import FRAME_ITEM
from rtl.serial.cobs_encoder import FRAME_BYTE

#: Bytes of the FCS.
FCS_BYTES = 4


class FcsWriter(wiring.Component):
    """Appends the FCS to each frame: CRC-32 of the frame's bytes, the lowest byte first.

    Latency 0 cycles, initiation interval 1 cycle within a frame; the FCS takes 4 cycles after it.

    Members
    -------
    i : In(stream.Signature(FRAME_BYTE))
    o : Out(stream.Signature(FRAME_BYTE))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        signature = stream.Signature(FRAME_BYTE)
        super().__init__({"i": In(signature), "o": Out(signature)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.crc = crc = CRC32_ETHERNET().create()
        fcs = Signal(8 * FCS_BYTES)
        fcs_count = Signal(range(FCS_BYTES))
        m.d.comb += crc.data.eq(self.i.payload.data)
        with m.FSM():
            with m.State("FRAME"):
                m.d.comb += [
                    self.o.valid.eq(self.i.valid),
                    self.o.payload.data.eq(self.i.payload.data),
                    self.i.ready.eq(self.o.ready),
                    crc.valid.eq(self.i.valid & self.o.ready),
                ]
                with m.If(crc.valid & self.i.payload.last):
                    m.next = "FCS"
            with m.State("FCS"):
                m.d.comb += [
                    fcs.eq(crc.crc >> 8 * fcs_count),
                    self.o.valid.eq(1),
                    self.o.payload.data.eq(fcs[:8]),
                    self.o.payload.last.eq(fcs_count == FCS_BYTES - 1),
                ]
                with m.If(self.o.ready):
                    m.d.sync += fcs_count.eq(fcs_count + 1)
                    with m.If(self.o.payload.last):
                        m.d.comb += crc.start.eq(1)
                        m.next = "FRAME"
        return m


class FcsCheck(wiring.Component):
    """Removes the last 4 bytes of each frame, and marks the frame ``bad`` if they are not its FCS.

    A byte leaves when the fourth byte after it has come, because only then it is no byte of the
    FCS. Nothing but its end is left of a frame of at most 4 bytes.

    Latency 0 cycles from the end of a frame to its end, initiation interval 1 cycle.

    Members
    -------
    i : In(stream.Signature(FRAME_ITEM))
    o : Out(stream.Signature(FRAME_ITEM))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        signature = stream.Signature(FRAME_ITEM)
        super().__init__({"i": In(signature), "o": Out(signature)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.crc = crc = CRC32_ETHERNET().create()
        newest = Signal(8 * FCS_BYTES)  # bytes that may be the FCS, the oldest lowest
        count = Signal(range(FCS_BYTES + 1))
        i = self.i.payload
        o = self.o.payload
        transfer = Signal()
        leaves = Signal()
        m.d.comb += [
            leaves.eq(i.end | (count == FCS_BYTES)),
            self.o.valid.eq(self.i.valid & leaves),
            self.i.ready.eq(self.o.ready | ~leaves),
            transfer.eq(self.i.valid & self.i.ready),
            o.data.eq(newest[:8]),
            o.end.eq(i.end),
            o.bad.eq(i.end & (i.bad | ~crc.match_detected)),
            crc.data.eq(i.data),
            crc.valid.eq(transfer & ~i.end),
            crc.start.eq(transfer & i.end),
        ]
        with m.If(transfer):
            with m.If(i.end):
                m.d.sync += count.eq(0)
            with m.Else():
                m.d.sync += [newest.eq(Cat(newest[8:], i.data)), count.eq(count + ~leaves)]
        return m
