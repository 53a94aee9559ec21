"""Answers windows of each key, micro-batch after micro-batch.

The saved state has, for each key, the tuples that the key's open windows need, the number of its
tuples or their greatest time, and the last value of the order. A micro-batch sends the saved tuples
of the keys with new tuples, then the new tuples. The saved tuples of all other keys stay saved.

With ROWS the saved tuples of a key are its last ones without a gap, so the engine numbers them, and
the key's windows, from 0. The number of windows before the first saved tuple is added to the window
of each row. With RANGE a run starts at a window near the oldest tuple that is sent, since an engine
counts up to 2^32 slides (`host.spark.cuts.TimeWindows.near`). Late tuples are not saved.

A sum of floats depends on the numbers of the tuples, by the tree of the query language. It stays
the same if the number of the first saved tuple is a multiple of a power of two 2^k that is at least
ROWS. Then each window lies in at most two ranges of 2^k numbers that begin at a multiple of 2^k, in
both numberings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import lcm

import numpy as np
import pandas as pd
import pyarrow as pa

from host.spark.cuts import RowWindows, StreamWindows, TimeWindows
from host.spark.saved import Saved, check_ascending, joined
from host.spark.segment import Columns, own_counts, run_near, select, since_start, with_windows
from host.spark.task import EngineTask


def float_sum_step(size: int, slide: int) -> int:
    """Returns the step of the first saved tuple's number with sums of floats.

    A key has up to this many saved tuples, besides those of a window. For instance ROWS 100 SLIDE
    10 has a step of 640, and ROWS 100 SLIDE 99 a step of 12,672.
    """
    return lcm(slide, 1 << (size - 1).bit_length())


@dataclass(frozen=True)
class KeyJob:
    """Describes a job over a stream with a window for each key.

    Attributes
    ----------
    task : EngineTask
    windows : RowWindows or TimeWindows
        The start of windows of time is the same for all keys.
    key : str
        Name of the column of keys.
    identity : str
        As in `host.spark.saved.Saved`.
    sums_floats : bool
        True if the query adds floating-point numbers; windows by ROWS only.
    """

    task: EngineTask
    windows: StreamWindows
    key: str
    identity: str
    sums_floats: bool

    def advance(
        self, saved: Saved | None, columns: Columns, accepted: np.ndarray, order: pa.Array
    ) -> tuple[dict[str, np.ndarray], dict[str, int], Saved]:
        """Returns the rows and counts of a micro-batch, and the state after it.

        The arguments are those of `host.spark.stream_state.StreamJob.advance`.
        """
        replays, idle = self._divided({} if saved is None else saved.tuples, columns)
        replayed = len(next(iter(replays.values()))) if replays else 0
        sent = joined(replays, columns)
        keys = pd.Index(_identities(sent[self.key]))
        facts = _KeyTable.of(saved, keys, self.windows)
        codes = facts.codes(keys)
        facts.check_order(codes[replayed:], order)
        passes = np.concatenate([np.ones(replayed, np.bool_), accepted])
        if isinstance(self.windows, TimeWindows):
            times = sent[self.windows.time][passes]
            rows, counts = run_near(self.task, self.windows, sent, times)
        else:
            rows, counts = self.task.run(sent)
        first = facts.first_windows(self.windows)
        row_codes = facts.codes(pd.Index(_identities(rows[self.key])))
        offsets = facts.first_saved[row_codes] // self.windows.slide  # 0 with RANGE
        rows = with_windows(rows, rows["window"].astype(np.int64) + offsets)
        rows = select(rows, np.asarray(rows["window"] >= first[row_codes], np.bool_))
        candidates, codes = select(sent, passes), codes[passes]
        if isinstance(self.windows, RowWindows):
            chosen = self._by_rows(facts, codes, replayed)
        else:
            lengths = self.windows.size, self.windows.slide
            times = since_start(candidates[self.windows.time], self.windows.start, *lengths)
            chosen = self._by_time(facts, codes, times, replayed)
        tuples = joined(idle, select(candidates, chosen))
        state = Saved(self.identity, {}, tuples, facts.table(order.type))
        return rows, own_counts(counts, rows, replayed), state

    def _divided(self, tuples, columns):
        """Splits the saved tuples: those of keys in ``columns``, and those of all other keys."""
        if not tuples:
            return {}, {}
        returns = pd.Index(_identities(tuples[self.key])).isin(_identities(columns[self.key]))
        return select(tuples, returns), select(tuples, ~returns)

    def _by_rows(self, facts, codes, replayed):
        """Returns True for each tuple to save; counts the new tuples of each key."""
        windows = self.windows
        step = windows.slide
        if self.sums_floats:
            step = float_sum_step(windows.size, step)
        numbers = facts.first_saved[codes] + _ranks(codes)
        facts.counts_or_times = facts.counts_or_times + np.bincount(
            codes[replayed:], minlength=len(facts.keys)
        )
        facts.first_saved = facts.first_windows(windows) * windows.slide // step * step
        return numbers >= facts.first_saved[codes]

    def _by_time(self, facts, codes, times, replayed):
        """Returns True for each tuple to save; finds the greatest time of each key."""
        windows = self.windows
        timely = np.ones(len(codes), np.bool_)
        for code, places in _places(codes):
            new = places[places >= replayed]
            if len(new):
                so_far = np.maximum(np.maximum.accumulate(times[new]), facts.counts_or_times[code])
                closed = np.maximum((so_far - windows.size) // windows.slide, -1)
                end = np.where(closed >= 0, closed * windows.slide + windows.size, 0)
                timely[new] = np.asarray(times[new] >= end, np.bool_)
                facts.counts_or_times[code] = int(so_far[-1])
        first_times = facts.first_windows(windows).astype(object) * windows.slide
        return timely & np.asarray(times >= first_times[codes], np.bool_)


@dataclass
class _KeyTable:
    """Holds a row for each key.

    Attributes
    ----------
    keys : pandas.Index
        Keys in the form that `_identities` returns.
    counts_or_times : numpy.ndarray
        ROWS: the number of accepted tuples. RANGE: the greatest time since the start, -1 without a
        tuple at or after the start.
    first_saved : numpy.ndarray
        ROWS: the number of the first saved tuple; 0 with RANGE.
    last : list
        The last values of the order, None for a new key.
    """

    keys: pd.Index
    counts_or_times: np.ndarray
    first_saved: np.ndarray
    last: list

    @classmethod
    def of(cls, saved: Saved | None, keys: pd.Index, windows: StreamWindows) -> _KeyTable:
        """Returns the facts of the saved keys, followed by those of new keys in ``keys``."""
        unique = keys.unique()
        none = 0 if isinstance(windows, RowWindows) else -1
        if saved is None:
            count = len(unique)
            return cls(unique, _objects([none] * count), np.zeros(count, np.int64), [None] * count)
        facts = saved.facts
        saved_keys = pd.Index(facts["key"].combine_chunks().to_numpy(zero_copy_only=False))
        added = unique[~unique.isin(saved_keys)]
        counts_or_times = [int(measure) for measure in facts["measure"].to_pylist()]
        return cls(
            saved_keys.append(added),
            _objects(counts_or_times + [none] * len(added)),
            np.concatenate([facts["base"].to_numpy(), np.zeros(len(added), np.int64)]),
            facts["last"].to_pylist() + [None] * len(added),
        )

    def table(self, order_type: pa.DataType) -> pa.Table:
        """Returns the facts as columns to save."""
        return pa.table(
            {
                "key": pa.array(self.keys.to_numpy()),
                "measure": pa.array(self.counts_or_times.tolist(), pa.decimal128(38, 0)),
                "base": pa.array(self.first_saved),
                "last": pa.array(self.last, order_type),
            }
        )

    def codes(self, keys: pd.Index) -> np.ndarray:
        """Returns the index of the facts of each key; every key must have facts."""
        codes = self.keys.get_indexer(keys)
        assert (codes >= 0).all()
        return codes

    def check_order(self, codes: np.ndarray, order: pa.Array) -> None:
        """Raises HostError unless the order ascends within each key; remembers the last values."""
        last = self.last
        for code, value in zip(codes.tolist(), order.to_pylist(), strict=True):
            check_ascending(last[code], value, "of a key")
            last[code] = value

    def first_windows(self, windows: StreamWindows) -> np.ndarray:
        """Returns the number of the first open window of each key."""
        numbers = (self.counts_or_times - windows.size) // windows.slide + 1
        return np.maximum(numbers, 0).astype(np.int64)


def _identities(keys: np.ndarray) -> np.ndarray:
    """Returns keys as texts or as unsigned numbers: floats by their bits, so -0 is not +0."""
    if keys.dtype.kind in "OU":  # texts
        return keys.astype(object)
    if keys.dtype.kind == "f":
        return keys.view(f"u{keys.dtype.itemsize}").astype(np.uint64)
    return keys if keys.dtype == np.uint64 else keys.astype(np.int64).view(np.uint64)


def _ranks(codes: np.ndarray) -> np.ndarray:
    """Returns the number of earlier tuples of the same key, for each tuple."""
    return pd.Series(codes).groupby(codes).cumcount().to_numpy()


def _places(codes: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yields each key's code with the places of its tuples, ascending."""
    order = np.argsort(codes, kind="stable")
    group_starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    for places in np.split(order, group_starts[1:]) if len(order) else ():
        yield int(codes[places[0]]), places


def _objects(values: list) -> np.ndarray:
    """Returns whole numbers of any size as an array."""
    array = np.empty(len(values), object)
    array[:] = values
    return array
