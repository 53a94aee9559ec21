"""The two steps of a lookup, the same in all banks."""

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import data, stream


def asked(depth, passenger):
    """Layout of a lookup that goes in: ``index`` of the entry, and ``passenger``."""
    return data.StructLayout({"index": range(depth), "passenger": passenger})


def answered(depth, passenger, entry):
    """Layout of a lookup that comes out: with the ``entry`` beside it."""
    return data.StructLayout({**asked(depth, passenger).members, "entry": entry})


class Lookup:
    """Takes lookups from ``i`` through the read of a memory to ``o``.

    In the cycle in which ``i`` is transferred its entry is read. In the next, the *fetch*, the
    entry is at ``read_data``, and stays there while the lookup has to wait. Then the lookup moves
    on to ``o``, where it is offered; what goes with it is :meth:`kept`, and the bank drives
    ``o.p.entry``. So one lookup is in each of the two, or none; both move in the same cycles, the
    *steps*, when nothing is offered or what is offered is taken. A chain of banks has one gate for
    each from the last ``ready`` to the first.

    Attributes
    ----------
    step : Value
        What is in the fetch, if anything, moves on in this cycle, and ``i`` is ready.
    fetch : View
        Index and passenger of what is in the fetch, or rubbish.
    """

    def __init__(self, m: Module, i: stream.Interface, o: stream.Interface, store):
        self._m = m
        self.step = Signal(name="step")
        self.fetch = Signal(i.p.shape(), name="fetch", reset_less=True)
        fetching, offering = Signal(name="fetching"), Signal(name="offering")
        offered = Signal(i.p.shape(), name="offered", reset_less=True)
        m.d.comb += [
            self.step.eq(~offering | o.ready),
            i.ready.eq(self.step),
            store.read_address.eq(i.p.index),
            store.read_enable.eq(i.valid & self.step),
            o.valid.eq(offering),
            o.p.index.eq(offered.index),
            o.p.passenger.eq(offered.passenger),
        ]
        with m.If(self.step):
            m.d.sync += [
                fetching.eq(i.valid),
                self.fetch.eq(i.p),
                offering.eq(fetching),
                offered.eq(self.fetch),
            ]

    def kept(self, contents, name):
        """The bits ``contents``, given in the fetch, in a register beside what is offered."""
        kept = Signal(len(contents), name=name, reset_less=True)
        with self._m.If(self.step):
            self._m.d.sync += kept.eq(contents)
        return kept


def width_of(entry):
    """Bits of an entry of this shape."""
    return Shape.cast(entry).width
