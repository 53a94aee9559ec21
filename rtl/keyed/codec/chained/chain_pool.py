"""Decodes the chains of windows in a pool of decoders, several windows at a time."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.chained.chain_format import (
    DECODED,
    chain_block_layout,
    chain_counts,
    feed_layout,
    window_block_layout,
)
from rtl.keyed.codec.chained.chain_queues import ChainQueues
from rtl.keyed.codec.chained.folding_chains import FoldingChains
from rtl.network.slot_reduction import SLOTS
from rtl.stream.beat import wire
from rtl.stream.choice import chosen
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue

#: Places for each slot in the queue of information, which holds the information of a chain until
#: the chain's state leaves the pool.
CHAINS = 4


class ChainPool(wiring.Component):
    """Computes the state of the aggregates over the values of each chain, in the order of chains.

    ::

        i --> one block --> ChainQueues --+--> FoldingChains --+-- in turn --> o, feedback
                   |                      +--> FoldingChains --+
                   +-- queue of information of chains ---------+

    A *chain* of the pool is the part of a chain that lies in one window: a chain begins with the
    first block of the window, with a raw block, or with a block that has a seed, and ends before
    the next such block or with the window. All blocks of a chain go to one slot, and the next chain
    to the next slot. Each decoder has two slots, so it works on two chains at a time, and the pool
    on as many chains as there are slots: a block waits for the block before it in its slot, while
    other slots decode other chains. For instance with 2 decoders, and windows of 4 blocks of which
    the third has a seed::

        window    0         1         2
        blocks    a b  c d  e f  g h  i j  k l
        slot      0 0  1 1  2 2  3 3  0 0  1 1

    A raw block is a chain of its own unless a dependent block follows, so blocks of noise are
    decoded side by side.

    *The feedback* of a window tells where the next window begins (``place``), and the state there
    (``start``), which the decoder saved before the window's last block that has ``save``. Feedback
    leaves a cycle after the state of the window's last chain, in the order of the windows. With
    ``lost``, and after damage in a chain, ``start`` is not ``known``. Damage in a chain whose
    values are all skipped causes no error of the window.

    Order is kept. Latency 1 cycle, and those of
    :class:`~rtl.keyed.codec.chained.chain_queues.ChainQueues` and of a decoder. Initiation interval
    the steps of a block divided by the number of decoders, and at least 1 cycle. A stall at ``o``
    stalls ``i`` when the queues are full.

    Parameters
    ----------
    decoder : type
        Decoder of chains, such as :class:`~rtl.keyed.codec.chained.chain_decoder.ChainDecoder`.
    codec : Codec
    fold : Fold
    passenger : data.StructLayout
        Has the member ``m3``, and with pivots in the fold ``pivots`` and ``again``.
    place : ShapeLike
        Shape of a place where a window begins.

    Members
    -------
    i : In(stream.Signature(window_block_layout(codec.format, passenger, place)))
    o : Out(stream.Signature(line(fold.states, 1, passenger=...)))
        ``valid`` is high if any value of the chain is in the window. The line's ``passenger`` has
        the members ``error``, high for a damaged chain; those of
        :func:`~rtl.keyed.codec.chained.chain_format.chain_counts`; and ``passenger``, that of the
        last block.
    feedback : Out(stream.Signature(..., always_ready=True))
        ``place``, and ``start``, the state there.

    Source: seed 000, section 3.4.1 and figure 14b, which interleaves blocks of keys.
    """

    initiation_interval = 1

    def __init__(self, decoder, codec, fold, passenger, place=0):
        form = codec.format
        if fold.chain != form.chain:
            raise ValueError(f"chain of the fold must be {form.chain}, not {fold.chain}")
        self._fold = fold
        self._form = form
        self._decoders = [FoldingChains(decoder, codec, fold) for _ in range(fold.decoders)]
        self._slots = SLOTS * fold.decoders
        self._queues = ChainQueues(
            chain_block_layout(form, fold.pivot_layout), self._slots, form.chain
        )
        self._chain = data.StructLayout(
            {
                "values": fold.count_bits,
                "last": 1,
                "saves": 1,
                **chain_counts(fold),
                "feed": feed_layout(place),
                "passenger": passenger,
            }
        )
        counts = chain_counts(fold)
        result_info = data.StructLayout({"error": 1, **counts, "passenger": passenger})
        fed = data.StructLayout({"place": place, "start": form.start})
        super().__init__(
            {
                "i": In(stream.Signature(window_block_layout(form, passenger, place))),
                "o": Out(stream.Signature(line(fold.states, 1, passenger=result_info))),
                "feedback": Out(stream.Signature(fed, always_ready=True)),
            }
        )

    @staticmethod
    def latency_of(decoder):
        """Returns the latency of a block of one step, in cycles, if its slot need not wait."""
        return 1 + ChainQueues.latency + FoldingChains.latency_of(decoder)

    @staticmethod
    def capacity_of(fold):
        """Maximum count of chains whose information is in the queue, and so of chains inside."""
        return CHAINS * SLOTS * fold.decoders

    @staticmethod
    def memory_bits_of(codec, fold):
        """Returns the size of the memory of blocks, in bits, without building the pool."""
        blocks = chain_block_layout(codec.format, fold.pivot_layout)
        return ChainQueues.memory_bits_of(blocks, SLOTS * fold.decoders, codec.format.chain)

    @property
    def latency(self):
        return 1 + self._queues.latency + self._decoders[0].latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.queues = queues = self._queues
        m.submodules.chains = chains = StreamQueue(self._chain, self.capacity_of(self._fold))
        for k, decoder in enumerate(self._decoders):
            m.submodules[f"decoder{k}"] = decoder
        self._deal(m, queues, chains.i)
        # Slots are numbered so that successive chains go to different decoders.
        count = len(self._decoders)
        for k, decoder in enumerate(self._decoders):
            m.d.comb += [
                decoder.i.eq(queues.o),
                decoder.enters.eq(Cat(queues.enters[k + slot * count] for slot in range(SLOTS))),
                *(queues.free[k + slot * count].eq(decoder.free[slot]) for slot in range(SLOTS)),
            ]
        self._collect(m, chains.o)
        return m

    def _deal(self, m, queues, chains):
        """Sends each block to the slot of its chain.

        A block waits until the next block comes, because the next block tells whether the chain
        ends.
        """
        source = self.i.p
        block = Signal(self.i.p.shape(), reset_less=True)
        occupied = Signal()
        ends = Signal()
        transfer = Signal()
        has_begun = Signal()
        slot = Signal(self._slots, init=1)
        saves = Signal()
        offers = Signal()
        has_room = Signal()
        target = queues.i.p
        chain = chains.p
        m.d.comb += [
            ends.eq(block.last | ~source.dependent),
            offers.eq(occupied & (block.last | self.i.valid)),
            has_room.eq(queues.i.ready & (chains.ready | ~ends)),
            transfer.eq(offers & has_room),
            self.i.ready.eq(~occupied | has_room),
            queues.slot.eq(slot),
            queues.i.valid.eq(offers & (chains.ready | ~ends)),
            chains.valid.eq(offers & queues.i.ready & ends),
            *(target[name].eq(block[name]) for name in DECODED if name != "start"),
            target.start.seed.eq(block.start.seed),
            target.start.known.eq(block.start.known & block.opens),
            target.head.eq(~has_begun),
            target.ends.eq(ends),
            chain.last.eq(block.last),
            chain.saves.eq(block.save | (has_begun & saves)),
            chain.feed.eq(block.feed),
            chain.passenger.eq(block.passenger),
        ]
        if self._fold.pivots:
            m.d.comb += target.passenger.eq(block.passenger.pivots)
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += [occupied.eq(1), block.eq(source)]
        with m.Elif(transfer):
            m.d.sync += occupied.eq(0)
        with m.If(transfer):
            m.d.sync += [has_begun.eq(~ends), saves.eq(chain.saves)]
            with m.If(ends):
                m.d.sync += slot.eq(slot.rotate_left(1))
        self._count(m, block, chain, transfer, has_begun)

    def _count(self, m, block, chain, transfer, has_begun):
        """Adds the block's values in the window to ``values`` and to the ``chain_counts``."""
        in_window = Signal(self._fold.count_bits)
        passenger = block.passenger
        m.d.comb += in_window.eq(block.count - block.skip)
        is_new = ~passenger.again if self._fold.pivots else 1
        conditions = {"values": 1, "m3_values": is_new & passenger.m3, "new_values": is_new}
        for name, condition in conditions.items():
            if name in chain.shape().members:
                sum_before = Signal(self._fold.count_bits, name=f"{name}_before", reset_less=True)
                m.d.comb += chain[name].eq(
                    Mux(has_begun, sum_before, 0) + Mux(condition, in_window, 0)
                )
                with m.If(transfer):
                    m.d.sync += sum_before.eq(chain[name])

    def _collect(self, m, chains):
        """Sends the state of each chain, from the decoders in turn, and the feedback of windows."""
        states = [decoder.o for decoder in self._decoders]
        transfer = Signal()
        is_ready = Signal()
        turn = Signal(range(len(states)))
        with m.If(transfer):
            m.d.sync += turn.eq(Mux(turn == len(states) - 1, 0, turn + 1))
        selected = Signal(states[0].p.shape())
        o = self.o.p
        state = self.o.p.tuples[0]
        chain = chains.p
        m.d.comb += [
            selected.as_value().eq(chosen([source.p.as_value() for source in states], turn)),
            is_ready.eq(chosen([source.valid for source in states], turn)),
            transfer.eq(self.o.valid & self.o.ready),
            # The information of a chain is in the queue long before its state is ready.
            self.o.valid.eq(is_ready),
            chains.ready.eq(is_ready & self.o.ready),
            o.valid.eq(chain.values.any()),
            o.last.eq(chain.last),
            state.values.eq(chain.values),
            *wire({name: state[name] for name in selected.state.shape().members}, selected.state),
            o.passenger.error.eq(selected.passenger.error & chain.values.any()),
            o.passenger.passenger.eq(chain.passenger),
            *(o.passenger[name].eq(chain[name]) for name in chain_counts(self._fold)),
            *(source.ready.eq(transfer & (turn == k)) for k, source in enumerate(states)),
        ]
        saved = Signal(self._form.start, reset_less=True)
        start = Signal(self._form.start)
        # If a pass does not find the percentiles of a window, the window is sent again. Only the
        # first pass is fed back.
        again = chain.passenger.again if self._fold.pivots else 0
        m.d.comb += start.eq(Mux(chain.saves, selected.passenger.saved, saved))
        # Registers, so that no chain of ``ready`` from ``o`` reaches ``i`` through the feedback.
        m.d.sync += [
            self.feedback.valid.eq(transfer & chain.last & chain.feed.valid & ~again),
            self.feedback.p.place.eq(chain.feed.place),
            self.feedback.p.start.seed.eq(start.seed),
            self.feedback.p.start.known.eq(start.known & ~chain.feed.lost),
        ]
        with m.If(transfer):
            m.d.sync += saved.eq(start)
