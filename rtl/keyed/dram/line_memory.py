"""The memory of lines, behind AXI4 masters or on the chip: M3, the last of the three levels."""

from amaranth.hdl import Cat, Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import Counter, events
from rtl.keyed.dram.line_port import LinePort
from rtl.keyed.dram.line_stripes import LineCollector, LineDealer, marked_line, turn_layout
from rtl.memory.axi4 import Axi4
from rtl.memory.block import KINDS
from rtl.memory.chip_memory import ChipMemory
from rtl.stream.queue import StreamQueue

#: Where the lines are: behind AXI4 masters of the design, or on the chip in block RAM or UltraRAM.
LINE_MEMORIES = ("external", *KINDS)


def counters_of(ports):
    """Returns the counters of a line memory."""
    return (
        Counter(name="m3_lines_read", doc="lines of 64 bytes read from M3", max_increment=ports),
        Counter(
            name="m3_lines_written", doc="lines of 64 bytes written to M3", max_increment=ports
        ),
    )


class LineMemory(wiring.Component):
    """Rings of lines in memory, one ring for each key, behind 1, 2 or 4 ports.

    A command writes one complete line, or reads consecutive lines of a ring, which may wrap at the
    end of the ring. Lines are distributed over the ports
    (:class:`~rtl.keyed.dram.lines.LineMap`), so a read of n lines runs at all ports at once. The
    lines at ``lines`` are in order, with ``first`` and ``last`` marks. For instance with rings of 8
    lines, a read of 4 lines from line 14 returns lines 14, 15, 8, 9.

    ::

        commands --> LineDealer --> LinePort 0 .. ports - 1 --> LineCollector --> lines
                        |             |  m_axi_0 ..                   |
                        +----------> turns of reads ------------------+

    With the ``kind`` "external" each port is an AXI4 master of this component. With "block" or
    "ultra" a :class:`~rtl.memory.chip_memory.ChipMemory` inside answers each port, and ``bases``
    are ignored.

    *Order.* Each read returns the data of earlier writes and never the data of later writes. Reads
    complete in the order of their commands. Only a burst that shares a line with an unanswered
    burst waits, and with it all later bursts of its port.

    *Stalls.* A stall at ``lines`` stops reads when all places of a port's buffer are reserved. It
    stops ``commands`` when a port's queue is full, or when ``turns`` reads wait for their lines.

    *End of work.* Streams have no end; ``busy`` is low when all commands are complete. Bursts
    complete by themselves, so a core that has stopped its commands may be reset as soon as its
    masters are quiet.

    *Errors.* A line that was answered with an error has ``error`` set. A write that was answered
    with an error is reported in ``failed`` with its line, whose content is then undefined. Later
    commands continue in both cases.

    Assume an idle memory whose ports answer after m cycles. Latency ``m + 6 + beats`` cycles from a
    command to its first line, then one line in every cycle if ``ports >= beats``, or else ``ports /
    beats`` lines per cycle. Initiation interval 1 cycle for commands. A write's address is offered
    5 cycles after its command. A read of a line with an unanswered write starts when the write is
    answered: with answers after m cycles its port is idle for up to m + 5 cycles. Lines in the
    other ports' buffers and earlier lines in its own may hide the gap.

    *Addresses.* ``bases`` has the address of each port's first byte, in multiples of 4 KiB. It is a
    host setting, because software allocates memory at run time. Ports of one memory, such as those
    of a Zynq, have ``bases[k] = base + k * lines.port_bytes / 4096``; ports of separate memories
    have any base with enough room.

    Parameters
    ----------
    lines : LineMap
    kind : str
        Where the lines are, one of :data:`LINE_MEMORIES`.
    turns : int
        Maximum count of reads that wait for their lines, at least 2.
    **port
        Sizes of each port: ``commands``, ``writes``, ``reads`` and ``buffer_lines``, as for
        :class:`~rtl.keyed.dram.line_port.LinePort`.

    Members
    -------
    commands : In(stream.Signature(lines.command()))
    bases : In(data.ArrayLayout(lines.base_bits, lines.ports))
        Constant while ``busy``.
    lines : Out(stream.Signature(marked_line()))
    failed : Out(data.ArrayLayout(data.StructLayout({"valid": 1, "line": line_bits}), ports))
        Of each port: a write that is answered with an error in the cycle.
    events : Out(events(counters_of(ports)))
    busy : Out(1)
        High while a burst is unanswered, or a command or line is inside.
    m_axi_0, ... : Out(Axi4(...)), or none
        One for each port with the ``kind`` "external".

    Source: seed 000, sections 3.2 and 3.3 (M3, a circular block of lines for each key).
    """

    initiation_interval = 1

    def __init__(self, lines, *, kind="external", turns=32, **port):
        if kind not in LINE_MEMORIES:
            names = ", ".join(LINE_MEMORIES)
            raise ValueError(f"kind must be one of {names}, not {kind!r}")
        self._map = lines
        self._kind = kind
        self._ports = [LinePort(lines, **port) for _ in range(lines.ports)]
        self._dealer = LineDealer(lines)
        self._collector = LineCollector(lines)
        self._turns = StreamQueue(turn_layout(lines), turns)
        failed = data.StructLayout({"valid": 1, "line": lines.line_bits})
        axi = Axi4(data_width=lines.data_width, address_width=lines.address_width)
        masters = lines.ports if kind == "external" else 0
        super().__init__(
            {
                "commands": In(stream.Signature(lines.command())),
                "bases": In(data.ArrayLayout(lines.base_bits, lines.ports)),
                "lines": Out(stream.Signature(marked_line())),
                "failed": Out(data.ArrayLayout(failed, lines.ports)),
                "events": Out(events(counters_of(lines.ports))),
                "busy": Out(1),
                **{f"m_axi_{k}": Out(axi) for k in range(masters)},
            }
        )

    @staticmethod
    def latency_of(lines, memory):
        """Latency from a read to its first line, in cycles, with a memory of latency ``memory``."""
        return LineDealer.latency + LinePort.latency_of(lines, memory)

    @property
    def latency(self):
        """Latency with a memory of latency 0, in cycles."""
        return self.latency_of(self._map, 0)

    @staticmethod
    def memory_bits_of(lines, buffer_lines=512, kind="external"):
        """Returns the size of all memories on the chip, in bits, without making the component."""
        buffers = lines.ports * LinePort.memory_bits_of(buffer_lines)
        if kind == "external":
            return buffers
        rows = ChipMemory.depth_of(lines.port_bytes, lines.data_width)
        return buffers + lines.ports * rows * lines.data_width

    def elaborate(self, platform):
        m = Module()
        m.submodules.dealer = dealer = self._dealer
        m.submodules.collector = collector = self._collector
        m.submodules.turns = turns = self._turns
        wiring.connect(m, wiring.flipped(self.commands), dealer.i)
        wiring.connect(m, dealer.turns, turns.i)
        wiring.connect(m, turns.o, collector.turns)
        wiring.connect(m, collector.o, wiring.flipped(self.lines))
        for k, port in enumerate(self._ports):
            m.submodules[f"port{k}"] = port
            wiring.connect(m, dealer.ports[k], port.i)
            wiring.connect(m, port.o, collector.ports[k])
            self._connect(m, k, port)
            m.d.comb += [
                self.failed[k].valid.eq(port.failed),
                self.failed[k].line.eq(self._map.line_at(k, port.failed_line)),
            ]
        ports = self._ports
        m.d.comb += [
            self.events.m3_lines_read.eq(sum(port.read for port in ports)),
            self.events.m3_lines_written.eq(sum(port.written for port in ports)),
            self.busy.eq(
                dealer.busy | turns.o.valid | collector.busy | Cat(p.busy for p in ports).any()
            ),
        ]
        return m

    def _connect(self, m, k, port):
        """Connects port ``k`` to the master ``m_axi_k``, or to a memory on the chip."""
        if self._kind == "external":
            wiring.connect(m, port.m_axi, wiring.flipped(getattr(self, f"m_axi_{k}")))
            m.d.comb += port.base.eq(self.bases[k])
            return
        memory = ChipMemory(
            data_width=self._map.data_width,
            address_width=self._map.address_width,
            depth=ChipMemory.depth_of(self._map.port_bytes, self._map.data_width),
            kind=self._kind,
        )
        m.submodules[f"memory{k}"] = memory
        wiring.connect(m, port.m_axi, memory.axi)
