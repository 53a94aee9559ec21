"""Decodes blocks in sequence, and computes the aggregates of their values."""

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import TIMES, pivot_member
from rtl.keyed.codec.block_format import block_layout
from rtl.keyed.codec.fold import BLOCK_VALUES
from rtl.network.reduction import reduced_payload
from rtl.network.run_sums import RunSums
from rtl.network.slot_reduction import SlotReduction
from rtl.stream.queue import StreamQueue

#: Capacity of the queue of finished states; with sums, which come later than states, twice as much.
STATE_QUEUE = 2
#: Information that accompanies the state of a block.
BLOCK_INFO = data.StructLayout({"error": 1})


def folded_payload(fold, operator):
    """Layout of the state of a block.

    It has the members of :func:`~rtl.network.reduction.reduced_payload`, and ``sums`` if the fold
    adds floating-point numbers. The ``passenger`` has ``error``, which is high for a broken block.
    """
    sums = {} if fold.sums is None else {"sums": fold.sums.layout}
    reduced = reduced_payload(operator, BLOCK_VALUES, BLOCK_INFO)
    return data.StructLayout({**reduced.members, **sums})


def wire_run(row, values, pivots):
    """Returns statements that send a run of equal values to a
    :class:`~rtl.network.slot_reduction.SlotReduction`.

    Parameters
    ----------
    row : View
        Row of the reduction, whose first column has the value.
    values : View
        Output of a serial decoder: a value, its number of ``times``, and its block.
    pivots : list of Value
        Pivots of the block.
    """
    column = next(iter(row.row.shape().members))
    return [
        Value.cast(row.row[column]).eq(values.value),
        row.row[TIMES].eq(values.times),
        *(row.row[pivot_member(n)].eq(pivot) for n, pivot in enumerate(pivots)),
        row.valid.eq(values.times.any()),
        row.last.eq(values.last),
        row.slot.eq(values.slot),
        row.passenger.error.eq(values.error),
    ]


