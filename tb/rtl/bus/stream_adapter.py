"""A row for tests of AXI4-Stream, and an adapter between its bus and Amaranth's streams."""

from amaranth.hdl import Module, signed, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.stream_slave import StreamSlave
from rtl.contract.packing import Packing

FIELDS = (("a", signed(9)), ("b", unsigned(5)), ("c", signed(3)))
ROW = data.StructLayout(dict(FIELDS))
PACKING = Packing(FIELDS)


def transfer(bus):
    """Returns the layout of a transfer on a bus."""
    members = bus.signature.members
    names = [name for name in members if name not in ("tvalid", "tready")]
    return data.StructLayout({name: members[name].shape for name in names})


class AsStream(wiring.Component):
    """Puts an amaranth stream in front of a slave's bus, or after a master's bus.

    ``reports`` has an item for each transfer between the part and the core: the events and errors
    of the part in that cycle.
    """

    def __init__(self, part):
        self._part, self._slave = part, isinstance(part, StreamSlave)
        shape = transfer(part.bus)
        if self._slave:
            inner = part.o.payload.shape()
            members = {"i": In(stream.Signature(shape)), "o": Out(stream.Signature(inner))}
            reports = {"events": part.events.shape(), "errors": part.errors.shape()}
        else:
            inner = part.i.payload.shape()
            members = {"i": In(stream.Signature(inner)), "o": Out(stream.Signature(shape))}
            reports = {"events": part.events.shape()}
        report_signature = stream.Signature(data.StructLayout(reports), always_ready=True)
        super().__init__(members | {"reports": Out(report_signature)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.part = part = self._part
        bus, names = part.bus, transfer(part.bus).members
        if self._slave:
            m.d.comb += [getattr(bus, name).eq(self.i.p[name]) for name in names]
            m.d.comb += [bus.tvalid.eq(self.i.valid), self.i.ready.eq(bus.tready)]
            wiring.connect(m, part.o, wiring.flipped(self.o))
            m.d.comb += self.reports.p.errors.eq(part.errors)
        else:
            wiring.connect(m, wiring.flipped(self.i), part.i)
            m.d.comb += [self.o.p[name].eq(getattr(bus, name)) for name in names]
            m.d.comb += [self.o.valid.eq(bus.tvalid), bus.tready.eq(self.o.ready)]
        inner = part.o if self._slave else part.i
        m.d.comb += [
            self.reports.p.events.eq(part.events),
            self.reports.valid.eq(inner.valid & inner.ready),
        ]
        return m
