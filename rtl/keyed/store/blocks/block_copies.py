"""Reads the newest closed blocks of a key from copies in M2, and older blocks from M3."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.store.blocks.copied_blocks import CopiedBlocks, sourced_line
from rtl.keyed.store.blocks.copy_memory import CopyMemory
from rtl.keyed.store.blocks.outer_copies import OuterCopies, copy_map
from rtl.stream.handshake import handshake


def block_command(lines):
    """Returns the layout of a command that writes a block or reads successive blocks of a key.

    Members: those of a command of the memory, and ``recent``: the last block of a read is the block
    that the key closed last. A read has a ``count`` of at least 1. For a write ``recent`` and
    ``count`` have no meaning.
    """
    return data.StructLayout({**lines.command().members, "recent": 1})


def copies_of(lines, m2):
    """Builds the component that reads blocks: from copies and M3, or without copies from M3."""
    return BlockCopies(lines, m2) if m2.blocks else NoCopies(lines)


def outer_copies_map(lines, m2):
    """Returns the LineMap of copies outside of the chip; None if no copies are outside."""
    return copy_map(lines.rings, m2.blocks, lines.address_width) if m2.external else None


def _ports(lines):
    return {
        "i": In(stream.Signature(block_command(lines))),
        "commands": Out(stream.Signature(lines.command())),
        "lines": In(stream.Signature(marked_line())),
        "o": Out(stream.Signature(sourced_line())),
        "failed": Out(data.StructLayout({"valid": 1, "entry": range(lines.rings)})),
        "busy": Out(1),
    }


def _command(target, command):
    """Returns statements that assign a command of blocks to a command of the memory."""
    return [target[name].eq(command[name]) for name in target.shape().members]


class NoCopies(wiring.Component):
    """Passes commands to M3, and the blocks from M3 to the collector: there are no copies.

    The ports are those of :class:`BlockCopies` with copies on the chip; ``failed`` and ``busy``
    stay low, and all blocks at ``o`` have ``m3``. Order is kept.
    Latency 0 cycles, initiation interval 1 cycle. A stall at an output stalls its input.

    Parameters
    ----------
    lines : LineMap

    Members
    -------
    i : In(stream.Signature(block_command(lines)))
    commands : Out(stream.Signature(lines.command()))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(sourced_line()))
    failed : Out(data.StructLayout({"valid": 1, "entry": range(lines.rings)}))
    busy : Out(1)
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines):
        super().__init__(_ports(lines))

    def elaborate(self, platform):
        m = Module()
        m.d.comb += [
            *handshake(self.i, self.commands),
            *_command(self.commands.p, self.i.p),
            *handshake(self.lines, self.o),
            *(self.o.p[name].eq(self.lines.p[name]) for name in marked_line().members),
            self.o.p.m3.eq(1),
        ]
        return m


