"""An AXI4 master that reads and writes lines."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.line_buffer import LineBuffer
from rtl.keyed.dram.lines import LINE, LINE_BITS, LINE_BYTES, PAGE_BYTES
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.queue import StreamQueue

#: Lowest bit of the line's number in a byte address.
LINE_PLACE = LINE_BYTES.bit_length() - 1
#: Lowest bit of the page's number in a byte address.
PAGE_PLACE = PAGE_BYTES.bit_length() - 1

#: Default of the maximum count of unanswered bursts that read.
READS = 8
#: Default of the maximum count of unanswered bursts that write.
WRITES = 16


class LinePort(wiring.Component):
    """Writes single lines to a memory, and reads stretches of consecutive lines.

    The result is as if each command were complete before the next one started: each read returns
    the data of earlier writes and not of later writes, in whatever order the memory executes the
    bursts. For that :class:`~rtl.keyed.dram.burst_order.BurstOrder` holds back a burst with a line
    that an unanswered burst reads or writes. Only complete lines are written. The lines at ``o``
    are in the order of their reads, without marks at the ends of reads.

    ::

        commands --> queue --> BurstCutter --> BurstOrder --+--> ar      r --> LineBuffer --> o
             \\                                              +--> aw      b
              +----> data -----------------------------------------> w

    *AXI.* All bursts have id 0, so each direction is answered in order. Data is never offered
    before its address. A started burst completes without any other burst: the data of a write is in
    the queue, and every line of a read has a place in the buffer. So ``rready`` and ``bready`` are
    always high.

    *Errors.* If the memory answers any beat of a line with an error, the line has ``error``. If the
    memory answers a write with an error, ``failed`` is high, and the content of the line is
    undefined. Later commands continue in both cases.

    *Stalls.* While ``o`` stalls, reads are sent until all places of the buffer are reserved. A read
    without a place blocks all later commands.

    Assume an idle port and a memory that offers the first beat ``m`` cycles after its address was
    accepted. The latency from a command to its first line at ``o`` is ``m + 5 + beats`` cycles; the
    address and data of a write are offered after 4 cycles. Initiation interval 1 cycle for
    commands, bursts and beats. A burst has a place among ``reads`` from ``ar`` to its last
    beat, m + 1 cycles and its beats, and its lines have places in the buffer from ``ar`` to ``o``,
    m + 3 cycles and its beats. If the places suffice for this time, reads run at the rate of the
    memory: with m = 100 and bursts of 16 beats a place among ``reads`` is taken for 117 cycles, and
    places of the buffer for 119, so 8 bursts suffice. A write counts among ``writes`` until the
    memory answers: with answers after 100 cycles, 16 writes suffice for one write in 7 cycles.

    Parameters
    ----------
    lines : LineMap
    commands : int
        Capacity of the queue of commands, at least 2.
    writes, reads : int
        Maximum count of unanswered bursts.
    buffer_lines : int
        A power of two, no less than the lines of the longest burst, ``lines.segments.unit_lines``.

    Members
    -------
    i : In(stream.Signature(lines.port_command()))
    base : In(lines.base_bits)
        Address of the port's first line, in multiples of 4 KiB. Constant while ``busy``.
    o : Out(stream.Signature(LINE))
    failed : Out(1)
        High in the cycle in which a write is answered with an error.
    failed_line : Out(lines.local_bits)
        Line of the failed write.
    read, written : Out(1)
        High in a cycle in which a line arrives; in which a write is answered.
    busy : Out(1)
        High while a burst is unanswered, or a command or line is inside.
    m_axi : Out(Axi4(...))

    Source: seed 000, sections 3.2 and 3.3 (M3: lines of 64 bytes, written whole).
    """

    initiation_interval = 1

    def __init__(self, lines, *, commands=12, writes=WRITES, reads=READS, buffer_lines=512):
        if buffer_lines < lines.segments.unit_lines:
            raise ValueError(
                f"buffer_lines must be at least {lines.segments.unit_lines}, not {buffer_lines}"
            )
        self._lines = lines
        self._commands = commands
        self._writes = writes
        # Lines of the writes in the queue, in the cutter, and unanswered.
        self._data_lines = commands + BurstCutter.capacity + writes
        self._buffer = LineBuffer(lines.data_width, buffer_lines)
        self._order = BurstOrder(lines, writes=writes, reads=reads)
        super().__init__(
            {
                "i": In(stream.Signature(lines.port_command())),
                "base": In(lines.base_bits),
                "o": Out(stream.Signature(LINE)),
                "failed": Out(1),
                "failed_line": Out(lines.local_bits),
                "read": Out(1),
                "written": Out(1),
                "busy": Out(1),
                "m_axi": Out(Axi4(data_width=lines.data_width, address_width=lines.address_width)),
            }
        )

    @staticmethod
    def latency_of(lines, memory):
        """Latency from a read to its first line, in cycles, with a memory of latency ``memory``."""
        return memory + 5 + lines.beats

    @property
    def latency(self):
        """Latency with a memory of latency 0, in cycles."""
        return self.latency_of(self._lines, 0)

    @staticmethod
    def memory_bits_of(buffer_lines=512):
        """Returns the bits of block memory of a port without making the port."""
        return LineBuffer.memory_bits_of(buffer_lines)

    def elaborate(self, platform):
        m = Module()
        m.submodules.queue = queue = StreamQueue(self._lines.stretch(), self._commands)
        m.submodules.data = data = StreamQueue(LINE_BITS, self._data_lines)
        m.submodules.cutter = cutter = BurstCutter(self._lines)
        m.submodules.order = order = self._order
        m.submodules.buffer = buffer = self._buffer
        wiring.connect(m, queue.o, cutter.i)
        wiring.connect(m, cutter.o, order.i)
        self._queue_commands(m, queue.i, data.i)
        writes, reads = self._send(m, order.o, buffer)
        self._send_data(m, data.o, writes)
        self._accept_answers(m, order, buffer)
        self._queue_lines(m, order.o.p, writes)
        m.d.comb += [
            buffer.reserves.eq(reads),
            # A burst has ``more`` lines after its first line.
            buffer.places.eq(order.o.p.more + 1),
            self.busy.eq(queue.o.valid | cutter.busy | order.busy | buffer.busy),
        ]
        wiring.connect(m, buffer.o, wiring.flipped(self.o))
        return m

    def _queue_commands(self, m, queue, data):
        """Queues commands, and the data of writes.

        The queue of data always has room, because it can hold the data of all writes in the queue
        of commands, in the cutter, and unanswered.
        """
        command = self.i.p
        m.d.comb += [queue.p[name].eq(command[name]) for name, _ in queue.p.shape()]
        m.d.comb += [
            data.p.eq(command.data),
            queue.valid.eq(self.i.valid),
            data.valid.eq(self.i.valid & queue.ready & command.write),
            self.i.ready.eq(queue.ready),
        ]

    def _send(self, m, bursts, buffer):
        """Sends the addresses of bursts; returns two flags: a write is sent, a read is sent."""
        write = bursts.p.write
        addresses = Signal(self.m_axi.awaddr.shape())
        line = self._lines.segments.offset_of(Cat(bursts.p.first, bursts.p.unit))
        offset = Cat(Const(0, LINE_PLACE), line)  # in bytes
        m.d.comb += addresses.eq((self.base << PAGE_PLACE) + offset)
        has_room = Signal()
        m.d.comb += has_room.eq(buffer.free > bursts.p.more)
        writes_ready, writes = self._send_to(m, "aw", addresses, bursts, write)
        reads_ready, reads = self._send_to(m, "ar", addresses, bursts, ~write & has_room)
        m.d.comb += bursts.ready.eq(Mux(write, writes_ready, reads_ready & has_room))
        return writes, reads

    def _send_to(self, m, channel, address, bursts, is_for_channel):
        """Drives the register of an address channel.

        Returns two flags: the register can take a burst, and a burst enters it in this cycle.
        """
        beats = self._lines.beats
        port = self._channel(channel)
        is_free = Signal(name=f"{channel}_free")
        enters = Signal(name=f"{channel}_goes")
        m.d.comb += [
            is_free.eq(~port["valid"] | port["ready"]),
            enters.eq(is_free & bursts.valid & is_for_channel),
            port["size"].eq((self._lines.data_width // 8).bit_length() - 1),
            port["burst"].eq(INCR),
        ]
        with m.If(is_free):
            m.d.sync += [
                port["valid"].eq(enters),
                port["addr"].eq(address),
                port["len"].eq(Cat(Const(beats - 1, beats.bit_length() - 1), bursts.p.more)),
            ]
        return is_free, enters

    def _channel(self, channel):
        """Returns the ports of an address channel by name, without ``id``, which stays 0."""
        names = ("valid", "ready", "addr", "len", "size", "burst")
        return {name: getattr(self.m_axi, f"{channel}{name}") for name in names}

    def _send_data(self, m, data, writes):
        """Sends the data of the writes whose addresses were offered, beat by beat."""
        axi = self.m_axi
        beats = self._lines.beats
        pending_lines = Signal(range(self._writes + 1))  # address was offered, data not yet sent
        number = Signal(range(beats))  # of the next beat in its line
        width = self._lines.data_width
        parts = [data.p[k * width : (k + 1) * width] for k in range(beats)]
        transfer = axi.wvalid & axi.wready
        m.d.comb += [
            axi.wvalid.eq(pending_lines.any()),
            axi.wdata.eq(Array(parts)[number]),
            axi.wstrb.eq(~0),
            axi.wlast.eq(number == beats - 1),
            data.ready.eq(transfer & axi.wlast),
        ]
        # ``writes`` arrives late in the cycle, so it selects between sums.
        with m.If(writes & ~data.ready):
            m.d.sync += pending_lines.eq(pending_lines + 1)
        with m.Elif(~writes & data.ready):
            m.d.sync += pending_lines.eq(pending_lines - 1)
        with m.If(transfer):
            m.d.sync += number.eq(number + 1)

    def _accept_answers(self, m, order, buffer):
        """Accepts beats of reads and answers of writes, without stalls."""
        axi = self.m_axi
        m.d.comb += [
            axi.bready.eq(1),
            axi.rready.eq(1),
            order.answered.eq(axi.bvalid),
            order.arrived.eq(axi.rvalid & axi.rlast),
            buffer.comes.eq(axi.rvalid),
            buffer.beat.data.eq(axi.rdata),
            buffer.beat.error.eq(axi.rresp[1]),  # SLVERR or DECERR
            self.read.eq(buffer.line),
            self.written.eq(axi.bvalid),
            self.failed.eq(axi.bvalid & axi.bresp[1]),
        ]

    def _queue_lines(self, m, burst, writes):
        """Queues the line numbers of unanswered writes; the oldest drives ``failed_line``.

        A number enters in the cycle after its burst, in which the address is offered, so it is here
        when the memory answers.
        """
        m.submodules.sent = sent = StreamQueue(self._lines.local_bits, max(2, self._writes))
        m.d.sync += [sent.i.p.eq(Cat(burst.first, burst.unit)), sent.i.valid.eq(writes)]
        m.d.comb += [sent.o.ready.eq(self.m_axi.bvalid), self.failed_line.eq(sent.o.p)]
