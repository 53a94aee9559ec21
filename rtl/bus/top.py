"""Builds the top of an engine that ships: flat AXI ports around the core, as the design says."""

from amaranth.hdl import Cat, ClockDomain, Const, Module, ResetInserter, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from rtl.bus.attributes import add_attributes
from rtl.bus.axi_memory import MemoryGuard
from rtl.bus.gearbox import Gearbox
from rtl.bus.ports import axi_buses_of, axi_ports_of
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import ADDRESS_WIDTH
from rtl.bus.shared_registers import SharedRegisters
from rtl.bus.stream_gate import StreamGate
from rtl.bus.stream_master import StreamMaster
from rtl.bus.stream_slave import StreamSlave
from rtl.bus.top_registers import (
    bus_counters,
    counters_of,
    flags_of,
    link_settings,
    link_status,
    network_counters,
    network_settings,
    registers_of,
)
from rtl.contract.design import FRAMES
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.receive import Receive
from rtl.ethernet.transmit import Transmit
from rtl.memory.axi4 import ATTRIBUTES
from rtl.stream.queue import StreamQueue

#: Latency of the skid buffers around the core, in cycles.
SKID_LATENCY = StreamSlave.latency + StreamMaster.latency


def latency_around_core(design):
    """Returns the latency of the blocks around the core, in cycles.

    The sum always includes the skid buffers. A stream with a gearbox
    (:attr:`~rtl.contract.buses.StreamBus.geared`) adds the gearbox, and at the output also a queue.
    A network adds both directions of the face: from the end of a received datagram to its first
    bytes, and from a full datagram of rows to the beginning of its frame. For instance 2 cycles for
    the skid buffers alone, 7 with gearboxes at both streams, and 34 with a network and no gearbox.
    """
    input_gearbox, output_gearbox = (Gearbox.latency * bus.geared for bus in design.streams[:2])
    output_queue = StreamQueue.latency * bool(output_gearbox)
    network = (Receive.latency + Transmit.latency) * design.face.network
    return SKID_LATENCY + input_gearbox + output_gearbox + output_queue + network


