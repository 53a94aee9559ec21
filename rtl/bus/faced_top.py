"""Makes the top that ships: the AXI top, alone or with the ports of another face."""

from amaranth.hdl import ClockDomain, DomainRenamer, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from rtl.bus.attributes import add_attributes
from rtl.bus.avalon import AvalonRegisters, AvalonSink, AvalonSource
from rtl.bus.ports import axi_buses_of, buses_of, clock_and_reset, ports_of
from rtl.bus.registers import ADDRESS_WIDTH
from rtl.bus.top import AxiTop


def top_of(design):
    """Returns the component that ships as a design's top, with the ports of ``ports_of``."""
    return AxiTop(design) if design.face.bus == "axi" else FacedTop(design)


class FacedTop(wiring.Component):
    """Converts the ports of an :class:`~rtl.bus.top.AxiTop` to the face of the design.

    ::

        sink -> AvalonSink -> s_axis   AxiTop   m_axis -> AvalonSource -> source
        registers -> AvalonRegisters -> s_axil     m_axi -> m_axi

    With ``bus=avalon`` streams and registers follow Avalon, and memory masters stay AXI4. For
    instance ``sink_valid`` drives ``s_axis_tvalid`` through an AvalonSink. With ``bus=vitis`` only
    the names of ports change, to the names that a Vitis kernel must have: ``s_axil_awaddr`` is
    ``s_axi_control_awaddr``, and ``aclk`` is ``ap_clk``. No cycle of latency is added, and a stall
    passes through in the same cycle.

    Parameters
    ----------
    design : Design

    Members
    -------
    The ports of :func:`rtl.bus.ports.ports_of`.
    """

    def __init__(self, design):
        self._design = design
        super().__init__(ports_of(design))
        if design.face.bus == "vitis":
            add_attributes(self, buses_of(design), *clock_and_reset(design))

    def elaborate(self, platform):
        m = Module()
        m.submodules.engine = axi = AxiTop(self._design)
        clock, reset_n = (getattr(self, name) for name in clock_and_reset(self._design))
        m.domains.face = face = ClockDomain()  # for the converters; the AXI top has its own
        m.d.comb += [
            axi.aclk.eq(clock),
            axi.aresetn.eq(reset_n),
            face.clk.eq(clock),
            face.rst.eq(~reset_n),
        ]
        if self._design.face.interrupt:
            m.d.comb += self.interrupt.eq(axi.interrupt)
        for bus, axi_bus in zip(buses_of(self._design), axi_buses_of(self._design), strict=True):
            self._join(m, bus, axi_bus, axi)
        return m

    def _join(self, m, bus, axi_bus, axi):
        """Connects a bus of this top to a bus of the AXI top, through a converter if the standards
        differ."""
        if bus.kind == axi_bus.kind:
            for role, member in bus.members.items():
                outer = getattr(self, f"{bus.name}_{role}")
                inner = getattr(axi, f"{axi_bus.name}_{role}")
                m.d.comb += inner.eq(outer) if member.flow is In else outer.eq(inner)
            return
        if bus.kind == "avalon":
            converter = AvalonRegisters(ADDRESS_WIDTH)
        else:
            width = len(getattr(axi, f"{axi_bus.name}_tkeep"))
            converter = (AvalonSink if bus.mode == "slave" else AvalonSource)(width)
        m.submodules[bus.name] = DomainRenamer("face")(converter)
        outer_side, inner_side = ("i", "o") if bus.mode == "slave" else ("o", "i")
        for role, member in bus.members.items():
            pin = getattr(self, f"{bus.name}_{role}")
            port = getattr(getattr(converter, outer_side), role)
            m.d.comb += port.eq(pin) if member.flow is In else pin.eq(port)
        for role, member in axi_bus.members.items():
            port = getattr(getattr(converter, inner_side), role)
            axi_port = getattr(axi, f"{axi_bus.name}_{role}")
            m.d.comb += axi_port.eq(port) if member.flow is In else port.eq(axi_port)
