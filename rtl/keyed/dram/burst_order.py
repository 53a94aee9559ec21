"""Order of bursts: a burst waits until conflicting earlier bursts are answered."""

from amaranth.hdl import Module, Mux, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.outstanding import Outstanding


class BurstOrder(wiring.Component):
    """Passes bursts of reads and writes in order; each waits until no earlier burst conflicts.

    A memory may execute a read and a write in any order as long as both are unanswered. Each read
    must return the data of earlier writes, so two rules hold:

    - no read passes while an earlier write to one of its lines is unanswered;
    - no write passes while an earlier read of its line is incomplete.

    Reads do not wait for reads. Writes do not wait for writes, because all writes have one id, and
    AXI keeps writes of one id to one address in order. A burst does not wait for a burst without a
    common line, but a waiting burst blocks all later bursts. For instance, with an answer 40 cycles
    after each burst::

        write 3, read 8-11, write 3, read 2-5, read 0-1
        passes in cycle  0     1     2    43   44      read 2-5 waits for the second write 3

    At most ``writes`` and ``reads`` bursts are unanswered, and each kind is answered in order,
    because all have one id. If an answer comes ``answer`` cycles after its burst, at most one write
    passes per ``(answer + 1) / writes`` cycles, and one read per ``(answer + 1) / reads``.

    Combinational from ``i`` to ``o``, latency 0 cycles. Initiation interval 1 cycle. A burst at
    ``o`` is not withdrawn.

    Parameters
    ----------
    lines : LineMap
    writes, reads : int
        Maximum count of unanswered bursts, at least 1.

    Members
    -------
    i : In(stream.Signature(lines.burst()))
    o : Out(stream.Signature(lines.burst()))
    answered : In(1)
        The oldest write is answered.
    arrived : In(1)
        The last beat of the oldest read has arrived.
    busy : Out(1)
        High while a burst is unanswered.

    Source: ours; seed 000, sections 3.3 and 3.4 (reads of a window that is being flushed).
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines, *, writes, reads):
        widths = lines.local_bits - lines.place_bits, lines.place_bits
        self._writes = Outstanding(*widths, writes)
        self._reads = Outstanding(*widths, reads)
        super().__init__(
            {
                "i": In(stream.Signature(lines.burst())),
                "o": Out(stream.Signature(lines.burst())),
                "answered": In(1),
                "arrived": In(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.writes = writes = self._writes
        m.submodules.reads = reads = self._reads
        burst = self.i.p
        transfer = self.o.valid & self.o.ready
        for bursts_listed in (writes, reads):
            m.d.comb += [
                bursts_listed.i[name].eq(burst[name]) for name, _ in bursts_listed.i.shape()
            ]
        conflict = Mux(burst.write, writes.full | reads.meets, writes.meets | reads.full)
        m.d.comb += [
            self.o.valid.eq(self.i.valid & ~conflict),
            self.i.ready.eq(self.o.ready & ~conflict),
            Value.cast(self.o.p).eq(self.i.p),
            writes.enter.eq(transfer & burst.write),
            writes.leave.eq(self.answered),
            reads.enter.eq(transfer & ~burst.write),
            reads.leave.eq(self.arrived),
            self.busy.eq(~writes.empty | ~reads.empty),
        ]
        return m
