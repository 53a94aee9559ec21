"""Describes a stream of keys tuple by tuple, and the steps of the engine for each tuple."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from rtl.keyed.codec.decoder_times import BlockWork

#: Stands for the entry of a tuple that WHERE leaves out.
EMPTY = -1


class BlockSplitter(Protocol):
    """Divides the values of one :class:`Life` of a key among blocks.

    Attributes
    ----------
    works : list of BlockWork
        Work of a serial decoder on each full block, in order. Empty if a decoder takes one cycle
        for each block.
    heads : list of bool
        With a serial decoder, whether each block can be decoded without the block before.
    """

    works: list[BlockWork]
    heads: list[bool]

    def begins_block(self, index: int, slide: int) -> bool:
        """Adds the value of tuple ``index`` of the stream; True if the value begins a block.

        ``slide`` is the slide of the value with windows of time, else 0.
        """
        ...

    def last_block(self) -> tuple[int, BlockWork]:
        """Returns the number of values of the last block, and a serial decoder's work on it."""
        ...


class Splitting(Protocol):
    """Makes a splitter for each life of the keys of a stream.

    Attributes
    ----------
    is_serial : bool
        True if a decoder takes several cycles for a block.
    usual_work : BlockWork
        Mean work on all full blocks so far.
    """

    is_serial: bool
    usual_work: BlockWork

    def splitter(self) -> BlockSplitter:
        """Returns the splitter of a new life, whose first value begins a block."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyStream:
    """Lists the tuples of one stream that pass WHERE, in the order of their arrival.

    Attributes
    ----------
    count : int
        Number of tuples of the whole stream, including tuples that WHERE leaves out.
    at : array of int
        The number of each passing tuple in the stream, from 0.
    keys : array of int
        Raw keys.
    times : array of int, or None
        With RANGE: raw times of the tuples minus the start of the first window; else None.
    splitting : Splitting or None
        With a codec: divides the values of the tuples among blocks.
    ranks : array of int, or None
        With percentiles: rank of each tuple's value, an unsigned number in the order of the values.
    measured_from : int
        Index in the arrays of the first measured tuple. Earlier tuples only fill windows and
        queues. 0 measures the whole stream.
    is_cut : bool
        True if later tuples pass WHERE, too, which are taken to be like the last listed ones.
    """

    count: int
    at: np.ndarray
    keys: np.ndarray
    times: np.ndarray | None = None
    splitting: Splitting | None = None
    ranks: np.ndarray | None = None
    measured_from: int = 0
    is_cut: bool = False


@dataclass(slots=True, eq=False)
class Life:
    """Describes the time of a key in the table, from its first tuple there to its eviction.

    The tuples and the blocks of a life are numbered from 0, so a key that returns after an eviction
    begins with block 0 again.

    Attributes
    ----------
    splitter : BlockSplitter or None
        With a codec, divides the values of this life among blocks.
    tuples : int
        Number of tuples so far.
    block_begins : list of int
        With a codec, the number of the first tuple of each block of this life.
    indices : list of int
        With pivots, the number of each tuple in the arrays of the stream.
    searched : (int, int) or None
        With pivots, numbers of the latest window's first tuple and of the tuple after its last.
    """

    splitter: BlockSplitter | None = None
    tuples: int = 0
    block_begins: list = field(default_factory=list)
    indices: list = field(default_factory=list)
    searched: tuple | None = None

    def stores(self, number, index, slide=0):
        """Stores tuple ``number`` of the life; returns whether the tuple begins a block.

        ``index`` is the number of the tuple in the arrays of the stream.
        """
        begins_block = self.splitter.begins_block(index, slide)
        if begins_block:
            self.block_begins.append(number)
        return begins_block


@dataclass(slots=True, eq=False)
class Window:
    """Describes the reads and the kernel cycles of one window.

    Attributes
    ----------
    first, count : int
        First line of the key's ring to read, and number of lines to read.
    lines : int
        Number of lines that pass the kernels, including the line that is being filled.
    values : int
        Approximate number of tuples of the window.
    life : Life or None
        With a codec: life of the key. Then ``first`` is the first block that the window needs, and
        ``count`` the number of the block being filled; the feedback of the data collector
        determines the blocks that are read, unless the window is ``cached``.
    following : int
        With a codec, the first block that the key's next window needs.
    growing : int
        With a codec, values that the block being filled has so far.
    slides : list of int, or None
        With a codec and windows of time: slide of the values of each block of the life.
    least_slide : int
        Blocks of an earlier slide are read, but dropped in front of the decoders.
    claims : bool
        With a cache, True if the key of the window claims a place of the cache.
    cached : bool
        True if the window comes out of the cache.
    is_announcement : bool
        With a codec, True for the announcement of a life, at its first value. The announcement is
        no window, but passes the queue of windows and the data collector like a window without
        lines of the memory.
    search : WindowSearch or None
        With pivots, the search for the percentiles of the window.
    """

    first: int
    count: int
    lines: int
    values: int
    life: Life | None = None
    following: int = 0
    growing: int = 0
    slides: list | None = None
    least_slide: int = 0
    claims: bool = False
    cached: bool = False
    is_announcement: bool = False
    search: object = None


@dataclass(slots=True, eq=False)
class Step:
    """Describes the work of the engine for one tuple, or with RANGE for one window of a tuple.

    Attributes
    ----------
    at : int
        The number of the tuple in the stream.
    entry : int
        The entry of the tuple's key, or ``EMPTY``.
    write, update : int
        Line of the ring that is written, and line that is read to be changed; -1 for none.
    life : Life or None
        With a codec and a write: life of the key.
    growing_block : int
        With a codec and a write: number of the block that the tuple begins.
    window : Window or None
    words : int
        Number of words that are read from an M2 outside of the chip.
    sorting : int
        Cycles for which the step occupies the sorted values of the cache.
    """

    at: int
    entry: int
    write: int = -1
    update: int = -1
    window: Window | None = None
    words: int = 0
    sorting: int = 0
    life: Life | None = None
    growing_block: int = 0
