"""Decompresses the blocks of windows, whatever the codec."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import block_info_layout, block_layout
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.decoder_pool import DecoderPool
from rtl.keyed.codec.line_states import LineStates
from rtl.stream.line import line
from rtl.stream.queue import StreamQueue

#: Cycles that a place stays taken beyond the way to the queue: in it, and until that is known.
RETURNS = 2


class Decompressor(wiring.Component):
    """Gives what is in the blocks of windows, a line for each block.

    That are the values of a block, or with a ``fold`` the one state that it makes of them: inside
    of each decoder, where these are serial and there is a pool of them, or behind the decoder. In
    a window's last line ``error`` is high if its last block had one, or if any of its blocks cannot
    be decoded.

    **What is on its way to a state never stalls**: no block is taken for whose state the queue has
    no place, so that no chain of ``ready`` goes through all the stages::

        i --> room? --> decoder --> LineStates --> queue --> o

    Order is kept. Latency that of the codec's decoder, of
    :class:`~rtl.keyed.codec.line_states.LineStates`, and 1 cycle; or that of the pool.
    Initiation interval 1 cycle, or that of the pool. A stall at ``o`` stalls ``i``, with the queue
    when that is full: there ``i.ready`` is a register.

    Parameters
    ----------
    codec : BaseDelta, Xor, Grid or Sz
    fold : Fold or None
        Always with a serial codec.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(block_info_layout(passenger))))
    o : Out(stream.Signature(line(..., passenger=block_info_layout(passenger))))
        Of values, ``codec.lanes`` of them, or of one of the states ``fold.states``.

    Source: seed 000, section 3.4.
    """

    initiation_interval = 1

    def __init__(self, codec, fold=None, passenger=0):
        told, entry = block_info_layout(passenger), entry_of(codec)
        self._states = self._queue = None
        if entry.serial:
            self._decoder = DecoderPool(entry.decoder, codec, fold, told)
        else:
            self._decoder = entry.decoder(codec, told)
        if fold is None:
            given = line(codec.width, codec.lanes, passenger=told)
        else:
            given = line(fold.states, 1, passenger=told)
        if fold is not None and not entry.serial:
            beside = self._decoder.o.p.shape().members["passenger"]
            self._states = LineStates(fold, codec.width, codec.lanes, beside)
            self._places = self._decoder.latency + self._states.latency + RETURNS
            self._queue = StreamQueue(self._states.o.p.shape(), self._places)
        super().__init__(
            {"i": In(stream.Signature(block_layout(told))), "o": Out(stream.Signature(given))}
        )

    @staticmethod
    def latency_of(codec, fold=None):
        """That of a block of one step, where it takes steps."""
        entry = entry_of(codec)
        if entry.serial:
            return DecoderPool.latency_of(entry.decoder)
        behind = 0 if fold is None else LineStates.latency_of(codec.lanes) + StreamQueue.latency
        return entry.decoder.latency + behind

    @property
    def latency(self):
        behind = () if self._states is None else (self._states, self._queue)
        return self._decoder.latency + sum(part.latency for part in behind)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        if self._states is None:
            wiring.connect(m, wiring.flipped(self.i), decoder.i)
            source = decoder.o
        else:
            source = self._make_states(m)
        given, o, broken = source.p, self.o.p, Signal()
        told = given.passenger.passenger
        wrong = Signal()
        m.d.comb += [
            wrong.eq(broken | given.passenger.error),
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            *(o[name].eq(given[name]) for name in ("tuples", "valid", "last")),
            o.passenger.eq(told),
            o.passenger.error.eq(given.last & (told.error | wrong)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += broken.eq(wrong & ~given.last)
        return m

    def _make_states(self, m):
        """From blocks to states of their values, for which there is room."""
        m.submodules.states, m.submodules.queue = states, queue = self._states, self._queue
        decoder, room = self._decoder, Signal(range(self._places + 1), init=self._places)
        free = Signal(init=1)  # room.any()
        wiring.connect(m, decoder.o, states.i)
        comes, leaves = self.i.valid & self.i.ready, queue.o.valid & queue.o.ready
        left = room - comes + leaves
        m.d.sync += [room.eq(left), free.eq(left.any())]
        m.d.comb += [
            decoder.i.p.eq(self.i.p),
            decoder.i.valid.eq(self.i.valid & free),
            self.i.ready.eq(free),
            queue.i.p.eq(states.o.p),
            queue.i.valid.eq(states.o.valid),
            states.o.ready.eq(1),
        ]
        return queue.o
