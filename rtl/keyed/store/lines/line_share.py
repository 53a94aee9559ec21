"""One memory of lines for two: updates, which read single lines, and all the others."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.dram.lines import LINE
from rtl.stream.queue import StreamQueue


class LineShare(wiring.Component):
    """Joins two streams of commands into one, and gives each read's lines to who asked for them.

    ::

        updates ----+--> commands ....> memory ....> lines --+--> updated
        windows ----+                                        +--> collected
                    |                                        |
                    +--> whose read it is, in order ---------+

    The memory gives the lines of reads in the order of their commands, so the marks of the reads
    that are inside, in a queue, say whose each line is. ``updates`` go first: what reads the sooner
    is over the sooner, and there are no more than tuples in flight, so they do not shut out the
    writes by which tuples leave. What is offered is not withdrawn for them. ``data`` of a read are
    rubbish, and may change while it is offered.

    *No deadlock.* Lines of both kinds come in one row. Those of updates are to be taken at once
    (:class:`~rtl.keyed.store.lines.line_updates.LineUpdates` has a place for each). So the row
    stands still for one reason alone: a line of a window that ``collected`` does not take; and
    whoever takes it must need nothing that comes later in the row. Then all that is inside the
    memory comes out of it, each command is accepted some time, and everything ends when
    ``collected`` is stalled no longer. For instance windows of which the output is stalled: their
    lines wait, the updates behind them wait too, then no more items are taken; it goes on where it
    stood.

    Each stream's order is kept, and that of the joined one is the order in which they were
    transferred. At most ``reads`` reads are inside; then all commands wait.

    Latency 0 cycles both ways. Initiation interval 1 cycle.

    Parameters
    ----------
    lines : LineMap
    reads : int
        That the memory has not answered, at least 2. A line memory takes ``turns + 2`` by itself.

    Members
    -------
    updates : In(stream.Signature(lines.line_bits))
        Lines to be read, each by itself.
    windows : In(stream.Signature(lines.command()))
        Reads of at least one line, and writes.
    commands : Out(stream.Signature(lines.command()))
    lines : In(stream.Signature(marked_line()))
    updated : Out(stream.Signature(LINE))
        Lines of ``updates``.
    collected : Out(stream.Signature(marked_line()))
        Lines of ``windows``.

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines, *, reads=34):
        self._lines, self._reads = lines, reads
        super().__init__(
            {
                "updates": In(stream.Signature(lines.line_bits)),
                "windows": In(stream.Signature(lines.command())),
                "commands": Out(stream.Signature(lines.command())),
                "lines": In(stream.Signature(marked_line())),
                "updated": Out(stream.Signature(LINE)),
                "collected": Out(stream.Signature(marked_line())),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.marks = marks = StreamQueue(1, self._reads)
        self._join(m, marks.i)
        self._part(m, marks.o)
        return m

    def _join(self, m, mark):
        """Commands of both; a read leaves its mark."""
        command, asked = self.commands.p, self.windows.p
        kept = Signal()  # windows were offered in the last cycle, and not taken
        update, room = Signal(), mark.ready  # for writes, too, so that it is a register's
        m.d.comb += [
            update.eq(self.updates.valid & ~kept),
            command.write.eq(~update & asked.write),
            command.line.eq(Mux(update, self.updates.p, asked.line)),
            command.count.eq(Mux(update, 1, asked.count)),
            command.data.eq(asked.data),
            self.commands.valid.eq(Mux(update, self.updates.valid, self.windows.valid) & room),
            self.updates.ready.eq(self.commands.ready & room & update),
            self.windows.ready.eq(self.commands.ready & room & ~update),
            mark.p.eq(update),
            mark.valid.eq(self.commands.valid & self.commands.ready & ~command.write),
        ]
        m.d.sync += kept.eq(self.commands.valid & ~self.commands.ready & ~update)

    def _part(self, m, mark):
        """Lines to the one whose mark is the oldest, up to the last line of its read."""
        m.d.comb += [
            Value.cast(self.collected.p).eq(self.lines.p),
            self.updated.p.data.eq(self.lines.p.data),
            self.updated.p.error.eq(self.lines.p.error),
            self.updated.valid.eq(self.lines.valid & mark.valid & mark.p),
            self.collected.valid.eq(self.lines.valid & mark.valid & ~mark.p),
            self.lines.ready.eq(mark.valid & Mux(mark.p, self.updated.ready, self.collected.ready)),
            mark.ready.eq(self.lines.valid & self.lines.ready & self.lines.p.last),
        ]
