"""The shipped top of an engine: flat AXI ports around its core."""

from amaranth.hdl import Cat, ClockDomain, Module, Mux, ResetInserter, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.bus.axi_lite import axi_lite_members
from rtl.bus.axi_stream import StreamMaster, StreamSlave, axi_stream_members
from rtl.contract.packing import Packing
from rtl.bus.register_file import ADDRESS_WIDTH, RegisterFile
from rtl.bus.registers import capabilities, register_map


def _prefixed(prefix, members):
    return {f"{prefix}_{name}": member for name, member in members.items()}


def _count(m, bits, name):
    """How many of ``bits`` are high."""
    lanes = Signal(len(bits), name=name)
    m.d.comb += lanes.eq(bits)
    return sum(lanes[k] for k in range(len(bits)))


class AxiTop(wiring.Component):
    """An engine as an IP core.

    ::

        s_axis -> skid buffer -> core -> skid buffer -> m_axis
                       |          |          |
        s_axil <-> register file: settings, errors, counters

    Everything runs on ``aclk``; ``aresetn`` is active low and taken at its rising edge. A soft
    reset empties core and buffers and clears counters and errors.

    Latency: the core's and 2 cycles. Initiation interval 1 cycle.

    Parameters
    ----------
    parameters : Parameters
        An engine's design point.

    Members
    -------
    aclk, aresetn : In(1)
    s_axis_* : tuples in, a slave; with ``tuser`` when the parameters are punctuated
    m_axis_* : rows out, a master
    s_axil_* : registers, a slave, see :mod:`rtl.bus.registers`
    """

    initiation_interval = 1

    def __init__(self, parameters):
        self.parameters = parameters
        self.input_packing = Packing(parameters.input_fields)
        self.row_packing = Packing(parameters.row_fields)
        self.functions = parameters.functions
        self.registers = register_map(
            configuration=parameters.configuration_hash,
            capabilities=capabilities(
                lanes=parameters.lanes,
                functions=len(self.functions),
                selection=parameters.selects,
                settings=sum(setting.words for setting in parameters.run_time),
            ),
            functions=self.functions,
            settings=parameters.run_time,
        )
        lanes = parameters.lanes
        user = int(parameters.punctuated)
        s_axis = axi_stream_members(self.input_packing.bytes * lanes, In, user)
        m_axis = axi_stream_members(self.row_packing.bytes * lanes, Out)
        super().__init__(
            {
                "aclk": In(1),
                "aresetn": In(1),
                **_prefixed("s_axis", s_axis),
                **_prefixed("m_axis", m_axis),
                **_prefixed("s_axil", axi_lite_members(ADDRESS_WIDTH)),
            }
        )
        self._attributes()

    @property
    def name(self):
        """Name of the top module, as in the Verilog."""
        return "sluice_" + self.parameters.engine.replace("-", "_")

    def _attributes(self):
        """What Vivado's IP packager reads: which port belongs to which interface."""
        buses = {"s_axis": "axis:1.0", "m_axis": "axis:1.0", "s_axil": "aximm:1.0"}
        for path, _, port in self.signature.flatten(self):
            prefix, _, role = path[0].rpartition("_")
            if prefix in buses:
                port.attrs["X_INTERFACE_INFO"] = (
                    f"xilinx.com:interface:{buses[prefix]} {prefix.upper()} {role.upper()}"
                )
        self.aclk.attrs["X_INTERFACE_INFO"] = "xilinx.com:signal:clock:1.0 aclk CLK"
        self.aclk.attrs["X_INTERFACE_PARAMETER"] = (
            "ASSOCIATED_BUSIF S_AXIS:M_AXIS:S_AXIL, ASSOCIATED_RESET aresetn"
        )
        self.aresetn.attrs["X_INTERFACE_INFO"] = "xilinx.com:signal:reset:1.0 aresetn RST"
        self.aresetn.attrs["X_INTERFACE_PARAMETER"] = "POLARITY ACTIVE_LOW"

    def _connect(self, m, prefix, bus):
        """Flat ports of ``prefix`` to the members of ``bus``, each in its own direction."""
        for name, member in bus.signature.members.items():
            port, inner = getattr(self, f"{prefix}_{name}"), getattr(bus, name)
            m.d.comb += inner.eq(port) if member.flow is In else port.eq(inner)

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain()
        m.d.comb += [sync.clk.eq(self.aclk), sync.rst.eq(~self.aresetn)]

        parameters, lanes = self.parameters, self.parameters.lanes
        core = parameters.create()
        slave = StreamSlave(
            self.input_packing,
            parameters.tuple_layout,
            lanes,
            gaps=parameters.gaps,
            context=parameters.settings_layout.size,
            user=int(parameters.punctuated),
        )
        master = StreamMaster(self.row_packing, parameters.row_layout, lanes)
        events = {"tuples": lanes, "rows": lanes, "streams": 1, "stall_in": 1, "stall_out": 1}
        events |= dict.fromkeys(parameters.dropped, lanes)
        m.submodules.registers = registers = RegisterFile(
            self.registers,
            functions=len(self.functions),
            increments=events,
            settings=parameters.run_time,
        )
        resettable = ResetInserter(registers.soft_reset)
        m.submodules.slave = resettable(slave)
        m.submodules.core = resettable(core)
        m.submodules.master = resettable(master)

        wiring.connect(m, slave.o, core.i)
        wiring.connect(m, core.o, master.i)
        self._connect(m, "s_axis", slave.bus)
        self._connect(m, "m_axis", master.bus)
        self._connect(m, "s_axil", registers.bus)
        if parameters.settings_layout.size:
            self._set(m, registers, slave)
        if parameters.run_time:
            self._watch_settings(m, registers, core)
        self._count(m, registers, slave, core, master)
        if parameters.stream_max is not None:
            self._measure(m, registers, slave)
        return m

    def _set(self, m, registers, slave):
        """The function and the settings, for the slave to sample at a stream's first beat."""
        settings = Signal(self.parameters.settings_layout)
        if self.functions:
            m.d.comb += settings.function.eq(registers.function)
        for setting in self.parameters.run_time:
            m.d.comb += settings[setting.name].eq(registers.settings[setting.name])
        m.d.comb += slave.context.eq(settings)

    def _watch_settings(self, m, registers, core):
        """A write that the engine refuses, or a stream that began with settings it refuses.

        Each setting is judged alone, as the others may be still to be written: meanwhile they stand
        at ``lanes``, which any setting may be but one that has the width of a narrow column, a
        constant of WHERE or a signed one: that stands at 0. The query's own would make hardware
        depend on it.
        """
        parameters = self.parameters
        refused = []
        for written, _ in registers.written.shape():
            settings = Signal(parameters.settings_layout, name=f"{written}_alone")
            for setting in parameters.run_time:
                alone = setting.name == written
                narrow = setting.signed or setting in parameters.constant_numbers
                other = 0 if narrow else parameters.lanes
                value = registers.settings[setting.name] if alone else other
                m.d.comb += settings[setting.name].eq(value)
            refused.append(registers.written[written] & parameters.refused(settings))
        m.d.comb += registers.errors.bad_setting.eq(Cat(*refused, core.bad_setting).any())

    def _count(self, m, registers, slave, core, master):
        """Events and errors, from the transfers at both ends of the core."""
        taken = slave.o.valid & slave.o.ready
        given = master.i.valid & master.i.ready
        tuples = Mux(taken, _count(m, slave.o.p.valid, "taken_lanes"), 0)
        m.d.comb += [
            registers.events.tuples.eq(tuples),
            registers.events.rows.eq(Mux(given, _count(m, master.i.p.valid, "given_lanes"), 0)),
            registers.events.streams.eq(taken & slave.o.p.last),
            registers.events.stall_in.eq(self.s_axis_tvalid & ~self.s_axis_tready),
            registers.events.stall_out.eq(self.m_axis_tvalid & ~self.m_axis_tready),
            registers.errors.bad_beat.eq(taken & slave.bad),
        ]
        for name in self.parameters.dropped:
            m.d.comb += registers.events[name].eq(core.dropped[name])

    def _measure(self, m, registers, slave):
        """Whether a stream grows longer than the engine can count."""
        taken = slave.o.valid & slave.o.ready
        width = bits_for(self.parameters.stream_max)
        length = Signal(width + 1)
        grown = Signal(width + 1)
        m.d.comb += [
            grown.eq(Mux(length[-1], length, length + registers.events.tuples)),
            registers.errors.too_long.eq(grown[-1]),
        ]
        m.d.sync += length.eq(Mux((taken & slave.o.p.last) | registers.soft_reset, 0, grown))
