"""Memories of the values of cached keys, and the reads of their windows."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.keyed.codec.line_states import LineStates
from rtl.memory.block import BlockMemory
from rtl.stream.queue import StreamQueue

#: Capacity of the queue of states; a place is reserved for each line that is read.
QUEUED_STATES = 64


class CachedValues(wiring.Component):
    """Stores the values of keys with a place, and reads complete windows, one line in a cycle.

    ::

        i --> register --+--> write a value
                         +--> read lines ---> lanes, each with --> LineStates --> queue --> o
                                              an address

    Each lane is a separate memory, so a line may begin at any lane: the lanes below it then read
    the next line of the memory. For instance with 4 lanes, and a window of 6 values that ends with
    number 8::

        line     0 .. 3     4 .. 7     8 .. 11
        read     lane 3 of line 0, 0 to 2 of line 1, then 3 of line 1 and 0 of line 2

    **A window is read as it was at its last value.** The read begins two cycles after the last
    value enters, when the memory has the value. Later values that arrive meanwhile do not overwrite
    the window: they are at most as many as the window has lines, and a ring has room for twice the
    largest window. The values of a key that claims the place meanwhile come behind the window, too.
    A value that closes a hit waits for the window before. A line is read only if the queue has room
    for its state, and otherwise all stages wait, so the pipeline after the memories never stalls.

    With windows of time the stamp of each value that is read decides whether the value is in the
    window (:meth:`CachedItem.belongs <rtl.keyed.cache.cached_item.CachedItem.belongs>`), so a line
    may have no value of its window.

    Order is kept. Latency from a value to the state of its window's first line 4 cycles, and those
    of :class:`~rtl.keyed.codec.line_states.LineStates`. Initiation interval 1 cycle, or the lines
    of a window. A stall at ``o`` stalls ``i`` when the queue is full.

    Parameters
    ----------
    plan : CachePlan

    Members
    -------
    i : In(stream.Signature(self.layout(plan)))
        The ``decision`` about a value, its ``number`` in its place, ``size`` and ``window`` of its
        window, and ``item``. Values that are not stored are transferred, too.
    o : Out(stream.Signature(plan.read_line))
        One state for each line of a hit; a window of n values has n / lanes lines, rounded up.

    Source: seed 000, section 3.4.4; the addresses of lanes are ours.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        item_bits = plan.item.width
        depth = self._depth_of(plan)
        self._lanes = [BlockMemory(item_bits, depth) for _ in range(plan.lanes)]
        self._states = LineStates(plan.read_fold, plan.fold.row.size, plan.lanes)
        self._queue = StreamQueue(plan.read_line, QUEUED_STATES)
        super().__init__(
            {
                "i": In(stream.Signature(self.layout(plan))),
                "o": Out(stream.Signature(plan.read_line)),
            }
        )

    @staticmethod
    def _depth_of(plan):
        """Returns the number of lines of all rings, rounded up to a power of two."""
        return plan.lines << ceil_log2(plan.keys)

    @classmethod
    def memory_bits_of(cls, plan):
        """Returns the size of the memories of values, in bits."""
        return cls._depth_of(plan) * plan.lanes * plan.item.width

    @staticmethod
    def layout(plan):
        """Layout of the input."""
        place = {"decision": plan.decision, "number": plan.number_shape}
        return data.StructLayout({**place, **plan.window_members, "item": plan.item.shape})

    @property
    def latency(self):
        return 3 + self._states.latency + self._queue.latency

    def elaborate(self, platform):
        m = Module()
        value = Signal(self.i.p.shape(), reset_less=True)
        stores = Signal()
        hit = Signal()
        reading = Signal(
            data.StructLayout(
                {
                    "place": range(self._plan.keys),
                    "first": self._plan.number_shape,
                    "values_left": range(self._plan.values + 1),
                    "window": self._plan.window_members["window"],
                }
            ),
            reset_less=True,
        )
        busy = Signal()
        step = Signal()
        is_last = Signal()
        self._accept(m, step, value, hit, busy, reading.values_left)
        m.d.comb += is_last.eq(reading.values_left <= self._plan.lanes)
        with m.If(step):
            m.d.sync += [
                stores.eq(self.i.valid & self.i.ready & self.i.p.decision.stored),
                hit.eq(self.i.valid & self.i.ready & self.i.p.decision.hit),
                value.eq(self.i.p),
                busy.eq(hit | (busy & ~is_last)),
            ]
            with m.If(hit):
                m.d.sync += [
                    reading.place.eq(value.decision.place),
                    reading.first.eq(
                        value.number + self._plan.item.includes_closing_value - value.size
                    ),
                    reading.values_left.eq(value.size),
                    reading.window.eq(value.window),
                ]
            with m.Else():
                m.d.sync += [
                    reading.first.eq(reading.first + self._plan.lanes),
                    reading.values_left.eq(reading.values_left - self._plan.lanes),
                ]
        self._write(m, value, stores & step)
        self._read(m, reading, busy & step, is_last)
        self._reserve(m, busy, step)
        return m

    def _accept(self, m, step, value, hit, busy, values_left):
        """Accepts a value unless a read must complete before its window begins."""
        lanes = self._plan.lanes
        may_follow = Signal()
        m.d.comb += [
            # A window may begin when the last line of the window before is read.
            may_follow.eq(Mux(hit, value.size <= lanes, ~busy | (values_left <= 2 * lanes))),
            self.i.ready.eq(step & (~self.i.p.decision.hit | may_follow)),
        ]

    def _lane_and_line(self, number):
        """Returns lane and line in the ring of a value's number."""
        lane_bits = self._plan.lanes.bit_length() - 1
        return number[:lane_bits], number[lane_bits:]

    def _write(self, m, value, writes):
        """Writes a value to the memory of the lane that the value's number selects."""
        lane_of, line_of = self._lane_and_line(value.number)
        for lane, memory in enumerate(self._lanes):
            m.submodules[f"lane{lane}"] = memory
            m.d.comb += [
                memory.write_address.eq(Cat(line_of, value.decision.place)),
                memory.write_data.eq(Value.cast(value.item)),
                memory.write_enable.eq(writes & (lane_of == lane)),
            ]

    def _read(self, m, reading, reads, is_last):
        """Reads a line from all lanes, and marks the lanes with a value of the window."""
        m.submodules.states = states = self._states
        m.submodules.queue = queue = self._queue
        lanes = self._plan.lanes
        lane_of, line_of = self._lane_and_line(reading.first)
        end = Signal(len(lane_of) + 1)
        lines_in = states.i.p
        following = Signal.like(line_of)
        in_window = []
        between = Signal(lanes)
        window = Signal(self._plan.window_members["window"], reset_less=True)
        m.d.comb += [
            end.eq(lane_of + Mux(is_last, reading.values_left, lanes)[: len(lane_of) + 1]),
            following.eq(line_of + 1),
        ]
        for lane, memory in enumerate(self._lanes):
            next_line_lane = lane_of > lane
            m.d.comb += [
                memory.read_address.eq(Cat(Mux(next_line_lane, following, line_of), reading.place)),
                memory.read_enable.eq(reads),
                Value.cast(lines_in.tuples[lane]).eq(self._plan.item.value_of(memory.read_data)),
                lines_in.valid[lane].eq(
                    between[lane] & self._plan.item.belongs(memory.read_data, window)
                ),
            ]
            in_window.append(Mux(next_line_lane, end > lane + lanes, end > lane))
        m.d.sync += [
            states.i.valid.eq(reads),
            between.eq(Cat(in_window)),
            window.eq(reading.window),
            lines_in.last.eq(is_last),
        ]
        wiring.connect(m, states.o, queue.i)
        wiring.connect(m, queue.o, wiring.flipped(self.o))

    def _reserve(self, m, busy, step):
        """Lets a line be read only if its state will have a place in the queue."""
        places_left = Signal(range(QUEUED_STATES + 1), init=QUEUED_STATES)
        transfer = Signal()
        m.d.comb += [
            step.eq(~busy | places_left.any()),
            transfer.eq(self.o.valid & self.o.ready),
        ]
        m.d.sync += places_left.eq(places_left - (busy & step) + transfer)
