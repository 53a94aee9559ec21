"""The cache of windows: values on the chip replace reads of lines or compressed blocks."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.cache.cached_keys import CachedKeys
from rtl.keyed.cache.cached_values import CachedValues


class WindowCache(wiring.Component):
    """Stores the values of the keys that closed windows last, and outputs their windows.

    ::

        i --> CachedKeys --+--> decision
                           +--> CachedValues --> o

    The cache is parallel to the path of all values: ``decision`` accompanies each value in the
    cycle of its transfer. ``o`` outputs the windows that are a ``hit``, in order. For instance with
    128 lanes, one key, and a window of 1,024 values after each value: from the 2,047th value on, 8
    lines for each value.

    Order is kept. Latency, initiation interval and stalls are those of
    :class:`~rtl.keyed.cache.cached_values.CachedValues`. A reset empties it.

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
        self._keys, self._values = CachedKeys(plan, entries), CachedValues(plan)
        super().__init__(
            {
                "i": In(stream.Signature(plan.value_layout(entries))),
                "decision": Out(plan.decision),
                "o": Out(stream.Signature(plan.state_line)),
            }
        )

    @property
    def latency(self):
        return self._values.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.keys, m.submodules.values = keys, values = self._keys, self._values
        wiring.connect(m, values.o, wiring.flipped(self.o))
        value, stored_value = self.i.p, values.i.p
        m.d.comb += [
            keys.i.eq(value),
            keys.transfer.eq(self.i.valid & self.i.ready),
            self.decision.eq(keys.decision),
            values.i.valid.eq(self.i.valid),
            self.i.ready.eq(values.i.ready),
            stored_value.decision.eq(keys.decision),
            stored_value.number.eq(keys.number),
            stored_value.size.eq(value.size),
            stored_value.window.eq(value.window),
            stored_value.item.eq(value.item),
        ]
        return m
