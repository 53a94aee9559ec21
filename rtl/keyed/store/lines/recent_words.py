"""Finds the slot of the latest entry of a name, among the last entries."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class Recent(wiring.Component):
    """Assigns slots to entries in turn, and finds the slot of the latest entry of a name.

    A name is, for instance, the number of a key. Slots are assigned from 0 on, and from 0 again
    after the last slot, so an entry is replaced after ``slots`` further entries. An entry with
    ``named`` is found by ``name`` until the entry is replaced, or until another entry of the same
    name arrives. For instance with 4 slots::

        name       7   3   7       5   7   6   6   6   7   3
        in slot    0   1   2   3   0   1   2   3   0   1   2
        found      -   -   0       -   2   -   2   3   1   -

    The fourth entry has no name. The last 7 finds the previous 7, in the slot that the last 7 is
    assigned.

    ``found`` and ``slot`` depend combinationally on ``name``, and on the entries of earlier
    cycles, so the latency is 0 cycles. An entry may come in each cycle. A reset removes all names,
    and begins with slot 0.

    Parameters
    ----------
    width : int
        Width of a name, in bits.
    slots : int
        A power of two of at least 2.

    Members
    -------
    name : In(width)
    enter : In(1)
        An entry comes.
    named : In(1)
        The entry has the name ``name``. An entry without a name has a slot, but is never found.
    found : Out(1)
        An entry has this ``name``.
    slot : Out(range(slots))
        Slot of the latest entry of this name; 0 if no entry has the name.

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
        is_latest = Signal(slots)  # the slot has a named entry, the latest one of its name
        next_slot = Signal(slots, init=1)  # one-hot: the slot of the next entry
        matches = Signal(slots)
        entering = Signal(slots)
        for k in range(slots):
            name = Signal(len(self.name), name=f"name{k}", reset_less=True)
            with m.If(entering[k]):
                m.d.sync += name.eq(self.name)
            m.d.comb += matches[k].eq(equal(name, self.name, is_latest[k]))
        m.d.comb += [
            entering.eq(next_slot & self.enter.replicate(slots)),
            self.found.eq(matches.any()),
            self.slot.eq(_number(matches)),
        ]
        named = self.named.replicate(slots)
        with m.If(self.enter):
            m.d.sync += [
                next_slot.eq(next_slot.rotate_left(1)),
                # A new entry replaces the entry in its slot, and hides the one of its name.
                is_latest.eq((is_latest & ~next_slot & ~(matches & named)) | (next_slot & named)),
            ]
        return m


def _number(one_hot):
    """Returns the number of the only bit that is set, 0 if no bit is set."""
    bits = (len(one_hot) - 1).bit_length()
    return Cat(
        Cat(one_hot[k] for k in range(len(one_hot)) if k >> b & 1).any() for b in range(bits)
    )
