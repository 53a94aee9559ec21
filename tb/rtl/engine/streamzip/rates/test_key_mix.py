"""Checks the shares of keys, and averages over tuples."""

import pytest

from rtl.engine.streamzip.rates.key_mix import KeyMix


def test_keys_that_are_alike():
    mix = KeyMix(count=8)
    assert mix.shares == ((1 / 8, 8),)
    assert mix.mean(lambda share: share) == 1 / 8


@pytest.mark.parametrize(("skew", "first"), [(1.0, 0.21), (2.0, 0.61)])
def test_keys_by_zipf(skew, first):
    shares = [share for share, _ in KeyMix(count=64, skew=skew).shares]
    assert shares[0] == pytest.approx(first, abs=0.005)
    assert shares[9] == pytest.approx(shares[0] / 10**skew)
    assert sum(shares) == pytest.approx(1)


def test_many_keys_by_zipf():
    """The shares of a million keys are computed in one pass; a sum for each would take hours."""
    shares = KeyMix(count=1 << 20, skew=1.0).shares
    assert len(shares) == 1 << 20
    assert sum(share for share, _ in shares) == pytest.approx(1)


def test_the_next_tuple_has_the_same_key():
    """The shares are 2/3 and 1/3, so the probability is 4/9 + 1/9."""
    assert KeyMix(count=2, skew=1.0).mean(lambda share: share) == pytest.approx(5 / 9)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"count": 0}, "keys must be at least 1, not 0"),
        ({"count": 4, "skew": -1.0}, "skew must be at least 0, not -1.0"),
        ({"count": 4, "skew": float("nan")}, "skew must be at least 0, not nan"),
    ],
)
def test_what_is_refused(numbers, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        KeyMix(**numbers)
