"""What stands between a memory master of the core and its pins."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.axi4 import Axi4


class MemoryGuard(wiring.Component):
    """Lets no burst begin while it is told so, and knows when none is under way.

    A core must not be reset while a burst is under way: its memory would wait for data for ever, or
    answer what nobody had asked. So with ``stop`` no further address goes out, while the bursts
    that have begun go on, until ``quiet``; then the core can be reset. What is offered already is
    never withdrawn. Nothing else is changed or delayed, latency 0 cycles.

    It holds for a core that keeps to two rules, which rule out deadlocks anyway: it offers no data
    before their address; and a burst that has begun comes to its end, with all data given or taken,
    without another one.

    At most ``2**8 - 1`` bursts of a direction are under way; further ones wait.

    Parameters
    ----------
    bus : MemoryBus

    Members
    -------
    i : In(Axi4(...))
        The core.
    o : Out(Axi4(...))
        The pins.
    stop : In(1)
    quiet : Out(1)
        Nothing is under way, and no address is offered.
    """

    _BITS = 8
    latency = 0

    def __init__(self, bus):
        axi4 = Axi4(
            data_width=bus.data_width, address_width=bus.address_width, id_width=bus.id_width
        )
        super().__init__({"i": In(axi4), "o": Out(axi4), "stop": In(1), "quiet": Out(1)})

    def elaborate(self, platform):
        m = Module()
        core, pins = self.i, self.o
        gated = {f"{channel}{port}" for channel in ("aw", "w", "ar") for port in ("valid", "ready")}
        for name, member in pins.signature.members.items():
            if name not in gated:
                source, target = (core, pins) if member.flow is Out else (pins, core)
                m.d.comb += getattr(target, name).eq(getattr(source, name))
        writes, writing = self._begin(m, "aw", pins.bvalid & pins.bready)
        reads, reading = self._begin(m, "ar", pins.rvalid & pins.rready & pins.rlast)
        # Of the bursts whose address was offered, those that lack data: what they are given still
        # passes. The first data may come with the address.
        begins = pins.awvalid & ~writing
        lack = Signal(self._BITS + 1)
        passes = ~self.stop | lack.any()
        m.d.sync += lack.eq(lack + begins - (pins.wvalid & pins.wready & pins.wlast))
        m.d.comb += [
            pins.wvalid.eq(core.wvalid & passes),
            core.wready.eq(pins.wready & passes),
            self.quiet.eq(~(writes.any() | reads.any() | lack.any() | writing | reading)),
        ]
        return m

    def _begin(self, m, channel, answered):
        """Addresses of a channel: bursts that are not answered, and whether one was offered."""
        core_valid, core_ready = (
            getattr(self.i, f"{channel}{port}") for port in ("valid", "ready")
        )
        valid, ready = (getattr(self.o, f"{channel}{port}") for port in ("valid", "ready"))
        count, offered = (
            Signal(self._BITS, name=f"{channel}_bursts"),
            Signal(name=f"{channel}_kept"),
        )
        passes = Signal(name=f"{channel}_passes")
        m.d.comb += [
            passes.eq((~self.stop & ~count.all()) | offered),
            valid.eq(core_valid & passes),
            core_ready.eq(ready & passes),
        ]
        m.d.sync += [
            offered.eq(valid & ~ready),
            count.eq(count + (valid & ready) - answered),
        ]
        return count, offered
