"""Marks the first and last tuple of each group in a sorted stream."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat, build, copy_sideband, split, wire
from rtl.stream.order import descends, equal


def counted_row(row, cardinality):
    """Returns the layout of a tuple, and of the size of its group unless ``cardinality`` is 0.

    ``cardinality`` is the width of that size in bits.
    """
    counted = data.StructLayout({"tuple": row, "cardinality": cardinality})
    return counted if cardinality else row


def marked_beat(row, lanes, distinct, context=0, **more):
    """Returns the layout of a beat whose tuples carry the marks of :class:`GroupBoundaries`.

    ``more`` maps names of further members of a tuple to their bits; 0 bits omit a member.
    """
    marks = {
        "row": row,
        "first": 1,
        "last": 1,
        "fresh": data.StructLayout(dict.fromkeys(distinct, 1)),
    }
    more = {name: bits for name, bits in more.items() if bits}
    return beat(data.StructLayout(marks | more), lanes, context)


class GroupBoundaries(wiring.Component):
    """Marks the first and the last tuple of each group, and each new value within a group.

    ``first``: the tuple is the stream's first or differs in group from the previous tuple.
    ``last``: the tuple is the stream's last or differs in group from the next tuple. ``fresh[x]``:
    ``first`` is high or x differs from the previous tuple's. The marks are undefined in lanes that
    are not valid.

    The stream at ``i`` must be dense: its beats are full, except the last one, which may be partly
    filled or empty. Groups must be contiguous. A beat is stored until the next beat
    shows whether the last group continues; the last beat of a stream leaves without waiting. The
    component never stalls by itself.

    With ``order`` the component also checks that the stream ascends: by the first field, on ties by
    the second, and so on. A tuple descends if it is less than the previous tuple: in 3, 3, 7, 5, 6,
    2 these are 5 and 2.

    Latency 1 cycle if the next beat follows at once or the stream ends; initiation interval 1
    cycle.

    Parameters
    ----------
    row : data.StructLayout
        Layout of a tuple, with a member for each column.
    lanes : int
    key : str
        Column that identifies a group.
    distinct : iterable of str
        Columns with a ``fresh`` mark.
    context : int
        Width of the beats' context.
    cardinality : int
        Width of the group size that each tuple carries, in bits; it passes through unchanged.
    order : mapping of str to bool
        Fields by which the stream must ascend, most significant first; True for floating fields,
        which compare in totalOrder. Empty: the order is not checked.

    Members
    -------
    i : In(stream.Signature(beat(counted_row(row, cardinality), lanes, context)))
    o : Out(stream.Signature(marked_beat(row, lanes, distinct, context, cardinality=cardinality)))
    unsorted : Out(1), or none
        High while the stored beat has a descending tuple. Only with ``order``.

    Source: seed 003, section 3.1 steps (a) and (b).
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, row, lanes, *, key, distinct=(), context=0, cardinality=0, order=None):
        self._order = dict(order or {})
        self._key = key
        self._distinct = tuple(distinct)
        self._lanes = lanes
        self._counted = bool(cardinality)
        self._plain = plain = beat(counted_row(row, cardinality), lanes, context)
        marked = marked_beat(row, lanes, self._distinct, context, cardinality=cardinality)
        super().__init__(
            {"i": In(stream.Signature(plain)), "o": Out(stream.Signature(marked))}
            | ({"unsorted": Out(1)} if self._order else {})
        )

    def elaborate(self, platform):
        m = Module()
        stored = Signal(self._plain, reset_less=True)
        full = Signal()
        first_marks = Signal(self._lanes, reset_less=True)
        fresh_marks = {
            name: Signal(self._lanes, name=f"{name}_marks", reset_less=True)
            for name in self._distinct
        }
        items = split(m, stored.tuples, "stored", deep=True)
        rows = [item["tuple"] if self._counted else item for item in items]
        arriving = split(m, self.i.p.tuples, "arriving", deep=True)
        arriving = [item["tuple"] if self._counted else item for item in arriving]

        # Marks of the beat at i: each tuple is compared with the previous one, the tuple of lane 0
        # with that of the last lane of ``stored``.
        previous = [rows[-1], *arriving[:-1]]
        differs = {
            name: ~Cat(equal(a[name], b[name]) for a, b in zip(previous, arriving, strict=True))
            for name in (self._key, *self._distinct)
        }
        continues = full & ~stored.last
        first = Cat(differs[self._key][0] | ~continues, differs[self._key][1:])
        with m.If(self.i.ready):
            m.d.sync += [full.eq(self.i.valid), stored.eq(self.i.payload), first_marks.eq(first)]
            m.d.sync += [mark.eq(first | differs[name]) for name, mark in fresh_marks.items()]

        if self._order:
            pairs = zip(previous, arriving, strict=True)
            descending = Cat(descends(a, b, self._order) for a, b in pairs)
            descending &= self.i.p.valid & Cat(continues, self.i.p.valid[:-1])
            with m.If(self.i.ready):
                m.d.sync += self.unsorted.eq(self.i.valid & descending.any())

        # The last lane's group ends unless the next beat begins with a tuple of the same group.
        ends = stored.last | ~self.i.p.valid[0] | differs[self._key][0]
        last = Cat(first_marks[1:] | ~stored.valid[1:], ends)
        marked = build(m, self.o.p.tuples, "marked", deep=True)
        for lane in range(self._lanes):
            members = {
                "row": rows[lane],
                "first": first_marks[lane],
                "last": last[lane],
                "fresh": {name: mark[lane] for name, mark in fresh_marks.items()},
            }
            members |= {"cardinality": items[lane]["cardinality"]} if self._counted else {}
            m.d.comb += wire(marked[lane], members)
        m.d.comb += [
            self.o.p.valid.eq(stored.valid),
            *copy_sideband(self.o.p, stored),
            self.o.valid.eq(full & (stored.last | self.i.valid)),
            self.i.ready.eq(~full | (self.o.ready & (stored.last | self.i.valid))),
        ]
        return m
