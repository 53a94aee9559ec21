"""The shipped top of an engine: flat AXI ports around its core, as its design declares them."""

from dataclasses import replace

from amaranth.hdl import Cat, ClockDomain, Const, Module, ResetInserter, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from rtl.bus.attributes import add_attributes
from rtl.bus.axi_memory import MemoryGuard
from rtl.bus.axi_stream import StreamMaster, StreamSlave
from rtl.bus.gearbox import Gearbox
from rtl.bus.ports import axi_buses_of, axi_ports_of
from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import capabilities, register_map
from rtl.bus.stream_gate import StreamGate
from rtl.contract.counters import BAD_SETTING, Flag
from rtl.contract.design import FRAMES
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.receive import Receive
from rtl.ethernet.settings import SETTINGS
from rtl.ethernet.transmit import Transmit
from rtl.memory.axi4 import ATTRIBUTES
from rtl.stream.queue import StreamQueue

BAD_FUNCTION = Flag(
    name="bad_function",
    doc="a function that the build does not have was written, and was not taken",
)


#: Cycles of the skid buffers around the core.
MORE_LATENCY = StreamSlave.latency + StreamMaster.latency


def more_latency(design):
    """Cycles of what stands around the core: skid buffers, and gearboxes where widths differ; with
    a network, its face: from the end of the last datagram, when the first one of rows is full.
    """
    into, out = (Gearbox.latency * bus.geared for bus in design.streams[:2])
    network = (Receive.latency + Transmit.latency) * design.face.network
    return MORE_LATENCY + into + out + StreamQueue.latency * bool(out) + network


def _block(bus):
    """The component between a stream's pins and the core."""
    return StreamSlave if bus.slave else StreamMaster


def _suffix(bus):
    """What tells the counters of a stream from those of the main one: "" for s_axis and m_axis."""
    return bus.name[len("s_axis") :]


def _bus_counters(bus):
    """What is counted at a stream's pins, under the names of the register map."""
    for counter in _block(bus).counters_of(bus.lanes):
        doc = counter.doc.format(bus=bus.name)
        yield counter.name, replace(counter, name=counter.name + _suffix(bus), doc=doc)


def counters_of(design):
    """All counters of a design's top: those of its streams, of its core, and of a network face."""
    streams = (c for bus in design.streams for _, c in _bus_counters(bus))
    return (*streams, *design.counters, *(NetworkFace.counters if design.face.network else ()))


def flags_of(design):
    """All bits of a design's status register; with settings ``bad_setting`` is always there."""
    network = NetworkFace.flags if design.face.network else ()
    judged = (BAD_SETTING,) if design.settings.numbers or network else ()
    flags = (BAD_FUNCTION, *StreamSlave.flags, *judged, *design.flags, *network)
    return tuple(dict.fromkeys(flags))


def network_settings(design):
    """What the host tells the network face of a design; empty without one."""
    return SETTINGS if design.face.network else ()


def registers_of(design):
    """The register map of a design's top: see :func:`rtl.bus.registers.register_map`."""
    settings = design.settings
    return register_map(
        configuration=design.configuration_hash,
        capabilities=capabilities(
            lanes=design.input.lanes,
            functions=len(settings.functions),
            selection=any(counter.name == "filtered" for counter in design.counters),
            settings=sum(setting.words for setting in settings.numbers),
        ),
        settings=settings,
        counters=counters_of(design),
        flags=flags_of(design),
        interrupt=design.face.interrupt,
        network=network_settings(design),
    )


