"""How often each key comes."""

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, kw_only=True)
class KeyMix:
    """Keys that come at random, independent of each other, some more often than others.

    Key i of n comes as often as 1 / i ** skew says, by Zipf's law. With ``skew`` 0 all are alike;
    with 1 and 64 keys the first one has 21 % of the tuples, with 2 61 %.

    Attributes
    ----------
    count : int
        Keys, at least 1.
    skew : float
        At least 0.

    Raises ValueError for a number that is out of its range.
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
        """(share of all tuples that a key has, how many keys have it), which add up to 1."""
        if not self.skew:
            return ((1 / self.count, self.count),)
        weights = [(i + 1) ** -self.skew for i in range(self.count)]
        return tuple((weight / sum(weights), 1) for weight in weights)

    def mean(self, of_share):
        """What a tuple has on average, if ``of_share`` says what it has by its key's share.

        For instance that the next tuple has the same key: the mean of the share itself, 1 / n with
        n keys that are alike.
        """
        return sum(keys * share * of_share(share) for share, keys in self.shares)


@dataclass(frozen=True)
class SeenMix:
    """Keys as they came in a stream, also in bursts.

    For instance ``((0.0, 0.5), (1.0, 0.5))``: half of the tuples come alone, and half where all
    tuples near them have the same key.

    Attributes
    ----------
    parts : tuple of (float, float)
        The share that a tuple's key has of the other tuples near it, and how many of all tuples
        have such a share; which add up to 1.
    shares : tuple of (float, int)
        As those of :class:`KeyMix`, over the whole stream; none where they are not known, and then
        no window is taken to come out of a cache.
    """

    parts: tuple
    shares: tuple = ()

    def mean(self, of_share):
        """As that of :class:`KeyMix`."""
        return sum(often * of_share(share) for share, often in self.parts)
