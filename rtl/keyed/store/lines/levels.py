"""Moves the items of keys through M1 and M2, and generates the commands to M3."""

from amaranth.hdl import Module, Value
from amaranth.lib import wiring

from rtl.keyed.store.lines.level_ports import enter, level_ports
from rtl.keyed.store.lines.line_commands import LineCommands, request_layout
from rtl.keyed.store.lines.outer_tails import OuterTails
from rtl.keyed.store.lines.tails import Tails
from rtl.keyed.store.lines.window_parts import LineAppender


class Levels(wiring.Component):
    """Moves items through M1, M2 and M3, and reads the windows that the items close.

    ::

        i --> Tails (M1, M2) --> LineCommands --+--> lines that are full, windows --> commands
                                                +--> windows
        lines ------------------------------------------------------> collected

    With 2 lines of each key in M2 the last line before the item's line is not read from M3:
    LineAppender appends the copy in M2 to the lines from M3::

        i --> Tails (M1, M2) --+--> LineCommands ...
                               +--> m2_lines --+
        lines --------------------------- LineAppender -------------> collected

    With M2 outside of the chip :class:`~rtl.keyed.store.lines.outer_tails.OuterTails` replaces
    Tails, and reads M2 only for items that close a window or fill a line. No line is read to be
    changed, so ``updated`` stays low; with M2 on the chip ``failed`` and ``busy`` stay low, too.

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
    m2_base : In(plan.outer_m2.base_bits), or none
    m_axi_m2 : Out(Axi4(...)), or none
        With M2 outside of the chip.

    Source: seed 000, section 3.3 and figure 10.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        if plan.outer_m2 is None:
            m2 = {"lines": plan.m2.lines, "kind": plan.m2.kind}
            self._tails = Tails(plan.line, plan.entries, request_layout(plan), **m2)
        else:
            self._tails = OuterTails(plan.line, plan.outer_m2, request_layout(plan))
        self._commands = LineCommands(plan)
        self._appender = LineAppender(plan.line) if plan.m2.has_previous_line else None
        super().__init__(level_ports(plan))

    @staticmethod
    def latency_of(plan):
        """Returns the latency, in cycles, if M2 is not read."""
        tails = Tails if plan.outer_m2 is None else OuterTails
        return tails.latency + LineCommands.latency

    @property
    def latency(self):
        return self.latency_of(self._plan)

    def elaborate(self, platform):
        m = Module()
        m.submodules.tails = self._tails
        m.submodules.generator = self._commands
        enter(m, self.i, self._tails.i)
        if self._plan.outer_m2 is not None:
            self._connect_outer_m2(m, self._tails)
        if self._appender is None:
            wiring.connect(m, self._tails.o, self._commands.i)
            gathered = self.lines
        else:
            self._send_m2_line(m, self._tails.o, self._commands.i)
            gathered = self._appender.o
        wiring.connect(m, self._commands.commands, wiring.flipped(self.commands))
        wiring.connect(m, self._commands.windows, wiring.flipped(self.windows))
        m.d.comb += [
            self.collected.valid.eq(gathered.valid),
            self.collected.p.eq(gathered.p),
            gathered.ready.eq(self.collected.ready),
        ]
        return m

    def _connect_outer_m2(self, m, tails):
        """Requests the lines that an item needs from M2, and connects the memory of M2."""
        step = self.i.p
        tail_request = tails.i.p
        wiring.connect(m, tails.m_axi, wiring.flipped(self.m_axi_m2))
        m.d.comb += [
            tail_request.wanted.eq(step.closes),
            tail_request.wants_previous.eq(
                tail_request.passenger.reads_m2 if self._plan.m2.has_previous_line else 0
            ),
            tail_request.odd.eq(step.line[0]),
            tails.base.eq(self.m2_base),
            self.failed.eq(tails.failed),
            self.busy.eq(tails.busy),
        ]

    def _send_m2_line(self, m, source, target):
        """Sends a window's last full line from M2 to LineAppender, when ``target`` accepts the
        window's item."""
        m.submodules.appender = appender = self._appender
        tail = source.p
        line = appender.m2_lines
        reads_m2 = tail.passenger.reads_m2
        room = line.ready | ~reads_m2
        m.d.comb += [
            *(target.p[name].eq(tail[name]) for name in ("entry", "place", "valid", "passenger")),
            Value.cast(target.p.line).eq(Value.cast(tail.line)),
            target.valid.eq(source.valid & room),
            source.ready.eq(target.ready & room),
            Value.cast(line.p.line).eq(Value.cast(tail.previous)),
            line.p.alone.eq(~tail.passenger.reads),
            line.valid.eq(source.valid & reads_m2 & target.ready),
        ]
        wiring.connect(m, wiring.flipped(self.lines), appender.lines)
