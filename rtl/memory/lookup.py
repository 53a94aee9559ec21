"""Moves lookups through the two pipeline stages that all banks share."""

from amaranth.hdl import Module, Shape, Signal
from amaranth.lib import data, stream

from rtl.memory.block import BlockMemory


def lookup_layout(depth, passenger):
    """Returns the layout of a bank's input: ``index`` of the entry, and ``passenger``."""
    return data.StructLayout({"index": range(depth), "passenger": passenger})


def result_layout(depth, passenger, entry):
    """Returns the layout of a bank's output: ``index``, ``passenger`` and ``entry``."""
    return data.StructLayout({**lookup_layout(depth, passenger).members, "entry": entry})


class StoredEntries:
    """Base class of all banks: states their latency and the size of their memory.

    A bank has a latency of 2 cycles, and accepts a lookup per cycle. The bank's constructor sets
    ``_store``, the BlockMemory of the entries.
    """

    latency = 2
    initiation_interval = 1

    @staticmethod
    def memory_bits_of(entry, depth):
        """Returns the size of a bank's memory, in bits, without making the bank."""
        return BlockMemory.bits_of(width_of(entry), depth)

    @property
    def memory_bits(self):
        return self._store.bits


class Lookup:
    """Moves lookups from ``i`` through the read of a memory to ``o``.

    The entry is read in the cycle in which ``i`` is transferred. In the next stage, the *fetch*,
    the entry is at ``read_data``, also while the lookup waits. Then the lookup moves to ``o``;
    :meth:`registered` stores data with the lookup, and the bank drives ``o.p.entry``. Each stage
    holds at most one lookup. Both stages advance in the same cycles, the *steps*: when ``o``
    is not valid or is transferred. For instance ``o`` stalls in cycle 2, which is no step::

        cycle    0    1    2    3    4
        i        a    b    c    c
        fetch         a    b    b    c
        o                  a    a    b

    Order is kept. A chain of banks has one gate per bank from the last ``ready`` to the first.

    Parameters
    ----------
    m : Module
    i, o : stream.Interface
        Streams of :func:`lookup_layout` and of :func:`result_layout`, from inside of the bank.
    store : BlockMemory
        Its port to read is driven here.

    Attributes
    ----------
    step : Value
        High in each cycle in which both stages advance; ``i`` is ready in these cycles.
    fetch : View
        Index and passenger of the lookup in the fetch; undefined if there is none.
    """

    def __init__(self, m: Module, i: stream.Interface, o: stream.Interface, store):
        self._m = m
        self.step = Signal(name="step")
        self.fetch = Signal(i.p.shape(), name="fetch", reset_less=True)
        fetching = Signal(name="fetching")
        offering = Signal(name="offering")
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

    def registered(self, contents, name):
        """Returns a register that carries the bits ``contents`` from the fetch to ``o``."""
        register = Signal(len(contents), name=name, reset_less=True)
        with self._m.If(self.step):
            self._m.d.sync += register.eq(contents)
        return register


def width_of(entry):
    """Returns the width of an entry of the shape ``entry``, in bits."""
    return Shape.cast(entry).width
