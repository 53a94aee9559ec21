"""Queues windows until the pivots of their keys may be looked up."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.pivot.pivot_plan import WINDOWS


class LookUpQueue(wiring.Component):
    """Queues up to 32 windows, and offers each when enough windows before it are complete.

    A window that passes again must also have the verdict on its last pass.

    The pivots of a window are the newest answers of its entry. So a window waits until at most
    ``ahead`` windows of the same entry before it are not complete. With ``ahead`` 1 and windows
    5, 6, 7 of one entry, window 7 is offered when window 5 is complete. A ``cached`` window instead
    waits until all windows before it that are not ``cached`` are complete, whatever their entries.
    The ``end`` of a stream waits for no window. Windows leave in order, so a window that waits
    stops the windows behind it.

    A window stays in the queue until it is complete, because it may have to be looked up again:
    after ``restarts`` the oldest window that is not complete is offered next. A window also waits
    while its bit of ``awaits_verdict`` is high: the verdict on its last pass has not come.

    ::

        i --> table of windows --> loaded: which windows before --> offered: how many of --> o
                                   it does it wait for?             them are not complete?

    A window that is offered never has to wait again, since windows before it can only become
    complete, and its bit of ``awaits_verdict`` can only fall. So the decision is registered, and
    may be a cycle old.

    Order is kept. Latency 3 cycles, if the window need not wait. Initiation interval 1 cycle. A
    window leaves 2 cycles after the ``complete`` for which it has waited, and 1 cycle after its bit
    of ``awaits_verdict`` is low. ``i`` stalls while 32 windows are not complete.

    Parameters
    ----------
    entries : int
        Number of keys.
    neighbours : int
        K of :class:`~rtl.keyed.pivot.pivot_plan.PivotPlan`, a power of two; ``ahead`` is less.

    Members
    -------
    i : In(stream.Signature(window))
        A struct of the ``entry``, ``ahead``, ``cached``, and ``end``: this is not a window, but the
        end of a stream.
    o : Out(stream.Signature(looked_up))
        A struct of the ``entry``, ``end``, and ``slot``: the number of the window or end, modulo
        32.
    complete : In(1)
        The oldest window, or end of a stream, leaves the queue. It was taken from ``o``, at the
        latest in this cycle.
    restarts : In(1)
        All windows in the queue are to be offered again; not together with ``complete``. A transfer
        at ``o`` in the same cycle does not count.
    awaits_verdict : In(32)
        For each window, modulo 32, a bit. It rises only after the transfer of the window at ``o``,
        and before the next ``restarts``.
    oldest : Out(range(entries))
        Entry of the oldest window.
    busy : Out(1)
        A window or an end is inside.

    Source: ours.
    """

    latency = 3
    initiation_interval = 1

    def __init__(self, entries, neighbours):
        self._entries = entries
        self._neighbours = neighbours
        copied = {"entry": range(entries), "end": 1}
        self.window = data.StructLayout(copied | {"ahead": range(neighbours), "cached": 1})
        self.looked_up = data.StructLayout(copied | {"slot": range(WINDOWS)})
        super().__init__(
            {
                "i": In(stream.Signature(self.window)),
                "o": Out(stream.Signature(self.looked_up)),
                "complete": In(1),
                "restarts": In(1),
                "awaits_verdict": In(WINDOWS),
                "oldest": Out(range(entries)),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        # The following four are numbers of windows, modulo 64.
        self._entered = Signal(WINDOWS.bit_length(), name="entered")  # the next to enter
        self._next = Signal(WINDOWS.bit_length(), name="next")  # the next to be loaded
        self._counted = Signal(WINDOWS.bit_length(), name="counted")  # the next to be counted
        self._first = Signal(WINDOWS.bit_length(), name="first")  # the oldest not complete
        self._windows = Signal(data.ArrayLayout(self.window, WINDOWS))
        # For each slot a bit: its window is counted and not complete.
        self._incomplete = Signal(WINDOWS)
        self._enter(m)
        register = self.looked_up.members | {
            "ahead": range(self._neighbours),  # number of windows for which it need not wait
            "before": WINDOWS,  # for each slot a bit: the window waits for that window
            "valid": 1,
        }
        self._loaded = Signal(data.StructLayout(register), name="loaded")
        self._offered = Signal(data.StructLayout(register | {"waits": 1}), name="offered")
        free = Signal()  # the register of the offered window is empty, or its window leaves
        m.d.comb += [
            free.eq(~self._offered.valid | (self.o.valid & self.o.ready)),
            self.o.valid.eq(self._offered.valid & ~self._offered.waits),
            *(self.o.p[name].eq(self._offered[name]) for name in self.looked_up.members),
            self.oldest.eq(self._slot(self._first).entry),
            self.busy.eq(self._entered != self._first),
        ]
        self._load(m, free)
        self._count(m, free)
        with m.If(self.complete):
            m.d.sync += [
                self._first.eq(self._first + 1),
                self._incomplete.bit_select(self._first[:-1], 1).eq(0),
            ]
        with m.If(self.restarts):
            m.d.sync += [
                self._next.eq(self._first),
                self._counted.eq(self._first),
                self._incomplete.eq(0),
                self._loaded.valid.eq(0),
                self._offered.valid.eq(0),
                self._offered.waits.eq(0),
            ]
        return m

    def _slot(self, number):
        """Returns the slot of a window's number."""
        return self._windows[number[:-1]]

    def _enter(self, m):
        """Stores a window at ``i`` in the table of windows, if the table has a free slot."""
        count = (self._entered - self._first)[: len(self._entered)]
        m.d.comb += self.i.ready.eq(count != WINDOWS)
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [
                self._slot(self._entered).eq(self.i.p),
                self._entered.eq(self._entered + 1),
            ]

    def _compare(self, m):
        """Compares each window with all slots, in the cycle after the window has entered.

        Returns a bit for each slot: its window has the entry of the window that is loaded next. The
        bits of slots with later windows have no meaning.
        """
        same = Signal(data.ArrayLayout(WINDOWS, WINDOWS), reset_less=True)
        compared = Signal.like(self._entered)
        newest = Signal(range(self._entries))
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += newest.eq(self.i.p.entry)
        m.d.sync += compared.eq(self._entered)
        is_same = Cat(window.entry == newest for window in self._windows)
        with m.If(compared != self._entered):
            m.d.sync += same[compared[:-1]].eq(is_same)
        return Mux(self._next == compared, is_same, same[self._next[:-1]])

    def _load(self, m, free):
        """Loads the next window, and the set of the windows for which it may have to wait."""
        loaded = self._loaded
        slot = self._slot(self._next)
        is_here = Signal()
        same = self._compare(m)
        is_searched = Cat(~window.cached for window in self._windows)
        m.d.comb += is_here.eq(self._next != self._entered)
        with m.If(~loaded.valid | free):
            m.d.sync += [
                *(loaded[name].eq(slot[name]) for name in ("entry", "end")),
                loaded.slot.eq(self._next[:-1]),
                loaded.ahead.eq(Mux(slot.cached, 0, slot.ahead)),
                loaded.before.eq(Mux(slot.cached, is_searched, same)),
                loaded.valid.eq(is_here),
                self._next.eq(self._next + is_here),
            ]

    def _count(self, m, free):
        """Decides whether the window that is offered next must wait.

        While the offered window waits, the decision is on the offered window again; otherwise it is
        on the loaded window.
        """
        loaded = self._loaded
        offered = self._offered
        before = Signal(WINDOWS)
        ahead = Signal(range(self._neighbours))
        slot = Signal(range(WINDOWS))
        waits = Signal()
        m.d.comb += [
            slot.eq(Mux(offered.waits, offered.slot, loaded.slot)),
            before.eq(Mux(offered.waits, offered.before, loaded.before) & self._incomplete),
            ahead.eq(Mux(offered.waits, offered.ahead, loaded.ahead)),
            waits.eq(
                (_number_of_ones(m, before, self._neighbours) > ahead)
                | self.awaits_verdict.bit_select(slot, 1)
            ),
        ]
        with m.If(free):
            m.d.sync += [
                *(offered[name].eq(loaded[name]) for name in loaded.shape().members),
                self._counted.eq(self._counted + loaded.valid),
            ]
            with m.If(loaded.valid):
                m.d.sync += self._incomplete.bit_select(self._counted[:-1], 1).eq(~loaded.end)
        with m.If(free | offered.waits):
            m.d.sync += [
                offered.before.eq(before),
                offered.waits.eq(waits & (offered.waits | (loaded.valid & ~loaded.end))),
            ]


def _number_of_ones(m, bits, limit):
    """Returns the number of bits that are 1, but at most ``limit``, a power of two; by halves.

    The sums are gates, because a synthesis tool makes a carry chain of an addition. With a limit of
    4 a sum of two numbers of 3 bits takes one level of LUTs.
    """
    if len(bits) == 1:
        return bits
    half = len(bits) // 2
    left, right = (_number_of_ones(m, part, limit) for part in (bits[:half], bits[half:]))
    total = []
    carry = 0
    for k in range(len(left)):
        total.append(left[k] ^ right[k] ^ carry)
        carry = (left[k] & right[k]) | (carry & (left[k] ^ right[k]))
    total.append(carry)
    if len(total) > limit.bit_length():
        *lower, highest, carry = total
        total = [*(bit & ~(highest | carry) for bit in lower), highest | carry]
    count = Signal(len(total), name="count")
    m.d.comb += count.eq(Cat(total))
    return count
