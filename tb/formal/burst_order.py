"""Proves that no burst passes while an earlier burst that it depends on is outstanding.

The bench watches an arbitrary line, and *tags* an arbitrary burst that covers the line when the
burst passes. It counts the bursts of the same kind that are answered before the tagged burst. While
a tagged write is outstanding, no read of the line may pass; while a tagged read is outstanding, no
write.
"""

from amaranth.hdl import Assert, Assume, Cat, Module, Signal, Value

from rtl.keyed.dram.burst_order import BurstOrder
from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.outstanding import span
from tb.formal.component_parts import ComponentParts

LINES = LineMap(rings=2, ring_lines=4)
ENTRIES = 2


def order_bench(cls=BurstOrder, *, invariants=True):
    """Builds a bench with units of 4 lines and up to two outstanding bursts of each kind."""
    m = Module()
    parts = ComponentParts(cls(LINES, writes=ENTRIES, reads=ENTRIES))
    m.submodules.dut = parts.fragment
    dut = parts.component
    watched = Signal(LINES.local_bits)
    last_watched = Signal(LINES.local_bits)
    started = Signal()
    m.d.sync += [last_watched.eq(watched), started.eq(1)]
    m.d.comb += [
        Assume(~started | (watched == last_watched)),
        Assume(dut.i.p.first <= dut.i.p.last),
        Assume(~dut.i.p.write | (dut.i.p.first == dut.i.p.last)),
    ]
    passes = dut.o.valid & dut.o.ready
    covers = _covers(dut.o.p, watched)
    tags = Signal(2)
    for number, (name, is_kind, ends) in enumerate(
        (("writes", dut.o.p.write, dut.answered), ("reads", ~dut.o.p.write, dut.arrived))
    ):
        tagged, ahead, count = _follow(m, name, passes & is_kind, ends, covers & tags[number])
        stops = covers & (dut.o.p.write ^ (name == "writes"))
        m.d.comb += Assert(~(tagged & passes & stops))
        if invariants:
            _claim_list(m, parts, name, tagged, ahead, count, watched)
    free_ports = (Value.cast(dut.i.p), dut.i.valid, dut.o.ready, dut.answered, dut.arrived)
    return m, (*free_ports, watched, tags)


def _covers(burst, line):
    """Returns a Value: the burst covers the line."""
    place = line[: LINES.place_bits]
    same_unit = burst.unit == line[LINES.place_bits :]
    return same_unit & (burst.first <= place) & (place <= burst.last)


def _follow(m, name, enters, leaves, tag):
    """Follows a tagged burst of a kind until its answer.

    Returns whether a burst is tagged, the number of bursts answered before it, and the number of
    outstanding bursts.
    """
    tagged, ahead, count = (
        Signal(bits, name=f"{name}_{part}")
        for part, bits in (("tagged", 1), ("ahead", 2), ("count", 2))
    )
    m.d.comb += Assume(~leaves | (count != 0))
    m.d.sync += count.eq(count + enters - leaves)
    with m.If(tagged & leaves):
        m.d.sync += [tagged.eq(ahead != 0), ahead.eq(ahead - (ahead != 0))]
    with m.If(~tagged & enters & tag):
        m.d.sync += [tagged.eq(1), ahead.eq(count - leaves)]
    return tagged, ahead, count


def _claim_list(m, parts, name, tagged, ahead, count, watched):
    """Claims that the list has the outstanding bursts in order, including the tagged burst."""
    used, enters, leaves, length, full = (
        parts.signal(name, n) for n in ("used", "enters", "leaves", "length", "full")
    )
    next_one = leaves.rotate_left(1)
    claims = [
        (leaves == 1) | (leaves == 2),
        count <= ENTRIES,
        enters == (leaves ^ (Cat(count[0], count[0]))),
        used == Cat((count == 2) | ((count == 1) & leaves[k]) for k in range(ENTRIES)),
        length == count,
        full == (count == ENTRIES),
        ~tagged | (ahead < count),
    ]
    layout = span(LINES.local_bits - LINES.place_bits, LINES.place_bits)
    for k in range(ENTRIES):
        listed = layout(parts.signal(name, f"listed{k}"))
        tagged_entry = ((ahead == 0) & leaves[k]) | ((ahead == 1) & next_one[k])
        claims.append(~(tagged & tagged_entry) | _covers(listed, watched))
    m.d.comb += [Assert(claim) for claim in claims]
