"""Writes the state of an operator between two micro-batches to bytes, and reads it back.

The state of an engine cannot be read. An operator saves the tuples that the open windows need
instead, and a few facts: how many tuples a key has had, or the greatest time so far. The next
micro-batch sends the saved tuples again, before its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from host.errors import HostError

_NUMBERS = b"numbers"


@dataclass(frozen=True)
class Saved:
    """Holds the saved state.

    Attributes
    ----------
    identity : str
        Names the design, its settings and the division of the keys. A state of another identity is
        refused.
    numbers : dict of str to int or None
        Facts of the whole part.
    tuples : dict of str to numpy.ndarray
        Raw values of tuples. The tuples of a key are in order of arrival.
    facts : pyarrow.Table
        Further columns, such as a row for each key.
    """

    identity: str
    numbers: Mapping[str, int | None]
    tuples: Mapping[str, np.ndarray]
    facts: pa.Table

    @classmethod
    def empty(cls, identity: str) -> Saved:
        """Returns the state of a part that has had no tuple."""
        return cls(identity, {}, {}, pa.table({}))

    @property
    def is_empty(self) -> bool:
        """True for the state of :meth:`empty`; any other state has facts."""
        return self.facts.num_columns == 0

    def to_bytes(self) -> bytes:
        """Returns the state as bytes: an Arrow stream of the tuples, then one of the facts."""
        arrays = {name: pa.array(column) for name, column in self.tuples.items()}
        text = json.dumps({"identity": self.identity, "numbers": dict(self.numbers)})
        sink = pa.BufferOutputStream()
        for table in (
            pa.table(arrays).replace_schema_metadata({_NUMBERS: text.encode()}),
            self.facts,
        ):
            with pa.ipc.new_stream(sink, table.schema) as stream:
                stream.write_table(table)
        return sink.getvalue().to_pybytes()

    @classmethod
    def from_bytes(cls, data: bytes, identity: str) -> Saved:
        """Returns the state of `to_bytes`; raises HostError for another identity."""
        source = pa.BufferReader(data)
        tuples, facts = (pa.ipc.open_stream(source).read_all() for _ in range(2))
        header = json.loads(tuples.schema.metadata[_NUMBERS])
        if header["identity"] != identity:
            raise HostError(
                "the checkpoint is of another job: the directory, the settings, the start, the "
                "order and the partitions must stay the same, or begin with a new checkpoint"
            )
        columns = {
            name: tuples[name].combine_chunks().to_numpy(zero_copy_only=False)
            for name in tuples.column_names
        }
        return cls(identity, header["numbers"], columns, facts)


def joined(first: Mapping[str, np.ndarray], second: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Appends the tuples of ``second`` to ``first``; ``first`` may have no columns."""
    if not first:
        return dict(second)
    return {name: np.concatenate([first[name], second[name]]) for name in second}


def check_ascending(last: Any, value: Any, of: str) -> None:
    """Raises HostError if ``value``, of the order, is NULL, NaN, or not greater than ``last``.

    ``last`` is None before the first value. ``of`` names the stream or the key. A tuple that comes
    in a later micro-batch than a tuple with a greater value cannot be put in its place any more.
    """
    if value is None or value != value:  # NULL or NaN
        raise HostError("the column of the order has values that are NULL or NaN")
    if last is not None and value <= last:
        fault = f"two tuples have the value {value}"
        fault = fault if value == last else f"the value {value} comes after {last}"
        raise HostError(f"{fault} in the column of the order: the order of arrival {of} is unknown")
