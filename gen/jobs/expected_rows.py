"""Computes golden's rows for tuples, or reads them from the cache."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gen.jobs.progress import Progress
from golden.answer import Answer
from golden.cache import cached_answer
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from query.query import Query


def expect(
    query: Query,
    tuples: Tuples,
    master: str,
    cache: Path,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec: Any = None,
) -> Answer:
    """Returns golden's answer; PySpark computes the answer only if the cache does not hold it."""
    directory = Path(cache) / "golden"
    return cached_answer(query, tuples, master, directory, start, evictions, codec)


def golden_with_evictions(
    out: Progress,
    query: Query,
    tuples: Tuples,
    expected: Answer,
    master: str,
    cache: Path,
    codec: Any = None,
) -> Callable[[Evictions], Answer]:
    """Returns a function from evictions to golden's answer for these evictions.

    ``expected`` is the answer without evictions.
    """

    def answer_with_evictions(evictions):
        subject = f"golden rows of {len(tuples):,} tuples, {len(evictions):,} keys evicted"
        with out.step(f"{subject}, by PySpark", mute=True):
            return expect(query, tuples, master, cache, expected.start, evictions, codec)

    return answer_with_evictions
