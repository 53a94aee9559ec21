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

    Runs of two slots come in any mixture, and each slot keeps its last run until a run of another
    value follows, or the block ends. Blocks come in slots 0 and 1 in turn, with the numbers 0 to 7
    in turn. For instance the runs of a block from tuple 3 on::

        i    5 once    5 twice    7 twice         7 twice, last
        o                         5: 3 to 5                       7: 6 to 9, the block ends

    Order is kept within a slot. Latency 1 cycle from the last run of a block to its joined run; an
    earlier run leaves in the cycle in which a run of another value comes. Initiation interval 1
    cycle, and one more for each block. A stall at ``o`` stalls ``i``, and so does a run that begins
    a block whose number is ``taken``.

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
        run, joined = self.i.p, self.o.p.shape()
        members = ("value", "first", "end")
        layout = data.StructLayout({name: joined[name].shape for name in members})
        kept = [Signal(layout, name=f"kept{slot}", reset_less=True) for slot in range(SLOTS)]
        # Of each slot: it keeps a run; its block has begun; its block has ended, and the kept run
        # leaves; the number of its block among those of the slot.
        has_run, within, closing = (
            Array(Signal(name=f"{name}{slot}") for slot in range(SLOTS))
            for name in ("has_run", "within", "closing")
        )
        turn = Array(Signal(range(BLOCKS // SLOTS), name=f"turn{k}") for k in range(SLOTS))
        out, kept_end = Signal(1), Mux(run.slot, kept[1].end, kept[0].end)
        begins, joins, flushes = Signal(), Signal(), Signal()
        number, block = Cat(run.slot, turn[run.slot]), Cat(out, turn[out])
        first = Signal(joined["first"].shape)
        # same[k]: slot k keeps a run of the arriving value. is_same: the run's own slot keeps one.
        same, is_same = Signal(SLOTS), Signal()
        m.d.comb += [
            begins.eq(~within[run.slot]),
            # Both slots are compared, in parallel with the choice of the slot, to save time.
            same.eq(Cat(equal(run.value, kept[k].value, has_run[k]) for k in range(SLOTS))),
            is_same.eq(same.bit_select(run.slot, 1)),
            joins.eq(~run.times.any() | ~has_run[run.slot] | is_same),
            first.eq(Mux(begins, run.begin, kept_end)),
            flushes.eq(Cat(closing).any()),
            out.eq(Mux(flushes, ~closing[0], run.slot)),
            self.o.valid.eq(has_run[out] & (flushes | (self.i.valid & ~joins))),
            self.o.p.block.eq(block),
            *(self.o.p[name].eq(Mux(out, kept[1][name], kept[0][name])) for name in members),
            # A run that does not join follows a kept run, so `o` is valid then.
            self.i.ready.eq(
                ~flushes & ~(begins & self.taken.bit_select(number, 1)) & (joins | self.o.ready)
            ),
        ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [within[run.slot].eq(~run.last), closing[run.slot].eq(run.last)]
            m.d.comb += self.begins.eq(Mux(begins, C(1, BLOCKS) << number, 0))
            for slot in range(SLOTS):
                with m.If(run.slot == slot):
                    m.d.sync += kept[slot].end.eq(first + run.times)
                    with m.If(run.times.any()):
                        m.d.sync += has_run[slot].eq(1)
                    with m.If(run.times.any() & ~is_same):
                        m.d.sync += [kept[slot].first.eq(first), kept[slot].value.eq(run.value)]
        # ``i.ready`` is low with ``flushes``, so no run arrives in this cycle.
        with m.If(flushes & (self.o.ready | ~has_run[out])):
            m.d.sync += [has_run[out].eq(0), closing[out].eq(0), turn[out].eq(turn[out] + 1)]
            m.d.comb += self.ends.eq(C(1, BLOCKS) << block)
        return m
