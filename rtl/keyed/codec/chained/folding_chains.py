"""Decodes chains of blocks, and computes for each chain the state of the aggregates."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import TIMES, pivot_member
from rtl.keyed.codec.chained.chain_format import chain_block_layout
from rtl.keyed.codec.folding_decoder import STATE_QUEUE, wire_run
from rtl.network.reduction import reduced_payload
from rtl.network.slot_reduction import SLOTS, SlotReduction
from rtl.stream.queue import StreamQueue


def chain_info_layout(form):
    """Returns the layout of the data that accompany the state of a chain.

    Members: ``error``, the chain is damaged; ``saved``, the decoder's state before the chain's last
    block with ``save``, in which the next window may begin; undefined without such a block.
    """
    return data.StructLayout({"error": 1, "saved": form.start})


class FoldingChains(wiring.Component):
    """Computes the state of the aggregates over the values of each chain that are in the window.

    ::

        i --+--> register of slot 0 --+
            +--> register of slot 1 --+--> decoder --> SlotReduction --> queue --> o

    The decoder outputs runs of equal values, and SlotReduction combines the runs of each chain.
    For instance the ``sum`` of a chain of two blocks, 5 5 5 7 with ``skip`` 1, and 7 7, is 31. If
    all values are skipped, the state is undefined. The decoder works on two chains at a time, one
    in each slot. Invariant: **chains begin in slots 0 and 1 in turn**, as the parent must ensure.
    So SlotReduction, which outputs the states of both slots in turn, restores the order of chains.

    States leave in the order of the chains. Latency from the last block of a chain to the state:
    the latency of the decoder, 2 * (steps - 1), and 3 cycles for register, reduction and queue; 11
    cycles for 3 steps and a decoder of 4 cycles. Initiation interval of a slot twice the steps of a
    block, so 1 cycle for both slots and blocks of one step. A stall at ``o`` stalls both slots when
    all registers and the queue are full.

    Parameters
    ----------
    decoder : type
        Decoder of chains, such as :class:`~rtl.keyed.codec.chained.chain_decoder.ChainDecoder`.
    codec : Codec
    fold : Fold

    Members
    -------
    i : In(chain_block_layout(codec.format, fold.pivot_layout))
    enters : In(2)
        Bit k: the block at ``i`` enters the register of slot k, which must be free.
    free : Out(2)
        Bit k: the register of slot k has no block.
    o : Out(stream.Signature(reduced_payload(fold.over_runs(...), ..., chain_info_layout(...))))
    """

    initiation_interval = 1

    def __init__(self, decoder, codec, fold):
        self._decoder = decoder(codec, fold.pivot_layout)
        self._pivots = fold.pivots
        values = self._decoder.o.p.shape().members
        info = chain_info_layout(codec.format)
        operator = fold.over_runs(decoder.run)
        pivots = {pivot_member(k): fold.pivot_layout.elem_shape for k in range(fold.pivots)}
        row = data.StructLayout({**fold.row.members, TIMES: values["times"], **pivots})
        self._reduction = SlotReduction(operator, row, tuples=fold.block_tuples, passenger=info)
        super().__init__(
            {
                "i": In(chain_block_layout(codec.format, fold.pivot_layout)),
                "enters": In(SLOTS),
                "free": Out(SLOTS),
                "o": Out(stream.Signature(reduced_payload(operator, fold.block_tuples, info))),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """Returns the latency from a block with one step, alone in its chain, to the state.

        In cycles.
        """
        return 1 + decoder.latency + SlotReduction.latency + StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._decoder)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        for k, slot_input in enumerate((decoder.i0, decoder.i1)):
            self._register(m, k, slot_input)
        values = decoder.o.p
        m.submodules.reduction = reduction = self._reduction
        run = reduction.i.p
        m.d.comb += [
            reduction.i.valid.eq(decoder.o.valid),
            decoder.o.ready.eq(reduction.i.ready),
            *wire_run(run, values, [values.passenger.passenger[n] for n in range(self._pivots)]),
            run.passenger.saved.eq(values.saved),
        ]
        m.submodules.finished = finished = StreamQueue(self.o.p.shape(), STATE_QUEUE)
        wiring.connect(m, reduction.o, finished.i)
        wiring.connect(m, finished.o, wiring.flipped(self.o))
        return m

    def _register(self, m, slot, target):
        """Stores the next block of a slot until the decoder accepts it."""
        block = Signal(self.i.shape(), name=f"block{slot}", reset_less=True)
        full = Signal(name=f"full{slot}")
        m.d.comb += [self.free[slot].eq(~full), target.valid.eq(full), target.p.eq(block)]
        with m.If(self.enters[slot]):
            m.d.sync += [full.eq(1), block.eq(self.i)]
        with m.Elif(target.ready):
            m.d.sync += full.eq(0)
