"""Decodes the blocks of windows, with any codec."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

from rtl.keyed.codec.block_format import block_info_layout
from rtl.keyed.codec.chained.chain_format import chain_counts
from rtl.keyed.codec.chained.chain_pool import ChainPool
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.line_states import LineStates
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue

#: Cycles in which a block reserves a place of the queue after the latency up to the queue: one in
#: the queue, and one until the place counts as free again.
CYCLES_IN_QUEUE = 2


class Decompressor(wiring.Component):
    """Decodes the blocks of windows to lines: one line for each block, or for each chain of blocks.

    For instance with ``sum`` in the fold a window of the blocks ``1 1`` and ``1 2`` becomes the
    lines 2 and 3, and the second line is the ``last``.

    A line contains the values of a block or, with a ``fold``, one state of the aggregates over the
    values. In a pool of serial decoders each decoder computes the state itself; a parallel decoder
    is followed by ``LineStates``. A codec with chains of blocks has a
    :class:`~rtl.keyed.codec.chained.chain_pool.ChainPool`, with a line for each chain, which also
    feeds back where the next window begins after it has decoded a window. In the last line of a
    window ``error`` is high if its last block has an error, or if any of its blocks cannot be
    decoded.

    **With a fold a block never stalls behind a parallel decoder**: a block is accepted only if the
    queue has a place for its state, so no chain of ``ready`` passes through the stages::

        i --> room? --> decoder --> LineStates --> queue --> o

    Order is kept. The latency is that of the decoder or the pool; behind a parallel decoder a
    ``fold`` adds that of :class:`~rtl.keyed.codec.line_states.LineStates`, and 1 cycle for the
    queue. Initiation interval 1 cycle, with a pool that of the pool. A stall at ``o`` stalls ``i``;
    with the queue only when all places are reserved, and then ``i.ready`` comes from a register.

    Parameters
    ----------
    codec : Codec
    fold : Fold or None
        Required with a serial decoder.
    passenger : ShapeLike
        Used only without ``block_info``.
    block_info : data.StructLayout or None
        Information that accompanies a block, with the members of ``block_info_layout(passenger)``,
        which is the default.
    place : ShapeLike
        With chains, shape of the place where a window begins.

    Members
    -------
    i : In(stream.Signature(block_layout(block_info)))
        With chains ``window_block_layout(codec.format, block_info, place)``.
    o : Out(stream.Signature(line(..., passenger=block_info)))
        A line has ``codec.lanes`` values, or one state of the layout ``fold.states``. With chains
        ``passenger`` also has the counts of
        :func:`~rtl.keyed.codec.chained.chain_format.chain_counts`.
    feedback : Out(stream.Signature(..., always_ready=True)), or none
        With chains, that of :class:`~rtl.keyed.codec.chained.chain_pool.ChainPool`.

    Source: seed 000, section 3.4.
    """

    initiation_interval = 1

    def __init__(self, codec, fold=None, passenger=0, block_info=None, place=0):
        block_info = block_info or block_info_layout(passenger)
        entry = entry_of(codec)
        self._states = self._queue = None
        feedback = {}
        count_members = {}
        if entry.chained:
            count_members = chain_counts(fold)
            self._decoder = ChainPool(entry.decoder, codec, fold, block_info, place)
            feedback = {"feedback": self._decoder.signature.members["feedback"]}
        elif entry.serial:
            self._decoder = DecoderPool(entry.decoder, codec, fold, block_info)
        else:
            self._decoder = entry.decoder(codec, block_info)
        line_info = data.StructLayout(dict(block_info.members) | count_members)
        if fold is None:
            lines = line(codec.width, codec.lanes, passenger=line_info)
        else:
            lines = line(fold.states, 1, passenger=line_info)
        if fold is not None and not entry.serial:
            passenger_shape = self._decoder.o.p.shape().members["passenger"]
            self._states = LineStates(fold, codec.width, codec.lanes, passenger_shape)
            self._places = self._decoder.latency + self._states.latency + CYCLES_IN_QUEUE
            self._queue = StreamQueue(self._states.o.p.shape(), self._places)
            self._has_pivots = fold.pivots > 0
        super().__init__(
            {
                "i": self._decoder.signature.members["i"],
                "o": Out(stream.Signature(lines)),
                **feedback,
            }
        )
        self._feeds_back = bool(feedback)
        self._count_members = count_members

    @staticmethod
    def latency_of(codec, fold=None):
        """Latency in cycles; with a serial decoder, for a block of one step."""
        entry = entry_of(codec)
        if entry.serial:
            if entry.chained:
                return ChainPool.latency_of(entry.decoder)
            return DecoderPool.latency_of(entry.decoder, fold.sums)
        later = 0 if fold is None else LineStates.latency_of(codec.lanes) + StreamQueue.latency
        return entry.decoder.latency + later

    @staticmethod
    def capacity_of(codec, fold):
        """Returns the maximum count of blocks, or of chains, in serial decoders and their queues.

        The count is 0 for a parallel decoder: its latency already bounds the blocks inside.
        """
        entry = entry_of(codec)
        if not entry.serial:
            return 0
        return (ChainPool if entry.chained else DecoderPool).capacity_of(fold)

    @property
    def latency(self):
        later = () if self._states is None else (self._states, self._queue)
        return self._decoder.latency + sum(part.latency for part in later)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        if self._feeds_back:
            wiring.connect(m, decoder.feedback, wiring.flipped(self.feedback))
        if self._states is None:
            wiring.connect(m, wiring.flipped(self.i), decoder.i)
            source = decoder.o
        else:
            source = self._make_states(m)
        lines = source.p
        o = self.o.p
        has_error = Signal()
        block_info = lines.passenger.passenger
        line_error = Signal()
        m.d.comb += [
            line_error.eq(has_error | lines.passenger.error),
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            *(o[name].eq(lines[name]) for name in ("tuples", "valid", "last")),
            *(o.passenger[name].eq(block_info[name]) for name in block_info.shape().members),
            *(o.passenger[name].eq(lines.passenger[name]) for name in self._count_members),
            o.passenger.error.eq(lines.last & (block_info.error | line_error)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += has_error.eq(line_error & ~lines.last)
        return m

    def _make_states(self, m):
        """Connects decoder, LineStates and queue, and returns the stream of states."""
        m.submodules.states = states = self._states
        m.submodules.queue = queue = self._queue
        decoder = self._decoder
        places_left = Signal(range(self._places + 1), init=self._places)
        has_place = Signal(init=1)  # places_left is not 0
        wiring.connect(m, decoder.o, states.i)
        if self._has_pivots:
            m.d.comb += states.pivots.eq(decoder.o.p.passenger.passenger.pivots)
        block_accepted = self.i.valid & self.i.ready
        state_leaves = queue.o.valid & queue.o.ready
        # ``states.o.ready`` is always 1, so decoder and LineStates are always ready.
        next_places = places_left - block_accepted + state_leaves
        m.d.sync += [places_left.eq(next_places), has_place.eq(next_places.any())]
        m.d.comb += [
            decoder.i.p.eq(self.i.p),
            decoder.i.valid.eq(self.i.valid & has_place),
            self.i.ready.eq(has_place),
            queue.i.p.eq(states.o.p),
            queue.i.valid.eq(states.o.valid),
            states.o.ready.eq(1),
        ]
        return queue.o
