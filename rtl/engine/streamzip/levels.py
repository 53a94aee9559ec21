"""The memory command generator: each item goes to its levels, and windows are asked of all."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.streamzip.steps import step_layout
from rtl.memory.tails import Tails
from rtl.memory.window_lines import window_layout


def asked_layout(plan):
    """What goes through M1 and M2 with an item: all of its step that is needed behind them."""
    members = step_layout(plan).members
    names = ("line", "closes", "lines", "first", "told")
    return data.StructLayout({name: members[name] for name in names})


class Levels(wiring.Component):
    """Moves items up M1, M2 and M3, and asks for the windows that they close.

    ::

        i --> Tails (M1, M2) --+--> a line that is full: a write to M3 ----------+--> commands
                               +--> a window: a read of its lines before this ---+
                               +--> and this line, as far as it has come ------------> windows

    An item that fills its line and closes a window does both: the write goes out first, and the
    read in the next cycle, while the item behind may pass that has no command itself. A window has
    the line of the item that closes it from here, and so never waits for its write.

    ``told.end`` gives an empty window behind the last one. An end that comes with a tuple that
    closes a window is given in a cycle of its own, behind that.

    Order is kept. Latency that of :class:`~rtl.memory.tails.Tails`. Initiation interval 1 cycle;
    commands go out one in a cycle, so of items with two of them each, one behind the other, each
    takes 2 cycles. A stall at ``commands`` or ``windows`` stalls ``i``.

    Parameters
    ----------
    plan : KeyPlan

    Members
    -------
    i : In(stream.Signature(step_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(window_layout(plan.line, plan.lines_max, plan.told)))

    Source: seed 000, section 3.3 and figure 10.
    """

    latency = Tails.latency
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._tails = Tails(plan.line, plan.entries, asked_layout(plan))
        windows = window_layout(plan.line, plan.lines_max, plan.told)
        super().__init__(
            {
                "i": In(stream.Signature(step_layout(plan))),
                "commands": Out(stream.Signature(plan.lines.command())),
                "windows": Out(stream.Signature(windows)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.tails = tails = self._tails
        into, step = tails.i.p, self.i.p
        m.d.comb += [
            tails.i.valid.eq(self.i.valid),
            self.i.ready.eq(tails.i.ready),
            into.entry.eq(step.told.entry),
            into.place.eq(step.place),
            into.valid.eq(step.valid),
            Value.cast(into.item).eq(Value.cast(step.item)),
            *(
                Value.cast(into.passenger[name]).eq(Value.cast(step[name]))
                for name in asked_layout(self._plan).members
            ),
        ]
        self._command(m, tails.o)
        return m

    def _command(self, m, source):
        """Does what the item asks for; when all is done it is taken."""
        asked = source.p.passenger
        full = source.p.valid & source.p.place.all()
        wants, does, done = Signal(4), Signal(4), Signal(4)
        writes, reads, closes, ends = wants
        m.d.comb += wants.eq(
            Cat(full, asked.closes & asked.lines.any(), asked.closes, asked.told.end) & ~done
        )
        ordered = self._order(m, source, writes, reads)
        m.d.comb += [
            self.windows.valid.eq(source.valid & (closes | ends)),
            does.eq(Cat(ordered, ordered, self.windows.ready, self.windows.ready & ~closes)),
            source.ready.eq((wants & ~does) == 0),
        ]
        with m.If(source.valid):
            m.d.sync += done.eq(Mux(source.ready, 0, done | (wants & does)))
        window = self.windows.p
        m.d.comb += [
            window.lines.eq(asked.lines),
            Value.cast(window.tail).eq(Value.cast(source.p.line)),
            window.first.eq(asked.first),
            window.until.eq(source.p.place + self._plan.closer),
            window.empty.eq(~closes),
            window.passenger.eq(asked.told),
            window.passenger.end.eq(~closes),
        ]

    def _order(self, m, source, writes, reads):
        """Orders a write, a read, or one after the other; returns whether an item's are ordered."""
        shown, asked, command = source.p, source.p.passenger, self.commands.p
        begin = (asked.line - asked.lines)[: len(asked.line)]  # in the ring
        waits = Signal()  # a read, behind its item's write
        waiting = Signal(
            data.StructLayout({"line": len(command.line), "count": len(command.count)})
        )
        read = Signal.like(waiting)
        m.d.comb += [
            read.line.eq(Cat(begin, shown.entry)),
            read.count.eq(asked.lines),
            self.commands.valid.eq(waits | (source.valid & (writes | reads))),
            command.write.eq(~waits & writes),
            command.line.eq(Mux(writes, Cat(asked.line, shown.entry), read.line)),
            command.count.eq(read.count),
            command.data.eq(self._plan.line.packed(shown.line)),
        ]
        with m.If(waits):
            m.d.comb += [command.line.eq(waiting.line), command.count.eq(waiting.count)]
        with m.If(self.commands.ready):
            m.d.sync += [
                waits.eq(~waits & source.valid & writes & reads),
                waiting.eq(read),
            ]
        return self.commands.ready & ~waits
