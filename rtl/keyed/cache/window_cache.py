"""Caches windows: values on the chip replace reads of lines or compressed blocks."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.cache.cached_keys import CachedKeys
from rtl.keyed.cache.cached_values import CachedValues
from rtl.keyed.cache.ranked_states import RankedStates
from rtl.keyed.cache.sorted_values import SortedValues
from rtl.keyed.step import offer


class WindowCache(wiring.Component):
    """Stores the values of the keys that closed windows last, and outputs their windows.

    ::

        i --> CachedKeys --+--> decision
                           +--> CachedValues --> states ---+--> o
                           +--> SortedValues --> ranks ----+
                                with percentiles

    The cache is parallel to the path of all values: ``decision`` accompanies each value in the
    cycle of its transfer. ``o`` outputs the windows that are a ``hit``, in order. For instance with
    128 lanes, one key, and a window of 1,024 values after each value: the 1,024th value closes the
    first window, so the key claims a place, which stores this value and all later values. The
    2,047th value is the 1,024th stored value, so from then on each window is a hit: 1,024 / 128 = 8
    lines at ``o`` for each value.

    With percentiles a value of a cached key also takes a cycle for each line of sorted values, see
    :class:`~rtl.keyed.cache.sorted_values.SortedValues`, whether it closes a window or not.

    Order is kept. Latency, initiation interval and stalls are those of
    :class:`~rtl.keyed.cache.cached_values.CachedValues`; with percentiles the latency is longer by
    that of :class:`~rtl.keyed.cache.ranked_states.RankedStates`. A reset empties the cache.

    Parameters
    ----------
    plan : CachePlan
    entries : int
        Entries of the key table.

    Members
    -------
    i : In(stream.Signature(plan.value_layout(entries)))
    decision : Out(plan.decision)
    o : Out(stream.Signature(plan.state_line))

    Source: seed 000, section 3.4.4.
    """

    initiation_interval = 1

    def __init__(self, plan, entries):
        self._keys = CachedKeys(plan, entries)
        self._values = CachedValues(plan)
        self._plan = plan
        self._sorted = None
        if plan.sorting is not None:
            self._sorted = SortedValues(plan)
            self._ranked = RankedStates(plan)
        super().__init__(
            {
                "i": In(stream.Signature(plan.value_layout(entries))),
                "decision": Out(plan.decision),
                "o": Out(stream.Signature(plan.state_line)),
            }
        )

    @property
    def latency(self):
        return self._values.latency + (0 if self._sorted is None else self._ranked.latency)

    def elaborate(self, platform):
        m = Module()
        m.submodules.keys = keys = self._keys
        m.submodules.values = values = self._values
        accepts = 1 if self._sorted is None else self._sort(m, keys)
        value = self.i.p
        stored_value = values.i.p
        m.d.comb += [
            keys.i.eq(value),
            keys.transfer.eq(self.i.valid & self.i.ready),
            self.decision.eq(keys.decision),
            values.i.valid.eq(self.i.valid & accepts),
            self.i.ready.eq(values.i.ready & accepts),
            stored_value.decision.eq(keys.decision),
            stored_value.number.eq(keys.number),
            stored_value.size.eq(value.size),
            stored_value.window.eq(value.window),
            stored_value.item.eq(value.item),
        ]
        if self._sorted is None:
            wiring.connect(m, values.o, wiring.flipped(self.o))
        return m

    def _sort(self, m, keys):
        """Sends stored values, and closings of windows, to the sorted values.

        Returns a bit: the value at ``i`` changes nothing there, or the sorted values accept it.
        """
        m.submodules.sorted = in_order = self._sorted
        m.submodules.ranked = ranked = self._ranked
        wiring.connect(m, self._values.o, ranked.states)
        wiring.connect(m, in_order.o, ranked.percentiles)
        wiring.connect(m, ranked.o, wiring.flipped(self.o))
        value = self.i.p
        decision = keys.decision
        change = in_order.i.p
        plan = self._plan
        item = Value.cast(value.item)
        changes = Signal()
        row = plan.fold.row(plan.item.value_of(item))
        tag = keys.number if plan.item.membership is None else plan.item.stamp_of(item)
        m.d.comb += [
            change.closes.eq(
                value.closes & (value.valid if plan.item.includes_closing_value else 1)
            ),
            changes.eq(decision.stored | change.closes),
            *(change[name].eq(decision[name]) for name in ("place", "stored", "claims", "hit")),
            change.size.eq(value.size),
            change.window.eq(value.window),
            change.value.eq(plan.sorting.key_of(row)),
            *offer(change, tag=tag, oldest=keys.number - value.size),
            in_order.i.valid.eq(self.i.valid & changes & self._values.i.ready),
        ]
        return in_order.i.ready | ~changes
