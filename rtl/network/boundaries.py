"""Where groups begin and end in a sorted stream."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat, build, copy_sideband, split, wire
from rtl.stream.order import descends, equal


def counted_row(row, cardinality):
    """Layout of a tuple, or with ``cardinality`` bits of a tuple and the size of its group."""
    counted = data.StructLayout({"tuple": row, "cardinality": cardinality})
    return counted if cardinality else row


def marked_beat(row, lanes, distinct, context=0, **more):
    """A beat whose tuples carry the marks of :class:`GroupBoundaries`, and ``more`` of that name.

    Those of ``more`` that are of no bits are left out.
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
    """Marks the first and the last tuple of each group, and each new value in it.

    ``first``: no tuple of the stream before, or one of another group. ``last``: no tuple after, or
    one of another group. ``fresh[x]``: ``first``, or x differs from the tuple before. All three
    are undefined in lanes that are not valid.

    The stream at ``i`` must be dense, and its groups contiguous. A beat is held until the next one
    shows whether its last group goes on, or until it is known to be the stream's last; so the end
    of a stream is not waited for. Never stalls by itself.

    With ``order`` it is also looked at whether the stream ascends: by the first field of these,
    where that is equal by the second, and so on. In 3, 3, 7, 5, 6, 2 two descend, 5 and 2.

    Latency 1 cycle when the next beat follows at once (or the stream ends); initiation interval 1
    cycle.

    Parameters
    ----------
    row : data.StructLayout
        A tuple, with a member for each column.
    lanes : int
    key : str
        The column that tells the groups apart.
    distinct : iterable of str
        The columns to look for new values in.
    context : int
        Width of the beats' context.
    cardinality : int
        Bits of what each tuple brings along: the tuples of its group. It goes along untouched.
    order : mapping of str to bool
        Fields by which the stream must ascend, the first named first, and whether each is floating,
        which compares in totalOrder. Empty for none: then it is not looked at.

    Members
    -------
    i : In(stream.Signature(beat(counted_row(row, cardinality), lanes, context)))
    o : Out(stream.Signature(marked_beat(row, lanes, distinct, context, cardinality=cardinality)))
    unsorted : Out(1)
        High while a beat is held in which a tuple descends. Only with ``order``.

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
        held = Signal(self._plain, reset_less=True)
        full = Signal()
        marks = {
            name: Signal(self._lanes, name=f"{name}_marks", reset_less=True)
            for name in ("first", *self._distinct)
        }
        items = split(m, held.tuples, "held", deep=True)
        rows = [item["tuple"] if self._counted else item for item in items]
        arriving = split(m, self.i.p.tuples, "arriving", deep=True)
        arriving = [item["tuple"] if self._counted else item for item in arriving]

        # Marks of the beat at i: each lane against its left neighbour, lane 0 against what is held.
        left = [rows[-1], *arriving[:-1]]
        differs = {
            name: ~Cat(equal(a[name], b[name]) for a, b in zip(left, arriving, strict=True))
            for name in (self._key, *self._distinct)
        }
        goes_on = full & ~held.last
        first = Cat(differs[self._key][0] | ~goes_on, differs[self._key][1:])
        with m.If(self.i.ready):
            m.d.sync += [full.eq(self.i.valid), held.eq(self.i.payload), marks["first"].eq(first)]
            m.d.sync += [marks[name].eq(first | differs[name]) for name in self._distinct]

        if self._order:
            pairs = zip(left, arriving, strict=True)
            wrong = Cat(descends(a, b, self._order) for a, b in pairs)
            wrong &= self.i.p.valid & Cat(goes_on, self.i.p.valid[:-1])
            with m.If(self.i.ready):
                m.d.sync += self.unsorted.eq(self.i.valid & wrong.any())

        # The last lane's group ends unless the next beat begins with a tuple of it.
        ends = held.last | ~self.i.p.valid[0] | differs[self._key][0]
        last = Cat(marks["first"][1:] | ~held.valid[1:], ends)
        marked = build(m, self.o.p.tuples, "marked", deep=True)
        for lane in range(self._lanes):
            given = {
                "row": rows[lane],
                "first": marks["first"][lane],
                "last": last[lane],
                "fresh": {name: marks[name][lane] for name in self._distinct},
            }
            given |= {"cardinality": items[lane]["cardinality"]} if self._counted else {}
            m.d.comb += wire(marked[lane], given)
        m.d.comb += [
            self.o.p.valid.eq(held.valid),
            *copy_sideband(self.o.p, held),
            self.o.valid.eq(full & (held.last | self.i.valid)),
            self.i.ready.eq(~full | (self.o.ready & (held.last | self.i.valid))),
        ]
        return m
