"""Which keys have a place in the cache, and which windows are whole there."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class CachedKeys(wiring.Component):
    """Gives places to the keys that closed windows last.

    A key gets one with a window that it closes: that of the key that has closed none for the
    longest time. From that value on all of its values are kept, and a window is a *hit* once there
    are as many as it has. **Always: all values of a hit were kept, in this place, and in one life
    of the key**: a key that begins anew has no place. Two places, windows of 2 values after each::

        key        a     a     b     a     a     c     b     a     c
        closes     -     yes   -     yes   yes   -     yes   yes   yes
        place            0           0     0           1     0     1
                         takes       hit   hit         takes hit   takes, b has none

    What is told of a value is so in the cycle in which it is shown, and changes what is told of the
    next one if it ``moves``. A reset takes all places away. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : CachePlan
    entries, number_bits : int
        Of the keys, and of the numbers of their values.

    Members
    -------
    i : In(plan.asked(entries, number_bits))
    moves : In(1)
    told : Out(plan.told)

    Source: seed 000, section 3.4.4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, entries, number_bits):
        self._plan, self._entries = plan, entries
        super().__init__(
            {
                "i": In(plan.asked(entries, number_bits)),
                "moves": In(1),
                "told": Out(plan.told),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i, told, plan = self.i, self.told, self._plan
        places = range(plan.keys)
        taken = [Signal(name=f"taken{k}") for k in places]
        entry = [Signal(range(self._entries), name=f"entry{k}", reset_less=True) for k in places]
        # So many values of the key are there, at least; and so many places were used later.
        held = [Signal(range(plan.values + 1), name=f"held{k}", reset_less=True) for k in places]
        later = [Signal(range(plan.keys), name=f"later{k}", init=plan.keys - 1 - k) for k in places]
        mine, full, oldest, chosen = (Signal(plan.keys) for _ in range(4))
        known, closes = Signal(), Signal()
        m.d.comb += [
            mine.eq(Cat(equal(entry[k], i.entry, taken[k]) for k in places)),
            full.eq(Cat(held[k] + 1 >= i.size for k in places)),
            oldest.eq(Cat(later[k] == plan.keys - 1 for k in places)),
            chosen.eq(Mux(mine.any(), mine, oldest)),
            closes.eq(i.valid & i.closes),
            known.eq(mine.any() & ~i.fresh),
            told.hit.eq(closes & known & (mine & full).any()),
            told.takes.eq(closes & ~known),
            told.kept.eq(i.valid & (known | i.closes)),
        ]
        for k in places:
            with m.If(chosen[k]):
                m.d.comb += told.place.eq(k)
            changes = self.moves & i.valid & chosen[k]
            with m.If(changes & told.takes):
                m.d.sync += [taken[k].eq(1), entry[k].eq(i.entry), held[k].eq(1)]
            with m.Elif(changes & mine[k] & i.fresh):
                m.d.sync += taken[k].eq(0)
            with m.Elif(changes & mine[k] & (held[k] != plan.values)):
                m.d.sync += held[k].eq(held[k] + 1)
            used = Cat(chosen[j] & (later[k] < later[j]) for j in places).any()
            with m.If(self.moves & closes):
                m.d.sync += later[k].eq(Mux(chosen[k], 0, later[k] + used))
        return m
