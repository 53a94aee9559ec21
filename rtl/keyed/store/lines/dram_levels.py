"""Stores the items of keys in M3 only, and generates the commands to M3."""

from amaranth.hdl import Module
from amaranth.lib import wiring

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.store.lines.level_ports import enter, level_ports
from rtl.keyed.store.lines.line_commands import LineCommands, request_layout
from rtl.keyed.store.lines.line_share import LineShare
from rtl.keyed.store.lines.line_updates import LineUpdates
from rtl.stream.queue import StreamQueue


class DramLevels(wiring.Component):
    """Stores all items in M3 only: the line of each item is read, changed and written.

    ::

        i --> LineUpdates --> LineCommands --+--> each line, windows --> LineShare --> commands
                |     ^                      +--> windows                 ^
                |     +---- updated lines ---------------------+          |
                +---------- reads ---------------------------- | ---------+
        lines -------------------------------------------------+----------------> collected

    Each item's line is written. The line is read for each item, except the first item of a line,
    and except items whose line is still being updated
    (:class:`~rtl.keyed.store.lines.line_updates.LineUpdates`). With keys in turn, more keys than
    tuples in flight, and 8 items in a line, 8 items cause 7 reads and 8 writes. If a window of rows
    fills the ring, so the window begins and ends in the same line, this line is read for the line's
    first item, too: the places above the item's place are still part of the window. For instance
    with a ring of 2 lines of 4 items, and windows of 8, value 8 begins line 0 anew, but values 1 to
    3, which lie in line 0, are in the window that ends with value 8. With windows
    of time no open window has values in a line that an item begins: the item's tuple has closed
    these windows in earlier steps, or was dropped (``LineStore.room``). A window that closes
    without an item, as windows of time do, needs the growing line: the line is read in the same
    way, and not written.

    *No deadlock.* The collector, behind ``collected``, needs the window of its lines, and
    ``windows`` delivers it without waiting for the memory: the item that closes the window was here
    when its read was issued, and ``windows`` stalls only for earlier windows, whose lines come
    first. So lines pass whenever the output of the windows moves, updates get their lines, and
    items and commands go on; see :class:`~rtl.keyed.store.lines.line_share.LineShare`.

    Order is kept. Latency that of :class:`~rtl.keyed.store.lines.line_updates.LineUpdates`: 2
    cycles if nothing is read. Initiation interval 1 cycle; but one command goes out per cycle, and
    an item has one to three, so without windows n items take at least 2 n cycles, less one for each
    item that reads nothing. A stall at ``commands`` or ``windows`` stalls ``i``, a stall at
    ``collected`` stalls ``lines``.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a LineStore.

    Members
    -------
    i : In(stream.Signature(step_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(window_layout(plan.line, plan.window_info)))
    lines : In(stream.Signature(marked_line()))
    collected : Out(stream.Signature(marked_line()))
    updated : Out(1)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)}))
    busy : Out(1)
        See :func:`~rtl.keyed.store.lines.level_ports.level_ports`, as for the ports above.

    Source: seed 000, section 4.1 (DFE-Base).
    """

    latency = LineUpdates.latency + LineCommands.latency
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._updates = LineUpdates(plan.line, plan.lines, request_layout(plan))
        self._commands = LineCommands(plan, each=True)
        self._share = LineShare(plan.lines)
        super().__init__(level_ports(plan))

    @classmethod
    def latency_of(cls, plan):
        """Returns the latency, in cycles; every plan has the same latency."""
        return cls.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.updates = self._updates
        m.submodules.generator = self._commands
        m.submodules.share = share = self._share
        enter(m, self.i, self._updates.i)
        step = self.i.p
        item = self._updates.i.p
        # With windows of rows each step has ``lines``, as if it closed a window: a line is also
        # read for an item that closes no window, because a later window needs the places above.
        # Windows of time need no old values of a line that an item begins, see above.
        fills_ring = step.lines == self._plan.lines.ring_lines
        keeps_old_values = fills_ring if self._plan.window.includes_closing_value else 0
        m.d.comb += [
            item.number.eq(step.line),
            item.fresh.eq((step.place == 0) & ~keeps_old_values),
            item.needed.eq(step.closes & (step.place != 0)),
        ]
        wiring.connect(m, self._updates.o, self._commands.i)
        wiring.connect(m, self._updates.reads, share.updates)
        wiring.connect(m, self._commands.commands, share.windows)
        wiring.connect(m, self._commands.windows, wiring.flipped(self.windows))
        wiring.connect(m, share.commands, wiring.flipped(self.commands))
        wiring.connect(m, wiring.flipped(self.lines), share.lines)
        wiring.connect(m, share.updated, self._updates.lines)
        # Ends the chain of ready from the windows to the memory.
        m.submodules.lines = lines = StreamQueue(marked_line(), 2)
        wiring.connect(m, share.collected, lines.i)
        wiring.connect(m, lines.o, wiring.flipped(self.collected))
        m.d.comb += [
            self.updated.eq(self._updates.updated),
            self.failed.eq(self._updates.failed),
            self.busy.eq(self._updates.busy | lines.o.valid),
        ]
        return m
