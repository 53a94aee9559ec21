"""Small designs for which the result of synthesis is known."""

from amaranth.hdl import Cat, ClockDomain, Const, Module, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out


class Reduced(wiring.Component):
    """``o`` is, two cycles later, whether all ``width`` bits of ``i`` were set."""

    def __init__(self, width):
        super().__init__({"i": In(width), "o": Out(1)})

    def elaborate(self, platform):
        m = Module()
        delayed = Signal.like(self.i)
        m.d.sync += [delayed.eq(self.i), self.o.eq(delayed.all())]
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


class Chain(wiring.Component):
    """Three equal adders in a row."""

    def __init__(self):
        super().__init__({"a": In(8), "b": In(8), "o": Out(8)})

    def elaborate(self, platform):
        m = Module()
        a = self.a
        for k in range(3):
            m.submodules[f"part{k}"] = part = Adder(8)
            m.d.comb += [part.a.eq(a), part.b.eq(self.b)]
            a = part.o
        m.d.comb += self.o.eq(a)
        return m


class Store(wiring.Component):
    """A memory with one clocked write port and one clocked read port."""

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
    """Top with two equal submodules, and with names that Verilog cannot spell."""

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
        equal_part = Signal(8, name="o")
        m.d.sync += equal_part.eq(parts[0] ^ parts[1])
        m.d.comb += self.o.eq(equal_part + 1)
        return m


class Alike(wiring.Component):
    """Many ports that nothing tells apart but their names and attributes: all are always 0."""

    def __init__(self, count):
        super().__init__({f"output_{count - k:03}": Out(1) for k in range(count)})
        for name in self.signature.members:
            getattr(self, name).attrs["X_INTERFACE_INFO"] = f"of {name}"

    def elaborate(self, platform):
        return Module()


class Chosen(wiring.Component):
    """Top with two equal submodules, in which a block depends on a constant register."""

    o: Out(16)

    def elaborate(self, platform):
        m = Module()
        for k in range(2):
            m.submodules[f"half{k}"] = half = Half()
            m.d.comb += self.o.word_select(k, 8).eq(half.o)
        return m


class Half(wiring.Component):
    """``o`` is 0b101_00111 from the start: the lower bits by a block, the upper ones by wires."""

    o: Out(8)

    def elaborate(self, platform):
        m = Module()
        never, high = Signal(init=1), Signal(3, init=0b101)
        m.d.sync += [never.eq(never), high.eq(high)]
        parts = Signal(8)
        m.d.comb += [parts.eq(Cat(Const(0b11000, 5), high)), self.o.eq(parts)]
        with m.If(never):
            m.d.comb += parts[:5].eq(0b00111)
        return m
