"""Stores copies of the last closed blocks of each key outside of the chip, and reads them."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_port import LinePort
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.word_map import WORD_BITS
from rtl.keyed.store.blocks.copy_memory import JOBS, copy_layout, job_layout
from rtl.stream.queue import StreamQueue

#: Greatest number of unanswered reads. A read of one block is unanswered for 45 cycles if the
#: memory answers after 40, so 12 reads keep the port busy.
READS = 16
#: Lines of the buffer of the port, for blocks that wait for the collector.
BUFFER_LINES = 64


def copy_map(entries, copies, address_width):
    """Returns the LineMap of the copies behind one port of 128 bits.

    Copy c of entry e is line e * ``copies`` + c. A ring of a LineMap has at least two lines. So
    with one copy for each key two entries share a ring, and a read reads one line of the ring.
    """
    ring_lines = max(2, copies)
    return LineMap(
        rings=entries * copies // ring_lines,
        ring_lines=ring_lines,
        data_width=WORD_BITS,
        address_width=address_width,
    )


class OuterCopies(wiring.Component):
    """Stores the last closed blocks of each key in a memory behind a master of its own.

    It has the ports ``i`` and ``o`` of
    :class:`~rtl.keyed.store.blocks.copy_memory.CopyMemory`, so either one can hold the copies::

        i --+-- writes, reads of copies ----> LinePort --> blocks --+--> o
            |                                    |                  |
            |                                  m_axi                |
            +-- count and older of each read --> queue -------------+

    Invariant: **a read finds the blocks that were closed before its arrival**, because LinePort
    lets a read wait for the answers of earlier writes to its lines, and a write for earlier reads.
    For instance with 2 places, where blocks 4 and 5 are read after block 5 was closed::

        i      write 4 to place 0, write 5 to place 1, read 2 copies from 0, write 6 to place 0
        m_axi  aw 0                aw 1                ar 0, after both b   aw 0, after the last r
        o                                              4, 5 last

    Each read of ``count`` copies begins at ``place`` and goes on to the next places, modulo
    ``copies``. A read without copies is one item, with ``absent``, and does not reach the memory.

    *Errors.* A block that was read with an error has ``error`` at ``o``. If a write is answered
    with an error, ``failed`` names the entry; the copy that was written is undefined.

    Order is kept. Latency m + 9 cycles, all in LinePort, if the memory offers the first beat m
    cycles after its address. Initiation interval 1 cycle for jobs; but a block takes 4 cycles of
    ``w`` when it is written, and 4 of ``r`` when it is read. A stall at ``o`` stalls reads, and all
    jobs behind them, when :data:`BUFFER_LINES` blocks wait; and ``i`` when the queues are full. A
    burst under way never waits for ``o``. The undefined ``block`` of an item with ``absent`` may
    change while the item is stalled. A reset is allowed only while no burst is under way; it drops
    all waiting jobs and copies.

    Parameters
    ----------
    entries : int
        A power of two of at least 2.
    copies : int
        Places of each entry, a power of two.
    lines : LineMap
        The map of :func:`copy_map`.

    Members
    -------
    i : In(stream.Signature(job_layout(entries, copies)))
    o : Out(stream.Signature(copy_layout()))
    base : In(lines.base_bits)
        Address of the first copy, in multiples of 4 KiB. Constant while ``busy``.
    failed : Out(data.StructLayout({"valid": 1, "entry": range(entries)}))
    busy : Out(1)
        High while a job or a block is inside, or a burst is unanswered.
    m_axi : Out(Axi4(...))

    Source: seed 000, section 3.3 (M2, an SRAM on the board); whole blocks are ours.
    """

    initiation_interval = 1

    def __init__(self, entries, copies, lines):
        self._copies = copies
        self._lines = lines
        self._port = LinePort(lines, reads=READS, buffer_lines=BUFFER_LINES)
        job = job_layout(entries, copies)
        self._read = data.StructLayout({name: job[name].shape for name in ("count", "older")})
        super().__init__(
            {
                "i": In(stream.Signature(job)),
                "o": Out(stream.Signature(copy_layout())),
                "base": In(lines.base_bits),
                "failed": Out(data.StructLayout({"valid": 1, "entry": range(entries)})),
                "busy": Out(1),
                "m_axi": Out(self._port.m_axi.signature),
            }
        )

    @property
    def latency(self):
        """Latency from a read to its first block with a memory of latency 0, in cycles."""
        return LinePort.latency_of(self._lines, 0)

    @staticmethod
    def memory_bits_of():
        """Returns the bits of block memory on the chip: the buffer of the port."""
        return LinePort.memory_bits_of(BUFFER_LINES)

    def elaborate(self, platform):
        m = Module()
        m.submodules.port = port = self._port
        m.submodules.reads = reads = StreamQueue(self._read, JOBS)
        wiring.connect(m, port.m_axi, wiring.flipped(self.m_axi))
        self._enter(m, port.i, reads.i)
        self._offer(m, port.o, reads.o)
        place_bits = len(self.i.p.place)
        m.d.comb += [
            port.base.eq(self.base),
            self.failed.valid.eq(port.failed),
            self.failed.entry.eq(port.failed_line[place_bits:]),
            self.busy.eq(port.busy | reads.o.valid),
        ]
        return m

    def _enter(self, m, commands, reads):
        """Sends writes and reads of copies to the port, and queues the flags of all reads.

        A job enters only if the port and the queue of reads have room, so ``ready`` does not depend
        on the job.
        """
        job = self.i.p
        command = commands.p
        room = Signal()
        m.d.comb += [
            room.eq(commands.ready & reads.ready),
            self.i.ready.eq(room),
            commands.valid.eq(self.i.valid & room & (job.write | job.count.any())),
            command.write.eq(job.write),
            command.line.eq(Cat(job.place, job.entry)),
            command.more.eq(Mux(job.write, 0, job.count - 1)),
            command.data.eq(job.block),
            reads.valid.eq(self.i.valid & room & ~job.write),
            *(reads.p[name].eq(job[name]) for name in self._read.members),
        ]

    def _offer(self, m, lines, reads):
        """Offers the blocks of the port with the flags of their read."""
        read = reads.p
        copy = self.o.p
        index = Signal(range(self._copies))
        absent = Signal()
        last = Signal()
        transfer = Signal()
        m.d.comb += [
            absent.eq(read.count == 0),
            last.eq(index + 1 >= read.count),
            self.o.valid.eq(reads.valid & (absent | lines.valid)),
            transfer.eq(self.o.valid & self.o.ready),
            lines.ready.eq(transfer & ~absent),
            reads.ready.eq(transfer & last),
            copy.block.eq(lines.p.data),
            copy.error.eq(lines.p.error & ~absent),
            copy.opens.eq(index == 0),
            copy.last.eq(last),
            copy.older.eq(read.older & (index == 0)),
            copy.absent.eq(absent),
        ]
        with m.If(transfer):
            m.d.sync += index.eq(Mux(last, 0, index + 1))
