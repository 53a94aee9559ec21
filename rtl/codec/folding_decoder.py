"""A serial decoder, and behind it the aggregates of what it gives."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import block_layout
from rtl.codec.fold import BLOCK_VALUES
from rtl.network.reduction import Reduction, reduced_payload

#: What is told of a block beside its state.
TOLD = data.StructLayout({"error": 1})


class FoldingDecoder(wiring.Component):
    """Gives of each block the state of the aggregates over those of its values that are wanted.

    ::

        i --> decoder --> value, times --> Reduction --> o

    For instance ``sum`` and a block of the values 5 5 5 7, the first of which is skipped: 5 twice
    and 7 once, so 17. Where none is wanted the state means nothing.

    Order is kept. Latency from a block to its state that of the decoder, its steps but one, and 1
    cycle. Initiation interval the steps of a block, and no less than 1 cycle. A stall at ``o``
    stalls all.

    Parameters
    ----------
    decoder : type
        A serial one of the codec, such as :class:`~rtl.codec.change_decoder.ChangeDecoder`.
    codec : Xor, Grid or Sz
    fold : Fold

    Members
    -------
    i : In(stream.Signature(block_layout(0)))
    o : Out(stream.Signature(reduced_payload(fold.over_runs(...), ..., TOLD)))
        ``passenger`` has ``error``: that was no block.
    """

    initiation_interval = 1

    def __init__(self, decoder, codec, fold):
        self._decoder = decoder(codec)
        given = self._decoder.o.p.shape().members
        operator = fold.over_runs(decoder.run)
        row = data.StructLayout({**fold.row.members, "times": given["times"]})
        self._reduction = Reduction(operator, row, 1, tuples=BLOCK_VALUES, passenger=TOLD)
        super().__init__(
            {
                "i": In(stream.Signature(block_layout(0))),
                "o": Out(stream.Signature(reduced_payload(operator, BLOCK_VALUES, TOLD))),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """That of a block of one step."""
        return decoder.latency + Reduction.latency_of(1)

    @property
    def latency(self):
        return self.latency_of(self._decoder)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder, m.submodules.reduction = decoder, reduction = (
            self._decoder,
            self._reduction,
        )
        wiring.connect(m, wiring.flipped(self.i), decoder.i)
        wiring.connect(m, reduction.o, wiring.flipped(self.o))
        given, run = decoder.o.p, reduction.i.p
        (value,) = (name for name in run.tuples[0].shape().members if name != "times")
        m.d.comb += [
            reduction.i.valid.eq(decoder.o.valid),
            decoder.o.ready.eq(reduction.i.ready),
            Value.cast(run.tuples[0][value]).eq(given.value),
            run.tuples[0].times.eq(given.times),
            run.valid.eq(given.times.any()),
            run.last.eq(given.last),
            run.passenger.error.eq(given.error),
        ]
        return m
