"""A serial decoder, and behind it the aggregates of what it gives."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import block_layout
from rtl.keyed.codec.block_turns import SLOTS
from rtl.keyed.codec.fold import BLOCK_VALUES
from rtl.network.reduction import Reduction, reduced_payload
from rtl.stream.queue import StreamQueue

#: States that wait for those of other decoders.
DONE = 2
#: What is told of a block beside its state.
TOLD = data.StructLayout({"error": 1})


class FoldingDecoder(wiring.Component):
    """Gives of each block the state of the aggregates over those of its values that are wanted.

    ::

        i --> waits --> decoder --+-- values, times of slot 0 --> Reduction --+-- in turn
                                  +-- values, times of slot 1 --> Reduction --+       |
                                                                                      v
                                                                             o <-- queue

    For instance ``sum`` and a block of the values 5 5 5 7, the first of which is skipped: 5 twice
    and 7 once, so 17. Where none is wanted the state means nothing.

    The decoder has two blocks in turn, so one may end before the one before it; each has a slot,
    and what comes out of the slots in turn is in the order of the blocks. No slot waits for ever
    for the other: a block is taken into the decoder when the one before the last one has left it,
    and so none of its values comes before that one's last.

    Order is kept. Latency from a block to its state that of the decoder, twice its steps but one,
    and 3 cycles. Initiation interval the steps of a block, where all have as many, and no less than
    2 cycles. A stall at ``o`` stalls ``i`` when all within is full; both depend on registers alone.

    Parameters
    ----------
    decoder : type
        A serial one of the codec, such as :class:`~rtl.keyed.codec.change_decoder.ChangeDecoder`.
    codec : Xor, Grid or Sz
    fold : Fold

    Members
    -------
    i : In(stream.Signature(block_layout(0)))
    o : Out(stream.Signature(reduced_payload(fold.over_runs(...), ..., TOLD)))
        ``passenger`` has ``error``: that was no block.
    """

    initiation_interval = 2
    #: Blocks that may be inside: one that waits, two in the decoder's stages, two in the registers
    #: behind these, two in the reductions, and what is done.
    inside = 7 + DONE

    def __init__(self, decoder, codec, fold):
        self._decoder = decoder(codec)
        given = self._decoder.o.p.shape().members
        operator = fold.over_runs(decoder.run)
        row = data.StructLayout({**fold.row.members, "times": given["times"]})
        self._reductions = [
            Reduction(operator, row, 1, tuples=BLOCK_VALUES, passenger=TOLD) for _ in range(SLOTS)
        ]
        super().__init__(
            {
                "i": In(stream.Signature(block_layout(0))),
                "o": Out(stream.Signature(reduced_payload(operator, BLOCK_VALUES, TOLD))),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """That of a block of one step."""
        return 1 + decoder.latency + Reduction.latency_of(1) + StreamQueue.latency

    @property
    def latency(self):
        return self.latency_of(self._decoder)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        self._wait(m, decoder.i)
        given, slot = decoder.o.p, decoder.o.p.slot
        for k, reduction in enumerate(self._reductions):
            m.submodules[f"reduction{k}"] = reduction
            run = reduction.i.p
            (value,) = (name for name in run.tuples[0].shape().members if name != "times")
            m.d.comb += [
                reduction.i.valid.eq(decoder.o.valid & (slot == k)),
                Value.cast(run.tuples[0][value]).eq(given.value),
                run.tuples[0].times.eq(given.times),
                run.valid.eq(given.times.any()),
                run.last.eq(given.last),
                run.passenger.error.eq(given.error),
            ]
        takes = Cat(reduction.i.ready for reduction in self._reductions)
        m.d.comb += decoder.o.ready.eq(takes.bit_select(slot, 1))
        self._collect(m)
        return m

    def _wait(self, m, target):
        """Holds a block until it is taken; ``ready`` out of a register alone ends its chain."""
        block, full = Signal(self.i.p.shape(), reset_less=True), Signal()
        m.d.comb += [self.i.ready.eq(~full), target.valid.eq(full), target.p.eq(block)]
        with m.If(full):
            m.d.sync += full.eq(~target.ready)
        with m.Else():
            m.d.sync += [full.eq(self.i.valid), block.eq(self.i.p)]

    def _collect(self, m):
        """The state of either slot in turn."""
        m.submodules.done = done = StreamQueue(self.o.p.shape(), DONE)
        wiring.connect(m, done.o, wiring.flipped(self.o))
        turn = Signal()
        states = [reduction.o for reduction in self._reductions]
        m.d.comb += [
            done.i.valid.eq(Mux(turn, states[1].valid, states[0].valid)),
            done.i.p.eq(Mux(turn, states[1].p, states[0].p)),
            states[0].ready.eq(done.i.ready & ~turn),
            states[1].ready.eq(done.i.ready & turn),
        ]
        with m.If(done.i.valid & done.i.ready):
            m.d.sync += turn.eq(~turn)
