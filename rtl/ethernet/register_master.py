"""Carries out requests to registers, and makes the answers."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.etherbone import (
    ACCESS,
    ALL_BYTES,
    MAGIC,
    NO_READS,
    PROBE_REPLY,
    REQUEST,
    SIZES,
    VERSION,
)
from rtl.ethernet.piece import BYTES, in_order
from rtl.stream.axi_stream import axi_stream_members

#: Bits of a word, of which a piece has two.
WORD = 32


class RegisterMaster(wiring.Component):
    """Carries out one request after the other: first its writes, then its reads, each in order.

    A record with reads is answered by a packet at ``answer``: header, record, the number of the
    request, and a word for each read. A probe is answered by a header with its own number. A record
    without reads has no answer.

    A request is held at ``head`` until its answer has left, so that the sender at ``head`` is the
    receiver of the packet at ``answer``.

    Latency 3 cycles from a request to its first write, and 4 to its first read. Initiation interval
    1 cycle for a write and 1.5 for a read, plus the cycles for which each access waits.

    Members
    -------
    head : In(stream.Signature(REQUEST))
    i : In(stream.Signature(64))
        Pieces of requests that are well formed, as
        :class:`~rtl.ethernet.register_requests.RegisterRequests` queues them.
    access : Out(stream.Signature(ACCESS))
        Accepted in the cycle in which the access is complete.
    read_value : In(32)
        Value of a read, in the cycle in which ``access`` is accepted.
    answer : Out(the ports of :func:`axi_stream_members`)
        A packet for each answer; only the last beat may be short, and has four bytes then.
    answering : In(1)
        The last answer still needs its receiver.
    busy : Out(1)
        A request is waiting, or is being carried out or answered.
    """

    latency = 3
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "head": In(stream.Signature(REQUEST)),
                "i": In(stream.Signature(8 * BYTES)),
                "access": Out(stream.Signature(ACCESS)),
                "read_value": In(WORD),
                "answer": Out(wiring.Signature(axi_stream_members(BYTES, Out))),
                "answering": In(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        self._address = Signal(WORD, name="address")  # of the next write
        self._first_value = Signal(WORD, name="first_value")
        self._second_value = Signal(WORD, name="second_value")
        self._writes_left = Signal(8, name="writes_left")
        self._reads_left = Signal(8, name="reads_left")
        self._read_count = Signal(8, name="read_count")
        high = Signal()  # the next word is in the upper half of the piece
        self._raw = Signal(WORD, name="raw")  # the next word
        self._takes_word = Signal(name="takes_word")
        self._last_word = Signal(name="last_word")
        i = self.i
        access = self.access
        m.d.comb += [
            self._raw.eq(Mux(high, i.p[WORD:], i.p[:WORD])),
            self.busy.eq(self.head.valid),
            access.p.value.eq(in_order(self._raw)),
            access.p.address.eq(in_order(self._raw)),
            self.answer.tkeep.eq(~0),
        ]
        with m.If(self._takes_word):
            m.d.sync += high.eq(~high)
            m.d.comb += i.ready.eq(high | self._last_word)
        with m.FSM():
            self._begin(m, high)
            self._write(m)
            self._answer_head(m)
            self._read_pair(m)
            self._send_pair(m)
            with m.State("LEAVE"), m.If(~self.answering):
                m.d.comb += self.head.ready.eq(1)
                m.next = "HEADER"
        return m

    def _begin(self, m, high):
        """Takes the header and the record of a request, and answers a probe."""
        i = self.i
        answer = self.answer
        with m.State("HEADER"):
            m.d.comb += answer.tdata.eq(Cat(_header(PROBE_REPLY), i.p[WORD:]))
            m.d.comb += answer.tlast.eq(1)
            with m.If(self.head.valid & i.valid):
                with m.If(self.head.p.probe):
                    m.d.comb += [answer.tvalid.eq(1), i.ready.eq(answer.tready)]
                    with m.If(answer.tready):
                        m.next = "LEAVE"
                with m.Else():
                    m.d.comb += i.ready.eq(1)
                    m.next = "RECORD"
        with m.State("RECORD"):
            m.d.sync += [
                self._writes_left.eq(i.p[16:24]),
                self._reads_left.eq(i.p[24:32]),
                self._read_count.eq(i.p[24:32]),
                high.eq(1),
            ]
            with m.If(i.valid):
                m.next = "ANSWER_HEADER"
                with m.If(i.p[16:24].any()):
                    m.next = "WRITE_ADDRESS"

    def _write(self, m):
        """Takes the address of the first write, then writes a word at a time."""
        access = self.access
        last_write = self._writes_left == 1
        with m.State("WRITE_ADDRESS"):
            m.d.sync += self._address.eq(in_order(self._raw))
            m.d.comb += self._takes_word.eq(self.i.valid)
            with m.If(self.i.valid):
                m.next = "WRITE"
        with m.State("WRITE"):
            m.d.comb += [
                access.valid.eq(self.i.valid),
                access.p.write.eq(1),
                access.p.address.eq(self._address),
                self._takes_word.eq(access.valid & access.ready),
                self._last_word.eq(last_write & ~self._reads_left.any()),
            ]
            with m.If(self._takes_word):
                m.d.sync += [
                    self._address.eq(self._address + 4),
                    self._writes_left.eq(self._writes_left - 1),
                ]
                with m.If(self._last_word):
                    m.next = "LEAVE"
                with m.Elif(last_write):
                    m.next = "ANSWER_HEADER"

    def _answer_head(self, m):
        """Sends the header and the record of an answer."""
        answer = self.answer
        with m.State("ANSWER_HEADER"):
            m.d.comb += [answer.tvalid.eq(1), answer.tdata.eq(_header(NO_READS))]
            with m.If(answer.tready):
                m.next = "ANSWER_RECORD"
        with m.State("ANSWER_RECORD"):
            record = Cat(Const(0, 8), Const(ALL_BYTES, 8), self._read_count, Const(0, 8))
            m.d.comb += [
                answer.tvalid.eq(self.i.valid),
                answer.tdata.eq(Cat(record, self._raw)),
                self._takes_word.eq(self.i.valid & answer.tready),
            ]
            with m.If(self._takes_word):
                m.next = "READ_FIRST"

    def _read_pair(self, m):
        """Reads two registers, whose values fill a beat of the answer, or the last one."""
        with m.State("READ_FIRST"):
            self._read(m)
            with m.If(self._takes_word):
                m.d.sync += self._first_value.eq(self.read_value)
                m.next = "READ_SECOND"
                with m.If(self._last_word):
                    m.next = "SEND_ONE"
        with m.State("READ_SECOND"):
            self._read(m)
            with m.If(self._takes_word):
                m.d.sync += self._second_value.eq(self.read_value)
                m.next = "SEND_TWO"

    def _read(self, m):
        """Reads the register whose address is the next word."""
        access = self.access
        m.d.comb += [
            access.valid.eq(self.i.valid),
            self._takes_word.eq(access.valid & access.ready),
            self._last_word.eq(self._reads_left == 1),
        ]
        with m.If(self._takes_word):
            m.d.sync += self._reads_left.eq(self._reads_left - 1)

    def _send_pair(self, m):
        """Sends a beat with two values, or the last beat with one."""
        answer = self.answer
        with m.State("SEND_TWO"):
            m.d.comb += [
                answer.tvalid.eq(1),
                answer.tdata.eq(Cat(in_order(self._first_value), in_order(self._second_value))),
                answer.tlast.eq(~self._reads_left.any()),
            ]
            with m.If(answer.tready):
                m.next = "READ_FIRST"
                with m.If(answer.tlast):
                    m.next = "LEAVE"
        with m.State("SEND_ONE"):
            m.d.comb += [
                answer.tvalid.eq(1),
                answer.tdata.eq(in_order(self._first_value)),
                answer.tkeep.eq(0x0F),
                answer.tlast.eq(1),
            ]
            with m.If(answer.tready):
                m.next = "LEAVE"


def _header(flag):
    """Returns the first word of an answer with ``flag``, its first byte lowest."""
    return Cat(in_order(Const(MAGIC, 16)), Const(flag, 4), Const(VERSION, 4), Const(SIZES, 8))
