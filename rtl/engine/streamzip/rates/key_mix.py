"""Describes how often each key comes."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, kw_only=True)
class KeyMix:
    """Keys that come at random, independent of each other, with frequencies by Zipf's law.

    The frequency of key i of n is proportional to 1 / i ** skew. With ``skew`` 0 all keys are
    equally frequent; with ``skew`` 1 and 64 keys the first key has 21 % of the tuples, with
    ``skew`` 2 it has 61 %.

    Attributes
    ----------
    count : int
        Number of keys, at least 1.
    skew : float
        Exponent of Zipf's law, at least 0.

    Raises ValueError for a number out of its range.
    """

    count: int
    skew: float = 0.0

    def __post_init__(self):
        if self.count < 1:
            raise ValueError(f"keys must be at least 1, not {self.count}")
        if not self.skew >= 0:
            raise ValueError(f"skew must be at least 0, not {self.skew}")

    @cached_property
    def shares(self):
        """Pairs (share of all tuples that a key has, number of keys with this share)."""
        if not self.skew:
            return ((1 / self.count, self.count),)
        weights = [(i + 1) ** -self.skew for i in range(self.count)]
        total = sum(weights)
        return tuple((weight / total, 1) for weight in weights)

    def mean(self, of_share):
        """Returns the mean over all tuples of ``of_share``, a function of the share of a key.

        For instance the probability that the next tuple has the same key is the mean of the share
        itself, 1 / n with n equally frequent keys.
        """
        return sum(keys * share * of_share(share) for share, keys in self.shares)


@dataclass(frozen=True)
class SeenMix:
    """Keys of a known stream, in which keys may come in bursts.

    Two tuples are near each other if they are in the same group of 32 successive tuples.
    For instance ``((0.0, 0.5), (1.0, 0.5))``: half of the tuples have no tuple of the same key near
    them, and for the other half all tuples near them have the same key.

    Attributes
    ----------
    parts : tuple of (float, float)
        Pairs (share that a tuple's key has of the other tuples near it, share of all tuples for
        which this is so). The second numbers add up to 1.
    shares : tuple of (float, int)
        As ``shares`` of :class:`KeyMix`, over the whole stream. If they are unknown the tuple is
        empty, and no window is predicted to come from a cache.
    """

    parts: tuple
    shares: tuple = ()

    def mean(self, of_share):
        """Returns the mean over all tuples of ``of_share``, a function of a key's share nearby."""
        return sum(tuple_share * of_share(share) for share, tuple_share in self.parts)
