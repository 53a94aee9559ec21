"""The names of what entered last, and where the youngest of each is kept."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class Recent(wiring.Component):
    """Gives slots in turn to what enters, and finds the youngest of a name.

    Slots are taken in turn, from 0 on and from 0 again behind the last; so each is kept until the
    ``slots``-th that enters after it. What enters with ``named`` is found by its ``name`` as long
    as it is kept, or until another of its name enters: of each name at most one is ever found. For
    instance with 4 slots::

        enters     7   3   7       5   7   6   6   6   7   3
        in slot    0   1   2   3   0   1   2   3   0   1   2
        found      -   -   0       -   2   -   2   3   1   -

    The fourth has no name. The last 7 finds the one before it, in the slot that it takes itself.

    ``found`` and ``slot`` are combinational of ``name``, and of what has entered in the cycles
    before. A reset forgets all names, and begins with slot 0.

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
        Something enters.
    named : In(1)
        It has the name ``name``; else it takes a slot, and is never found.
    found : Out(1)
        Something of this ``name`` is kept,
    slot : Out(range(slots))
        and this is the slot of the youngest; else it is 0.

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
                "found": Out(1),
                "slot": Out(range(slots)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        slots = self._slots
        newest = Signal(slots)
        turn = Signal(slots, init=1)
        meets, entering = Signal(slots), Signal(slots)
        for k in range(slots):
            name = Signal(len(self.name), name=f"name{k}", reset_less=True)
            with m.If(entering[k]):
                m.d.sync += name.eq(self.name)
            m.d.comb += meets[k].eq(equal(name, self.name, newest[k]))
        m.d.comb += [
            entering.eq(turn & self.enter.replicate(slots)),
            self.found.eq(meets.any()),
            self.slot.eq(_number(meets)),
        ]
        named = self.named.replicate(slots)
        with m.If(self.enter):
            m.d.sync += [
                turn.eq(turn.rotate_left(1)),
                newest.eq((newest & ~turn & ~(meets & named)) | (turn & named)),
            ]
        return m


def _number(one_hot):
    """The number of the only bit that is set, 0 if none is."""
    bits = (len(one_hot) - 1).bit_length()
    return Cat(
        Cat(one_hot[k] for k in range(len(one_hot)) if k >> b & 1).any() for b in range(bits)
    )
