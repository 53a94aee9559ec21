"""The MAC of a serial line: Ethernet frames in COBS between a UART and the network face."""

from amaranth.hdl import DomainRenamer, Module
from amaranth.lib import wiring
from amaranth.lib.fifo import AsyncFIFO
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.serial.beats import BEAT_BYTES, BeatReader, BeatWriter
from rtl.serial.cobs_decoder import CobsDecoder
from rtl.serial.cobs_encoder import CobsEncoder
from rtl.serial.fcs import FcsCheck, FcsWriter
from rtl.serial.receiver import LINE_BYTE, UartReceiver
from rtl.serial.transmitter import UartTransmitter
from rtl.stream.axi_stream import axi_stream_members

#: Bytes that wait between the two clocks, in each direction.
QUEUE_BYTES = 16


class SerialMac(wiring.Component):
    """Carries Ethernet frames over a serial line, each with its FCS, in COBS between zeros.

    ::

        rxd -- UartReceiver ---- queue -- CobsDecoder -- FcsCheck -- BeatWriter -- rx
        txd -- UartTransmitter -- queue -- CobsEncoder -- FcsWriter -- BeatReader -- tx
               domain serial      |       domain sync

    The UART has a clock of its own, so the engine's clock may have any frequency above baud / 9.8:
    a cycle for each byte of ten bits, of a sender that is up to 2 % faster.

    A frame on the line is the frame of Ethernet from its destination's MAC on, then the FCS.
    ``rx`` receives each frame while it arrives, and ``tuser`` with ``tlast`` says that the frame is
    damaged: a wrong FCS, a cut block, a byte without a stop bit, or lost bytes. Every sequence of
    bytes between two zeros becomes a frame at ``rx``, so a user sees damage in the counters of the
    network face; only the rest of a frame that a reset has cut is ignored. Frames have any length.

    ``tx`` may begin a frame at any time, and may pause within a frame. Bytes that arrive while
    ``rx`` is stalled for longer than 17 bytes on the line are lost, and their frame is damaged.

    Latency from the middle of the last stop bit to ``tlast`` of ``rx`` about 4 cycles of each
    clock. A frame of n bytes takes at most n + 7 + (n + 4) // 254 bytes on the line, of 10 bits
    each; frames follow each other without a gap, if the engine's clock is at least 1.8 times the
    baud rate.

    Parameters
    ----------
    bit_time : BitTime
        At the clock of the domain ``serial``.

    Members
    -------
    rxd : In(1)
    txd : Out(1)
        The line's two wires.
    rx : Out(the ports of :func:`axi_stream_members`)
    tx : Out(the ports of :func:`axi_stream_members`)
        8 bytes wide, frames without preamble and FCS; ``rx`` has ``tuser``.
    """

    def __init__(self, bit_time):
        self._bit_time = bit_time
        super().__init__(
            {
                "rxd": In(1, init=1),
                "txd": Out(1, init=1),
                "rx": Out(wiring.Signature(axi_stream_members(BEAT_BYTES, Out, user=1))),
                "tx": Out(wiring.Signature(axi_stream_members(BEAT_BYTES, In))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        self._receive(m)
        self._transmit(m)
        return m

    def _receive(self, m):
        serial = DomainRenamer("serial")
        receiver = UartReceiver(self._bit_time)
        m.submodules.receiver = serial(receiver)
        m.submodules.received = queue = AsyncFIFO(
            width=LINE_BYTE.size, depth=QUEUE_BYTES, w_domain="serial", r_domain="sync"
        )
        m.submodules.decoder = decoder = CobsDecoder()
        m.submodules.check = check = FcsCheck()
        m.submodules.writer = writer = BeatWriter()
        m.d.comb += [
            receiver.rxd.eq(self.rxd),
            queue.w_data.eq(receiver.o.payload),
            queue.w_en.eq(receiver.o.valid),
            receiver.o.ready.eq(queue.w_rdy),
            decoder.i.payload.eq(queue.r_data),
            decoder.i.valid.eq(queue.r_rdy),
            queue.r_en.eq(decoder.i.ready),
        ]
        connect(m, decoder.o, check.i)
        connect(m, check.o, writer.i)
        connect(m, writer.bus, flipped(self.rx))

    def _transmit(self, m):
        serial = DomainRenamer("serial")
        m.submodules.reader = reader = BeatReader()
        m.submodules.fcs = fcs = FcsWriter()
        m.submodules.encoder = encoder = CobsEncoder()
        m.submodules.sent = queue = AsyncFIFO(
            width=8, depth=QUEUE_BYTES, w_domain="sync", r_domain="serial"
        )
        transmitter = UartTransmitter(self._bit_time)
        m.submodules.transmitter = serial(transmitter)
        connect(m, flipped(self.tx), reader.bus)
        connect(m, reader.o, fcs.i)
        connect(m, fcs.o, encoder.i)
        m.d.comb += [
            queue.w_data.eq(encoder.o.payload),
            queue.w_en.eq(encoder.o.valid),
            encoder.o.ready.eq(queue.w_rdy),
            transmitter.i.payload.eq(queue.r_data),
            transmitter.i.valid.eq(queue.r_rdy),
            queue.r_en.eq(transmitter.i.ready),
            self.txd.eq(transmitter.txd),
        ]
