"""The values of cached keys, and windows that are read out of them."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.cache.cache_plan import CachePlan
from rtl.keyed.codec.line_states import LineStates
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue

#: States of lines that may wait for their window's turn, or are on their way there.
WAITING = 64


class CachedValues(wiring.Component):
    """Keeps values of keys that have a place, and reads whole windows, a line in a cycle.

    ::

        i --> asked --+--> write a value     lanes, each with
                      +--> reading --------> an address --> LineStates --> queue --> o
                           line by line

    Each lane is a memory of its own, so a line begins at any lane: those before it have the line
    behind. For instance with 4 lanes, and a window of 6 values that ends with number 8::

        line     0 .. 3     4 .. 7     8 .. 11
        read     lane 3 of line 0, 0 to 2 of line 1, then 3 of line 1 and 0 of line 2

    **Always: a window is read as it was with its last value.** It is read from two cycles later on,
    when that is written, and values behind it come meanwhile: at most as many as it has lines, and
    a ring has place for as many more as the largest window has values. One that is to be read, and
    one whose key takes a place, waits for the window before. No line is read for which the queue
    has no room, and nothing else moves then, so nothing behind the memories ever stalls.

    Order is kept. Latency from a value to the state of its window's first line 4 cycles, and those
    of :class:`~rtl.keyed.codec.line_states.LineStates`. Initiation interval 1 cycle, or the lines
    of a window. A stall at ``o`` stalls ``i`` when the queue is full.

    Parameters
    ----------
    plan : CachePlan

    Members
    -------
    i : In(stream.Signature(self.layout(plan)))
        What is ``told`` of a value, the lowest bits of its ``number``, the ``size`` of its window,
        ``item``. Also one that is not kept.
    o : Out(stream.Signature(plan.line_format))
        Of each hit so many lines as its values have, rounded up.

    Source: seed 000, section 3.4.4; the addresses of lanes are ours.
    """

    initiation_interval = 1

    def __init__(self, plan: CachePlan):
        self._plan = plan
        self._lanes = [BlockMemory(plan.fold.row.size, plan.depth) for _ in range(plan.lanes)]
        self._states = LineStates(plan.fold, plan.fold.row.size, plan.lanes)
        self._queue = StreamQueue(plan.line_format, WAITING)
        super().__init__(
            {
                "i": In(stream.Signature(self.layout(plan))),
                "o": Out(stream.Signature(plan.line_format)),
            }
        )

    @staticmethod
    def layout(plan):
        """Layout of a value that comes."""
        number, size = range(2 * plan.values), range(plan.values + 1)
        return data.StructLayout(
            {"told": plan.told, "number": number, "size": size, "item": plan.item}
        )

    @property
    def latency(self):
        return 3 + self._states.latency + self._queue.latency

    def elaborate(self, platform):
        m = Module()
        asked = Signal(self.i.p.shape(), reset_less=True)
        keeps, hit = Signal(), Signal()
        reading = Signal(
            data.StructLayout(
                {
                    "place": range(self._plan.keys),
                    "first": range(2 * self._plan.values),
                    "left": range(self._plan.values + 1),
                }
            ),
            reset_less=True,
        )
        busy, step, ends = Signal(), Signal(), Signal()
        self._let_in(m, step, asked, hit, busy, reading.left)
        m.d.comb += ends.eq(reading.left <= self._plan.lanes)
        with m.If(step):
            m.d.sync += [
                keeps.eq(self.i.valid & self.i.ready & self.i.p.told.kept),
                hit.eq(self.i.valid & self.i.ready & self.i.p.told.hit),
                asked.eq(self.i.p),
                busy.eq(hit | (busy & ~ends)),
            ]
            with m.If(hit):
                m.d.sync += [
                    reading.place.eq(asked.told.place),
                    reading.first.eq(asked.number + 1 - asked.size),
                    reading.left.eq(asked.size),
                ]
            with m.Else():
                m.d.sync += [
                    reading.first.eq(reading.first + self._plan.lanes),
                    reading.left.eq(reading.left - self._plan.lanes),
                ]
        self._write(m, asked, keeps & step)
        self._read(m, reading, busy & step, ends)
        self._reserve(m, busy, step)
        return m

    def _let_in(self, m, step, asked, hit, busy, left):
        """A value goes on unless there is still too much to be read before its window."""
        lanes, told = self._plan.lanes, self.i.p.told
        follows, alone = Signal(), Signal()
        m.d.comb += [
            # The window before, if there is one, gives its last line when this value is asked for;
            follows.eq(Mux(hit, asked.size <= lanes, ~busy | (left <= 2 * lanes))),
            # or it has given it, for the place may be that of its key.
            alone.eq(~hit & (~busy | (left <= lanes))),
            self.i.ready.eq(step & Mux(told.takes, alone, ~told.hit | follows)),
        ]

    def _within(self, number):
        """Lane and line of the ring of a value's number."""
        lane_bits = self._plan.lanes.bit_length() - 1
        return number[:lane_bits], number[lane_bits:]

    def _write(self, m, asked, writes):
        at, on = self._within(asked.number)
        for lane, memory in enumerate(self._lanes):
            m.submodules[f"lane{lane}"] = memory
            m.d.comb += [
                memory.write_address.eq(Cat(on, asked.told.place)),
                memory.write_data.eq(Value.cast(asked.item)),
                memory.write_enable.eq(writes & (at == lane)),
            ]

    def _read(self, m, reading, reads, ends):
        """Asks all lanes for a line, and takes those that have a value of the window."""
        m.submodules.states, m.submodules.queue = states, queue = self._states, self._queue
        lanes = self._plan.lanes
        at, on = self._within(reading.first)
        behind, given = Signal(len(at) + 1), states.i.p
        following, wanted = Signal.like(on), []
        m.d.comb += [
            behind.eq(at + Mux(ends, reading.left, lanes)[: len(at) + 1]),
            following.eq(on + 1),
        ]
        for lane, memory in enumerate(self._lanes):
            after = at > lane
            m.d.comb += [
                memory.read_address.eq(Cat(Mux(after, following, on), reading.place)),
                memory.read_enable.eq(reads),
                Value.cast(given.tuples[lane]).eq(memory.read_data),
            ]
            wanted.append(Mux(after, behind > lane + lanes, behind > lane))
        m.d.sync += [
            states.i.valid.eq(reads),
            given.valid.eq(Cat(wanted)),
            given.last.eq(ends),
        ]
        wiring.connect(m, states.o, queue.i)
        wiring.connect(m, queue.o, wiring.flipped(self.o))

    def _reserve(self, m, busy, step):
        """A line is read when its state will have a place in the queue."""
        room, leaves = Signal(range(WAITING + 1), init=WAITING), Signal()
        m.d.comb += [
            step.eq(~busy | room.any()),
            leaves.eq(self.o.valid & self.o.ready),
        ]
        m.d.sync += room.eq(room - (busy & step) + leaves)
