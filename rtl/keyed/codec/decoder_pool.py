"""Pool of serial decoders, each of which takes many cycles for a block."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import COUNT_BITS, block_layout
from rtl.keyed.codec.folding_decoder import FoldingDecoder
from rtl.stream.beat import wire
from rtl.stream.choice import chosen
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue


class DecoderPool(wiring.Component):
    """Computes the state of the aggregates over each block's values, in the order of the blocks.

    ::

        i --+-- in turn --> FoldingDecoder --+-- in turn --> o
            +-------------> FoldingDecoder --+
            +-------------> ...              |
            +-- queue of block information --+

    The decoders receive blocks in turn, and their states are collected in turn. So a block waits
    for its decoder, and its state waits for the states of earlier blocks. For instance with blocks
    of 12 to 22 steps, 17 on average, 16 decoders take 0.84 blocks in a cycle, where they could take
    0.94, and 24 decoders take one. A decoder alternates between two blocks and takes at least one
    value in a cycle, so the pool takes at least as many values in a cycle as it has decoders.

    Order is kept. Latency that of a decoder. Initiation interval the steps of a block over the
    decoders, and no less than 1 cycle, or 2 with one decoder. A stall at ``o`` stalls ``i`` once
    the decoders are full.

    Parameters
    ----------
    decoder : type
        Serial decoder of the codec, such as :class:`~rtl.keyed.codec.change_decoder.ChangeDecoder`.
    codec : Codec
    fold : Fold
    passenger : ShapeLike
        With pivots in the fold it has the member ``pivots``, and with sums in the fold its member
        ``passenger`` has the ``number`` of the block's first value that is not skipped.

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(line(fold.states, 1, passenger=...)))
        ``valid`` is high if any value of the block is in the window. The line's ``passenger``
        consists of ``error``, high for a broken block, and the block's ``passenger``.

    Source: seed 000, section 3.4.1, which unrolls the stages of a block instead.
    """

    initiation_interval = 1

    def __init__(self, decoder, codec, fold, passenger=0):
        source = block_layout(passenger)
        self._block_info = data.StructLayout(
            {"values": COUNT_BITS, "last": 1, "passenger": passenger}
        )
        self._has_pivots = fold.pivots > 0
        self._has_sums = fold.sums is not None
        self._capacity = self.capacity_of(fold)
        self._decoders = [FoldingDecoder(decoder, codec, fold) for _ in range(fold.decoders)]
        result_info = data.StructLayout({"error": 1, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(source)),
                "o": Out(stream.Signature(line(fold.states, 1, passenger=result_info))),
            }
        )

    @staticmethod
    def latency_of(decoder, sums=None):
        """Latency for a block of one step, in cycles; ``sums`` is the fold's NodePlan, or None."""
        return FoldingDecoder.latency_of(decoder, sums)

    @staticmethod
    def capacity_of(fold):
        """Maximum count of blocks inside: those of all decoders."""
        return fold.decoders * FoldingDecoder.capacity_of(fold.sums)

    @property
    def latency(self):
        return self._decoders[0].latency

    def elaborate(self, platform):
        m = Module()
        for k, decoder in enumerate(self._decoders):
            m.submodules[f"decoder{k}"] = decoder
        m.submodules.block_info = block_info = StreamQueue(self._block_info, self._capacity)
        self._deal(m, block_info.i)
        self._collect(m, block_info.o)
        return m

    def _deal(self, m, block_info):
        """Sends each block to the next decoder, and its information to the queue."""
        transfer = Signal()
        ready = Signal()
        source = self.i.p
        turn = Signal(len(self._decoders), init=1)
        with m.If(transfer):
            m.d.sync += turn.eq(turn.rotate_left(1))
        m.d.comb += [
            ready.eq((turn & Cat(decoder.i.ready for decoder in self._decoders)).any()),
            self.i.ready.eq(ready & block_info.ready),
            transfer.eq(self.i.valid & self.i.ready),
            block_info.valid.eq(self.i.valid & ready),
            block_info.p.values.eq(source.count - source.skip),
            block_info.p.last.eq(source.last),
            block_info.p.passenger.eq(source.passenger),
        ]
        for k, decoder in enumerate(self._decoders):
            m.d.comb += [
                decoder.i.valid.eq(self.i.valid & block_info.ready & turn[k]),
                *(
                    decoder.i.p[name].eq(source[name])
                    for name in ("block", "coded", "count", "skip")
                ),
            ]
            if self._has_pivots:
                m.d.comb += decoder.i.p.passenger.pivots.eq(source.passenger.pivots)
            if self._has_sums:
                m.d.comb += decoder.i.p.passenger.begin.eq(source.passenger.passenger.number)

    def _collect(self, m, block_info):
        """Collects the state of each block from the next decoder."""
        states = [decoder.o for decoder in self._decoders]
        transfer = Signal()
        is_ready = Signal()
        turn = Signal(range(len(states)))
        last = len(states) - 1
        with m.If(transfer):
            m.d.sync += turn.eq(Mux(turn == last, 0, turn + 1))
        selected = Signal(states[0].p.shape())
        o = self.o.p
        state = self.o.p.tuples[0]
        m.d.comb += [
            selected.as_value().eq(chosen([source.p.as_value() for source in states], turn)),
            is_ready.eq(chosen([source.valid for source in states], turn)),
            transfer.eq(self.o.valid & self.o.ready),
            # The information of a block is in the queue long before its state is ready.
            self.o.valid.eq(is_ready),
            block_info.ready.eq(is_ready & self.o.ready),
            o.valid.eq(block_info.p.values.any()),
            o.last.eq(block_info.p.last),
            state.values.eq(block_info.p.values),
            *wire({name: state[name] for name in selected.state.shape().members}, selected.state),
            o.passenger.error.eq(selected.passenger.error),
            o.passenger.passenger.eq(block_info.p.passenger),
        ]
        if self._has_sums:
            m.d.comb += state.sums.eq(selected.sums)
        m.d.comb += [source.ready.eq(transfer & (turn == k)) for k, source in enumerate(states)]
        return m
