"""Prepares the tuples of a file for the prediction of the engine for windows of each key."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gen.prediction.codec_model import codec_model, lossy_codec, sums_top
from golden.codecs.blocks import Block, BlockWriter, restored_values
from golden.codecs.codec import Codec
from query.aggregate import Function
from query.types import Type
from query.window import Range
from rtl.contract.design import Design
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.operators import columns_of
from rtl.engine.streamzip.schedule.key_stream import KeyStream
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.decoder_times import ONE_STEP, BlockWork
from rtl.keyed.windows.key_times import KeyTimes
from rtl.network.sum_steps import LEAVING, sum_steps, sum_tail
from sim.pack import order_key

#: Greatest number of tuples that a prediction examines; this takes 2 seconds, or 10 to 20 with a
#: codec. Later tuples are taken to be like the last ones. The number should exceed the tuples that
#: fill all windows: an engine is slower when they are full. For instance windows of 64 tuples of
#: 4,096 keys are full after some 260,000 tuples.
MAX_TUPLES = 500_000


def key_stream(
    design: Design,
    raws: Mapping[str, np.ndarray],
    passes: np.ndarray,
    start: int | None,
    most: int = MAX_TUPLES,
) -> KeyStream:
    """Returns the :class:`KeyStream` of the first passing tuples, at most ``most``.

    Parameters
    ----------
    design : Design
    raws : dict of str to array
        Raw columns, from :func:`gen.prediction.selected_tuples.raw_columns`.
    passes : array of bool
        True for each tuple that WHERE passes.
    start : int or None
        Time at which window 0 of RANGE begins; None: the least time.
    most : int
        Greatest number of tuples.
    """
    window = design.query.window
    all_passing = np.flatnonzero(passes)
    at = all_passing[:most]
    keys = raws[window.partition.name][at]
    fields: dict[str, Any] = {}
    if isinstance(window, Range):
        times = raws[window.attribute.name][at]
        begin = int(times.min()) if start is None else start
        elapsed = times.astype(np.uint64) - np.uint64(begin % (1 << 64))
        fields["times"] = elapsed.view(np.int64)
    if (codec := design.parameters.get("codec", "none")) != "none":
        (value,) = value_layout(design.query).members
        model = codec_model(design)
        is_stamped = isinstance(window, Range)
        stamp_bits = KeyTimes.stamp_bits_of(design.parameters["overlap"]) if is_stamped else 0
        top = sums_top(design)
        fields["splitting"] = CodecSplitting(codec, model, raws[value][at], stamp_bits, top)
    if percentiles := columns_of(design.query, Function.PERCENTILE):
        values = raws[percentiles[0]][at]
        if (lossy := lossy_codec(design)) is not None:
            type_ = design.query.schema[percentiles[0]].type
            values = restored(values, keys, lossy, isinstance(window, Range), type_)
        fields["ranks"] = ranks(values, design.query.schema[percentiles[0]].type)
    is_cut = len(all_passing) > most
    return KeyStream(count=len(passes), at=at, keys=keys, is_cut=is_cut, **fields)


def restored(
    values: np.ndarray, keys: np.ndarray, model: Codec, stamped: bool, type_: Type
) -> np.ndarray:
    """Returns the raw values of a type that a lossy codec restores, if no key is evicted."""
    is_signed = not type_.floating and type_.raw_min < 0
    result = values.copy()
    _, numbers = np.unique(keys, return_inverse=True)
    order = np.argsort(numbers, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1):
        bits = [int(value) % (1 << model.width) for value in values[group]]
        patterns = np.array(restored_values(model, bits, stamped), np.uint64)
        if is_signed:
            patterns = patterns.astype(f"u{model.width // 8}").view(f"i{model.width // 8}")
        result[group] = patterns.astype(values.dtype)
    return result


def ranks(raws: np.ndarray, type_: Type) -> np.ndarray:
    """Returns raw values as unsigned numbers of the type's width, in the order of the values."""
    keys = order_key(raws, type_).astype(object)
    least = 1 << type_.width - 1 if type_.floating or type_.signed else 0
    return (keys + least).astype(np.uint64)


