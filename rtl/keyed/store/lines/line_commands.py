"""The memory command generator: lines are written, and windows asked of the memory."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import step_layout
from rtl.keyed.store.lines.window_lines import window_layout


def asked_layout(plan):
    """What goes with an item until its line is shown: all of its step that is needed behind.

    And ``reads``: it closes a window of which M3 has lines. That are all those before that line;
    but where M2 keeps the last of them, all but that, and ``kept``: the window has it.
    """
    members = step_layout(plan).members
    names = ("line", "closes", "lines", "first", "told")
    more = {"reads": 1, "kept": 1} if plan.m2.keeps else {"reads": 1}
    return data.StructLayout({**{name: members[name] for name in names}, **more})


def ask(asked, step):
    """Statements that tell of a step what :func:`asked_layout` has."""
    told = [name for name in asked.shape().members if name in step.shape().members]
    statements = [Value.cast(asked[name]).eq(Value.cast(step[name])) for name in told]
    before = step.closes & step.lines.any()
    if "kept" in asked.shape().members:
        return [*statements, asked.reads.eq(before & (step.lines != 1)), asked.kept.eq(before)]
    return [*statements, asked.reads.eq(before)]


def shown_layout(plan):
    """Layout of an item and its ``line``, up to its ``place``.

    ``entry``, ``valid`` (there is an item), ``passenger`` (what is asked with it). It is what
    :class:`~rtl.keyed.store.lines.tails.Tails` and
    :class:`~rtl.keyed.store.lines.line_updates.LineUpdates` show.
    """
    told = {"place": range(plan.line.items), "valid": 1, "passenger": asked_layout(plan)}
    return data.StructLayout({"line": plan.line.line, "entry": range(plan.entries), **told})


class LineCommands(wiring.Component):
    """Writes the lines that items fill, or each line with each item, and asks for windows.

    ::

        i --+--> a line to be written ------------------------------> commands
            +--> a window: a read of its lines before this ---------> commands
            +--> and this line, as far as it has come --------------> windows

    An item whose line is written and that closes a window does both: the write goes out first, and
    the read in the next cycle, while the item behind may pass that has no command itself. A window
    has the line of the item that closes it from here, and so never waits for its write. An item is
    taken when its write is: whoever reads the line after that reads what was written.

    Where M2 keeps the line before this one that is not read: of a window with n lines before this
    n - 1 are asked of the memory, and nothing if that is 0.

    ``told.end`` gives an empty window behind the last one. An end that comes with a tuple that
    closes a window is given in a cycle of its own, behind that.

    Order is kept. Latency 0 cycles. Initiation interval 1 cycle; commands go out one in a cycle, so
    of items with two of them each, one behind the other, each takes 2 cycles. A stall at
    ``commands`` or ``windows`` stalls ``i``.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a LineStore.
    each : bool
        The line is written with each of its items, not only when it is full.

    Members
    -------
    i : In(stream.Signature(shown_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(window_layout(plan.line, plan.told)))

    Source: seed 000, section 3.3 and figure 10.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, *, each=False):
        self._plan, self._each, self._kept = plan, each, plan.m2.lines - 1
        windows = window_layout(plan.line, plan.told)
        super().__init__(
            {
                "i": In(stream.Signature(shown_layout(plan))),
                "commands": Out(stream.Signature(plan.lines.command())),
                "windows": Out(stream.Signature(windows)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        self._command(m, self.i)
        return m

    def _command(self, m, source):
        """Does what the item asks for; when all is done it is taken."""
        asked = source.p.passenger
        written = source.p.valid & (self._each | source.p.place.all())
        wants, does, done = Signal(4), Signal(4), Signal(4)
        writes, reads, closes, ends = wants
        m.d.comb += wants.eq(Cat(written, asked.reads, asked.closes, asked.told.end) & ~done)
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
            window.alone.eq(~closes | ~asked.lines.any()),
            Value.cast(window.tail).eq(Value.cast(source.p.line)),
            window.first.eq(asked.first),
            window.until.eq(source.p.place + self._plan.window.closer),
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
            read.count.eq(asked.lines - self._kept if self._kept else asked.lines),
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
