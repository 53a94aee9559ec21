"""Shares one memory of lines between updates, which read single lines, and windows."""

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.dram.lines import LINE
from rtl.stream.queue import StreamQueue


class LineShare(wiring.Component):
    """Joins two streams of commands into one, and sends each read's lines to its requester.

    ::

        updates ----+--> commands ....> memory ....> lines --+--> updated
        windows ----+                                        +--> collected
                    |                                        |
                    +--> whose read it is, in order ---------+

    The memory delivers the lines of reads in the order of the commands, so a queue with a mark
    for each outstanding read tells the requester of each line. For instance after an update of line
    5 and a window's read of 2 lines from line 8 the first line goes to ``updated``, and the next
    two, up to the one with ``last``, to ``collected``. ``updates`` have priority, because a read
    that starts sooner ends sooner. Updates do not block the writes in ``windows`` for ever:
    each update belongs to a tuple in flight, and tuples leave by these writes, so updates run out
    while writes wait. An offered command is not withdrawn for an update. ``data`` of a read are
    undefined, and may change while the read is offered.

    *No deadlock.* Lines of both kinds come in one stream. Lines of updates must be accepted at once
    (:class:`~rtl.keyed.store.lines.line_updates.LineUpdates` has room for each). So the stream
    stalls for one reason only: ``collected`` does not accept a line of a window; and the component
    after ``collected`` must not need any later line of the stream. Then the memory delivers all
    lines and accepts each command some time, and all streams move on when the stall of
    ``collected`` ends. For instance if the output of windows stalls, the lines of windows wait, the
    updates after these lines wait, and no more items are accepted; after the stall all resume in
    the same order.

    Each stream's order is kept; the joined stream has commands in the order of their transfers. At
    most ``reads`` reads are inside; then all commands wait.

    Latency 0 cycles both ways. Initiation interval 1 cycle.

    Parameters
    ----------
    lines : LineMap
    reads : int
        Greatest number of reads whose last line has not come, at least 2. A
        :class:`~rtl.keyed.dram.line_memory.LineMemory` accepts ``turns + 2`` reads by itself: 34 by
        default.

    Members
    -------
    updates : In(stream.Signature(lines.line_bits))
        Single lines to be read.
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
        self._lines = lines
        self._reads = reads
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
        self._distribute(m, marks.o)
        return m

    def _join(self, m, mark):
        """Joins the commands, and queues a mark for each read."""
        command = self.commands.p
        request = self.windows.p
        was_offered = Signal()  # a command of ``windows`` stalled at ``commands`` in the last cycle
        # Writes need ``room``, too, although they queue no mark: so ``room`` depends on registers
        # of the queue only.
        update = Signal()
        room = mark.ready
        m.d.comb += [
            update.eq(self.updates.valid & ~was_offered),
            command.write.eq(~update & request.write),
            command.line.eq(Mux(update, self.updates.p, request.line)),
            command.count.eq(Mux(update, 1, request.count)),
            command.data.eq(request.data),
            self.commands.valid.eq(Mux(update, self.updates.valid, self.windows.valid) & room),
            self.updates.ready.eq(self.commands.ready & room & update),
            self.windows.ready.eq(self.commands.ready & room & ~update),
            mark.p.eq(update),
            mark.valid.eq(self.commands.valid & self.commands.ready & ~command.write),
        ]
        m.d.sync += was_offered.eq(self.commands.valid & ~self.commands.ready & ~update)

    def _distribute(self, m, mark):
        """Sends lines to the requester of the oldest mark, up to the last line of its read."""
        m.d.comb += [
            Value.cast(self.collected.p).eq(self.lines.p),
            self.updated.p.data.eq(self.lines.p.data),
            self.updated.p.error.eq(self.lines.p.error),
            self.updated.valid.eq(self.lines.valid & mark.valid & mark.p),
            self.collected.valid.eq(self.lines.valid & mark.valid & ~mark.p),
            self.lines.ready.eq(mark.valid & Mux(mark.p, self.updated.ready, self.collected.ready)),
            mark.ready.eq(self.lines.valid & self.lines.ready & self.lines.p.last),
        ]