class CodecSplitting:
    """Splits the values of a stream into blocks, by the plain model of the codec.

    For instance with base-delta, equal values of 64 bits and one key, the first 54 values are in
    block 0 and the next 54 in block 1. With windows of time a value of another slide begins a
    block, too.

    Parameters
    ----------
    codec : str
    model : Codec
    values : array of int
        Raw values of the passing tuples.
    stamp_bits : int
        Width of a block's stamp with windows of time; else 0.
    top : int or None
        Greatest level of the nodes of a block, if the decoders add floats; else None.
    """

    def __init__(
        self,
        codec: str,
        model: Codec,
        values: np.ndarray,
        stamp_bits: int = 0,
        top: int | None = None,
    ) -> None:
        self._model, self._top = model, top
        self._values = values
        self._stamp_bits = stamp_bits
        self._steps_of = CODEC_ENTRIES[codec].block_steps
        self._full_blocks, self._all_work = 0, np.zeros(len(ONE_STEP))

    @property
    def is_serial(self) -> bool:
        """True if a decoder takes several cycles for a block."""
        return self._steps_of is not None

    @property
    def usual_work(self) -> BlockWork:
        """Mean work of a decoder on a full block; one step if no block was full."""
        return BlockWork(*self._all_work / self._full_blocks) if self._full_blocks else ONE_STEP

    def splitter(self) -> "CodecSplitter":
        """Returns the splitter of a key that enters the table."""
        return CodecSplitter(self, BlockWriter(self._model, self._stamp_bits))

    def value(self, index: int) -> int:
        """Returns the value of a tuple as the bits that the codec compresses."""
        return int(self._values[index]) % (1 << self._model.width)

    def count(self, block: Block) -> BlockWork:
        """Returns the work of a serial decoder on a full block, and counts the block."""
        work = self.work_of(block)
        self._full_blocks += 1
        self._all_work += work
        return work

    def work_of(self, block: Block) -> BlockWork:
        """Returns the work of a serial decoder on a block, which need not be full."""
        assert self._steps_of is not None
        values = restored_values(self._model, block.values)
        steps = self._steps_of(values, block.raw)
        if self._top is None:
            return BlockWork(steps)
        # The number of the first value is unknown; any number will do.
        number = self._full_blocks
        levels = sum_steps(values, self._top, number)
        return BlockWork(steps, levels, self._top + LEAVING, sum_tail(values, self._top, number))


class CodecSplitter:
    """Splits the values of a key into blocks, from its entry into the table to its eviction.

    Attributes
    ----------
    works : list of BlockWork
        Work of a serial decoder on each full block.
    heads : list of bool
        With a serial decoder: whether each block can be decoded without the block before.
    """

    def __init__(self, splitting: CodecSplitting, writer: BlockWriter) -> None:
        self._splitting, self._writer = splitting, writer
        self.works: list[BlockWork] = []
        self.heads: list[bool] = []

    def last_block(self) -> tuple[int, BlockWork]:
        """Returns the number of values of the last block, and a serial decoder's work on it."""
        block = self._writer.growing
        assert block is not None
        return len(block.values), self._splitting.work_of(block)

    def begins_block(self, index: int, slide: int = 0) -> bool:
        """Adds the value of a tuple; True if it begins a block, as the first value does."""
        growing = self._writer.growing
        closed = self._writer.take(self._splitting.value(index), slide)
        if self._splitting.is_serial and (latest := self._writer.growing) is not growing:
            assert latest is not None
            self.heads.append(not latest.place)
        if closed is None:
            return growing is None
        if self._splitting.is_serial and growing is not None:
            self.works.append(self._splitting.count(growing))
        return True
