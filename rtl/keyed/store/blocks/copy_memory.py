"""Stores copies of the last closed blocks of each key on the chip, and reads windows' copies."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue

#: Jobs that may wait, for instance while blocks from M3 must come first; OuterCopies lets as many
#: reads wait.
JOBS = 32
#: Copies that may wait for the collector at ``o``, so that the memory is read ahead.
COPIES = 4


def job_layout(entries, copies):
    """Returns the layout of a write of a block, or of a read of the last copies of a key.

    Members: ``write``, high for a write; ``entry`` of the key; ``place`` of the written block, or
    of the first copy that is read, among the ``copies`` places of the key. Of a write: ``block``.
    Of a read: ``count``, the number of copies, 0 to ``copies``; ``older``, blocks from M3 come
    before the copies.
    """
    place = (copies - 1).bit_length()
    count = range(copies + 1)
    members = {"entry": range(entries), "place": place, "count": count, "block": BLOCK_BITS}
    return data.StructLayout({"write": 1, "older": 1, **members})


def copy_layout():
    """Returns the layout of a copy that was read.

    Members: the ``block``; ``opens`` and ``last``, high for the first and the last copy of a read;
    ``older``, high for the first copy if blocks from M3 come before it; ``absent``, the read has no
    copy, so ``block`` is undefined and the item only stands for the read's blocks from M3;
    ``error``, the block was read with an error, which only a memory outside of the chip reports.
    """
    flags = dict.fromkeys(("opens", "last", "older", "absent", "error"), 1)
    return data.StructLayout({"block": BLOCK_BITS, **flags})


class CopyMemory(wiring.Component):
    """Stores the last closed blocks of each key, and reads the copies of a window one by one.

    ::

        i --> queue --+-- writes --> memory: ``copies`` places for each entry
                      +-- reads ---> memory --> queue --> o

    Invariant: **writes and reads are carried out in the order of their arrival.** So a read finds
    the blocks that were closed before its arrival, however long it waits in the queue. For instance
    with 2 places, where blocks 4 and 5 are read after block 5 was closed::

        i    write 4 to place 0, write 5 to place 1, read 2 copies from 0, write 6 to place 0
        o                                            4, 5 last

    Each read of ``count`` copies begins at ``place`` and goes on to the next places, modulo
    ``copies``. A read without copies is one item, with ``absent``.

    Order is kept. Latency 3 cycles. Initiation interval 1 cycle; but a read of n copies takes n
    cycles. A stall at ``o`` stalls reads, and writes behind them, when ``COPIES + 1`` copies wait;
    and ``i`` when :data:`JOBS` jobs wait. A reset drops the contents of the queues, and does not
    change the memory: copies from before the reset are never read, because keys begin anew.

    Parameters
    ----------
    entries : int
        A power of two.
    copies : int
        Places of each entry, a power of two.
    kind : str
        Kind of memory, as for :class:`~rtl.memory.block.BlockMemory`.

    Members
    -------
    i : In(stream.Signature(job_layout(entries, copies)))
    o : Out(stream.Signature(copy_layout()))

    Source: seed 000, section 3.3 (M1 and M2); reads in the order of arrival are ours.
    """

    latency = 2 * StreamQueue.latency + BlockMemory.latency
    initiation_interval = 1

    def __init__(self, entries, copies, kind="block"):
        self._copies = copies
        self._memory = BlockMemory(BLOCK_BITS, entries * copies, kind)
        self._jobs = StreamQueue(job_layout(entries, copies), JOBS)
        self._fetched = StreamQueue(copy_layout(), COPIES)
        super().__init__(
            {
                "i": In(self._jobs.i.signature.flip()),
                "o": Out(self._fetched.o.signature),
            }
        )

    @staticmethod
    def memory_bits_of(entries, copies):
        """Returns the size of the copies in bits, without building the component."""
        return entries * copies * BLOCK_BITS

    def elaborate(self, platform):
        m = Module()
        m.submodules.jobs = jobs = self._jobs
        m.submodules.fetched = fetched = self._fetched
        m.submodules.memory = memory = self._memory
        wiring.connect(m, wiring.flipped(self.i), jobs.i)
        wiring.connect(m, fetched.o, wiring.flipped(self.o))
        job = jobs.o.p
        index = Signal(range(self._copies))  # copies of the job that were read
        is_read = Signal()
        room = Signal()
        ends = Signal()
        address = Cat((job.place + index)[: len(job.place)], job.entry)
        # The flags of the copy at the output of the memory, if it is occupied by a copy.
        flags = Signal(data.StructLayout(dict.fromkeys(("opens", "last", "older", "absent"), 1)))
        occupied = Signal()
        m.d.comb += [
            room.eq(~occupied | fetched.i.ready),
            is_read.eq(jobs.o.valid & ~job.write & room),
            ends.eq((index + 1 >= job.count) | job.write),
            jobs.o.ready.eq((job.write | room) & ends),
            memory.write_address.eq(address),
            memory.write_data.eq(job.block),
            memory.write_enable.eq(jobs.o.valid & job.write),
            memory.read_address.eq(address),
            memory.read_enable.eq(is_read),
            fetched.i.valid.eq(occupied),
            fetched.i.p.block.eq(memory.read_data),
            *(fetched.i.p[name].eq(flags[name]) for name in flags.shape().members),
        ]
        with m.If(room):
            m.d.sync += [
                occupied.eq(is_read),
                flags.opens.eq(index == 0),
                flags.last.eq(ends),
                flags.older.eq(job.older & (index == 0)),
                flags.absent.eq(job.count == 0),
            ]
        with m.If(is_read):
            m.d.sync += index.eq(Mux(ends, 0, index + 1))
        return m
