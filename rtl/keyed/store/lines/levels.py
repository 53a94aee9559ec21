"""Moves the items of keys through the levels of memory, and generates the commands to M3."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.dram.word_map import WORD_BITS
from rtl.keyed.step import step_layout
from rtl.keyed.store.lines.line_commands import LineCommands, ask, request_layout
from rtl.keyed.store.lines.line_share import LineShare
from rtl.keyed.store.lines.line_updates import LineUpdates
from rtl.keyed.store.lines.outer_tails import OuterTails
from rtl.keyed.store.lines.tails import Tails
from rtl.keyed.store.lines.window_lines import window_layout
from rtl.keyed.store.lines.window_parts import KeptLines
from rtl.memory.axi4 import Axi4
from rtl.stream.queue import StreamQueue


def level_ports(plan):
    """Returns the ports of a component that stores the items of steps, and reads windows.

    They are the same for all memories, so that the components are interchangeable:

    - ``i``: steps. ``windows``: the windows that the steps close, in order.
    - ``commands`` to the line memory, and its ``lines``. ``collected``: the lines of windows.
    - ``updated``: a line that was read gets its item in this cycle. ``failed``: the access to such
      a line, or to a word of M2 outside, failed, so the lines of its ``entry`` are undefined from
      now on.
    - ``busy``: something inside is to be written, whatever comes at ``i``.

    With M2 outside of the chip also ``m2_base``, the base address of its memory, and ``m_axi_m2``.
    """
    windows = window_layout(plan.line, plan.window_info)
    m2_ports = {}
    if (words := plan.outside) is not None:
        axi = Axi4(data_width=WORD_BITS, address_width=words.address_width)
        m2_ports = {"m2_base": In(words.base_bits), "m_axi_m2": Out(axi)}
    return {
        "i": In(stream.Signature(step_layout(plan))),
        "commands": Out(stream.Signature(plan.lines.command())),
        "windows": Out(stream.Signature(windows)),
        "lines": In(stream.Signature(marked_line())),
        "collected": Out(stream.Signature(marked_line())),
        "updated": Out(1),
        "failed": Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)})),
        "busy": Out(1),
        **m2_ports,
    }


class Levels(wiring.Component):
    """Moves items through M1, M2 and M3, and reads the windows that they close.

    ::

        i --> Tails (M1, M2) --> LineCommands --+--> lines that are full, windows --> commands
                                                +--> windows
        lines ------------------------------------------------------> collected

    With 2 lines of each key in M2 the last line before the item's line is not read from M3: it goes
    from M2 to the lines from M3, before its window goes on::

        i --> Tails (M1, M2) --+--> LineCommands ...
                               +--> kept ---+
        lines -------------------------- KeptLines -----------------> collected

    With M2 outside of the chip :class:`~rtl.keyed.store.lines.outer_tails.OuterTails` replaces
    Tails, and reads M2 where a window closes or a line is full. No line is read to be changed, so
    ``updated`` stays low; with M2 on the chip ``failed`` and ``busy`` stay low, too.

    Order is kept. Latency that of the tails. Initiation interval 1 cycle, with the limits of the
    tails and of :class:`~rtl.keyed.store.lines.line_commands.LineCommands`. A stall at ``commands``
    or ``windows`` stalls ``i``, a stall at ``collected`` stalls ``lines``.

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
    m2_base : In(plan.outside.base_bits), or none
    m_axi_m2 : Out(Axi4(...)), or none
        With M2 outside of the chip.

    Source: seed 000, section 3.3 and figure 10.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        if plan.outside is None:
            m2 = {"lines": plan.m2.lines, "kind": plan.m2.kind}
            self._tails = Tails(plan.line, plan.entries, request_layout(plan), **m2)
        else:
            self._tails = OuterTails(plan.line, plan.outside, request_layout(plan))
        self._commands = LineCommands(plan)
        self._kept = KeptLines(plan.line) if plan.m2.keeps else None
        super().__init__(level_ports(plan))

    @staticmethod
    def latency_of(plan):
        """Returns the latency, in cycles, if M2 is not read."""
        tails = Tails if plan.outside is None else OuterTails
        return tails.latency + LineCommands.latency

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.tails, m.submodules.generator = self._tails, self._commands
        _enter(m, self.i, self._tails.i)
        if self._plan.outside is not None:
            self._reach(m, self._tails)
        if self._kept is None:
            wiring.connect(m, self._tails.o, self._commands.i)
            gathered = self.lines
        else:
            self._keep(m, self._tails.o, self._commands.i)
            gathered = self._kept.o
        wiring.connect(m, self._commands.commands, wiring.flipped(self.commands))
        wiring.connect(m, self._commands.windows, wiring.flipped(self.windows))
        m.d.comb += [
            self.collected.valid.eq(gathered.valid),
            self.collected.p.eq(gathered.p),
            gathered.ready.eq(self.collected.ready),
        ]
        return m

    def _reach(self, m, tails):
        """Tells the tails which lines of M2 outside are wanted, and connects the memory of M2."""
        step, tail_request = self.i.p, tails.i.p
        wiring.connect(m, tails.m_axi, wiring.flipped(self.m_axi_m2))
        m.d.comb += [
            tail_request.wanted.eq(step.closes),
            tail_request.keeps.eq(tail_request.passenger.kept if self._plan.m2.keeps else 0),
            tail_request.odd.eq(step.line[0]),
            tails.base.eq(self.m2_base),
            self.failed.eq(tails.failed),
            self.busy.eq(tails.busy),
        ]

    def _keep(self, m, source, target):
        """Sends a window's line from M2 when its item goes on, before the lines from M3."""
        m.submodules.kept = kept = self._kept
        tail, line = source.p, kept.kept
        reads_kept = tail.passenger.kept
        room = line.ready | ~reads_kept
        m.d.comb += [
            *(target.p[name].eq(tail[name]) for name in ("entry", "place", "valid", "passenger")),
            Value.cast(target.p.line).eq(Value.cast(tail.line)),
            target.valid.eq(source.valid & room),
            source.ready.eq(target.ready & room),
            Value.cast(line.p.line).eq(Value.cast(tail.kept)),
            line.p.alone.eq(~tail.passenger.reads),
            line.valid.eq(source.valid & reads_kept & target.ready),
        ]
        wiring.connect(m, wiring.flipped(self.lines), kept.lines)


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
    tuples in flight, and 8 items in a line, 8 items are 7 reads and 8 writes. If a window begins a
    ring ago in the line in which it ends, the line is read for its first item, too, because the
    places above the item's place are still part of the window. A window that closes without an
    item, as windows of time do, needs the growing line: the line is read in the same way, and not
    written.

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
        """Returns the latency, in cycles, which is that of any plan."""
        return cls.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.updates, m.submodules.generator = self._updates, self._commands
        m.submodules.share = share = self._share
        _enter(m, self.i, self._updates.i)
        step, item = self.i.p, self._updates.i.p
        round_about = step.lines == self._plan.lines.ring_lines
        m.d.comb += [
            item.number.eq(step.line),
            item.fresh.eq((step.place == 0) & ~round_about),
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


def _enter(m, steps, target):
    """Sends the item of a step, with its request, to the component in which its line grows."""
    step, into = steps.p, target.p
    m.d.comb += [
        target.valid.eq(steps.valid),
        steps.ready.eq(target.ready),
        into.entry.eq(step.window_info.entry),
        into.place.eq(step.place),
        into.valid.eq(step.valid),
        Value.cast(into.item).eq(Value.cast(step.item)),
        *ask(into.passenger, step),
    ]
