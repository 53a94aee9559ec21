"""Defines the interface of decoders that take several steps for a block."""

from abc import ABC, abstractmethod

from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import block_layout, repeated_layout


class SerialDecoder(wiring.Component, ABC):
    """Decodes blocks step by step: a step outputs one value, or several equal values together.

    The decoder works on two blocks, one in each of two slots, and makes a step of each block in
    every other cycle (:class:`~rtl.keyed.codec.block_turns.BlockTurns`). Blocks enter slots 0 and 1
    in turn, so the values of each slot are in order.

    Initiation interval of a slot twice the steps of a block; so both slots together take a block of
    one step in every cycle. A stall at ``o`` stalls the whole decoder.

    Parameters
    ----------
    codec : Codec
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(passenger)))
    o : Out(stream.Signature(repeated_layout(codec.width, run, ...)))
        The ``passenger`` consists of ``last``, which marks the last block of a window, and of the
        block's ``passenger``.
    """

    initiation_interval = 1
    #: Class that a codec must derive from for the decoder; None if any codec is accepted.
    codec_interface = None
    #: True if a decoder takes chains of blocks, of which only the first block has a seed.
    chains = False

    def __init__(self, codec, passenger=0):
        self._codec = codec
        block_passenger = data.StructLayout({"last": 1, "passenger": passenger})
        blocks = block_layout(passenger)
        values = repeated_layout(codec.width, self.run, block_passenger)
        super().__init__({"i": In(stream.Signature(blocks)), "o": Out(stream.Signature(values))})

    @property
    @abstractmethod
    def latency(self):
        """Latency from a block to its first value, in cycles; an attribute of the class."""

    @property
    @abstractmethod
    def run(self):
        """Maximum count of equal values in one step; an attribute of the class."""

    @property
    def _step_members(self):
        """Members of ``o`` except ``value``, by name."""
        values = self.o.p.shape()
        return {name: values[name].shape for name in values.members if name != "value"}
