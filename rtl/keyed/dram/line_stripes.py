"""Deals the commands of a line memory to its ports, and puts the lines of reads in order again."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.lines import LINE
from rtl.stream.register import StreamRegister


def turn_layout(lines):
    """Returns the layout of a read for the collector, a *turn*.

    Members: ``port``, which holds the first line; ``within``, the place of this line in its stripe;
    ``more``, the number of lines after it.
    """
    count_bits = lines.command()["count"].width
    return data.StructLayout(
        {"within": lines.stripe_bits, "port": lines.port_bits, "more": count_bits}
    )


def marked_line():
    """Returns the layout of a line of a read, with marks of the ``first`` and ``last`` line."""
    return data.StructLayout({**LINE.members, "first": 1, "last": 1})


class LineDealer(wiring.Component):
    """Splits each command into its parts at the ports.

    :class:`~rtl.keyed.dram.lines.LineMap` distributes lines over the ports in stripes; a *row* is a
    stripe of each port. A write has one part, at its line's port. A read of n lines from L, which
    lies behind port p, has a part at each port that holds at least one of these lines: a *stretch*,
    lines that follow each other at the port. The first line of port k lies ``(k - p) % ports``
    stripes after the stripe of L, in the same row or in the next row; rows are counted within the
    ring. For instance with 4 ports, stripes of 1 line, and rings of 16 lines, which are 4 rows, in
    ring 0::

        read of 5 lines from 14     port 0    port 1    port 2       port 3
        lines 14, 15, 0, 1, 2       0         1         14, 2        15
        in rows                     0         0         3, 0         3

    Or in stripes of 2 lines, which are 2 rows::

        read of 5 lines from 7      port 0    port 1    port 2       port 3
        lines 7 to 11               8, 9      10, 11    -            7
        in rows                     1         1                      0

    A read of no lines is dropped. Each part is sent as soon as its port is ready, and the next
    command is split when all parts of the current command are sent. Invariant: **each port gets its
    parts in the order of the commands**. No path leads from one port's ready to another port's
    valid.

    Latency 1 cycle, initiation interval 1 cycle.

    Parameters
    ----------
    lines : LineMap

    Members
    -------
    i : In(stream.Signature(lines.command()))
    ports : Out(stream.Signature(lines.port_command())).array(lines.ports)
    turns : Out(stream.Signature(turn_layout(lines)))
        One turn for each read, in the order of the reads.
    busy : Out(1)
        High while a command is inside.

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, lines):
        self._lines = lines
        port = stream.Signature(lines.port_command())
        super().__init__(
            {
                "i": In(stream.Signature(lines.command())),
                "ports": Out(port).array(lines.ports),
                "turns": Out(stream.Signature(turn_layout(lines))),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        part = data.StructLayout({"present": 1, "stretch": self._lines.stretch()})
        dealt = {
            "reads": 1,
            "turn": turn_layout(self._lines),
            "parts": data.ArrayLayout(part, self._lines.ports),
            "data": LINE.members["data"],
        }
        m.submodules.dealt = register = StreamRegister(data.StructLayout(dealt))
        command = self.i.p
        dealing = register.i.p
        port = Signal(self._lines.port_bits)  # port of the first line
        m.d.comb += [
            port.eq(self._lines.port_of(command.line)),
            dealing.reads.eq(~command.write & command.count.any()),
            dealing.turn.within.eq(command.line[: self._lines.stripe_bits]),
            dealing.turn.port.eq(port),
            dealing.turn.more.eq(command.count - 1),
            dealing.data.eq(command.data),
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            self.busy.eq(register.o.valid),
        ]
        for k in range(self._lines.ports):
            self._deal(m, k, port, dealing.parts[k])
        self._send_parts(m, register.o)
        return m

    def _deal(self, m, k, port, part):
        """Computes the part of the command at port k. ``present`` is low if there is no part."""
        command = self.i.p
        lines = self._lines
        stripe = lines.stripe_bits
        within = command.line[:stripe]
        number = command.line[stripe:]
        place = number[: lines.port_bits]
        row = number[lines.port_bits :][: lines.ring_bits - stripe]
        ring = number[lines.port_bits + lines.ring_bits - stripe :]
        # Stripes from the stripe of the command's first line to the first stripe of port k.
        stripes_after = Signal(lines.port_bits, name=f"after{k}")
        wraps = (place + stripes_after)[lines.port_bits]  # port k's first line is in the next row
        next_row = (row + wraps)[: len(row)]
        rows = lines.port_ring_lines // lines.stripe_lines
        if rows & (rows - 1):
            next_row = Mux(wraps & (row == rows - 1), 0, next_row)
        # ``until``: place of the read's last line, counted from 0 at the beginning of the stripe of
        # its first line. ``stripes``: number of stripes by which the last stripe of the read comes
        # after port k's first one; negative if port k has none. Of 5 lines from 7 in stripes of 2,
        # ``until`` is 5, and ``stripes`` is 2 after port 3, and 1, 0, -1 after ports 0, 1 and 2.
        until = Signal(range(-1, lines.ring_lines + lines.stripe_lines), name=f"until{k}")
        stripes = Signal(range(-lines.ports, lines.ring_lines + 1), name=f"stripes{k}")
        # Port k has the last stripe of the read.
        ends = (stripes[: lines.port_bits] == 0) if stripe else 1
        first_within = Mux(stripes_after == 0, within, 0)
        last = Cat(
            Mux(ends, until[:stripe], Const(lines.stripe_lines - 1, stripe)),
            stripes[lines.port_bits :],
        )
        # A read of no lines would still have the stripe of its first line.
        reads = ~stripes[-1] & command.count.any() if stripe else ~stripes[-1]
        m.d.comb += [
            stripes_after.eq(k - port),
            until.eq(command.count + within - 1),
            stripes.eq((until >> stripe) - stripes_after),
            part.present.eq(Mux(command.write, stripes_after == 0, reads)),
            part.stretch.write.eq(command.write),
            part.stretch.line.eq(Cat(first_within[:stripe], next_row[: len(row)], ring)),
            part.stretch.more.eq(Mux(command.write, 0, last - first_within)),
        ]

    def _send_parts(self, m, dealt):
        """Sends each part of a command once, and accepts the command with the last part."""
        m.d.comb += Value.cast(self.turns.p).eq(dealt.p.turn)
        targets = [(self.turns, dealt.p.reads)]
        for port, part in zip(self.ports, dealt.p.parts, strict=True):
            targets.append((port, part.present))
            m.d.comb += Value.cast(port.p).eq(Cat(part.stretch, dealt.p.data))
        sent = Signal(len(targets))  # for each target, its part was sent in an earlier cycle
        must_wait = Cat(
            present & ~is_sent & ~target.ready
            for is_sent, (target, present) in zip(sent, targets, strict=True)
        )
        m.d.comb += dealt.ready.eq(~must_wait.any())
        for is_sent, (target, present) in zip(sent, targets, strict=True):
            m.d.comb += target.valid.eq(dealt.valid & present & ~is_sent)
            with m.If(dealt.valid):
                m.d.sync += is_sent.eq(~dealt.ready & (is_sent | target.ready))


class LineCollector(wiring.Component):
    """Collects the lines of each read from the ports in turn.

    A read whose first line lies behind port p has lines from ports p, p + 1, ..., and from port 0
    after the last port, a stripe from each; the first and the last stripe may be read in part. Each
    port delivers its lines in order, so the lines of a read are in order. For instance with 4 ports
    and stripes of 2 lines, a turn of port 3, ``within`` 1 and ``more`` 4 takes one line from port
    3, two from port 0 and two from port 1. The collector outputs one line in every cycle in which
    the current port has one; no cycle is lost between reads.

    Latency 0 cycles from ``ports`` to ``o``, 1 cycle from ``turns``. Initiation interval 1 cycle.

    Parameters
    ----------
    lines : LineMap

    Members
    -------
    ports : In(stream.Signature(LINE)).array(lines.ports)
    turns : In(stream.Signature(turn_layout(lines)))
    o : Out(stream.Signature(marked_line()))
    busy : Out(1)
        High while a read is incomplete.

    Source: ours; the next stage is the data collector of seed 000, section 3.4.5.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines):
        super().__init__(
            {
                "ports": In(stream.Signature(LINE)).array(lines.ports),
                "turns": In(stream.Signature(turn_layout(lines))),
                "o": Out(stream.Signature(marked_line())),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        turn = Signal(self.turns.p.shape(), reset_less=True)
        reading = Signal()
        first = Signal()
        selected = self._selected([Cat(port.valid, port.p) for port in self.ports], turn.port)
        transfer = self.o.valid & self.o.ready
        m.d.comb += [
            self.o.valid.eq(reading & selected[0]),
            Cat(self.o.p.data, self.o.p.error).eq(selected[1:]),
            self.o.p.first.eq(first),
            self.o.p.last.eq(turn.more == 0),
            self.turns.ready.eq(~reading | (transfer & self.o.p.last)),
            self.busy.eq(reading),
        ]
        for k, port in enumerate(self.ports):
            m.d.comb += port.ready.eq(reading & self.o.ready & (turn.port == k))
        with m.If(transfer):
            place_and_port = Cat(turn.within, turn.port)
            m.d.sync += [
                place_and_port.eq(place_and_port + 1),
                turn.more.eq(turn.more - 1),
                first.eq(0),
            ]
        with m.If(self.turns.ready):
            m.d.sync += [reading.eq(self.turns.valid), turn.eq(self.turns.p), first.eq(1)]
        return m

    @staticmethod
    def _selected(values, number):
        """Returns ``values[number]``; the number of values is a power of two."""
        for bit in number:
            values = [Mux(bit, b, a) for a, b in zip(values[::2], values[1::2], strict=True)]
        return values[0]
