"""The keys that a design threw out of its table, as it tells of them on a stream of its own."""

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from gen.simulate.result_rows import packets_of_rows
from golden.lives import Evictions
from golden.tuples import arrow_type
from sim.beats import unpack_fields
from sim.pack import to_arrow, to_raw

#: Rows of a key and the number of an arrival; a packet for each stream, its last beat empty.
BUS = "m_axis_evicted"


def bus_of(design):
    """The stream that tells of keys that are thrown out; None when the design has none."""
    return next((bus for bus in design.streams if bus.name == BUS), None)


def evictions(design, beats, streams):
    """What the design told, when the same tuples were fed to it ``streams`` times.

    Parameters
    ----------
    design : Design
    beats : Beats
        Of the stream `BUS`.
    streams : int

    Returns
    -------
    Evictions

    Raises
    ------
    ValueError
        When there are more packets than streams, or fewer; when the streams do not throw out the
        same keys; and for what is no eviction, see `Evictions`.
    ProtocolError
    """
    bus = bus_of(design)
    packing, packets = bus.packing, packets_of_rows(beats, bus.packing.bytes, bus.bits is not None)
    if len(packets) != streams:
        raise ValueError(f"{BUS} must have {streams} packets, not {len(packets)}")
    if any(not np.array_equal(packet, packets[0]) for packet in packets[1:]):
        raise ValueError(f"{BUS} must tell the same of all streams, as all have the same tuples")
    told = dict(zip(packing.names, unpack_fields(packets[0], packing.fields), strict=True))
    type_ = design.query.partition.type
    keys = to_arrow(told["key"], arrow_type(type_), type_)
    try:
        return Evictions.from_values(design.query, keys, told["arrival"])
    except ValueError as error:
        raise ValueError(f"{BUS}: {error}") from None


def impossible(query, tuples, evictions):
    """What cannot have happened, as lines: the first of them, or none.

    A key that is thrown out must be in the table: so it has come, since it was thrown out before,
    and it is not the key of the arrival that throws it out.
    """
    raws = raw_columns(query, tuples)
    seen, column = passing(query, raws), query.partition
    keys = raws[column.name][seen].tolist()
    gone = to_raw(evictions.table["key"], column.type).tolist()
    there, begun = set(), 0
    for key, arrival in zip(gone, evictions.table["arrival"].to_pylist(), strict=True):
        what = f"{BUS}: arrival {arrival:,} threw out key {column.type.text(key)}"
        if arrival >= len(keys):
            return [f"{what}, and only {len(keys):,} tuples arrive"]
        there.update(keys[begun:arrival])
        begun = arrival
        if key == keys[arrival]:
            return [f"{what}, which is its own"]
        if key not in there:
            return [f"{what}, which had not come since it was last thrown out"]
        there.remove(key)
    return []
