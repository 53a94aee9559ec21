"""Inserts the windows from the cache in their places among the windows from memory."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


class CachedLines(wiring.Component):
    """Replaces the empty line of each cached window by the lines of the window from the cache.

    A window from the cache comes in ``i`` as one line without values, so all windows stay in the
    order of the tuples that closed them. Each line that replaces the empty line has the passenger
    of the empty line; if this passenger counts values in ``new_values``, each line has the number
    of its own values there. For instance with a window of two lines, then a window from the cache
    of three lines::

        i          line   line, last   empty, cached
        states                                         line   line   line, last
        o          line   line, last                   line   line   line, last

    Order is kept. Latency 0 cycles. Initiation interval 1 cycle for a line of ``o``. A stall at
    ``o`` stalls both inputs.

    Parameters
    ----------
    shape : data.StructLayout
        Layout of a line of the decompressor; its ``passenger`` has ``cached``.
    states : data.StructLayout
        Layout of a line from the cache.

    Members
    -------
    i : In(stream.Signature(shape))
    states : In(stream.Signature(states))
        The lines of the cached windows, in the order of their empty lines at ``i``; each line holds
        states of the aggregates.
    o : Out(stream.Signature(shape))

    Source: seed 000, section 3.4.4.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, shape, states):
        super().__init__(
            {
                "i": In(stream.Signature(shape)),
                "states": In(stream.Signature(states)),
                "o": Out(stream.Signature(shape)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i = self.i
        states = self.states
        o = self.o
        from_cache = i.p.passenger.cached
        m.d.comb += [
            o.p.eq(i.p),
            o.valid.eq(i.valid),
            i.ready.eq(o.ready),
            states.ready.eq(i.valid & from_cache & o.ready),
        ]
        with m.If(from_cache):
            m.d.comb += [
                o.valid.eq(i.valid & states.valid),
                i.ready.eq(o.ready & states.valid & states.p.last),
                *(o.p[name].eq(states.p[name]) for name in ("tuples", "valid", "last")),
            ]
            if "new_values" in i.p.passenger.shape().members:
                # All values are new, because a cached window is sent only once.
                m.d.comb += o.p.passenger.new_values.eq(states.p.tuples[0].values)
        return m
