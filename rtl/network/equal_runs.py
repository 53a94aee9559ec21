"""Joins successive runs of equal values in the blocks of two decoder slots."""

from amaranth.hdl import Array, C, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.slot_reduction import SLOTS
from rtl.stream.order import equal

#: Number of blocks under way: one in each slot, and three of each slot that wait for their sums.
#: The last sums of a block take some 60 cycles, and a decoder may take 14 cycles for a block.
BLOCKS = 4 * SLOTS


def run_payload(plan, run):
    """Layout of a run: a ``value`` that occurs ``times`` times, at most ``run``, or 0 times.

    ``last`` run of its block; ``slot`` of the block; ``begin``, the number of the block's first
    value, modulo 2^begin_bits, the same in all runs of the block.
    """
    value = {"value": plan.format_.width, "times": range(run + 1)}
    return data.StructLayout({**value, "last": 1, "slot": 1, "begin": plan.begin_bits})


def joined_payload(plan):
    """Layout of a joined run: the tuples ``first`` to ``end`` - 1 of a ``block`` have ``value``."""
    # The greatest ``begin`` plus the values of a block fits begin_bits + 1 bits; one bit is spare.
    number = plan.begin_bits + 2
    members = {"block": range(BLOCKS), "value": plan.format_.width}
    return data.StructLayout({**members, "first": number, "end": number})


class EqualRuns(wiring.Component):
    """Joins successive runs of equal values, and numbers the values of blocks.

    A decoder has two slots, with a block in each, and the runs of the two blocks come in any
    mixture. Each slot saves its latest run. A run of the same value only moves the end of the saved
    run; a run of another value sends the saved run and takes its place, and the end of the block
    sends the saved run, too. Blocks begin in slots 0 and 1 in turn, and have the numbers 0 to 7 in
    turn, so slot 1 has the odd numbers. For instance the runs of a block from tuple 3 on::

        i    5 once    5 twice    7 twice         7 twice, last
        o                         5: 3 to 5                       7: 6 to 9, the block ends

    Order is kept within a slot. Latency 1 cycle from the last run of a block to its joined run; an
    earlier run leaves in the cycle in which a run of another value comes. Initiation interval 1
    cycle, and one more for each block, in which its last joined run leaves and ``i`` stalls. A
    stall at ``o`` stalls ``i``, except for a run that only moves the end of the saved run. A run
    that begins a block whose number is ``taken`` waits at ``i``.

    Parameters
    ----------
    plan : NodePlan
    run : int
        Greatest number of values of a run at ``i``.

    Members
    -------
    i : In(stream.Signature(run_payload(plan, run)))
    o : Out(stream.Signature(joined_payload(plan)))
    taken : In(8)
        Bit n is high while block n is under way.
    begins : Out(8)
        Bit n is high in the cycle in which block n begins; 0 in other cycles.
    ends : Out(8)
        Bit n is high in the cycle in which the last joined run of block n leaves, or in which block
        n ends without a value; 0 in other cycles.

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan, run):
        self._plan = plan
        super().__init__(
            {
                "i": In(stream.Signature(run_payload(plan, run))),
                "o": Out(stream.Signature(joined_payload(plan))),
                "taken": In(BLOCKS),
                "begins": Out(BLOCKS),
                "ends": Out(BLOCKS),
            }
        )

    def elaborate(self, platform):
        m = Module()
        run = self.i.p
        joined = self.o.p.shape()
        members = ("value", "first", "end")
        layout = data.StructLayout({name: joined[name].shape for name in members})
        saved = [Signal(layout, name=f"saved{slot}", reset_less=True) for slot in range(SLOTS)]
        # ``has_run``: the slot has a saved run. ``within``: its block has begun. ``closing``: its
        # block has ended, and the saved run leaves. ``turn``: number of its block in the slot.
        has_run = Array(Signal(name=f"has_run{slot}") for slot in range(SLOTS))
        within = Array(Signal(name=f"within{slot}") for slot in range(SLOTS))
        closing = Array(Signal(name=f"closing{slot}") for slot in range(SLOTS))
        turn = Array(Signal(range(BLOCKS // SLOTS), name=f"turn{k}") for k in range(SLOTS))
        out_slot = Signal(1)  # slot whose saved run is at `o`
        saved_end = Mux(run.slot, saved[1].end, saved[0].end)
        is_first = Signal()  # the arriving run is the first of its block
        joins = Signal()  # the arriving run sends no saved run
        flushes = Signal()  # a block has ended, and its saved run leaves
        arriving_block = Cat(run.slot, turn[run.slot])
        out_block = Cat(out_slot, turn[out_slot])
        first = Signal(joined["first"].shape)  # number of the arriving run's first value
        same = Signal(SLOTS)  # bit k: slot k has a saved run of the arriving value
        is_same = Signal()  # the run's own slot has a saved run of the arriving value
        m.d.comb += [
            is_first.eq(~within[run.slot]),
            # Both slots are compared, in parallel with the choice of the slot, to save time.
            same.eq(Cat(equal(run.value, saved[k].value, has_run[k]) for k in range(SLOTS))),
            is_same.eq(same.bit_select(run.slot, 1)),
            joins.eq(~run.times.any() | ~has_run[run.slot] | is_same),
            first.eq(Mux(is_first, run.begin, saved_end)),
            flushes.eq(Cat(closing).any()),
            out_slot.eq(Mux(flushes, ~closing[0], run.slot)),
            self.o.valid.eq(has_run[out_slot] & (flushes | (self.i.valid & ~joins))),
            self.o.p.block.eq(out_block),
            *(self.o.p[name].eq(Mux(out_slot, saved[1][name], saved[0][name])) for name in members),
            # A run that does not join follows a saved run, so `o` is valid then.
            self.i.ready.eq(
                ~flushes
                & ~(is_first & self.taken.bit_select(arriving_block, 1))
                & (joins | self.o.ready)
            ),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [within[run.slot].eq(~run.last), closing[run.slot].eq(run.last)]
            m.d.comb += self.begins.eq(Mux(is_first, C(1, BLOCKS) << arriving_block, 0))
            for slot in range(SLOTS):
                with m.If(run.slot == slot):
                    m.d.sync += saved[slot].end.eq(first + run.times)
                    with m.If(run.times.any()):
                        m.d.sync += has_run[slot].eq(1)
                    with m.If(run.times.any() & ~is_same):
                        m.d.sync += [saved[slot].first.eq(first), saved[slot].value.eq(run.value)]
        # ``i.ready`` is low with ``flushes``, so no run arrives in this cycle.
        with m.If(flushes & (self.o.ready | ~has_run[out_slot])):
            m.d.sync += [has_run[out_slot].eq(0), closing[out_slot].eq(0)]
            m.d.sync += turn[out_slot].eq(turn[out_slot] + 1)
            m.d.comb += self.ends.eq(C(1, BLOCKS) << out_block)
        return m
