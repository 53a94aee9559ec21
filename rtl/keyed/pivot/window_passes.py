"""Sends each window with its key's pivots, and repeats it until all percentiles are found."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.pivot_selection import new_search
from rtl.keyed.pivot.look_up_queue import LookUpQueue
from rtl.keyed.pivot.pivot_plan import WINDOWS
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue
from rtl.stream.skid import SkidBuffer

#: Capacity of the queue of searches of passes: each of the 32 windows has at most one pass whose
#: search has not been taken.
STARTED = WINDOWS


class WindowPasses(wiring.Component):
    """Sends each window with the pivots of its key, again until a pass in order finds all ranks.

    ::

        i --> lines of up to 32 windows --> o
              |                   ^         |
              +--> queue --> pivots         | kernels
                               ^            v
                               +------- verdicts

    The pivots of a window's first pass are the newest answers of its entry, from a memory with a
    word for each entry: the answers of an earlier window of the key, or for a key's first window
    those of an earlier key. A wrong pivot costs passes, and never makes an answer wrong. So the
    memory needs no clearing for new keys and streams. A window waits until at most ``ahead``
    windows of the same entry have no answers yet, because older answers may be too far away: with
    ``ahead`` 0 window 5 of a key waits for the answer of window 4, with ``ahead`` 1 for the answer
    of window 3. A window waits for windows of its own entry only; but windows leave in order, so
    the windows behind it wait, too.

    *A window from the cache* brings its answers, and its lines do not pass this component: one
    line stands for them, and is replaced after the decoder. So it waits for no window of its entry,
    and it must not be sent twice: it waits until all earlier windows that are not from the cache
    have their answers. Then it is never behind a window whose pass may fail.

    Each window stays in the buffer until a verdict that is ``found`` and ``in_order`` releases it,
    and its row leaves later. So its lines are read from DRAM once, and later values may overwrite
    them there. If the pass of the oldest window fails, there is a *restart*: all windows are sent
    again, from the oldest on. Passes that are under way then have the old ``turn``, so they have no
    rows, and rows keep the order of windows. But the search of each verdict is saved, and the next
    pass of the window waits for it and begins with it. So the searches of several windows proceed
    together. A window whose answers are found behind a failed pass is sent again at each restart
    until its verdict is in order.

    A restart ends the pass of a window early whose lines are being sent: a line with ``last``
    follows, as C1' in the example. The verdict on this pass is dropped, but the window waits for
    it. A last line that is at the output is sent as usual, and its pass is whole.

    For instance windows A B C of three keys, of two lines each. The first passes of A and B fail,
    and the verdict on A comes while C is sent. The next pass of each window finds the answers::

        o        A1 A2 B1 B2 C1 C1' A1 A2 B1 B2 C1 C2
        turn     0  0  0  0  0  0   1  1  1  1  1  1
        verdict             A fails    B fails    C dropped    A found    B found    C found

    The end of a stream waits for the answers of all windows before, and is sent once.

    Order is kept. Latency 5 cycles. Initiation interval 1 cycle. ``i`` stalls when the buffer has
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
        The searches of each pass, in order. They are offered no later than the pass's first line.
    verdicts : In(stream.Signature(plan.verdict, always_ready=True))
        Result of each pass, in order.
    counts_pass : Out(1)
        High in the cycle after a verdict that counts as a pass. A verdict does not count if its
        pass ended early, or only repeats answers that the window has found before.
    busy : Out(1)
        A window is inside.

    Source: ours.
    """

    latency = 5
    initiation_interval = 1

    def __init__(self, plan, line):
        self._plan = plan
        self._line = line
        super().__init__(
            {
                "i": In(stream.Signature(line)),
                "o": Out(stream.Signature(plan.passing(line))),
                "started": Out(stream.Signature(plan.started)),
                "verdicts": In(stream.Signature(plan.verdict, always_ready=True)),
                "counts_pass": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.lines = lines = BlockMemory(self._line.size, self._plan.depth)
        m.submodules.pivots = pivots = BlockMemory(self._plan.pivots.size, self._plan.entries)
        # For each window, modulo 32, the search of its last verdict.
        m.submodules.saved = saved = BlockMemory(self._plan.searches.size, WINDOWS)
        m.submodules.queue = queue = LookUpQueue(self._plan.entries, self._plan.neighbours)
        m.submodules.out = out = SkidBuffer(self.o.p.shape())
        m.submodules.searches = searches = StreamQueue(self._plan.started, STARTED)
        wiring.connect(m, out.o, wiring.flipped(self.o))
        wiring.connect(m, searches.o, wiring.flipped(self.started))
        # Numbers of lines, modulo twice the depth: written, read, and the oldest of all windows.
        pointer = self._plan.depth.bit_length()
        self._written = Signal(pointer, name="written")
        self._read = Signal(pointer, name="read")
        self._oldest = Signal(pointer, name="oldest")
        # Both count windows and ends of streams, modulo 32.
        self._sent = Signal(range(WINDOWS), name="sent")
        self._completed = Signal(range(WINDOWS), name="completed")
        # For each window that was sent, the number of the first line after it.
        self._line_after = Signal(data.ArrayLayout(pointer, WINDOWS))
        self._restart_pending = Signal()  # the oldest window is to be sent again
        # The following three have a bit for each window.
        # A pass has begun whose verdict has not come.
        self._awaits_verdict = Signal(WINDOWS, name="awaits_verdict")
        self._is_saved = Signal(WINDOWS, name="is_saved")  # the search of a verdict is saved
        self._is_found = Signal(WINDOWS, name="is_found")  # a verdict has found the answers
        # The last pass before a restart ended early, and its verdict has not come.
        self._ended_early = Signal()
        self._early_slot = Signal(range(WINDOWS))  # the window of this pass
        # The following three are events of this cycle.
        self._begins = Signal(name="begins")  # the first line of a window is sent
        self._ends = Signal(name="ends")  # the end of a stream is sent
        self._restarts = Signal(name="restarts")  # sending begins again at the oldest window
        self._enter(m, lines, queue.i)
        has_search, searched = self._look_up(m, pivots, saved, queue)
        self._send(m, lines, out.i, searches.i, has_search, searched)
        self._judge(m, pivots, saved, queue)
        m.d.comb += self.busy.eq(queue.busy | self.o.valid)
        return m

    def _enter(self, m, lines, windows):
        """Writes lines into the buffer, and queues each window with its first line."""
        is_first = Signal(init=1)
        has_room = Signal()
        fires = Signal()
        info = self.i.p.passenger.passenger
        m.d.comb += [
            has_room.eq((self._written - self._oldest)[: len(self._written)] != self._plan.depth),
            self.i.ready.eq(has_room & windows.ready),
            fires.eq(self.i.valid & self.i.ready),
            lines.write_enable.eq(fires),
            lines.write_address.eq(self._written[:-1]),
            lines.write_data.eq(self.i.p),
            windows.valid.eq(self.i.valid & has_room & is_first),
            *(windows.p[name].eq(info[name]) for name in ("entry", "ahead", "end")),
            windows.p.cached.eq(self._is_cached(self.i.p.passenger) & ~info.end),
        ]
        with m.If(fires):
            m.d.sync += [self._written.eq(self._written + 1), is_first.eq(self.i.p.last)]

    @staticmethod
    def _is_cached(line_info):
        """Returns whether a line stands for a window from the cache; 0 without a cache."""
        for info in (line_info, line_info.passenger):
            if "cached" in info.shape().members:
                return info.cached
        return 0

    def _look_up(self, m, pivots, saved, queue):
        """Reads the search of the next window; returns whether it is here, and the search.

        The search is that of the window's last whole pass; before the first one it is new, with the
        pivots of the entry. The queue offers a window after the verdict on its last pass.

        The search leaves with the first line of its window. The end of a stream has no search; it
        leaves the queue with its line.
        """
        window = queue.o.p
        valid = Signal()
        looks_up = Signal()
        uses_saved = Signal()
        m.d.comb += [
            queue.o.ready.eq(Mux(window.end, self._ends, ~valid | self._begins)),
            queue.restarts.eq(self._restarts),
            queue.awaits_verdict.eq(self._awaits_verdict),
            looks_up.eq(queue.o.valid & ~window.end & (~valid | self._begins)),
            pivots.read_enable.eq(looks_up),
            pivots.read_address.eq(window.entry),
            saved.read_enable.eq(looks_up),
            saved.read_address.eq(window.slot),
        ]
        with m.If(self._restarts):
            m.d.sync += valid.eq(0)
        with m.Elif(looks_up):
            is_saved = self._is_saved.bit_select(window.slot, 1)
            m.d.sync += [valid.eq(1), uses_saved.eq(is_saved)]
        with m.Elif(self._begins):
            m.d.sync += valid.eq(0)
        pivot = self._plan.pivots(pivots.read_data)
        saved_search = self._plan.searches(saved.read_data)
        searched = Signal(self._plan.searches)
        for k, search in enumerate(searched):
            m.d.comb += [
                search[name].eq(Mux(uses_saved, saved_search[k][name], value))
                for name, value in new_search(self._plan.width, pivot[k]).items()
            ]
        return valid, searched

    def _send(self, m, lines, out, searches, has_search, searched):
        """Sends the lines of windows, each with the pivots of its window."""
        valid = Signal()
        is_first = Signal(init=1)
        advance = Signal()
        offer = Signal()
        accepted = Signal()
        aborts = Signal()
        line = self._line(lines.read_data)
        saved = Signal(self._plan.pivots, reset_less=True)
        turn = Signal()
        # Number of the next lines that were already sent in an earlier turn.
        resent_count = Signal.like(self._read)
        is_end = line.passenger.passenger.end
        pending = self._restart_pending
        queue = m.submodules.queue
        # All windows before the end of a stream have answers. The queue and the count of sent
        # windows show a transfer in the cycle after it, so the cycle of a transfer does not count.
        may_end = Signal()
        all_complete = queue.o.valid & queue.o.p.end & (self._sent == self._completed)
        m.d.sync += may_end.eq(all_complete & ~accepted)
        may_begin = Mux(is_end, may_end, has_search)
        m.d.comb += [
            # The window at the output is ended even if its next line is not in the buffer; but
            # its last line is sent as usual.
            aborts.eq(pending & ~is_first & ~(valid & line.last)),
            offer.eq(Mux(is_first, valid & may_begin & ~pending, valid | pending)),
            accepted.eq(offer & out.ready & ~aborts),
            self._begins.eq(accepted & is_first & ~is_end),
            self._ends.eq(accepted & is_end),
            self._restarts.eq(pending & (is_first | (aborts & out.ready))),
            advance.eq(~valid | accepted),
            # Without a read the memory still shows the line that was sent last. A line that ends a
            # window early has the same values.
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
            out.p.passenger.again.eq(resent_count.any() | aborts),
            # The queue has room: see `STARTED`.
            searches.valid.eq(self._begins),
            searches.p.turn.eq(turn),
            searches.p.slot.eq(self._sent),
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
                resent_count.eq(resent_count - resent_count.any()),
            ]
            with m.If(line.last):
                m.d.sync += [
                    self._line_after[self._sent].eq(self._read),
                    self._sent.eq(self._sent + 1),
                ]
            with m.If(is_end):
                m.d.sync += self._oldest.eq(self._read)
        with m.If(self._restarts):
            m.d.sync += [
                pending.eq(0),
                self._read.eq(self._oldest),
                self._sent.eq(self._completed),
                valid.eq(0),
                is_first.eq(1),
                turn.eq(~turn),
                resent_count.eq(self._read - valid - self._oldest + resent_count),
            ]
            with m.If(~is_first):
                m.d.sync += [self._ended_early.eq(1), self._early_slot.eq(self._sent)]

    def _judge(self, m, pivots, saved, queue):
        """Saves the search of each verdict; releases the oldest window, or requests a restart."""
        verdict = self.verdicts.p
        in_order = self.verdicts.valid & self.verdicts.p.in_order
        released = Signal()
        ended_early = Signal()
        is_whole = Signal()

        def bit(of_windows):
            return of_windows.bit_select(verdict.slot, 1)

        m.d.comb += [
            released.eq(in_order & verdict.found),
            ended_early.eq(self._ended_early & (self._early_slot == verdict.slot)),
            is_whole.eq(self.verdicts.valid & ~ended_early),
            pivots.write_enable.eq(released),
            pivots.write_address.eq(queue.oldest),
            pivots.write_data.eq(Cat(search.pivot for search in verdict.searches)),
            saved.write_enable.eq(is_whole),
            saved.write_address.eq(verdict.slot),
            saved.write_data.eq(verdict.searches),
            queue.complete.eq(released | self._ends),
        ]
        with m.If(queue.complete):
            m.d.sync += self._completed.eq(self._completed + 1)
        with m.If(released):
            m.d.sync += self._oldest.eq(self._line_after[self._completed])
        with m.Elif(in_order):
            m.d.sync += self._restart_pending.eq(1)
        m.d.sync += self.counts_pass.eq(is_whole & ~bit(self._is_found))
        with m.If(self._begins):
            m.d.sync += self._awaits_verdict.bit_select(self._sent, 1).eq(1)
        with m.If(self.verdicts.valid):
            m.d.sync += bit(self._awaits_verdict).eq(0)
            with m.If(ended_early):
                m.d.sync += self._ended_early.eq(0)
            with m.Else():
                m.d.sync += [
                    bit(self._is_saved).eq(~released),
                    bit(self._is_found).eq(verdict.found & ~released),
                ]
