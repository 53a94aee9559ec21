"""Holds a stream of keys tuple by tuple, and the steps of the engine for each tuple."""

from dataclasses import dataclass, field

import numpy as np

#: Entry of a tuple that has none, as WHERE leaves it out.
EMPTY = -1


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyStream:
    """The tuples of one stream that WHERE lets pass, in the order of their arrival.

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
    blocks : array of int, or None
        With a codec: number of the key's blocks before the block that holds the tuple's value, if
        no tuple is dropped.
    steps : dict of (int, int) to int, or None
        With a serial codec: cycles that a decoder takes for each full block, by (key, number of
        the block).
    """

    count: int
    at: np.ndarray
    keys: np.ndarray
    times: np.ndarray | None = None
    blocks: np.ndarray | None = None
    steps: dict | None = None


@dataclass(slots=True, eq=False)
class Life:
    """One stay of a key in the table: from the tuple that makes its entry to its eviction.

    Attributes
    ----------
    key : int
    blocks : list of int
        With a codec, number of each block of this life in ``KeyStream.blocks``.
    tuples : int
        Number of tuples so far.
    begins : list of int
        With a codec, the first tuple of each block of this life.
    fed : list of (float, int)
        With a codec: pairs (cycle, block). From that cycle on, windows of this life are read from
        that block on, as the data collector reports.
    known : int
        Index of the entry of ``fed`` that is in force.
    """

    key: int
    blocks: list = field(default_factory=list)
    tuples: int = 0
    begins: list = field(default_factory=list)
    fed: list = field(default_factory=list)
    known: int = 0

    def stores(self, number, block):
        """Stores tuple ``number`` of the life in a block; returns whether it begins the block.

        ``block`` is the number of the block in ``KeyStream.blocks``. A block of which all tuples
        are dropped is no block of the life: if the tuple of block 5 in 4, 4, 5, 6 is dropped, the
        life has the blocks 4 and 6.
        """
        if self.blocks and self.blocks[-1] == block:
            return False
        self.blocks.append(block)
        self.begins.append(number)
        return True


@dataclass(slots=True, eq=False)
class Window:
    """Work that one window gives to the memory and the kernels.

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
        ``count`` the number of the block being filled; ``Life.fed`` decides which blocks are read.
    following : int
        With a codec, the first block that the key's next window needs.
    growing : int
        With a codec, values that the block being filled has so far.
    """

    first: int
    count: int
    lines: int
    values: int
    life: Life | None = None
    following: int = 0
    growing: int = 0


@dataclass(slots=True, eq=False)
class Step:
    """Work of the engine for one tuple; with RANGE a tuple has a step for each window it closes.

    Attributes
    ----------
    at : int
        The number of the tuple in the stream.
    ring : int
        The entry of its key, or ``EMPTY``.
    write, update : int
        Line of the ring that is written, and line that is read to be changed; -1 for none.
    window : Window or None
    words : int
        Number of words that are read from an M2 outside of the chip.
    """

    at: int
    ring: int
    write: int = -1
    update: int = -1
    window: Window | None = None
    words: int = 0
