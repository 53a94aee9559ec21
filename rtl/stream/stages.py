"""Registers of a component whose pipeline stages all advance in the same cycles."""

from amaranth.hdl import Cat, Signal


class Stages:
    """Builds the registers of a pipeline from ``i`` to ``o`` whose stages all advance together.

    The stages advance in each cycle in which the last stage is empty or its item leaves. Invariant:
    **all parts of an item are in the same stage**, because each register changes in the cycles of
    an advance only. For instance with a latency of 2 cycles, where ``o`` is stalled in cycle 2::

        cycle      0    1    2    3    4    5
        i          A    -    B    B
        stage 0         A    -    -    B
        stage 1              A    A    -    B

    Order is kept. Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` once ``o`` is valid,
    and gaps between items stay. The payload of ``o`` is left to the caller.

    Parameters
    ----------
    m : Module
        Module of the component, which gets the registers, ``i.ready`` and ``o.valid``.
    i, o : stream interfaces
    latency : int
        Number of stages.
    """

    def __init__(self, m, i, o, latency):
        self._m = m
        self._advance = Signal(name="step")
        valid = Signal(latency)
        m.d.comb += [
            self._advance.eq(~valid[-1] | o.ready),
            i.ready.eq(self._advance),
            o.valid.eq(valid[-1]),
        ]
        with m.If(self._advance):
            m.d.sync += valid.eq(Cat(i.valid, valid[:-1]))

    def register(self, value, name, cycles=1):
        """Returns the value ``cycles`` stages later, through registers without a reset."""
        for cycle in range(cycles):
            stage = Signal(value.shape(), name=f"{name}{cycle}", reset_less=True)
            with self._m.If(self._advance):
                self._m.d.sync += stage.eq(value)
            value = stage
        return value
