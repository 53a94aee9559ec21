"""One AXI4 master that reads and writes lines."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.bursts import BurstCutter
from rtl.keyed.dram.line_buffer import LineBuffer
from rtl.keyed.dram.lines import LINE, LINE_BITS, LINE_BYTES, PAGE_BYTES
from rtl.memory.axi4 import INCR, Axi4
from rtl.stream.queue import StreamQueue

#: The lowest bit of an address that tells lines apart, and the lowest that tells pages apart.
LINE_PLACE, PAGE_PLACE = LINE_BYTES.bit_length() - 1, PAGE_BYTES.bit_length() - 1

#: Bursts of each direction that a port has under way at most, unless it is told otherwise.
READS, WRITES = 8, 16


class LinePort(wiring.Component):
    """Writes lines to a memory, and reads stretches of them, as if one after the other.

    Each read has what the commands before it wrote, in whatever order the memory does things; see
    :class:`~rtl.keyed.dram.burst_order.BurstOrder`, which says when a command waits. Whole lines
    are written, never parts. Lines come out in the order of their reads; nothing marks where one
    read ends and the next begins.

    ::

        commands --> queue --> BurstCutter --> BurstOrder --+--> ar      r --> LineBuffer --> o
             \\                                              +--> aw      b
              +----> data -----------------------------------------> w

    *AXI.* All bursts have id 0, so each direction is answered in order. No data are offered before
    their address, only with it or later. A burst that has begun comes to its end without another
    one: the data of a write are there, and every line of a read has a place in the buffer. So
    ``rready`` and ``bready`` are always high.

    *Errors.* A line that the memory answers with an error, in any beat of it, comes out with
    ``error``; a write that it does is told by ``failed``, and what the line holds then is the
    memory's affair. Either way everything goes on.

    *Stalls.* While ``o`` is not taken, reads are sent until all of the buffer's places are
    reserved; the first that finds none holds up all behind it.

    With nothing else inside and a memory that offers the first beat ``m`` cycles after its address
    was taken, a line is at ``o`` ``m + 5 + beats`` cycles after its command was taken, the latency;
    a write's address and data are offered 4 cycles after. Initiation interval 1 cycle for commands,
    bursts and beats. The rate of reads is that of the memory as long as ``reads``
    bursts, and ``buffer_lines`` lines, cover the time from ``ar`` to ``o``: m + 3 cycles and the
    burst itself. A write leaves its place among ``writes`` when the memory has answered: with an
    answer 100 cycles after, 16 of them do for one write in 7 cycles.

    Parameters
    ----------
    lines : LineMap
    commands : int
        Commands that wait, at least 2.
    writes, reads : int
        Bursts under way.
    buffer_lines : int
        A power of two, no less than the lines of the longest burst, ``lines.unit_lines``.

    Members
    -------
    i : In(stream.Signature(lines.port_command()))
    base : In(lines.base_bits)
        Where the port's lines begin, in multiples of 4 KiB. It stays the same while ``busy``.
    o : Out(stream.Signature(LINE))
    failed : Out(1)
        A write was answered with an error in this cycle,
    failed_line : Out(lines.local_bits)
        to this line.
    read, written : Out(1)
        A line has come from the memory; a write was answered, with or without an error.
    busy : Out(1)
        A burst is under way, or a command or line inside.
    m_axi : Out(Axi4(...))

    Source: seed 000, sections 3.2 and 3.3 (M3: lines of 64 bytes, written whole).
    """

    initiation_interval = 1

    def __init__(self, lines, *, commands=12, writes=WRITES, reads=READS, buffer_lines=512):
        if buffer_lines < lines.unit_lines:
            raise ValueError(
                f"buffer_lines must be at least {lines.unit_lines}, not {buffer_lines}"
            )
        self._lines, self._commands, self._writes = lines, commands, writes
        # Of writes in the queue, in the cutter, and under way.
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
        """Cycles from a read to its first line, with a memory of that latency."""
        return memory + 5 + lines.beats

    @property
    def latency(self):
        """That with a memory that answers in the very cycle in which it is asked."""
        return self.latency_of(self._lines, 0)

    @staticmethod
    def memory_bits_of(buffer_lines=512):
        """Bits of block memory of such a port, without making one."""
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
        self._take(m, queue.i, data.i)
        writes, reads = self._send(m, order.o, buffer)
        self._give_data(m, data.o, writes)
        self._take_answers(m, order, buffer)
        self._keep_lines(m, order.o.p, writes)
        m.d.comb += [
            buffer.reserves.eq(Mux(reads, order.o.p.more + 1, 0)),
            self.busy.eq(queue.o.valid | cutter.busy | order.busy | buffer.busy),
        ]
        wiring.connect(m, buffer.o, wiring.flipped(self.o))
        return m

    def _take(self, m, queue, data):
        """Commands to their queue, and the data of writes to theirs, where there always is room."""
        command = self.i.p
        m.d.comb += [queue.p[name].eq(command[name]) for name, _ in queue.p.shape()]
        m.d.comb += [
            data.p.eq(command.data),
            queue.valid.eq(self.i.valid),
            data.valid.eq(self.i.valid & queue.ready & command.write),
            self.i.ready.eq(queue.ready),
        ]

    def _send(self, m, bursts, buffer):
        """Addresses of bursts; returns whether a write goes in this cycle, and whether a read."""
        write = bursts.p.write
        addresses = Signal(self.m_axi.awaddr.shape())
        place = Cat(Const(0, LINE_PLACE), bursts.p.first, bursts.p.unit)
        m.d.comb += addresses.eq((self.base << PAGE_PLACE) + place)
        has_room = Signal()
        m.d.comb += has_room.eq(buffer.free > bursts.p.more)
        writes_ready, writes = self._send_to(m, "aw", addresses, bursts, write)
        reads_ready, reads = self._send_to(m, "ar", addresses, bursts, ~write & has_room)
        m.d.comb += bursts.ready.eq(Mux(write, writes_ready, reads_ready & has_room))
        return writes, reads

    def _send_to(self, m, channel, address, bursts, mine):
        """The register of a channel; returns whether it is free, and whether a burst goes there."""
        beats, port = self._lines.beats, self._channel(channel)
        free, goes = Signal(name=f"{channel}_free"), Signal(name=f"{channel}_goes")
        m.d.comb += [
            free.eq(~port["valid"] | port["ready"]),
            goes.eq(free & bursts.valid & mine),
            port["size"].eq((self._lines.data_width // 8).bit_length() - 1),
            port["burst"].eq(INCR),
        ]
        with m.If(free):
            m.d.sync += [
                port["valid"].eq(goes),
                port["addr"].eq(address),
                port["len"].eq(Cat(Const(beats - 1, beats.bit_length() - 1), bursts.p.more)),
            ]
        return free, goes

    def _channel(self, channel):
        """Ports of a channel of addresses by name; ``id`` stays 0."""
        names = ("valid", "ready", "addr", "len", "size", "burst")
        return {name: getattr(self.m_axi, f"{channel}{name}") for name in names}

    def _give_data(self, m, data, writes):
        """Data of the writes whose address has been offered, beat by beat."""
        axi, beats = self.m_axi, self._lines.beats
        owed = Signal(range(self._writes + 1))  # lines
        number = Signal(range(beats))
        width = self._lines.data_width
        parts = [data.p[k * width : (k + 1) * width] for k in range(beats)]
        given = axi.wvalid & axi.wready
        m.d.comb += [
            axi.wvalid.eq(owed.any()),
            axi.wdata.eq(Array(parts)[number]),
            axi.wstrb.eq(~0),
            axi.wlast.eq(number == beats - 1),
            data.ready.eq(given & axi.wlast),
        ]
        # Whether a write goes is known last: so there is no sum behind it.
        with m.If(writes & ~data.ready):
            m.d.sync += owed.eq(owed + 1)
        with m.Elif(~writes & data.ready):
            m.d.sync += owed.eq(owed - 1)
        with m.If(given):
            m.d.sync += number.eq(number + 1)

    def _take_answers(self, m, order, buffer):
        """Both kinds of answers, which are never refused."""
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

    def _keep_lines(self, m, burst, writes):
        """The lines of the writes under way, for :attr:`failed_line`."""
        m.submodules.sent = sent = StreamQueue(self._lines.local_bits, max(2, self._writes))
        m.d.comb += [
            sent.i.p.eq(Cat(burst.first, burst.unit)),
            sent.i.valid.eq(writes),
            sent.o.ready.eq(self.m_axi.bvalid),
            self.failed_line.eq(sent.o.p),
        ]
