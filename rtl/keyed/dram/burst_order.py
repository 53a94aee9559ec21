"""Holds a burst back until the bursts before it that it depends on are answered."""

from amaranth.hdl import Module, Mux, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.outstanding import Outstanding


class BurstOrder(wiring.Component):
    """Lets bursts of reads and writes pass in order, each as soon as that is safe.

    A memory may do a read and a write, while both are not answered, in any order. So that each read
    has what the writes before it wrote, whatever the memory does:

    - no read passes while an earlier write to one of its lines is not answered;
    - no write passes while an earlier read of its line has not come whole.

    Reads do not wait for reads. Writes do not wait for writes: all have one id, and AXI keeps the
    writes of one id to one place in order. Nothing waits for what shares no line with it; but the
    first that waits holds up all behind it. For instance, with an answer 40 cycles after each
    burst::

        write 3, read 8-11, write 3, read 2-5, read 0-1
        passes in cycle  0     1     2    43   44      read 2-5 waits for the second write 3

    At most ``writes`` and ``reads`` bursts are under way, and each kind is answered in order (all
    have one id). One write in ``(answer + 1) / writes`` cycles passes, if a write's answer takes
    ``answer`` cycles after it has passed; and one read in ``(answer + 1) / reads``.

    Combinational from ``i`` to ``o``, latency 0 cycles. Initiation interval 1 cycle. What is
    offered at ``o`` is not withdrawn.

    Parameters
    ----------
    lines : LineMap
    writes, reads : int
        Bursts under way, at least 1.

    Members
    -------
    i : In(stream.Signature(lines.burst()))
    o : Out(stream.Signature(lines.burst()))
    answered : In(1)
        The oldest write is answered.
    arrived : In(1)
        The oldest read has come whole.
    busy : Out(1)
        Something is under way.

    Source: ours; seed 000, sections 3.3 and 3.4 (reads of a window that is being flushed).
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, lines, *, writes, reads):
        place = lines.unit_bits
        self._writes = Outstanding(lines.local_bits - place, place, writes)
        self._reads = Outstanding(lines.local_bits - place, place, reads)
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
        m.submodules.writes, m.submodules.reads = writes, reads = self._writes, self._reads
        burst, passes = self.i.p, self.o.valid & self.o.ready
        for listed in (writes, reads):
            m.d.comb += [listed.i[name].eq(burst[name]) for name, _ in listed.i.shape()]
        waits = Mux(burst.write, writes.full | reads.meets, writes.meets | reads.full)
        m.d.comb += [
            self.o.valid.eq(self.i.valid & ~waits),
            self.i.ready.eq(self.o.ready & ~waits),
            Value.cast(self.o.p).eq(self.i.p),
            writes.enter.eq(passes & burst.write),
            writes.leave.eq(self.answered),
            reads.enter.eq(passes & ~burst.write),
            reads.leave.eq(self.arrived),
            self.busy.eq(~writes.empty | ~reads.empty),
        ]
        return m
