"""A stream of keys as it is, tuple by tuple, and the steps that the engine makes of it."""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, kw_only=True, eq=False)
class KeyStream:
    """The tuples of one stream that WHERE lets pass, in the order of their arrival.

    Attributes
    ----------
    count : int
        Tuples of the whole stream, those that WHERE leaves out among them.
    at : array of int
        The number of each passing tuple in the stream, from 0.
    keys : array of int
        Raw keys.
    times : array of int, or None
        With RANGE the raw times of the tuples, less the start of the first window.
    blocks : array of int, or None
        With a codec: how many blocks the key has filled before the one that the tuple's value is
        in.
    steps : dict of (int, int) to int, or None
        With a serial codec: the cycles that a decoder takes for a block that is full, by (key,
        number of the block).
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
    first_block : int
        The first of the key's blocks that belongs to this life.
    tuples : int
        Tuples so far.
    begins : list of int
        With a codec, the first tuple of each block of this life.
    fed : list of (float, int)
        With a codec: from when on the windows of this life are read from which block, as the data
        collector feeds back.
    known : int
        Of ``fed``, how many are in force.
    """

    key: int
    first_block: int = 0
    tuples: int = 0
    begins: list = field(default_factory=list)
    fed: list = field(default_factory=list)
    known: int = 0


@dataclass(slots=True, eq=False)
class Window:
    """Work that one window gives to the memory and the kernels.

    Attributes
    ----------
    first, count : int
        The first line of the key's ring that is read, and how many.
    lines : int
        Lines that pass the kernels, the one that is being filled among them.
    values : int
        Tuples of the window, about.
    life : Life or None
        With a codec: then ``first`` is the first block that the window needs, ``count`` the number
        of the block that is being filled, and what is read depends on what was fed back.
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
    """Work of the engine for one tuple in one turn; with RANGE each closed window is a turn.

    Attributes
    ----------
    at : int
        The number of the tuple in the stream.
    ring : int
        The entry of its key.
    write, update : int
        The line of the ring that is written, and that which is read to be changed; -1 for none.
    window : Window or None
    words : int
        Words of M2 outside of the chip that are read.
    """

    at: int
    ring: int
    write: int = -1
    update: int = -1
    window: Window | None = None
    words: int = 0
