"""Describes the mean load that windows of keys put on the engine."""

from dataclasses import dataclass

from rtl.engine.streamzip.rates.key_mix import KeyMix
from rtl.keyed.codec.decoder_times import BlockWork


@dataclass(frozen=True, kw_only=True)
class KeyLoad:
    """Describes the mean load that the windows of a stream put on the engine.

    A tuple *counts* if it is stored: tuples that WHERE leaves out, and late tuples, do not count.

    Attributes
    ----------
    windows : float
        Number of windows for each tuple that counts.
    size, largest_size : int
        Number of tuples in a window, and in the largest window.
    stored_lines : float
        Lines of a window before the line that is being filled, if the window is not from the cache.
    cached_lines : float
        Lines of a window from the cache, without its last line.
    read : float
        Lines of a window that are read from DRAM, on average; a window from the cache reads none.
    copied : float
        Blocks of a window that are read from copies in M2, on average.
    cached : float
        Share of the windows that come out of the cache.
    sorting : float
        Cycles per tuple for changes of the cache's sorted values, with percentiles.
    mix : KeyMix or SeenMix
        Frequencies of the keys.
    counted_share : float
        Share of the tuples that count.
    block_values : float or None
        Mean number of values of a written block, with a codec; None stands for a full line.
    work : BlockWork or None
        Mean work of a serial decoder on a block; None if blocks are decoded at once.
    tuples_per_key : float or None
        Number of tuples that a key has had so far; None stands for so many that all lines of its
        ring have been used.
    fills_ring : bool
        True if a window reaches back to the line that is written next; used for dram-only.
    item_steps : int
        Steps of a tuple besides the steps for its windows.
    """

    windows: float
    size: int
    largest_size: int
    stored_lines: float
    cached_lines: float
    read: float
    mix: KeyMix
    counted_share: float = 1.0
    block_values: float | None = None
    work: BlockWork | None = None
    item_steps: int = 0
    copied: float = 0.0
    cached: float = 0.0
    sorting: float = 0.0
    tuples_per_key: float | None = None
    fills_ring: bool = False

    @property
    def lines(self):
        """Lines of a window without its last line, on average; the kernels take one line more."""
        return (1 - self.cached) * self.stored_lines + self.cached * self.cached_lines


def check_positive(**numbers):
    """Raises ValueError for a number, by name, that is 0 or less; None stands for a default."""
    for name, number in numbers.items():
        if number is not None and number <= 0:
            raise ValueError(f"{name} must be more than 0, not {number}")


def cached_of(size, slide, places, mix):
    """Returns a lower bound of the share of windows that a cache with ``places`` places delivers.

    The most frequent keys, one for each place, keep their places as long as only they close
    windows. The formula takes ``share / (share + others)`` as the probability that a key keeps its
    place until its next window; ``others`` is the share of all keys without a place. A window comes
    from the cache if its key has kept its place for all values of the window, so for a number of
    windows, ``size / slide``. For instance with 2 keys and 2 places: 1. With one place, two keys of
    which one has 0.9 of the tuples, and windows of 4 every 2, that key keeps the place for 2
    windows with probability 0.9 ** 2, so the share is 0.9 * 0.81 = 0.73 of all windows; with
    windows of 100 every tuple it is about 0.
    """
    largest_shares = [share for share, keys in mix.shares for _ in range(min(keys, places))][
        :places
    ]
    others = max(0.0, 1 - sum(largest_shares))
    return sum(share * (share / (share + others)) ** (size / slide) for share in largest_shares)


def sorting_of(cache, size, cached):
    """Returns the cycles per tuple for changes of sorted values; 0 without percentiles or cache.

    Each value of a cached key passes all lines. The share of these values is about the share of the
    windows that the cache delivers.
    """
    if not cache.keys or cache.sorting is None:
        return 0.0
    return cached * cache.lines_of(size)
