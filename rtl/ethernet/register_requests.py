"""Checks requests to registers, and queues the requests that are to be carried out."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from rtl.contract.counters import Counter, events
from rtl.ethernet.etherbone import (
    ALL_BYTES,
    CYCLE_FLAGS,
    HEADER,
    MAGIC,
    PROBE,
    PROBE_REPLY,
    RECORD,
    REQUEST,
    SIZES,
    VERSION,
    WORD,
)
from rtl.ethernet.frame_buffer import FrameBuffer
from rtl.ethernet.ipv4 import PACKET_INFO
from rtl.ethernet.piece import BYTES, count_first, flow, number, piece
from rtl.ethernet.udp_port import HEADER as UDP_HEADER
from rtl.stream.queue import StreamQueue

#: Requests that may wait to be carried out.
REQUESTS = 4
#: Pieces of all requests that may wait.
PIECES = 256


class RegisterRequests(wiring.Component):
    """Queues well-formed requests to the port of the registers, and drops other datagrams whole.

    A request is a probe, or has a record whose counts fit the length of the datagram exactly. So
    nothing of a malformed datagram is ever carried out. For instance a record with one write and
    two reads has the words first address, value, number of the answer, address, address: 4 · 5
    bytes after the 12 bytes of header and record, 32 in all.

    Pieces of a request at ``o`` are the header, then, except for a probe, the record and its words.
    The last piece has one word or two.

    Latency 3 cycles from the end of a datagram to its first piece, initiation interval 1 cycle.
    Source: Etherbone, version 1 of the protocol.

    Members
    -------
    i : In(flow(piece(**PACKET_INFO)))
        A stream that is never stalled.
    good : In(1)
        The datagram whose last piece came in the cycle before is good, and sent to the port of the
        registers.
    head : Out(stream.Signature(REQUEST))
    o : Out(stream.Signature(64))
    events : Out(events(RegisterRequests.counters))
        For each good datagram to the port, the first event that applies.
    """

    latency = 1 + FrameBuffer.latency
    initiation_interval = 1

    counters = (
        Counter(
            name="bad_request",
            doc="datagrams to the port of the registers that are not well formed; nothing of them "
            "was carried out",
        ),
        Counter(
            name="request_overflow",
            doc="requests to the registers dropped because too many others waited",
        ),
        Counter(name="requests", doc="requests to the registers carried out"),
    )

    def __init__(self):
        super().__init__(
            {
                "i": In(flow(piece(**PACKET_INFO))),
                "good": In(1),
                "head": Out(stream.Signature(REQUEST)),
                "o": Out(stream.Signature(8 * BYTES)),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.buffer = buffer = FrameBuffer(8 * BYTES, PIECES)
        m.submodules.heads = heads = StreamQueue(REQUEST, REQUESTS)
        beat = Signal(self.i.p.shape(), reset_less=True)
        valid = Signal()
        place = Signal(3)  # one-hot: the next piece is the header, the record, the piece after it
        m.d.sync += valid.eq(self.i.valid)
        with m.If(self.i.valid):
            m.d.sync += [beat.eq(self.i.p), place.eq(place << 1)]
            with m.If(self.i.p.first):
                m.d.sync += place.eq(1)
        head, malformed = self._read(m, place)
        fits = Signal()
        count_first(
            m,
            self.events,
            self.good,
            [("bad_request", malformed), ("request_overflow", ~fits), ("requests", 1)],
        )
        is_header = Signal()  # the piece at the buffer is the header, of which a probe consists
        with m.If(self.i.valid):
            m.d.sync += is_header.eq(place[0] & ~self.i.p.first)
        m.d.comb += [
            fits.eq(buffer.fits & heads.i.ready),
            buffer.i.valid.eq(valid),
            buffer.i.p.item.eq(beat.data),
            buffer.i.p.store.eq(beat.size.any() & ~beat.first & (is_header | ~head.probe)),
            buffer.i.p.last.eq(beat.last),
            buffer.i.p.good.eq(self.events.requests),
            heads.i.valid.eq(self.events.requests),
            heads.i.p.eq(head),
        ]
        connect(m, heads.o, flipped(self.head))
        connect(m, buffer.o, flipped(self.o))
        return m

    def _read(self, m, place):
        """Reads the fields of a request; returns its head, and a bit that is valid in the cycle
        after the last piece: the request is malformed."""
        i = self.i.p
        head = Signal(REQUEST, reset_less=True)
        length = Signal(16)
        words_length = Signal(16)
        bad_header = Signal()
        bad_record = Signal()
        has_words = Signal()
        writes = Signal(8)
        reads = Signal(8)
        flags = i.data[16:20]
        # The counts come with the first word, before the last piece, so this sum is ready there.
        fixed = UDP_HEADER + HEADER + RECORD
        words = (writes + writes.any()) + (reads + reads.any())
        m.d.sync += words_length.eq(fixed + WORD * words)
        with m.If(self.i.valid):
            with m.If(i.first):
                m.d.sync += [
                    head.mac.eq(i.mac),
                    head.address.eq(i.address),
                    head.port.eq(number(i.data, 0, 2)),
                    length.eq(number(i.data, 4, 2)),
                    bad_header.eq(1),
                    has_words.eq(0),
                ]
            with m.Else():
                with m.If(place[0]):
                    m.d.sync += [
                        head.probe.eq((flags & PROBE).any()),
                        bad_header.eq(
                            (number(i.data, 0, 2) != MAGIC)
                            | (i.data[20:24] != VERSION)
                            | (flags & PROBE_REPLY).any()
                            | (~(flags & PROBE).any() & (i.data[24:32] != SIZES))
                            | (i.size != HEADER)
                        ),
                    ]
                with m.If(place[1]):
                    m.d.sync += [
                        writes.eq(number(i.data, 2, 1)),
                        reads.eq(number(i.data, 3, 1)),
                        bad_record.eq(
                            (number(i.data, 0, 1) & (0xFF ^ CYCLE_FLAGS)).any()
                            | (number(i.data, 1, 1) != ALL_BYTES)
                        ),
                    ]
                with m.If(place[2]):
                    m.d.sync += has_words.eq(1)
        is_empty = ~(writes.any() | reads.any())
        no_record = bad_record | is_empty | ~has_words | (length != words_length)
        return head, bad_header | (~head.probe & no_record)
