"""Small designs of which one can tell what synthesis must find."""

from amaranth.hdl import ClockDomain, Module, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out


class Reduced(wiring.Component):
    """``o`` is, two cycles later, whether all ``width`` bits of ``i`` were set."""

    def __init__(self, width):
        super().__init__({"i": In(width), "o": Out(1)})

    def elaborate(self, platform):
        m = Module()
        held = Signal.like(self.i)
        m.d.sync += [held.eq(self.i), self.o.eq(held.all())]
        return m


class Adder(wiring.Component):
    """Registered sum of registered numbers."""

    def __init__(self, width):
        super().__init__({"a": In(width), "b": In(width), "o": Out(width)})

    def elaborate(self, platform):
        m = Module()
        a, b = Signal.like(self.a), Signal.like(self.b)
        m.d.sync += [a.eq(self.a), b.eq(self.b), self.o.eq(a + b)]
        return m


class Store(wiring.Component):
    """A memory with one write and one read port, both clocked."""

    def __init__(self, width, depth):
        address = range(depth)
        super().__init__(
            {
                "write_address": In(address),
                "write": In(1),
                "i": In(width),
                "read_address": In(address),
                "o": Out(width),
            }
        )
        self._width, self._depth = width, depth

    def elaborate(self, platform):
        m = Module()
        m.submodules.cells = cells = memory.Memory(shape=self._width, depth=self._depth, init=[])
        write, read = cells.write_port(), cells.read_port()
        m.d.comb += [
            write.addr.eq(self.write_address),
            write.en.eq(self.write),
            write.data.eq(self.i),
            read.addr.eq(self.read_address),
            self.o.eq(read.data),
        ]
        return m


class Top(wiring.Component):
    """Two equal submodules and names that Verilog cannot spell, as a shipped top has them."""

    aclk: In(1)
    aresetn: In(1)
    a: In(8)
    b: In(8)
    o: Out(8)

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain()
        m.d.comb += [sync.clk.eq(self.aclk), sync.rst.eq(~self.aresetn)]
        self.a.attrs["X_INTERFACE_INFO"] = "xilinx.com:interface:axis:1.0 A TDATA"
        parts = []
        for k in range(2):
            m.submodules[f"part{k}"] = part = Adder(8)
            m.d.comb += [part.a.eq(self.a), part.b.eq(self.b)]
            parts.append(part.o)
        same = Signal(8, name="o")
        m.d.sync += same.eq(parts[0] ^ parts[1])
        m.d.comb += self.o.eq(same + 1)
        return m


class Alike(wiring.Component):
    """Many ports that nothing tells apart but their names and attributes: all are always 0."""

    def __init__(self, count):
        super().__init__({f"output_{count - k:03}": Out(1) for k in range(count)})
        for name in self.signature.members:
            getattr(self, name).attrs["X_INTERFACE_INFO"] = f"of {name}"

    def elaborate(self, platform):
        return Module()


class Part(wiring.Component):
    """A register that never changes, and what blocks make of it: ``o`` is 0x56."""

    o: Out(8)

    def elaborate(self, platform):
        m = Module()
        still = Signal(4, init=5)
        m.d.sync += still.eq(still)
        m.d.comb += self.o[4:].eq(still)
        with m.If(still[0]):
            m.d.comb += self.o[:4].eq(still + 1)
        return m


class Still(wiring.Component):
    """Several such parts, each a module."""

    aclk: In(1)
    aresetn: In(1)
    o: Out(24)

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain()
        m.d.comb += [sync.clk.eq(self.aclk), sync.rst.eq(~self.aresetn)]
        for k in range(3):
            m.submodules[f"part{k}"] = part = Part()
            m.d.comb += self.o[8 * k : 8 * (k + 1)].eq(part.o)
        return m
