"""Between Avalon, as Intel's tools have it, and AXI: streams, and a slave of registers.

An Avalon stream carries symbols of 8 bits, the first one in the highest bits, as the specification
has it by default (``firstSymbolInHighOrderBits``). AXI has the first byte in the lowest: so bytes
change places, and nothing else does. Four bytes 01 02 03 04, the first being 01, are ``0x04030201``
in ``tdata`` and ``0x01020304`` in ``data``.
"""

from amaranth.hdl import Cat, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members
from rtl.bus.axi_stream import axi_stream_members


def avalon_stream_members(width, direction):
    """Ports of an Avalon stream of ``width`` bytes, seen from one end.

    ``direction`` is In for a sink and Out for a source. ``empty`` counts the bytes at the end of a
    packet's last transfer that are none: 0 to ``width - 1``, so there is none with one byte.
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
    """Ports of a slave of 32-bit registers, of so wide a byte address; ``address`` is a word's."""
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
    """Avalon stream in, AXI4-Stream out, by wires alone: no cycle and no register.

    ``ready`` belongs to its own cycle (``readyLatency`` 0). ``startofpacket`` is not looked at: a
    packet begins behind the one before. A transfer with ``error`` has no bytes: so a packet without
    any can end, which ``empty`` cannot say. With 4 bytes, ``endofpacket`` and an ``empty`` of 1 the
    first three are there, and ``tkeep`` is 0b0111. Latency 0, initiation interval 1 cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.

    Members
    -------
    i : Out(the ports of :func:`avalon_stream_members`)
    o : Out(the ports of :func:`~rtl.bus.axi_stream.axi_stream_members`)

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
        i, o, width = self.i, self.o, self._width
        there = Signal(width)
        m.d.comb += [
            there.eq((1 << width) - 1),
            o.tvalid.eq(i.valid),
            i.ready.eq(o.tready),
            o.tlast.eq(i.endofpacket),
        ]
        if width > 1:
            with m.If(i.endofpacket):
                m.d.comb += there.eq(((1 << width) - 1) >> i.empty)
        with m.If(~i.error):
            m.d.comb += o.tkeep.eq(there)
        m.d.comb += o.tdata.eq(_swapped(i.data))
        return m


class AvalonSource(wiring.Component):
    """AXI4-Stream in, Avalon stream out: wires, and one register for ``startofpacket``.

    A transfer without a byte, such as one that only ends a packet, has ``error``, and an ``empty``
    of all bytes but one, as it cannot say all. Others of a packet that are not its last are whole:
    that is what masters of this house give. Latency 0, initiation interval 1 cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.

    Members
    -------
    i : Out(the ports of :func:`~rtl.bus.axi_stream.axi_stream_members`)
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
        i, o, width = self.i, self.o, self._width
        begins = Signal(init=1)
        with m.If(o.valid & o.ready):
            m.d.sync += begins.eq(o.endofpacket)
        m.d.comb += [
            o.valid.eq(i.tvalid),
            i.tready.eq(o.ready),
            o.startofpacket.eq(begins),
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
    """An Avalon slave in front of an AXI4-Lite one, an access at a time.

    ``waitrequest`` is low in the one cycle in which an access is done, and ``readdata`` is there in
    it: no fixed latency, and no ``readdatavalid``. It comes from registers, and is high while
    nothing is asked.

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
        i, o = self.i, self.o
        address = Cat(Const(0, 2), i.address)
        # What has been taken of an access that is not done yet.
        read, place, word = Signal(), Signal(), Signal()
        done = o.rvalid | o.bvalid
        for taken, valid, ready in (
            (read, o.arvalid, o.arready),
            (place, o.awvalid, o.awready),
            (word, o.wvalid, o.wready),
        ):
            m.d.sync += taken.eq((taken | (valid & ready)) & ~done)
        m.d.comb += [
            o.araddr.eq(address),
            o.arvalid.eq(i.read & ~read),
            o.rready.eq(1),
            i.readdata.eq(o.rdata),
            o.awaddr.eq(address),
            o.awvalid.eq(i.write & ~place),
            o.wdata.eq(i.writedata),
            o.wstrb.eq(i.byteenable),
            o.wvalid.eq(i.write & ~word),
            o.bready.eq(1),
            i.waitrequest.eq(~done),
        ]
        return m


def _swapped(value):
    """Its bytes, the last first."""
    return Cat(value[at : at + 8] for at in reversed(range(0, len(value), 8)))
