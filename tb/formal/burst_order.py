"""No burst passes while an earlier one that it depends on is under way.

The bench watches a line, any one, and of the bursts that cover it any one: it *tags* the burst as
it passes, and counts those of its kind that are answered before it. While the tagged write is not
answered no read that covers the line may pass, and while the tagged read has not come, no write.
"""

from amaranth.hdl import Assert, Assume, Cat, Module, Signal, Value

from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.outstanding import span
from tb.formal.inside import Inside

LINES = LineMap(rings=2, ring_lines=4)
ENTRIES = 2


def order_bench(cls=BurstOrder, *, invariants=True):
    """Bursts of units of 4 lines, answered at any time, two of a kind under way."""
    m = Module()
    inside = Inside(cls(LINES, writes=ENTRIES, reads=ENTRIES))
    m.submodules.dut = inside.fragment
    dut = inside.component
    watched, was, started = Signal(LINES.local_bits), Signal(LINES.local_bits), Signal()
    m.d.sync += [was.eq(watched), started.eq(1)]
    m.d.comb += [
        Assume(~started | (watched == was)),
        Assume(dut.i.p.first <= dut.i.p.last),
        Assume(~dut.i.p.write | (dut.i.p.first == dut.i.p.last)),
    ]
    passes = dut.o.valid & dut.o.ready
    covers = _covers(dut.o.p, watched)
    tags = Signal(2)
    for number, (name, mine, ends) in enumerate(
        (("writes", dut.o.p.write, dut.answered), ("reads", ~dut.o.p.write, dut.arrived))
    ):
        tagged, ahead, count = _follow(m, name, passes & mine, ends, covers & tags[number])
        stops = covers & (dut.o.p.write ^ (name == "writes"))
        m.d.comb += Assert(~(tagged & passes & stops))
        if invariants:
            _claim_list(m, inside, name, tagged, ahead, count, watched)
    free = (Value.cast(dut.i.p), dut.i.valid, dut.o.ready, dut.answered, dut.arrived)
    return m, (*free, watched, tags)


def _covers(burst, line):
    place = line[: LINES.unit_bits]
    same = burst.unit == line[LINES.unit_bits :]
    return same & (burst.first <= place) & (place <= burst.last)


def _follow(m, name, enters, leaves, tag):
    """One burst of a kind, from when it passes to its answer; and how many are under way."""
    tagged, ahead, count = (
        Signal(bits, name=f"{name}_{what}")
        for what, bits in (("tagged", 1), ("ahead", 2), ("count", 2))
    )
    m.d.comb += Assume(~leaves | (count != 0))
    m.d.sync += count.eq(count + enters - leaves)
    with m.If(tagged & leaves):
        m.d.sync += [tagged.eq(ahead != 0), ahead.eq(ahead - (ahead != 0))]
    with m.If(~tagged & enters & tag):
        m.d.sync += [tagged.eq(1), ahead.eq(count - leaves)]
    return tagged, ahead, count


def _claim_list(m, inside, name, tagged, ahead, count, watched):
    """The list has what is under way, oldest first; the tagged burst is where it should be."""
    used, enters, leaves = (inside.signal(name, n) for n in ("used", "enters", "leaves"))
    next_one = leaves.rotate_left(1)
    claims = [
        (leaves == 1) | (leaves == 2),
        count <= ENTRIES,
        enters == (leaves ^ (Cat(count[0], count[0]))),
        used == Cat((count == 2) | ((count == 1) & leaves[k]) for k in range(ENTRIES)),
        ~tagged | (ahead < count),
    ]
    layout = span(LINES.local_bits - LINES.unit_bits, LINES.unit_bits)
    for k in range(ENTRIES):
        kept = layout(inside.signal(name, f"kept{k}"))
        here = ((ahead == 0) & leaves[k]) | ((ahead == 1) & next_one[k])
        claims.append(~(tagged & here) | _covers(kept, watched))
    m.d.comb += [Assert(claim) for claim in claims]
