"""Looks up the items of steps in the cache of windows before the levels of memory."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.step import offer, step_layout


class CachedLevels(wiring.Component):
    """Puts the cache of windows in front of the levels of memory.

    ::

        i --+--> WindowCache --+-------------------------------> cached
            |                  | hit?
            |                  v
            +--> the step, which says if a hit --> levels ----> commands, windows

    The levels store each item as without a cache, because a key may lose its place in the cache.
    The levels read nothing for a window that is a hit, as ``cached`` in ``window_info`` says: its
    growing line keeps its place in the order of the windows. The step still has its number of
    ``lines``, which tells whether the window fills the ring. For instance with lines of 8
    items, and a window of 20 items, of which 3 are in the growing line::

        read       3 lines before the growing line, and the growing line
        a hit      the growing line, which the collector replaces by the lines from the cache

    Order is kept. Latency that of the levels. Initiation interval that of the levels, or the lines
    of a cached window. A stall of the levels or of the cache stalls ``i``.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a CachedLineStore.
    levels : wiring.Component
        Component of the store without the cache; its ports are those of
        :func:`~rtl.keyed.store.lines.level_ports.level_ports`.

    Members
    -------
    i : In(stream.Signature(step_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(window_layout(plan.line, plan.window_info)))
    lines : In(stream.Signature(marked_line()))
    collected : Out(stream.Signature(marked_line()))
    updated : Out(1)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)}))
    busy : Out(1)
    m2_base : In(plan.outer_m2.base_bits), or none
    m_axi_m2 : Out(Axi4(...)), or none
        Those of the levels.
    cached : Out(stream.Signature(plan.store.cache.state_line))
        The lines of cached windows, for the collector.
    hit : Out(1)
        A window came out of the cache; high for a cycle.

    Source: seed 000, section 3.4.4.
    """

    initiation_interval = 1

    def __init__(self, plan, levels):
        self._levels = levels
        self._cache = plan.store.cache.lookup(plan.entries)
        self._passed_on = {k: v for k, v in levels.signature.members.items() if k != "i"}
        super().__init__(
            {
                "i": In(stream.Signature(step_layout(plan))),
                **self._passed_on,
                "cached": Out(self._cache.o.signature),
                "hit": Out(1),
            }
        )

    @property
    def latency(self):
        return self._levels.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.levels = levels = self._levels
        m.submodules.cache = cache = self._cache
        for name, member in self._passed_on.items():
            inside = getattr(levels, name)
            outside = getattr(self, name)
            if member.is_signature:
                wiring.connect(m, inside, wiring.flipped(outside))
            else:
                target, source = (outside, inside) if member.flow is Out else (inside, outside)
                m.d.comb += target.eq(source)
        wiring.connect(m, cache.o, wiring.flipped(self.cached))
        step = self.i.p
        entered = levels.i.p
        hit = cache.decision.hit
        window = step.window_info
        members = {name: step[name] for name in step.shape().members}
        m.d.comb += [
            *offer(
                cache.i.p, **members, entry=window.entry, size=window.bound, window=window.window
            ),
            # The item enters the cache and the levels in the same cycle.
            cache.i.valid.eq(self.i.valid & levels.i.ready),
            levels.i.valid.eq(self.i.valid & cache.i.ready),
            self.i.ready.eq(levels.i.ready & cache.i.ready),
            entered.eq(step),
            entered.window_info.cached.eq(hit),
            self.hit.eq(self.i.valid & self.i.ready & hit),
        ]
        return m
