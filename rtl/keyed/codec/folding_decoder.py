"""A serial decoder with the aggregates of its values."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import block_layout
from rtl.keyed.codec.block_turns import SLOTS
from rtl.keyed.codec.fold import BLOCK_VALUES
from rtl.network.reduction import Reduction, reduced_payload
from rtl.stream.queue import StreamQueue

#: Capacity of the queue of finished states.
STATE_QUEUE = 2
#: Information that accompanies the state of a block.
BLOCK_INFO = data.StructLayout({"error": 1})


class FoldingDecoder(wiring.Component):
    """Computes the state of the aggregates over the values of each block that are in the window.

    ::

        i --> register -> decoder -+-- values, times of slot 0 --> Reduction --+-- in turn
                                  +-- values, times of slot 1 --> Reduction --+       |
                                                                                      v
                                                                             o <-- queue

    For instance ``sum`` and a block of the values 5 5 5 7 with ``skip`` 1: 5 twice and 7 once, so
    17. If all values are skipped, the state is undefined.

    The decoder alternates between two blocks, so a block may end before the block before. Each
    block has a slot, and reading both slots in turn restores the order of the blocks. No slot waits
    forever for the other: a block enters the decoder when the second last block has left it, so
    none of its values precedes the last value of that block.

    Order is kept. Latency from a block to its state: that of the decoder, twice (steps - 1), and 3
    cycles. Initiation interval the steps of a block, if all blocks have the same number, and at
    least 2 cycles. A stall at ``o`` stalls ``i`` when all registers and the queue are full.

    Parameters
    ----------
    decoder : type
        Serial decoder of the codec, such as :class:`~rtl.keyed.codec.change_decoder.ChangeDecoder`.
    codec : Codec
    fold : Fold

    Members
    -------
    i : In(stream.Signature(block_layout(fold.pivot_layout)))
    o : Out(stream.Signature(reduced_payload(fold.over_runs(...), ..., BLOCK_INFO)))
        The ``passenger`` has ``error``, which is high for a broken block.
    """

    initiation_interval = 2
    #: Maximum count of blocks: one in the input register, two in the decoder's stages, two in the
    #: registers after the stages, two in the reductions, and the queue.
    capacity = 7 + STATE_QUEUE

    def __init__(self, decoder, codec, fold):
        self._decoder, self._pivots = decoder(codec, fold.pivot_layout), fold.pivots
        values = self._decoder.o.p.shape().members
        operator = fold.over_runs(decoder.run)
        pivots = {f"pivot{k}": fold.pivot_layout.elem_shape for k in range(fold.pivots)}
        row = data.StructLayout({**fold.row.members, "times": values["times"], **pivots})
        self._reductions = [
            Reduction(operator, row, 1, tuples=BLOCK_VALUES, passenger=BLOCK_INFO)
            for _ in range(SLOTS)
        ]
        super().__init__(
            {
                "i": In(stream.Signature(block_layout(fold.pivot_layout))),
                "o": Out(stream.Signature(reduced_payload(operator, BLOCK_VALUES, BLOCK_INFO))),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """Latency for a block of one step, in cycles."""
        return 1 + decoder.latency + Reduction.latency_of(1) + StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._decoder)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        self._register_input(m, decoder.i)
        values, slot = decoder.o.p, decoder.o.p.slot
        for k, reduction in enumerate(self._reductions):
            m.submodules[f"reduction{k}"] = reduction
            run = reduction.i.p
            value = next(iter(run.tuples[0].shape().members))
            m.d.comb += [
                reduction.i.valid.eq(decoder.o.valid & (slot == k)),
                Value.cast(run.tuples[0][value]).eq(values.value),
                run.tuples[0].times.eq(values.times),
                *(
                    run.tuples[0][f"pivot{n}"].eq(values.passenger.passenger[n])
                    for n in range(self._pivots)
                ),
                run.valid.eq(values.times.any()),
                run.last.eq(values.last),
                run.passenger.error.eq(values.error),
            ]
        reduction_ready = Cat(reduction.i.ready for reduction in self._reductions)
        m.d.comb += decoder.o.ready.eq(reduction_ready.bit_select(slot, 1))
        self._collect(m)
        return m

    def _register_input(self, m, target):
        """Stores a block until the decoder accepts it; the register ends the chain of ``ready``."""
        block, full = Signal(self.i.p.shape(), reset_less=True), Signal()
        m.d.comb += [self.i.ready.eq(~full), target.valid.eq(full), target.p.eq(block)]
        with m.If(full):
            m.d.sync += full.eq(~target.ready)
        with m.Else():
            m.d.sync += [full.eq(self.i.valid), block.eq(self.i.p)]

    def _collect(self, m):
        """Queues the states of both slots in turn."""
        m.submodules.finished = finished = StreamQueue(self.o.p.shape(), STATE_QUEUE)
        wiring.connect(m, finished.o, wiring.flipped(self.o))
        turn = Signal()
        states = [reduction.o for reduction in self._reductions]
        m.d.comb += [
            finished.i.valid.eq(Mux(turn, states[1].valid, states[0].valid)),
            finished.i.p.eq(Mux(turn, states[1].p, states[0].p)),
            states[0].ready.eq(finished.i.ready & ~turn),
            states[1].ready.eq(finished.i.ready & turn),
        ]
        with m.If(finished.i.valid & finished.i.ready):
            m.d.sync += turn.eq(~turn)
