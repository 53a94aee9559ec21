"""What is on its way through a part, in order, and the youngest of each name among it."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class InFlight(wiring.Component):
    """Gives slots in turn to what enters, and finds the youngest of a name that has not left.

    Slots are taken in turn, from 0 on and from 0 again behind the last; the oldest leaves first.
    What enters with ``named`` is found by its ``name`` from the next cycle on, until the end of the
    cycle in which it leaves, or until another of its name enters: so of each name at most one is
    ever found. For instance with 4 slots::

        cycle   enters   found of name 7   leaves
        0       7        -
        1       3        slot 0
        2       7        slot 0
        3                slot 2            slot 0, which nobody finds any more
        4                slot 2            slot 1
        5                slot 2            slot 2
        6                -

    ``found``, ``slot`` and ``full`` are combinational of ``name`` and of what is there at the
    beginning of the cycle.

    Parameters
    ----------
    width : int
        Bits of a name.
    slots : int
        A power of two of at least 2.

    Members
    -------
    name : In(width)
    enter : In(1)
        Something enters. Not when ``full``.
    named : In(1)
        It has the name ``name``; else it takes a slot, and is never found.
    leave : In(1)
        The oldest leaves. Not when ``empty``.
    found : Out(1)
        Something of this ``name`` is there,
    slot : Out(range(slots))
        and this is the slot of the youngest; else it is 0.
    full : Out(1)
    empty : Out(1)

    Source: ours.
    """

    def __init__(self, width, slots):
        if not isinstance(slots, int) or slots < 2 or slots & (slots - 1):
            raise ValueError(f"slots must be a power of two of at least 2, not {slots!r}")
        self._slots = slots
        super().__init__(
            {
                "name": In(width),
                "enter": In(1),
                "named": In(1),
                "leave": In(1),
                "found": Out(1),
                "slot": Out(range(slots)),
                "full": Out(1),
                "empty": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        slots = self._slots
        used, newest = Signal(slots), Signal(slots)
        enters, leaves = (Signal(slots, name=n, init=1) for n in ("enters", "leaves"))
        entering, leaving, meets = (Signal(slots, name=n) for n in ("entering", "leaving", "meets"))
        supersedes = Signal()
        with m.If(self.enter):
            m.d.sync += enters.eq(enters.rotate_left(1))
        with m.If(self.leave):
            m.d.sync += leaves.eq(leaves.rotate_left(1))
        for k in range(slots):
            name = Signal(len(self.name), name=f"name{k}", reset_less=True)
            with m.If(entering[k]):
                m.d.sync += name.eq(self.name)
            m.d.comb += meets[k].eq(equal(name, self.name, newest[k]))
        m.d.comb += [
            entering.eq(enters & self.enter.replicate(slots)),
            leaving.eq(leaves & self.leave.replicate(slots)),
            supersedes.eq(self.enter & self.named),
            self.found.eq(meets.any()),
            self.slot.eq(_number(meets)),
            self.full.eq(used.all()),
            self.empty.eq(~used.any()),
        ]
        m.d.sync += [
            used.eq((used | entering) & ~leaving),
            newest.eq(
                (newest & ~leaving & ~(meets & supersedes.replicate(slots)))
                | (entering & self.named.replicate(slots))
            ),
        ]
        return m


def _number(one_hot):
    """The number of the only bit that is set, 0 if none is."""
    bits = (len(one_hot) - 1).bit_length()
    return Cat(
        Cat(one_hot[k] for k in range(len(one_hot)) if k >> b & 1).any() for b in range(bits)
    )