class FoldingDecoder(wiring.Component):
    """Computes the state of the aggregates over the values of each block that are in the window.

    ::

        i --> register --> decoder --> values, times, slot --> SlotReduction --> queue --> o

    With ``sums`` in the fold the values also go to :class:`~rtl.network.run_sums.RunSums`, which
    adds floating-point numbers; the block leaves when both are complete.

    For instance ``sum`` and a block of the values 5 5 5 7 with ``skip`` 1: 5 twice and 7 once, so
    17. If all values are skipped, the state is undefined.

    The decoder alternates between two blocks, so a block may end before the block before. Each
    block has a slot, and :class:`~rtl.network.slot_reduction.SlotReduction` sends the states of
    both slots in turn, which restores the order of the blocks. No slot waits forever for the other:
    block n + 2 has the slot of block n, and enters the decoder only when the last value of block n
    has left the decoder.

    Order is kept. Latency from a block to its state: that of the decoder + 2 * (steps - 1) + 3
    cycles, for the input register, the reduction and the queue; with ``sums`` the latency of
    RunSums replaces the last two if it is longer. Initiation interval the steps of a
    block, if all blocks have the same number, and at least 2 cycles; with ``sums`` at least that of
    RunSums. A stall at ``o`` stalls ``i`` when all registers and the queue are full.

    Parameters
    ----------
    decoder : type
        Serial decoder of the codec, such as :class:`~rtl.keyed.codec.change_decoder.ChangeDecoder`.
    codec : Codec
    fold : Fold

    Members
    -------
    i : In(stream.Signature(block_layout(fold.decoder_info)))
    o : Out(stream.Signature(folded_payload(fold, fold.over_runs(...))))
    """

    initiation_interval = 2

    def __init__(self, decoder, codec, fold):
        self._decoder = decoder(codec, fold.decoder_info)
        self._pivots = fold.pivots
        values = self._decoder.o.p.shape().members
        operator = fold.over_runs(decoder.run)
        pivots = {pivot_member(k): fold.pivot_layout.elem_shape for k in range(fold.pivots)}
        row = data.StructLayout({**fold.row.members, TIMES: values["times"], **pivots})
        self._reduction = SlotReduction(operator, row, tuples=BLOCK_VALUES, passenger=BLOCK_INFO)
        self._sums = None if fold.sums is None else RunSums(fold.sums, decoder.run)
        self._queued = self._queued_of(fold.sums)
        self._state = reduced_payload(operator, BLOCK_VALUES, BLOCK_INFO)
        super().__init__(
            {
                "i": In(stream.Signature(block_layout(fold.decoder_info))),
                "o": Out(stream.Signature(folded_payload(fold, operator))),
            }
        )

    @staticmethod
    def _queued_of(sums):
        return STATE_QUEUE if sums is None else 2 * STATE_QUEUE

    @classmethod
    def capacity_of(cls, sums=None):
        """Maximum count of blocks; ``sums`` is the fold's NodePlan, or None.

        One in the input register, two in the decoder's stages, two in the registers after the
        stages, two in the reduction, and the queue.
        """
        return 7 + cls._queued_of(sums)

    @staticmethod
    def latency_of(decoder, sums=None):
        """Latency for a block of one step, in cycles; ``sums`` is the fold's NodePlan, or None."""
        state = SlotReduction.latency + StreamQueue.latency
        state = state if sums is None else max(state, RunSums.latency_of(sums))
        return 1 + decoder.latency + state

    @property
    def latency(self):
        later = [self._reduction.latency + StreamQueue.latency]
        later += [] if self._sums is None else [self._sums.latency]
        return 1 + self._decoder.latency + max(later)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        self._register_input(m, decoder.i)
        values = decoder.o.p
        sums_ready = self._add(m, decoder.o)
        m.submodules.reduction = reduction = self._reduction
        info = values.passenger.passenger
        m.d.comb += [
            reduction.i.valid.eq(decoder.o.valid & sums_ready),
            *wire_run(reduction.i.p, values, [info.pivots[n] for n in range(self._pivots)]),
            decoder.o.ready.eq(reduction.i.ready & sums_ready),
        ]
        if self._sums is not None:
            m.d.comb += self._sums.i.valid.eq(decoder.o.valid & reduction.i.ready)
        self._collect(m)
        return m

    def _add(self, m, source):
        """Sends the values to the sums, if there are any; returns whether the sums accept them."""
        if (sums := self._sums) is None:
            return 1
        m.submodules.sums = sums
        m.d.comb += [
            *(sums.i.p[name].eq(source.p[name]) for name in ("value", "times", "last", "slot")),
            sums.i.p.begin.eq(source.p.passenger.passenger.begin),
        ]
        return sums.i.ready

    def _register_input(self, m, target):
        """Stores a block until the decoder accepts it; the register ends the chain of ``ready``."""
        block = Signal(self.i.p.shape(), reset_less=True)
        full = Signal()
        m.d.comb += [self.i.ready.eq(~full), target.valid.eq(full), target.p.eq(block)]
        with m.If(full):
            m.d.sync += full.eq(~target.ready)
        with m.Else():
            m.d.sync += [full.eq(self.i.valid), block.eq(self.i.p)]

    def _collect(self, m):
        """Queues the states, and joins each with the sums of its block."""
        m.submodules.finished = finished = StreamQueue(self._state, self._queued)
        has_sums = 1 if self._sums is None else self._sums.o.valid
        complete = Signal()
        m.d.comb += [
            complete.eq(finished.o.valid & has_sums),
            self.o.valid.eq(complete),
            finished.o.ready.eq(self.o.ready & complete),
            *(self.o.p[name].eq(finished.o.p[name]) for name in self._state.members),
        ]
        wiring.connect(m, self._reduction.o, finished.i)
        if self._sums is not None:
            m.d.comb += [
                self.o.p.sums.eq(self._sums.o.p),
                self._sums.o.ready.eq(self.o.ready & complete),
            ]
