"""Sends windows with the pivots of their keys, again until all percentiles are found."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.pivot_selection import new_search
from rtl.keyed.pivot.pivot_plan import WINDOWS
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue
from rtl.stream.register import StreamRegister

#: Greatest number of passes between the output and the verdicts.
STARTED = 64


class WindowPasses(wiring.Component):
    """Sends each window with the pivots of its key, and again if the pass does not find a rank.

    ::

        i --> lines of up to 32 windows --> o
              |                   ^         |
              +--> entries --> pivots       | kernels
                                  ^         v
                                  +---- verdicts

    The pivots of a key are the answers of its window before, from a memory with a word for each
    entry; a wrong pivot costs passes, and never makes an answer wrong. So the memory needs no
    clearing for new keys and streams. A window waits until at most ``ahead`` windows of the same
    entry have no answers yet, because older answers may be too far away: with ``ahead`` 0 window 5
    of a key waits for the answer of window 4, with ``ahead`` 1 for the answer of window 3. A window
    waits for windows of its own entry only; but windows leave in order, so the windows behind it
    wait, too.

    *A window out of the cache* brings its answers, and its lines do not pass this component: one
    line stands for them, and is replaced after the decoder. So it waits for no window of its entry,
    and it must not be sent twice: it waits until all windows before it that are not out of the
    cache have their answers. Then it is never behind a window whose pass may fail.

    Each window stays in the buffer until its verdict is ``found``. After another verdict all
    windows from the failed window on are sent again: the failed window with the bounds and pivots
    of the verdict, later windows as before. If a window is being sent then, a line with ``last``
    ends it early, as C1' in the example. Passes that are under way have the old ``turn``, and the
    kernels drop them. So rows keep the order of windows, and DRAM is read once, while later values
    may overwrite the window there.

    For instance windows A B C of three keys, of two lines each; the pass of A fails while C is
    sent::

        o         A1 A2 B1 B2 C1 C1' A1 A2 B1 B2 C1 C2
        turn      0  0  0  0  0  0   1  1  1  1  1  1
        verdict                A fails           A found, B found, C found

    The end of a stream waits for the answers of all windows before, and is sent once.

    Order is kept. Latency 4 cycles. Initiation interval 1 cycle. ``i`` stalls when the buffer has
    no room for a line or a window. The buffer has room for the largest window, so the oldest window
    never waits for room.

    Parameters
    ----------
    plan : PivotPlan
    line : data.StructLayout
        A line of a window, such as ``collected_line`` or the blocks of a decoder:
        with ``last``, and with ``entry``, ``end`` and ``ahead`` in ``passenger.passenger``.

    Members
    -------
    i : In(stream.Signature(line))
    o : Out(stream.Signature(plan.passing(line)))
    started : Out(stream.Signature(plan.started))
        The searches of each pass, in order; offered by the time at which the first line is.
    verdicts : In(stream.Signature(plan.verdict, always_ready=True))
        Result of each pass of the current turn, in order.
    busy : Out(1)
        A window is inside.

    Source: ours.
    """

    latency = 4
    initiation_interval = 1

    def __init__(self, plan, line):
        self._plan, self._line = plan, line
        super().__init__(
            {
                "i": In(stream.Signature(line)),
                "o": Out(stream.Signature(plan.passing(line))),
                "started": Out(stream.Signature(plan.started)),
                "verdicts": In(stream.Signature(plan.verdict, always_ready=True)),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.lines = lines = BlockMemory(self._line.size, self._plan.depth)
        m.submodules.pivots = BlockMemory(self._plan.pivots.size, self._plan.entries)
        m.submodules.out = out = StreamRegister(self.o.p.shape())
        m.submodules.searches = searches = StreamQueue(self._plan.started, STARTED)
        wiring.connect(m, out.o, wiring.flipped(self.o))
        wiring.connect(m, searches.o, wiring.flipped(self.started))
        # Numbers of lines, modulo twice the depth: written, read, and the oldest of all windows.
        pointer = self._plan.depth.bit_length()
        self._written, self._read, self._oldest = (
            Signal(pointer, name=name) for name in ("written", "read", "oldest")
        )
        # Numbers of windows: entered, loaded, looked up, sent, and found.
        count = WINDOWS.bit_length()
        self._entered, self._next, self._looked_up, self._sent, self._finished = (
            Signal(count, name=name)
            for name in ("entered", "next", "looked_up", "sent", "finished")
        )
        window = {"entry": range(self._plan.entries), "end": 1, "after": pointer}
        window |= {"ahead": range(self._plan.neighbours), "cached": 1}
        self._windows = Signal(data.ArrayLayout(data.StructLayout(window), WINDOWS))
        # For each slot a bit: its window is looked up and not found.
        self._under_way = Signal(WINDOWS)
        self._newest = Signal(window["entry"])  # entry of the window that has entered last
        self._enter(m, lines)
        self._back = Signal()  # the oldest window is to be sent again
        self._search = Signal(self._plan.searches, reset_less=True)  # of the oldest window
        accepted, looks_up, begins = Signal(), Signal(), Signal()
        is_end = self._line(lines.read_data).passenger.passenger.end
        loaded = self._load(m, self._compare(m), looks_up | (accepted & is_end))
        has_search, searched = self._look_up(m, loaded, looks_up, accepted & begins)
        self._send(m, lines, out.i, searches.i, has_search, searched, accepted, begins)
        self._judge(m)
        m.d.comb += self.busy.eq((self._entered != self._finished) | self.o.valid)
        return m

    def _slot(self, number):
        """Returns the slot of a window's number."""
        return self._windows[number[:-1]]

    def _enter(self, m, lines):
        """Writes lines into the buffer, and the entry of each window into its slot."""
        begins, fires = Signal(init=1), Signal()
        info = self.i.p.passenger.passenger
        m.d.comb += [
            self.i.ready.eq(
                ((self._written - self._oldest)[: len(self._written)] != self._plan.depth)
                & ((self._entered - self._finished)[: len(self._entered)] != WINDOWS)
            ),
            fires.eq(self.i.valid & self.i.ready),
            lines.write_enable.eq(fires),
            lines.write_address.eq(self._written[:-1]),
            lines.write_data.eq(self.i.p),
        ]
        with m.If(fires):
            m.d.sync += [self._written.eq(self._written + 1), begins.eq(self.i.p.last)]
            with m.If(begins):
                slot = self._slot(self._entered)
                m.d.sync += [
                    slot.entry.eq(info.entry),
                    slot.end.eq(info.end),
                    slot.ahead.eq(info.ahead),
                    slot.cached.eq(self._is_cached(self.i.p.passenger) & ~info.end),
                    self._entered.eq(self._entered + 1),
                    self._newest.eq(info.entry),
                ]

    def _compare(self, m):
        """Finds the slots with the entry of a window in the cycle after the window has entered.

        Returns for each slot a bit for the next window. The bits of slots without a window under
        way have no meaning.
        """
        same = Signal(data.ArrayLayout(WINDOWS, WINDOWS), reset_less=True)
        compared, next_window, newest = Signal.like(self._entered), self._next, self._newest
        m.d.sync += compared.eq(self._entered)
        is_same = Cat(self._windows[k].entry == newest for k in range(WINDOWS))
        with m.If(compared != self._entered):
            m.d.sync += same[compared[:-1]].eq(is_same)
        return Mux(next_window == compared, is_same, same[next_window[:-1]])

    @staticmethod
    def _is_cached(line_info):
        """Returns whether a line stands for a window out of the cache; 0 without a cache."""
        for info in (line_info, line_info.passenger):
            if "cached" in info.shape().members:
                return info.cached
        return 0

    def _load(self, m, same_entry, leaves):
        """Loads the next window, which is to be looked up, into a register; returns the register.

        ``same_entry`` has a bit for each slot with the entry of the window. ``leaves`` is high in
        the cycle in which the window in the register is looked up. The end of a stream is not
        looked up; it leaves when it is sent.
        """
        slot = self._slot(self._next)
        window = data.StructLayout({**slot.shape().members, "valid": 1, "same": WINDOWS})
        self._loaded = loaded = Signal(window, name="loaded")
        with m.If(~loaded.valid | leaves):
            m.d.sync += [
                *(loaded[name].eq(slot[name]) for name in ("entry", "end", "ahead", "cached")),
                loaded.same.eq(same_entry),
                loaded.valid.eq(self._next != self._entered),
            ]
            with m.If(self._next != self._entered):
                m.d.sync += self._next.eq(self._next + 1)
        return loaded

    def _look_up(self, m, loaded, fires, taken):
        """Reads the pivots of the loaded window; returns whether they are here, and the searches.

        ``taken`` is high in the cycle in which the searches leave with the first line of their
        window.
        """
        pivots = m.submodules.pivots
        valid, again, restarts = Signal(), Signal(), Signal()
        meets = _count(m, self._under_way & loaded.same, self._plan.neighbours)
        is_searched = Cat(~self._windows[k].cached for k in range(WINDOWS))
        searched_before = (self._under_way & is_searched).any()
        m.d.comb += [
            fires.eq(
                loaded.valid
                & ~loaded.end
                & Mux(loaded.cached, ~searched_before, meets <= loaded.ahead)
                & (~valid | taken)
            ),
            pivots.read_enable.eq(fires),
            pivots.read_address.eq(loaded.entry),
        ]
        with m.If(fires):
            m.d.sync += [
                valid.eq(1),
                self._looked_up.eq(self._looked_up + 1),
                self._under_way.bit_select(self._looked_up[:-1], 1).eq(1),
                again.eq(restarts),
                restarts.eq(0),
            ]
        with m.Elif(taken):
            m.d.sync += valid.eq(0)
        self._has_search, self._restarts = valid, restarts
        fresh = self._plan.pivots(pivots.read_data)
        searched = Signal(self._plan.searches)
        for k, search in enumerate(searched):
            known = new_search(self._plan.width, fresh[k])
            m.d.comb += [
                search[name].eq(Mux(again, self._search[k][name], value))
                for name, value in known.items()
            ]
        return valid, searched

    def _send(self, m, lines, out, searches, has_search, searched, accepted, begins):
        """Sends the lines of windows, each with the pivots of its window."""
        valid, is_first, advance = Signal(), Signal(init=1), Signal()
        offer, aborts, goes_back = Signal(), Signal(), Signal()
        line = self._line(lines.read_data)
        saved = Signal(self._plan.pivots, reset_less=True)
        turn, redone = Signal(), Signal.like(self._read)
        is_end = line.passenger.passenger.end
        nothing_sent = self._looked_up == self._finished
        may_begin = Mux(is_end, nothing_sent, has_search & searches.ready)
        m.d.comb += [
            # The window at the output is ended even if its next line is not in the buffer.
            aborts.eq(self._back & ~is_first),
            begins.eq(is_first & ~is_end),
            offer.eq(Mux(is_first, valid & may_begin & ~self._back, valid | self._back)),
            accepted.eq(offer & out.ready & ~aborts),
            goes_back.eq(self._back & (is_first | out.ready)),
            advance.eq(~valid | accepted),
            # Without a read the last line stays, for a line that ends its window.
            lines.read_enable.eq(advance & (self._read != self._written)),
            lines.read_address.eq(self._read[:-1]),
            out.valid.eq(offer),
            *(
                Value.cast(out.p[name]).eq(Value.cast(line[name]))
                for name in self._line.members
                if name not in ("last", "passenger")
            ),
            *(
                Value.cast(out.p.passenger[name]).eq(Value.cast(line.passenger[name]))
                for name in line.passenger.shape().members
            ),
            out.p.last.eq(line.last | aborts),
            out.p.passenger.again.eq(redone.any() | aborts),
            searches.valid.eq(offer & begins & out.ready),
            searches.p.turn.eq(turn),
            searches.p.searches.eq(searched),
        ]
        for k in range(len(self._plan.fractions)):
            pivot = Mux(is_first, searched[k].pivot, saved[k])
            m.d.comb += out.p.passenger.pivots[k].eq(pivot)
        with m.If(advance):
            m.d.sync += valid.eq(self._read != self._written)
            with m.If(self._read != self._written):
                m.d.sync += self._read.eq(self._read + 1)
        with m.If(accepted):
            m.d.sync += [
                is_first.eq(line.last),
                saved.eq(out.p.passenger.pivots),
                redone.eq(redone - redone.any()),
            ]
            with m.If(line.last):
                m.d.sync += [
                    self._slot(self._sent).after.eq(self._read),
                    self._sent.eq(self._sent + 1),
                ]
            with m.If(is_end):
                m.d.sync += [
                    self._finished.eq(self._finished + 1),
                    self._looked_up.eq(self._looked_up + 1),
                    self._oldest.eq(self._read),
                ]
        with m.If(goes_back):
            m.d.sync += [
                self._back.eq(0),
                self._read.eq(self._oldest),
                self._looked_up.eq(self._finished),
                self._next.eq(self._finished),
                self._loaded.valid.eq(0),
                self._under_way.eq(0),
                self._sent.eq(self._finished),
                self._has_search.eq(0),
                self._restarts.eq(1),
                valid.eq(0),
                is_first.eq(1),
                turn.eq(~turn),
                redone.eq(self._read - valid - self._oldest + redone),
            ]

    def _judge(self, m):
        """Releases the oldest window and saves its answers, or requests another pass."""
        verdict, pivots, slot = self.verdicts, m.submodules.pivots, self._slot(self._finished)
        found = verdict.valid & verdict.p.found
        answers = Cat(search.pivot for search in verdict.p.searches)
        m.d.comb += [
            pivots.write_enable.eq(found),
            pivots.write_address.eq(slot.entry),
            pivots.write_data.eq(answers),
        ]
        with m.If(found):
            m.d.sync += [
                self._finished.eq(self._finished + 1),
                self._under_way.bit_select(self._finished[:-1], 1).eq(0),
                self._oldest.eq(slot.after),
            ]
        with m.Elif(verdict.valid):
            m.d.sync += [self._back.eq(1), self._search.eq(verdict.p.searches)]


def _count(m, bits, limit):
    """Returns the number of bits that are 1, but at most ``limit``, a power of two; by halves.

    The sums are gates, because a synthesis tool makes a carry chain of an addition. With a limit of
    4 a sum of two numbers of 3 bits takes one level of LUTs.
    """
    if len(bits) == 1:
        return bits
    half = len(bits) // 2
    left, right = _count(m, bits[:half], limit), _count(m, bits[half:], limit)
    total, carry = [], 0
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
