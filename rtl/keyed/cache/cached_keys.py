"""Assigns the places of the window cache to keys."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class CachedKeys(wiring.Component):
    """Assigns the places of the cache to the keys that closed windows last.

    A key without a place claims a place when it closes a window: the place of the key that has
    closed no window for the longest time. From then on all values of the key are stored. A window
    is a *hit* if all its values are stored. **All values of a hit were stored in one place and in
    one life of the key**: a key that is inserted into the table again has no place. For instance
    with two places, and windows of 2 values after each value::

        key        a     a     b     a     a     c     b     a     c
        closes     -     yes   -     yes   yes   -     yes   yes   yes
        place            0           0     0           1     0     1
                         claims      hit   hit         claims hit  claims, b has none

    Values are numbered in their place. A key that claims a place continues with the numbers of the
    place's previous key, so its values do not overwrite the last window of the previous key.

    The decision about a value depends combinationally on ``i``, and the state changes if
    ``transfer`` is high. A reset frees all places. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : CachePlan
    entries : int
        Entries of the key table.

    Members
    -------
    i : In(plan.value_layout(entries))
    transfer : In(1)
    decision : Out(plan.decision)
    number : Out(plan.number_shape)
        Number of the value in its place; if ``valid`` of ``i`` is low, the number that the next
        value there will have.

    Source: seed 000, section 3.4.4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan, entries):
        self._plan = plan
        self._entries = entries
        super().__init__(
            {
                "i": In(plan.value_layout(entries)),
                "transfer": In(1),
                "decision": Out(plan.decision),
                "number": Out(plan.number_shape),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i
        decision = self.decision
        plan = self._plan
        places = range(plan.keys)
        occupied = [Signal(name=f"occupied{k}") for k in places]
        entry = [Signal(range(self._entries), name=f"entry{k}", reset_less=True) for k in places]
        # ``value_count``: stored values of the key, up to the size of the largest window.
        # ``next_number``: number of the next value that is stored in the place.
        # ``used_later``: number of places whose key closed a window later than the place's key.
        value_count = [
            Signal(range(plan.values + 1), name=f"value_count{k}", reset_less=True) for k in places
        ]
        next_number = [Signal(plan.number_shape, name=f"next_number{k}") for k in places]
        used_later = [
            Signal(range(plan.keys), name=f"used_later{k}", init=plan.keys - 1 - k) for k in places
        ]
        own_place = Signal(plan.keys)
        window_stored = Signal(plan.keys)
        oldest = Signal(plan.keys)
        selected = Signal(plan.keys)
        has_place = Signal()
        closes = Signal()
        m.d.comb += [
            own_place.eq(Cat(equal(entry[k], i.entry, occupied[k]) for k in places)),
            # All values of the window are stored, with this value if the window includes it.
            window_stored.eq(
                Cat(value_count[k] + plan.item.includes_closing_value >= i.size for k in places)
            ),
            oldest.eq(Cat(used_later[k] == plan.keys - 1 for k in places)),
            selected.eq(Mux(own_place.any(), own_place, oldest)),
            closes.eq(i.closes & i.valid if plan.item.includes_closing_value else i.closes),
            has_place.eq(own_place.any() & ~i.fresh),
            decision.hit.eq(closes & has_place & (own_place & window_stored).any()),
            decision.claims.eq(closes & ~has_place),
            decision.stored.eq(i.valid & (has_place | closes)),
        ]
        for k in places:
            with m.If(selected[k]):
                m.d.comb += [decision.place.eq(k), self.number.eq(next_number[k])]
            changes = self.transfer & selected[k]
            with m.If(changes & decision.stored):
                m.d.sync += next_number[k].eq(next_number[k] + 1)
            with m.If(changes & decision.claims):
                m.d.sync += [occupied[k].eq(1), entry[k].eq(i.entry), value_count[k].eq(i.valid)]
            # The key begins a new life with this value, which closes no window.
            with m.Elif(changes & i.valid & own_place[k] & i.fresh):
                m.d.sync += occupied[k].eq(0)
            with m.Elif(changes & i.valid & own_place[k] & (value_count[k] != plan.values)):
                m.d.sync += value_count[k].eq(value_count[k] + 1)
            newer_than_selected = Cat(
                selected[j] & (used_later[k] < used_later[j]) for j in places
            ).any()
            with m.If(self.transfer & closes):
                m.d.sync += used_later[k].eq(
                    Mux(selected[k], 0, used_later[k] + newer_than_selected)
                )
        return m
