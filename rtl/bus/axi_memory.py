"""Guards a memory master of the core, so that no reset cuts a burst short."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.axi4 import Axi4


class MemoryGuard(wiring.Component):
    """Lets no burst begin while ``stop`` is high, and reports when no burst is under way.

    A core must not be reset while a burst is under way: its memory would wait for data for ever, or
    answer a request that the core no longer knows. So with ``stop`` no further address is offered,
    while the bursts that have begun continue, until ``quiet``; then the core can be reset. An
    offered address is never withdrawn, so its burst still begins. All other signals pass unchanged,
    with latency 0 cycles.

    For instance ``stop`` rises while 2 reads are under way and the address of a write is offered.
    The address stays until the memory accepts it, and the data of the write pass. ``quiet`` rises
    one cycle after the last of 3 transfers: the last data of each read, and the write's response.

    The core must obey two rules, as any core without deadlocks does: it offers no data before their
    address; and a burst that has begun comes to its end, with all data transferred, without another
    burst.

    At most 255 reads and 255 writes are under way; the address and the data of a further burst
    wait.

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
        No further burst may begin.
    quiet : Out(1)
        While ``stop`` is high: no burst is under way, and no address is offered. It has no meaning
        at other times.
    """

    _COUNT_BITS = 8
    latency = 0

    def __init__(self, bus):
        axi4 = Axi4(
            data_width=bus.data_width, address_width=bus.address_width, id_width=bus.id_width
        )
        super().__init__({"i": In(axi4), "o": Out(axi4), "stop": In(1), "quiet": Out(1)})

    def elaborate(self, platform):
        m = Module()
        core = self.i
        pins = self.o
        gated = {f"{channel}{port}" for channel in ("aw", "w", "ar") for port in ("valid", "ready")}
        for name, member in pins.signature.members.items():
            if name not in gated:
                source, target = (core, pins) if member.flow is Out else (pins, core)
                m.d.comb += getattr(target, name).eq(getattr(source, name))
        writes, aw_offered = self._gate_addresses(m, "aw", pins.bvalid & pins.bready)
        reads, ar_offered = self._gate_addresses(m, "ar", pins.rvalid & pins.rready & pins.rlast)
        # Number of write bursts whose address was offered and whose data are incomplete: their data
        # still pass. The first data may come with the address.
        write_begins = pins.awvalid & ~aw_offered
        data_due = Signal(self._COUNT_BITS + 1)
        data_passes = (~self.stop & ~writes.all()) | data_due.any()
        m.d.sync += data_due.eq(data_due + write_begins - (pins.wvalid & pins.wready & pins.wlast))
        m.d.comb += [
            pins.wvalid.eq(core.wvalid & data_passes),
            core.wready.eq(pins.wready & data_passes),
            self.quiet.eq(~(writes.any() | reads.any() | data_due.any() | aw_offered | ar_offered)),
        ]
        return m

    def _gate_addresses(self, m, channel, ends):
        """Connects a channel of addresses, and counts its bursts.

        ``ends`` is high in each cycle in which a burst ends.

        Returns the number of bursts whose address was accepted and that have not ended, and a bit:
        an address was offered in the previous cycle and not accepted.
        """
        core_valid, core_ready = (
            getattr(self.i, f"{channel}{port}") for port in ("valid", "ready")
        )
        valid, ready = (getattr(self.o, f"{channel}{port}") for port in ("valid", "ready"))
        count = Signal(self._COUNT_BITS, name=f"{channel}_bursts")
        offered = Signal(name=f"{channel}_offered")
        address_passes = Signal(name=f"{channel}_passes")
        m.d.comb += [
            address_passes.eq((~self.stop & ~count.all()) | offered),
            valid.eq(core_valid & address_passes),
            core_ready.eq(ready & address_passes),
        ]
        m.d.sync += [
            offered.eq(valid & ~ready),
            count.eq(count + (valid & ready) - ends),
        ]
        return count, offered