class AxiTop(wiring.Component):
    """Wraps an engine's core in the ports of an IP core.

    ::

        s_axis -> skid buffer -> core -> skid buffer -> m_axis
                       |        |    |        |
        s_axil <-> register file:    +---- guard -> m_axi, if the core uses a memory
                   settings, errors, counters

    Everything runs on ``aclk``; ``aresetn`` is active low and sampled at the rising edge of
    ``aclk``.

    A soft reset may come in any cycle, and breaks no rule at any port. The reset drops the contents
    of the engine, and clears counters and errors. The input accepts and drops the rest of the
    current stream. The output sends its stored beats, and, within a packet, a beat without rows
    that ends the packet; bursts on a memory come to their end. ``busy`` of ``status`` is high until
    all of these steps are complete, and whenever tuples or rows are in the engine. A stream that
    begins when ``busy`` is low is processed as the first stream. (A stream that begins earlier is
    processed correctly, too, but a design with memories stalls the stream until the bursts have
    ended.) For instance with two reads under way: the core is reset in the cycle after the last
    data of both, and ``busy`` stays high until then.

    The blocks for the design's :class:`~rtl.contract.face.Face` are between the skid buffers and
    the core::

        s_axis -> skid buffer -> [gearbox] -> [gate] -> core
                                                 |
        core -> [ends of packets] -> [queue, gearbox] -> [cutter] -> skid buffer -> m_axis

    A soft reset empties the gearbox at the input; the blocks at the output send their contents. The
    gate lets in one stream at a time, if the output must mark the ends of streams.

    With a network the pins belong to a MAC, and a :class:`~rtl.ethernet.face.NetworkFace` is
    between the pins and both skid buffers. With a link to a host, datagrams reach the registers
    through :class:`~rtl.bus.shared_registers.SharedRegisters`, which is between ``s_axil`` and the
    register file. A soft reset does not change the network face: earlier datagrams wait in the face
    as they would on a wire, and the face sends the rows that it has taken::

        s_axis_rx -> NetworkFace -> s_axis ... m_axis -> NetworkFace -> m_axis_tx

    Latency: the core's latency plus :func:`latency_around_core` cycles.
    Initiation interval 1 cycle.

    Parameters
    ----------
    design : Design

    Members
    -------
    aclk, aresetn : In(1)
    s_axis_* : tuples in, a slave; with ``tuser`` when the input has punctuations
    m_axis_* : rows out, a master
    s_axil_* : registers, a slave, see :mod:`rtl.bus.registers`
    and the ports of every further stream and memory master of the design, and ``interrupt`` when
    its face has one
    """

    initiation_interval = 1

    def __init__(self, design):
        self._design = design
        self._buses = {bus.name: bus for bus in axi_buses_of(design)}
        joins = design.face.joins(design.rows)
        marks = design.face.marks(design.rows)
        #: The parameter ``ends`` of StreamMaster: how the output shows the end of a stream.
        self._ends = "join" if joins else "mark" if marks else None
        super().__init__(axi_ports_of(design))
        if design.face.bus == "axi":  # otherwise the top that ships is a FacedTop around this top
            add_attributes(self, self._buses.values())

    def _connect(self, m, name, block):
        """Connects the flat ports of a bus to the members of ``block``, each in its own
        direction."""
        for role, member in self._buses[name].members.items():
            if role not in block.signature.members:  # driven by a constant
                continue
            port = getattr(self, f"{name}_{role}")
            inner = getattr(block, role)
            m.d.comb += inner.eq(port) if member.flow is In else port.eq(inner)

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain()
        m.d.comb += [sync.clk.eq(self.aclk), sync.rst.eq(~self.aresetn)]
        design = self._design
        m.submodules.registers = registers = RegisterFile(
            registers_of(design),
            settings=design.settings,
            counters=counters_of(design),
            flags=flags_of(design),
            network=(*network_settings(design), *link_settings(design)),
            link_status=link_status(design),
            always_counted=[c.name for c in (*network_counters(design), *NetworkFace.flags)],
            counter_memory=design.face.host_link,
        )
        if not design.face.host_link:
            self._connect(m, "s_axil", registers.bus)
        core = design.create()
        hold, core_reset = self._soft_reset(m, core, registers)
        m.submodules.core = ResetInserter(core_reset)(core)
        blocks = [self._stream(m, bus, core, registers) for bus in design.streams]
        gates = self._gate(m, blocks, core, hold, core_reset)
        for block in blocks:
            m.d.comb += [block.clear.eq(registers.soft_reset), block.hold.eq(hold)]
            if "empty" in block.signature.members:
                m.d.comb += block.empty.eq(core_reset)
        faces = self._network(m, *blocks[:2], registers)
        busy = Cat(core.busy, hold, *(part.busy for part in (*blocks, *gates, *faces)))
        m.d.comb += [registers.busy.eq(busy.any()), registers.dropping.eq(hold)]
        if design.face.interrupt:
            stream_end = blocks[0].events.streams & ~hold
            m.d.comb += self.interrupt.eq(registers.interrupt)
            m.d.comb += registers.finished.eq(
                self._stream_done(m, stream_end, busy.any(), registers.soft_reset)
            )
        for counter in design.counters:
            m.d.comb += registers.events[counter.name].eq(core.events[counter.name])
        for flag in design.flags:
            m.d.comb += registers.errors[flag.name].eq(core.errors[flag.name])
        return m

    def _soft_reset(self, m, core, registers):
        """Adds the memory guards, and returns two bits: ``hold``, and the reset of the core.

        A soft reset resets the core as soon as no burst is under way. Until then ``hold`` is high:
        the input is stalled, and rows are dropped. Without memories a soft reset resets the core at
        once, and ``hold`` is always 0.
        """
        guards = []
        for bus in self._design.memories:
            m.submodules[bus.name] = guard = MemoryGuard(bus)
            wiring.connect(m, getattr(core, bus.port), guard.i)
            self._connect(m, bus.name, guard.o)
            for channel in ("aw", "ar"):
                for role, (_, value) in ATTRIBUTES.items():
                    m.d.comb += getattr(self, f"{bus.name}_{channel}{role}").eq(value)
            guards.append(guard)
        if not guards:
            return Const(0), registers.soft_reset
        stopping = Signal()
        core_reset = Signal(name="soft_reset")
        m.d.comb += core_reset.eq(stopping & Cat(guard.quiet for guard in guards).all())
        m.d.comb += [guard.stop.eq(stopping) for guard in guards]
        m.d.sync += stopping.eq((stopping & ~core_reset) | registers.soft_reset)
        return stopping, core_reset

    def _stream(self, m, bus, core, registers):
        """Connects a stream's pins, its skid buffer and the core's stream; returns the component
        with the skid buffer."""
        if bus.slave:
            main = bus.name == "s_axis"
            block = StreamSlave(
                bus.packing,
                bus.layout,
                bus.lanes,
                gaps=bus.gaps,
                context=bus.settings,
                user=bus.user,
                longest=self._design.stream_max if main else None,
                width=bus.bytes,
                short=bus.short,
            )
            if not main or self._ends is None:
                wiring.connect(m, block.o, getattr(core, bus.port))
            if main:
                for flag in block.flags:
                    m.d.comb += registers.errors[flag.name].eq(block.errors[flag.name])
            if bus.settings:
                m.d.comb += block.context.eq(self._settings(m, registers, bus.name))
        else:
            packet_options = {}
            if bus.name == "m_axis":
                face = self._design.face
                packet_options = {"ends": self._ends, "packet_limit": face.beats}
                packet_options |= {"flushes": True} if face.host_link else {}
            block = StreamMaster(
                bus.packing, bus.layout, bus.lanes, width=bus.bytes, **packet_options
            )
            wiring.connect(m, getattr(core, bus.port), block.i)
        m.submodules[bus.name] = block
        if bus.name in self._buses:
            self._connect(m, bus.name, block.bus)
        for name, counter in bus_counters(bus):
            m.d.comb += registers.events[counter.name].eq(block.events[name])
        return block

    def _network(self, m, tuples, rows, registers):
        """Connects the network face between the pins and the blocks of tuples and of rows.

        Returns a tuple with the face, or an empty tuple for a design without a network.
        """
        design = self._design
        if not design.face.network:
            return ()
        sizes = design.input.packing.bytes, design.rows.packing.bytes
        face = NetworkFace(
            *sizes,
            host_link=design.face.host_link,
            punctuations=design.input.punctuations,
        )
        m.submodules.network = face
        for bus, pins in zip(FRAMES, (face.rx, face.tx), strict=True):
            self._connect(m, bus.name, pins)
        wiring.connect(m, face.tuples, tuples.bus)
        wiring.connect(m, rows.bus, face.rows)
        if design.face.host_link:
            self._link(m, face, registers, rows)
        for setting in (*network_settings(design), *link_settings(design)):
            if setting.name == "flush_cycles":  # a setting of the block of the rows, see _link
                continue
            m.d.comb += getattr(face, setting.name).eq(registers.network[setting.name])
        for counter in network_counters(design):
            m.d.comb += registers.events[counter.name].eq(face.events[counter.name])
        for flag in NetworkFace.flags:
            m.d.comb += registers.errors[flag.name].eq(face.errors[flag.name])
        return (face,)

    def _link(self, m, face, registers, rows):
        """Lets pins and datagrams share the registers; connects flushes and status of the link."""
        m.submodules.shared = shared = SharedRegisters(ADDRESS_WIDTH)
        self._connect(m, "s_axil", shared.pins)
        wiring.connect(m, shared.bus, registers.bus)
        wiring.connect(m, face.access, shared.access)
        m.d.comb += [
            face.read_value.eq(shared.read_value),
            rows.flush_cycles.eq(registers.network.flush_cycles),
            rows.flush_restart.eq(face.row_datagram_ends),
        ]
        for name in link_status(self._design):
            m.d.comb += registers.link_status[name].eq(getattr(face, name))

    def _gate(self, m, blocks, core, hold, core_reset):
        """Adds the gate that lets in one stream at a time, if the output marks the ends of streams.

        Returns a tuple with the gate, or an empty tuple for a design without a gate.
        """
        if self._ends is None:
            return ()
        tuples_block, rows_block = blocks[:2]
        gate = StreamGate(tuples_block.o.payload.shape())
        m.submodules.gate = ResetInserter(core_reset)(gate)
        wiring.connect(m, tuples_block.o, gate.i)
        wiring.connect(m, gate.o, core.i)
        m.d.comb += [
            gate.core_busy.eq(core.busy),
            gate.ready_to_finish.eq(rows_block.ready_to_finish),
            gate.hold.eq(hold),
            rows_block.finish.eq(gate.finish),
        ]
        return (gate,)

    def _stream_done(self, m, stream_end, busy, clear):
        """Returns a bit, high for one cycle: a stream has ended, and all its rows have left.

        A ``clear`` forgets a stream that has ended.
        """
        stream_ended = Signal()
        stream_done = stream_ended & ~busy
        m.d.sync += stream_ended.eq((stream_end | (stream_ended & ~stream_done)) & ~clear)
        return stream_done

    def _settings(self, m, registers, name):
        """Returns the settings in the registers; a slave samples them at a stream's first beat."""
        settings = Signal(self._design.settings.layout, name=f"{name}_settings")
        if self._design.settings.functions:
            m.d.comb += settings.function.eq(registers.function)
        for setting in self._design.settings.numbers:
            m.d.comb += settings[setting.name].eq(registers.settings[setting.name])
        return settings
