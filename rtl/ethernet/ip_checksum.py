"""Computes the checksum of the IPv4 header of a packet to be sent."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.head import HEAD
from rtl.ethernet.ones_sum import folded

# The following three constants are in every header.
#: Version 4, with 20 bytes of header.
VERSION = 0x4500
#: No fragments are allowed.
DONT_FRAGMENT = 0x4000
#: Largest number of routers on the way.
HOPS = 64
#: Bytes of the header.
HEADER = 20

#: A packet's head, and the checksum of its IPv4 header.
SUMMED = data.StructLayout({"head": HEAD, "checksum": 16})


class IpChecksum(wiring.Component):
    """Adds the checksum of the IPv4 header to a packet's head.

    ::

        five 16-bit words, constant but for length and protocol ---- +
        two 16-bit words of our address, folded -------------------- + -- fold -- fold, complement
        two 16-bit words of the receiver's address, folded --------- +

    Each of the four steps takes a cycle: three sums, one sum, fold, fold. While a head waits in the
    last step until its frame has left, up to three more heads enter the other steps: these stop
    when the step before the last is full, too. Latency 4 cycles, initiation interval 1 cycle.
    Source: RFC 791.

    Members
    -------
    i : In(stream.Signature(HEAD))
    o : Out(stream.Signature(SUMMED))
    address : In(32)
        Our IPv4 address.
    busy : Out(1)
        A head is in one of the steps.
    """

    latency = 4
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(stream.Signature(HEAD)),
                "o": Out(stream.Signature(SUMMED)),
                "address": In(32),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        heads = [Signal(HEAD, name=f"head{k}", reset_less=True) for k in range(self.latency)]
        valid = Signal(self.latency)
        words = Signal(18, reset_less=True)
        own_sum = Signal(17, reset_less=True)
        other_sum = Signal(17, reset_less=True)
        all_words = Signal(19, reset_less=True)
        once = Signal(17, reset_less=True)
        checksum = Signal(16, reset_less=True)
        constant = VERSION + DONT_FRAGMENT + (HOPS << 8) + HEADER
        steps = [
            [
                words.eq(self.i.p.length + self.i.p.protocol + constant),
                own_sum.eq(folded(self.address)),
                other_sum.eq(folded(self.i.p.address)),
            ],
            [all_words.eq(words + own_sum + other_sum)],
            [once.eq(folded(all_words))],
            [checksum.eq(~folded(once)[:16])],
        ]
        step_valid = self.i.valid
        head = self.i.p
        last_advances = ~valid[-1] | self.o.ready
        advances = [~valid[-2] | last_advances] * (self.latency - 1) + [last_advances]
        for k, step in enumerate(steps):
            with m.If(advances[k]):
                m.d.sync += [valid[k].eq(step_valid), heads[k].eq(head), *step]
            step_valid = valid[k]
            head = heads[k]
        m.d.comb += [
            self.i.ready.eq(advances[0]),
            self.o.valid.eq(valid[-1]),
            self.o.p.head.eq(heads[-1]),
            self.o.p.checksum.eq(checksum),
            self.busy.eq(valid.any()),
        ]
        return m
