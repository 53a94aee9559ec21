"""Reads evicted keys from the stream on which a design reports evictions."""

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.result_rows import packets_of_rows
from golden.plans.lives import Evictions
from golden.tuples import Tuples, arrow_type
from query.query import Query
from rtl.contract.buses import StreamBus
from rtl.contract.design import Design
from sim.beats import Beats, unpack_fields
from sim.pack import to_arrow, to_raw

#: Stream of evictions: each row has the evicted key, and the number of the arrival that evicts the
#: key. Arrivals are the tuples without a NaN that pass WHERE, counted from 0. There is a packet for
#: each input stream; the last beat of a packet may have no row.
BUS = "m_axis_evicted"


def bus_of(design: Design) -> StreamBus | None:
    """Returns the stream that reports evicted keys, or None if the design has none."""
    return next((bus for bus in design.streams if bus.name == BUS), None)


def evictions(design: Design, beats: Beats, streams: int) -> Evictions:
    """Returns the evictions that the design has reported.

    Parameters
    ----------
    design : Design
    beats : Beats
        Beats of the stream `BUS`.
    streams : int
        Number of times that the same tuples were sent; as many packets are expected.

    Returns
    -------
    Evictions

    Raises
    ------
    ValueError
        If the number of packets is not the number of streams, if the streams evict different keys,
        or if `Evictions` refuses the values: arrivals must ascend, and no key is NULL or NaN.
    ProtocolError
        If a beat is malformed.
    """
    bus = bus_of(design)
    packing = bus.packing
    packets = packets_of_rows(beats, packing.bytes, bus.bits is not None)
    if len(packets) != streams:
        raise ValueError(f"{BUS} must have {streams} packets, not {len(packets)}")
    if any(not np.array_equal(packet, packets[0]) for packet in packets[1:]):
        raise ValueError(f"{BUS} must report the same keys for all streams of the same tuples")
    columns = dict(zip(packing.names, unpack_fields(packets[0], packing.fields), strict=True))
    type_ = design.query.partition.type
    keys = to_arrow(columns["key"], arrow_type(type_), type_)
    try:
        return Evictions.from_values(design.query, keys, columns["arrival"])
    except ValueError as error:
        raise ValueError(f"{BUS}: {error}") from None


def impossible(query: Query, tuples: Tuples, evictions: Evictions) -> list[str]:
    """Returns a list with a line about the first impossible eviction, or an empty list.

    An eviction is possible if the evicted key has arrived since the key's last eviction, and if the
    arrival that causes the eviction has another key. Example: the keys 5, 5, 9 arrive. Arrival 2
    may evict 5. Arrival 1 may not, because its own key is 5; and arrival 2 may not evict 7, which
    never arrived.
    """
    raws = raw_columns(query, tuples)
    column = query.partition
    keys = raws[column.name][passing(query, raws)].tolist()
    evicted = to_raw(evictions.table["key"], column.type).tolist()
    present: set[int] = set()
    arrived = 0
    for key, arrival in zip(evicted, evictions.table["arrival"].to_pylist(), strict=True):
        event = f"{BUS}: arrival {arrival:,} evicted key {column.type.text(key)}"
        if arrival >= len(keys):
            return [f"{event}, and only {len(keys):,} tuples arrive"]
        present.update(keys[arrived:arrival])
        arrived = arrival
        if key == keys[arrival]:
            return [f"{event}, which is its own"]
        if key not in present:
            return [f"{event}, which had not arrived since its last eviction"]
        present.remove(key)
    return []
