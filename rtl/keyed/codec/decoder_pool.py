"""Decodes blocks that take many cycles each, several of them at a time."""

from functools import reduce
from operator import or_

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import COUNT_BITS, block_layout
from rtl.keyed.codec.folding_decoder import FoldingDecoder
from rtl.stream.beat import wire
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue


class DecoderPool(wiring.Component):
    """Gives of each block the state of the aggregates over its values, in the order of the blocks.

    ::

        i --+-- in turn --> FoldingDecoder --+-- in turn --> o
            +-------------> FoldingDecoder --+
            +-------------> ...              |
            +-- what goes with blocks: queue +

    Blocks are dealt out in turn, and collected in turn. So a block waits for its decoder, and for
    those before it. For instance with blocks of 17 steps, give or take 5, 16 decoders take 0.84
    blocks in a cycle, where they could take 0.94, and 24 one. A decoder has two blocks in turn, and
    takes at least one of their values in a cycle; so the pool takes as many as it has decoders.

    Order is kept. Latency that of a decoder. Initiation interval the steps of a block over the
    decoders, and no less than 1 cycle, or 2 with one decoder. A stall at ``o`` stalls ``i`` once
    the decoders are full.

    Parameters
    ----------
    decoder : type
        A serial one of the codec, such as :class:`~rtl.keyed.codec.change_decoder.ChangeDecoder`.
    codec : Xor, Grid or Sz
    fold : Fold
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(line(fold.states, 1, passenger=...)))
        ``valid`` if any value of the block is wanted. ``passenger`` has ``error``, that was no
        block, and ``passenger``.

    Source: seed 000, section 3.4.1, which unrolls the stages of a block instead.
    """

    initiation_interval = 1

    def __init__(self, decoder, codec, fold, passenger=0):
        goes = block_layout(passenger)
        self._beside = data.StructLayout({"values": COUNT_BITS, "last": 1, "passenger": passenger})
        self._decoders = [FoldingDecoder(decoder, codec, fold) for _ in range(fold.decoders)]
        told = data.StructLayout({"error": 1, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(goes)),
                "o": Out(stream.Signature(line(fold.states, 1, passenger=told))),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """That of a block of one step."""
        return FoldingDecoder.latency_of(decoder)

    @property
    def latency(self):
        return self._decoders[0].latency

    def elaborate(self, platform):
        m = Module()
        for k, decoder in enumerate(self._decoders):
            m.submodules[f"decoder{k}"] = decoder
        depth = FoldingDecoder.inside * len(self._decoders)
        m.submodules.beside = beside = StreamQueue(self._beside, depth)
        self._deal(m, beside.i)
        self._collect(m, beside.o)
        return m

    def _turn(self, m, name, moves):
        """Whose turn it is, a bit for each decoder; the next one's when it ``moves``."""
        turn = Signal(len(self._decoders), init=1, name=name)
        with m.If(moves):
            m.d.sync += turn.eq(turn.rotate_left(1))
        return turn

    def _deal(self, m, beside):
        """A block to the decoder whose turn it is, and what goes with it into the queue."""
        moves, ready, goes = Signal(), Signal(), self.i.p
        turn = self._turn(m, "deals", moves)
        m.d.comb += [
            ready.eq((turn & Cat(decoder.i.ready for decoder in self._decoders)).any()),
            self.i.ready.eq(ready & beside.ready),
            moves.eq(self.i.valid & self.i.ready),
            beside.valid.eq(self.i.valid & ready),
            beside.p.values.eq(goes.count - goes.skip),
            beside.p.last.eq(goes.last),
            beside.p.passenger.eq(goes.passenger),
        ]
        for k, decoder in enumerate(self._decoders):
            m.d.comb += [
                decoder.i.valid.eq(self.i.valid & beside.ready & turn[k]),
                *(decoder.i.p[name].eq(goes[name]) for name in ("block", "coded", "count", "skip")),
            ]

    def _collect(self, m, beside):
        given = [decoder.o for decoder in self._decoders]
        moves, there = Signal(), Signal()
        turn = self._turn(m, "collects", moves)
        chosen, o, state = Signal(given[0].p.shape()), self.o.p, self.o.p.tuples[0]
        bits = len(chosen.as_value())
        parts = [one.p.as_value() & turn[k].replicate(bits) for k, one in enumerate(given)]
        m.d.comb += [
            chosen.as_value().eq(reduce(or_, parts)),
            there.eq((turn & Cat(one.valid for one in given)).any()),
            moves.eq(self.o.valid & self.o.ready),
            # What goes with a block is there long before its state is.
            self.o.valid.eq(there),
            beside.ready.eq(there & self.o.ready),
            o.valid.eq(beside.p.values.any()),
            o.last.eq(beside.p.last),
            state.values.eq(beside.p.values),
            *wire({name: state[name] for name in chosen.state.shape().members}, chosen.state),
            o.passenger.error.eq(chosen.passenger.error),
            o.passenger.passenger.eq(beside.p.passenger),
        ]
        for k, one in enumerate(given):
            m.d.comb += one.ready.eq(moves & turn[k])
        return m