class AxiTop(wiring.Component):
    """An engine as an IP core.

    ::

        s_axis -> skid buffer -> core -> skid buffer -> m_axis
                       |        |    |        |
        s_axil <-> register file:    +---- guard -> m_axi, if the core has it
                   settings, errors, counters

    Everything runs on ``aclk``; ``aresetn`` is active low and taken at its rising edge.

    A soft reset may come in any cycle, and breaks no rule at any port. What is inside is dropped,
    counters and errors are cleared. The input takes the rest of the stream that it was in, and
    drops it; the output gives what it has offered, and a beat without rows that ends the packet,
    if that was cut; bursts on a memory come to their end. ``busy`` of ``status`` is high until all
    that is over, as it is whenever anything is inside; a stream that begins after it is answered
    as the first one. (One that begins earlier is, too, but for memories: it waits for them.)

    What the design's :class:`~rtl.contract.face.Face` asks for stands between the skid buffers and
    the core::

        s_axis -> skid buffer -> [gearbox] -> [gate] -> core
                                                 |
        core -> [ends of packets] -> [queue, gearbox] -> [cutter] -> skid buffer -> m_axis

    The gearbox at the input is emptied by a soft reset, what is inside at the output goes out. The
    gate lets in one stream at a time, where ends of streams are to be told at the output.

    With a network the pins are those of a MAC, and a :class:`~rtl.ethernet.face.NetworkFace` stands
    before both skid buffers. A soft reset leaves it as it is: datagrams that came before wait there
    as they would on a wire, and rows that were offered to it are sent::

        s_axis_rx -> NetworkFace -> s_axis ... m_axis -> NetworkFace -> m_axis_tx

    Latency: the core's and :func:`more_latency` cycles. Initiation interval 1 cycle.

    Parameters
    ----------
    design : Design

    Members
    -------
    aclk, aresetn : In(1)
    s_axis_* : tuples in, a slave; with ``tuser`` when the input has punctuations
    m_axis_* : rows out, a master
    s_axil_* : registers, a slave, see :mod:`rtl.bus.registers`
    and those of every stream and memory master more that the design has, and ``interrupt`` when its
    face has one
    """

    initiation_interval = 1

    def __init__(self, design):
        self._design = design
        self._buses = {bus.name: bus for bus in axi_buses_of(design)}
        joins, marks = design.face.joins(design.rows), design.face.marks(design.rows)
        #: What a StreamMaster calls it.
        self._ends = "join" if joins else "mark" if marks else None
        super().__init__(axi_ports_of(design))
        if design.face.bus == "axi":  # otherwise it is not what ships
            add_attributes(self, self._buses.values())

    def _connect(self, m, name, inside):
        """The flat ports of a bus to the members of ``inside``, each in its own direction."""
        for role, member in self._buses[name].members.items():
            if role not in inside.signature.members:  # a constant
                continue
            port, inner = getattr(self, f"{name}_{role}"), getattr(inside, role)
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
            network=network_settings(design),
            unheld=[told.name for told in (*NetworkFace.counters, *NetworkFace.flags)],
        )
        self._connect(m, "s_axil", registers.bus)
        core = design.create()
        hold, empties = self._soft_reset(m, core, registers)
        m.submodules.core = ResetInserter(empties)(core)
        blocks = [self._stream(m, bus, core, registers) for bus in design.streams]
        gates = self._gate(m, blocks, core, hold, empties)
        for block in blocks:
            m.d.comb += [block.clear.eq(registers.soft_reset), block.hold.eq(hold)]
            if "empty" in block.signature.members:
                m.d.comb += block.empty.eq(empties)
        faces = self._network(m, *blocks[:2], registers)
        busy = Cat(core.busy, hold, *(part.busy for part in (*blocks, *gates, *faces)))
        m.d.comb += [registers.busy.eq(busy.any()), registers.held.eq(hold)]
        if design.face.interrupt:
            ended = blocks[0].events.streams & ~hold
            m.d.comb += self.interrupt.eq(registers.interrupt)
            m.d.comb += registers.done.eq(self._done(m, ended, busy.any(), registers.soft_reset))
        for counter in design.counters:
            m.d.comb += registers.events[counter.name].eq(core.events[counter.name])
        for flag in design.flags:
            m.d.comb += registers.errors[flag.name].eq(core.errors[flag.name])
        return m

    def _soft_reset(self, m, core, registers):
        """When streams are held, and when the core is reset: as soon as the memories are quiet."""
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
        stops, empties = Signal(), Signal(name="soft_reset")
        m.d.comb += empties.eq(stops & Cat(guard.quiet for guard in guards).all())
        m.d.comb += [guard.stop.eq(stops) for guard in guards]
        m.d.sync += stops.eq((stops & ~empties) | registers.soft_reset)
        return stops, empties

    def _stream(self, m, bus, core, registers):
        """A stream's pins, its skid buffer, and the core's stream behind; gives the buffer."""
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
            told = {"ends": self._ends, "most": self._design.face.beats}
            told = told if bus.name == "m_axis" else {}
            block = StreamMaster(bus.packing, bus.layout, bus.lanes, width=bus.bytes, **told)
            wiring.connect(m, getattr(core, bus.port), block.i)
        m.submodules[bus.name] = block
        if bus.name in self._buses:
            self._connect(m, bus.name, block.bus)
        for name, counter in _bus_counters(bus):
            m.d.comb += registers.events[counter.name].eq(block.events[name])
        return block

    def _network(self, m, tuples, rows, registers):
        """The network face between the pins and both blocks, where there is one."""
        design = self._design
        if not design.face.network:
            return ()
        face = NetworkFace(design.input.packing.bytes, design.rows.packing.bytes)
        m.submodules.network = face
        for bus, pins in zip(FRAMES, (face.rx, face.tx), strict=True):
            self._connect(m, bus.name, pins)
        wiring.connect(m, face.tuples, tuples.bus)
        wiring.connect(m, rows.bus, face.rows)
        for setting in SETTINGS:
            m.d.comb += getattr(face, setting.name).eq(registers.network[setting.name])
        for counter in NetworkFace.counters:
            m.d.comb += registers.events[counter.name].eq(face.events[counter.name])
        for flag in NetworkFace.flags:
            m.d.comb += registers.errors[flag.name].eq(face.errors[flag.name])
        return (face,)

    def _gate(self, m, blocks, core, hold, empties):
        """What lets in one stream at a time, where the ends of streams are to be told."""
        if self._ends is None:
            return ()
        given, rows = blocks[:2]
        gate = StreamGate(given.o.payload.shape())
        m.submodules.gate = ResetInserter(empties)(gate)
        wiring.connect(m, given.o, gate.i)
        wiring.connect(m, gate.o, core.i)
        m.d.comb += [
            gate.core_busy.eq(core.busy),
            gate.free.eq(rows.free),
            gate.hold.eq(hold),
            rows.finish.eq(gate.finish),
        ]
        return (gate,)

    def _done(self, m, ended, busy, forgets):
        """Whether all that came in is out, the end of a stream among it: for one cycle."""
        waits = Signal(name="stream_ended")
        done = waits & ~busy
        m.d.sync += waits.eq((ended | (waits & ~done)) & ~forgets)
        return done

    def _settings(self, m, registers, name):
        """The function and the numbers, for a slave to sample at a stream's first beat."""
        settings = Signal(self._design.settings.layout, name=f"{name}_settings")
        if self._design.settings.functions:
            m.d.comb += settings.function.eq(registers.function)
        for setting in self._design.settings.numbers:
            m.d.comb += settings[setting.name].eq(registers.settings[setting.name])
        return settings