class BlockCopies(wiring.Component):
    """Keeps copies of the last n closed blocks of each key, and reads only older blocks from M3.

    ::

        i --+--> writes, reads of older blocks ------------------> commands
            +--> writes, reads of copies --> copies (M2) --+
        lines ---------------------------------------------+-- CopiedBlocks --> o

    The copies are on the chip (:class:`~rtl.keyed.store.blocks.copy_memory.CopyMemory`), or in a
    memory behind a master of its own (:class:`~rtl.keyed.store.blocks.outer_copies.OuterCopies`).
    Each closed block is written to M3, and also to M2, where the block replaces the copy of the
    n-th block before. Invariant: **the copies of an entry are the last n blocks that were
    closed there.** A read that is ``recent`` ends with the block that was closed last, and all its
    blocks were closed since the key was inserted into the table. So the last n blocks of such a
    read are copies, and if the read has more than n blocks, M3 delivers the older blocks. A read
    that is not ``recent`` takes all blocks from M3. For instance with n = 2::

        i         write 5    write 6    read 4 to 6         read 6, which was closed last
        commands  write 5    write 6    read 4              -
        o                               4, copies 5 and 6   copy 6

    Order is kept. Latency 0 cycles from ``i`` to ``commands`` and from ``lines`` to ``o``; from
    ``i`` to the first copy the latency of CopyMemory or OuterCopies. Initiation interval 1 cycle
    for commands and for blocks; but a copy outside takes 4 cycles. A stall at ``o`` stalls
    ``lines``, and ``i`` when the queue of the copies is full. A stall at ``commands`` stalls an
    ``i`` that needs M3.

    *No deadlock.* A copy waits only for blocks from M3 whose command was sent in the same cycle as
    the copy's read or earlier. A copy outside also waits for earlier bursts of M2, which never wait
    for ``o``.

    ``failed`` and ``busy`` stay low with copies on the chip.

    Parameters
    ----------
    lines : LineMap
        Rings of blocks; the number of blocks of a ring is a multiple of ``m2.blocks``.
    m2 : SecondLevel
        M2 with n ``blocks`` of each key, n at least 1.

    Members
    -------
    i : In(stream.Signature(block_command(lines)))
    commands : Out(stream.Signature(lines.command()))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(sourced_line()))
    failed : Out(data.StructLayout({"valid": 1, "entry": range(lines.rings)}))
        A write of a copy of ``entry`` outside failed; that copy is undefined.
    busy : Out(1)
        High while a copy outside is written or read.
    m2_base : In(...), or none
    m_axi_m2 : Out(Axi4(...)), or none
        With copies outside, ``base`` and ``m_axi`` of OuterCopies.

    Source: seed 000, section 3.3 (M1 and M2 with up to 64 deltas or 256 symbols).
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines, m2):
        if lines.ring_lines % m2.blocks:
            raise ValueError(
                f"blocks of a ring must be a multiple of {m2.blocks}, not {lines.ring_lines}"
            )
        self._lines = lines
        self._copies = m2.blocks
        self._blocks = CopiedBlocks()
        self._is_outside = m2.external
        ports = _ports(lines)
        if self._is_outside:
            self._memory = OuterCopies(lines.rings, m2.blocks, outer_copies_map(lines, m2))
            outer = self._memory.signature.members
            ports |= {"m2_base": outer["base"], "m_axi_m2": outer["m_axi"]}
        else:
            self._memory = CopyMemory(lines.rings, m2.blocks, m2.kind)
        super().__init__(ports)

    @staticmethod
    def memory_bits_of(entries, m2):
        """Returns the bits of the memories on the chip, without building the component."""
        if m2.external:
            return OuterCopies.memory_bits_of()
        return CopyMemory.memory_bits_of(entries, m2.blocks)

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = self._memory
        m.submodules.blocks = blocks = self._blocks
        wiring.connect(m, memory.o, blocks.copies)
        wiring.connect(m, wiring.flipped(self.lines), blocks.lines)
        wiring.connect(m, blocks.o, wiring.flipped(self.o))
        if self._is_outside:
            wiring.connect(m, memory.m_axi, wiring.flipped(self.m_axi_m2))
            m.d.comb += [
                memory.base.eq(self.m2_base),
                self.failed.eq(memory.failed),
                self.busy.eq(memory.busy),
            ]
        command = self.i.p
        job = memory.i.p
        from_m3 = self.commands
        copied = Signal.like(command.count)  # blocks of a recent read that are copies
        older = Signal.like(command.count)  # blocks of a read that M3 delivers
        uses_m3 = Signal()
        accepted = Signal()  # M3 takes its part, if it has one
        first = command.line + older  # of the copies, modulo their number, which divides the ring
        m.d.comb += [
            copied.eq(Mux(command.count > self._copies, self._copies, command.count)),
            older.eq(command.count - Mux(command.recent, copied, 0)),
            uses_m3.eq(command.write | older.any()),
            accepted.eq(from_m3.ready | ~uses_m3),
            from_m3.valid.eq(self.i.valid & uses_m3 & memory.i.ready),
            memory.i.valid.eq(self.i.valid & accepted),
            self.i.ready.eq(memory.i.ready & accepted),
            *_command(from_m3.p, command),
            from_m3.p.count.eq(older),
            job.write.eq(command.write),
            job.entry.eq(command.line[self._lines.port_bits + self._lines.ring_bits :]),
            job.place.eq(Mux(command.write, command.line, first)),
            job.count.eq(Mux(command.recent, copied, 0)),
            job.older.eq(older.any()),
            job.block.eq(Value.cast(command.data)),
        ]
        return m
