"""The cache of windows: what has been compressed need not be read if it is still on the chip."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.cache.cached_keys import CachedKeys
from rtl.keyed.cache.cached_values import CachedValues


class WindowCache(wiring.Component):
    """Keeps the values of the keys that closed windows last, and gives windows out of them.

    ::

        i --> CachedKeys --+--> told
                           +--> CachedValues --> o

    It stands beside the way of all values: ``told`` goes along with each, in the cycle in which it
    is taken. What ``o`` gives are the windows that were a ``hit``, in their order. For instance
    with 128 lanes a window of 1,024 values after each, of one key: from the 2,047th value on, 8
    lines for each.

    Order is kept. Latency, initiation interval and stalls are those of
    :class:`~rtl.keyed.cache.cached_values.CachedValues`. A reset empties it.

    Parameters
    ----------
    plan : RingPlan
        With a ``cache``.

    Members
    -------
    i : In(stream.Signature(plan.cache.asked(plan.entries, plan.number_bits)))
    told : Out(plan.cache.told)
    o : Out(stream.Signature(plan.cache.given))

    Source: seed 000, section 3.4.4.
    """

    initiation_interval = 1

    def __init__(self, plan):
        cache = plan.cache
        self._keys = CachedKeys(cache, plan.entries, plan.number_bits)
        self._values = CachedValues(cache)
        super().__init__(
            {
                "i": In(stream.Signature(cache.asked(plan.entries, plan.number_bits))),
                "told": Out(cache.told),
                "o": Out(stream.Signature(cache.given)),
            }
        )

    @property
    def latency(self):
        return self._values.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.keys, m.submodules.values = keys, values = self._keys, self._values
        wiring.connect(m, values.o, wiring.flipped(self.o))
        asked, kept = self.i.p, values.i.p
        m.d.comb += [
            keys.i.eq(asked),
            keys.moves.eq(self.i.valid & self.i.ready),
            self.told.eq(keys.told),
            values.i.valid.eq(self.i.valid),
            self.i.ready.eq(values.i.ready),
            kept.told.eq(keys.told),
            kept.number.eq(asked.number),
            kept.size.eq(asked.size),
            kept.item.eq(asked.item),
        ]
        return m
