"""Converters between Avalon, the standard of Intel's tools, and AXI: streams, and a register slave.

An Avalon stream carries symbols of 8 bits, the first in the highest bits, which is the default of
the specification (``firstSymbolInHighOrderBits``). AXI has the first byte in the lowest bits. So
the converters reverse the order of the bytes. Four bytes 01 02 03 04, of which 01 is the first, are
``0x04030201`` in ``tdata`` and ``0x01020304`` in ``data``.
"""

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members
from rtl.stream.axi_stream import axi_stream_members


def avalon_stream_members(width, direction):
    """Returns the ports of an Avalon stream of ``width`` bytes, seen from one end.

    ``direction`` is In for a sink and Out for a source. ``empty`` counts the unused bytes at the
    end of a packet's last transfer: 0 to ``width - 1``, so a stream of one byte has no ``empty``.
    """
    empty = {"empty": direction(range(width))} if width > 1 else {}
    return {
        "valid": direction(1),
        "ready": direction.flip()(1),
        "data": direction(8 * width),
        "startofpacket": direction(1),
        "endofpacket": direction(1),
        **empty,
        "error": direction(1),
    }


def avalon_slave_members(address_width):
    """Returns the ports of a slave of 32-bit registers. ``address_width`` is the width of a byte
    address; the port ``address`` counts words."""
    return {
        "address": In(address_width - 2),
        "read": In(1),
        "readdata": Out(32),
        "write": In(1),
        "writedata": In(32),
        "byteenable": In(4),
        "waitrequest": Out(1),
    }


class AvalonSink(wiring.Component):
    """Turns an Avalon stream into an AXI4-Stream, by wires alone: no cycle and no register.

    ``ready`` belongs to its own cycle (``readyLatency`` 0). ``startofpacket`` is ignored: a packet
    begins after the end of the previous packet. With 4 bytes, ``endofpacket`` and an ``empty`` of 1
    the transfer has its first three bytes, and ``tkeep`` is 0b0111. ``empty`` is at most 3 then, so
    ``empty`` cannot express a transfer without bytes. Therefore a transfer with ``error`` counts as
    a transfer without bytes, for instance to end a packet. Latency 0, initiation interval 1 cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.

    Members
    -------
    i : Out(the ports of :func:`avalon_stream_members`)
    o : Out(the ports of :func:`~rtl.stream.axi_stream.axi_stream_members`)

    Source: Avalon Interface Specifications.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width):
        self._width = width
        super().__init__(
            {
                "i": Out(wiring.Signature(avalon_stream_members(width, In))),
                "o": Out(wiring.Signature(axi_stream_members(width, Out))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i
        o = self.o
        width = self._width
        used_bytes = Signal(width)
        m.d.comb += [
            used_bytes.eq((1 << width) - 1),
            o.tvalid.eq(i.valid),
            i.ready.eq(o.tready),
            o.tlast.eq(i.endofpacket),
        ]
        if width > 1:
            with m.If(i.endofpacket):
                m.d.comb += used_bytes.eq(((1 << width) - 1) >> i.empty)
        with m.If(~i.error):
            m.d.comb += o.tkeep.eq(used_bytes)
        m.d.comb += o.tdata.eq(_swapped(i.data))
        return m


class AvalonSource(wiring.Component):
    """Turns an AXI4-Stream into an Avalon stream: wires, and one register for ``startofpacket``.

    A transfer without bytes, which only ends a packet, has ``error`` and the largest ``empty``,
    which is all bytes but one. Only the last transfer of a packet may be short;
    :class:`~rtl.bus.stream_master.StreamMaster` guarantees this condition.

    Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.

    Members
    -------
    i : Out(the ports of :func:`~rtl.stream.axi_stream.axi_stream_members`)
    o : Out(the ports of :func:`avalon_stream_members`)

    Source: Avalon Interface Specifications.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width):
        self._width = width
        super().__init__(
            {
                "i": Out(wiring.Signature(axi_stream_members(width, In))),
                "o": Out(wiring.Signature(avalon_stream_members(width, Out))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i
        o = self.o
        width = self._width
        packet_start = Signal(init=1)
        with m.If(o.valid & o.ready):
            m.d.sync += packet_start.eq(o.endofpacket)
        m.d.comb += [
            o.valid.eq(i.tvalid),
            i.tready.eq(o.ready),
            o.startofpacket.eq(packet_start),
            o.endofpacket.eq(i.tlast),
            o.error.eq(~i.tkeep.any()),
            o.data.eq(_swapped(i.tdata)),
        ]
        if width > 1:
            m.d.comb += o.empty.eq(width - 1)
            for count in range(1, width + 1):
                with m.If(i.tkeep[count - 1]):
                    m.d.comb += o.empty.eq(width - count)
        return m


class AvalonRegisters(wiring.Component):
    """Converts accesses of an Avalon master into accesses of an AXI4-Lite slave, one at a time.

    ``waitrequest`` is low in the one cycle that completes an access, and ``readdata`` is valid in
    the same cycle. So the Avalon slave has no fixed latency, and no ``readdatavalid``.
    ``waitrequest`` is high without an access, and depends only on ``rvalid`` and ``bvalid``, which
    are registers of the AXI4-Lite slave.

    Latency 0 cycles in both directions. Initiation interval: the cycles of the AXI4-Lite slave for
    one access.

    Parameters
    ----------
    address_width : int
        Bits of a byte address.

    Members
    -------
    i : Out(the ports of :func:`avalon_slave_members`)
    o : Out(the flipped ports of :func:`~rtl.bus.axi_lite.axi_lite_members`)

    Source: Avalon Interface Specifications.
    """

    def __init__(self, address_width):
        super().__init__(
            {
                "i": Out(wiring.Signature(avalon_slave_members(address_width))),
                "o": Out(wiring.Signature(axi_lite_members(address_width)).flip()),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i
        o = self.o
        address = Cat(Const(0, 2), i.address)
        # Channels on which the slave has accepted its part of the current access.
        read_accepted = Signal()
        address_accepted = Signal()
        data_accepted = Signal()
        response = o.rvalid | o.bvalid
        for accepted, valid, ready in (
            (read_accepted, o.arvalid, o.arready),
            (address_accepted, o.awvalid, o.awready),
            (data_accepted, o.wvalid, o.wready),
        ):
            m.d.sync += accepted.eq((accepted | (valid & ready)) & ~response)
        m.d.comb += [
            o.araddr.eq(address),
            o.arvalid.eq(i.read & ~read_accepted),
            o.rready.eq(1),
            i.readdata.eq(o.rdata),
            o.awaddr.eq(address),
            o.awvalid.eq(i.write & ~address_accepted),
            o.wdata.eq(i.writedata),
            o.wstrb.eq(i.byteenable),
            o.wvalid.eq(i.write & ~data_accepted),
            o.bready.eq(1),
            i.waitrequest.eq(~response),
        ]
        return m


def _swapped(value):
    """Returns the bytes of ``value`` in reverse order."""
    return Cat(value[offset : offset + 8] for offset in reversed(range(0, len(value), 8)))
