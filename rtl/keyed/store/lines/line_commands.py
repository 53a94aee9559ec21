"""Generates memory commands: writes of lines, and reads of windows."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import step_layout
from rtl.keyed.store.lines.window_lines import window_layout


def request_layout(plan):
    """Returns the layout of the passenger of an item until its line is assembled.

    Members: the members of the item's step that the commands need, and ``reads``: the step closes a
    window with lines in M3, the lines before the item's line. If M2 also has the last full line of
    each key, this line is not read from M3, and ``reads_m2`` is high if the window includes it.
    """
    members = step_layout(plan).members
    names = ("line", "closes", "lines", "first", "window_info")
    flags = {"reads": 1, "reads_m2": 1} if plan.m2.has_previous_line else {"reads": 1}
    return data.StructLayout({**{name: members[name] for name in names}, **flags})


def ask(request, step):
    """Returns statements that assign a step to a view of :func:`request_layout`.

    A window from the cache reads nothing, so its request has no lines.
    """
    members = step.shape().members
    shared = [name for name in request.shape().members if name in members and name != "lines"]
    statements = [Value.cast(request[name]).eq(Value.cast(step[name])) for name in shared]
    is_cached = "cached" in members["window_info"].members
    lines = Mux(step.window_info.cached, 0, step.lines) if is_cached else step.lines
    statements.append(request.lines.eq(lines))
    reads_lines = step.closes & lines.any()
    if "reads_m2" in request.shape().members:
        return [
            *statements,
            request.reads.eq(reads_lines & (lines != 1)),
            request.reads_m2.eq(reads_lines),
        ]
    return [*statements, request.reads.eq(reads_lines)]


def grown_line_layout(plan):
    """Returns the layout of an item with its ``line``, which is valid up to the item's ``place``.

    Further members: ``entry``, ``valid`` (an item is present), ``passenger`` (the request). Output
    of :class:`~rtl.keyed.store.lines.tails.Tails` and
    :class:`~rtl.keyed.store.lines.line_updates.LineUpdates`.
    """
    item = {"place": range(plan.line.items), "valid": 1, "passenger": request_layout(plan)}
    return data.StructLayout({"line": plan.line.line, "entry": range(plan.entries), **item})


class LineCommands(wiring.Component):
    """Writes full lines, or the line of each item, and reads windows.

    ::

        i --+--> a line to be written ---------------------------------> commands
            +--> a window: a read of the lines before the item's line -> commands
            +--> and the item's line up to the item -------------------> windows

    If an item's line is written and the item closes a window, the item has two commands: first the
    write, and in the next cycle the read, while the next item may pass without a command. The
    window gets the item's line directly, and never waits for the write. An item is accepted when
    the write is accepted, so a later read of the line reads the written data.

    If M2 has the last full line of each key, this line is not read: n - 1 lines are read for a
    window with n lines before the item's line, and none if n - 1 is 0.

    ``window_info.end`` makes an empty window after the last window. If the stream's last tuple
    closes a window, the empty window follows in a cycle of its own.

    Order is kept. Latency 0 cycles. Initiation interval 1 cycle; one command goes out per cycle, so
    consecutive items with two commands take 2 cycles each. A stall at ``commands`` or ``windows``
    stalls ``i``.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a LineStore.
    each : bool
        True if the line is written with each item, not only when the line is full.

    Members
    -------
    i : In(stream.Signature(grown_line_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(window_layout(plan.line, plan.window_info)))

    Source: seed 000, section 3.3 and figure 10.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, *, each=False):
        self._plan = plan
        self._each = each
        windows = window_layout(plan.line, plan.window_info)
        super().__init__(
            {
                "i": In(stream.Signature(grown_line_layout(plan))),
                "commands": Out(stream.Signature(plan.lines.command())),
                "windows": Out(stream.Signature(windows)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        self._command(m, self.i)
        return m

    def _command(self, m, source):
        """Carries out the requests of the item, and accepts it after the last of them."""
        request = source.p.passenger
        written = source.p.valid & (self._each | source.p.place.all())
        pending = Signal(4)
        accepted = Signal(4)
        finished = Signal(4)
        writes, reads, closes, ends = pending
        m.d.comb += pending.eq(
            Cat(written, request.reads, request.closes, request.window_info.end) & ~finished
        )
        ordered = self._order(m, source, writes, reads)
        m.d.comb += [
            self.windows.valid.eq(source.valid & (closes | ends)),
            accepted.eq(Cat(ordered, ordered, self.windows.ready, self.windows.ready & ~closes)),
            source.ready.eq((pending & ~accepted) == 0),
        ]
        with m.If(source.valid):
            m.d.sync += finished.eq(Mux(source.ready, 0, finished | (pending & accepted)))
        window = self.windows.p
        m.d.comb += [
            window.alone.eq(~closes | ~request.lines.any()),
            Value.cast(window.tail).eq(Value.cast(source.p.line)),
            window.first.eq(request.first),
            window.until.eq(source.p.place + self._plan.window.includes_closing_value),
            window.empty.eq(~closes),
            window.passenger.eq(request.window_info),
            window.passenger.end.eq(~closes),
        ]

    def _order(self, m, source, writes, reads):
        """Issues a write, a read, or both in turn; returns a bit: the item's command is accepted.

        After the write of an item with both commands the state READ issues the saved read.
        """
        tail = source.p
        request = source.p.passenger
        command = self.commands.p
        begin = (request.line - request.lines)[: len(request.line)]  # in the ring
        in_m2 = self._plan.m2.lines - 1  # full lines of each key in M2, which are not read
        read_layout = {"line": len(command.line), "count": len(command.count)}
        read = Signal(data.StructLayout(read_layout))
        saved_read = Signal(data.StructLayout(read_layout))
        accepted = Signal()
        m.d.comb += [
            read.line.eq(Cat(begin, tail.entry)),
            read.count.eq(request.lines - in_m2 if in_m2 else request.lines),
            command.data.eq(self._plan.line.packed(tail.line)),
        ]
        with m.FSM():
            with m.State("ITEM"):
                m.d.comb += [
                    self.commands.valid.eq(source.valid & (writes | reads)),
                    command.write.eq(writes),
                    command.line.eq(Mux(writes, Cat(request.line, tail.entry), read.line)),
                    command.count.eq(read.count),
                ]
                with m.If(self.commands.ready):
                    m.d.comb += accepted.eq(1)
                    m.d.sync += saved_read.eq(read)
                    with m.If(source.valid & writes & reads):
                        m.next = "READ"
            with m.State("READ"):
                m.d.comb += [
                    self.commands.valid.eq(1),
                    command.line.eq(saved_read.line),
                    command.count.eq(saved_read.count),
                ]
                with m.If(self.commands.ready):
                    m.next = "ITEM"
        return accepted
