"""Compares the verdicts, tuples and replies of Spark with those of scapy, for the same frames."""

from collections import defaultdict
from dataclasses import fields
from ipaddress import IPv4Address
from zlib import crc32

import pyarrow.parquet as parquet
import pytest

from gen.units.registry import UNITS
from tb.cocotb.ethernet.drawn_frames import EPOCHS
from tb.cocotb.ethernet.network_face_rows import rows
from tb.cocotb.support.expected_rows import rows_directory
from tb.rtl.ethernet.model import Face, judge

SMALL = {"longest": 512, "depth": 128, "longest_ping": 128, "payload_limit": 480}
#: Counters of received frames, without the three of frames for which there is no room.
VERDICTS = 25


def face_of(settings, point):
    """Returns the face of scapy's model with the settings of an epoch."""
    names = {field.name for field in fields(Face)}
    values = {name: point[name] for name in point if name in names}
    for name, number in settings.items():
        if name.endswith("mac"):
            values[name] = ":".join(f"{octet:02x}" for octet in number.to_bytes(6, "big"))
        else:
            values[name] = str(IPv4Address(number)) if name.endswith("address") else number
    return Face(**values)


@pytest.mark.regress
@pytest.mark.parametrize("sizes", [{"row_bytes": 12}, {"row_bytes": 6, "shortest": 20}])
def test_spark_and_scapy_agree(sizes):
    """The last epoch is left out: its face is switched off, and scapy's model is always on."""
    point = UNITS["network-face"].settings | SMALL | sizes
    folder = rows_directory(rows, point)
    payloads = defaultdict(bytes)
    for beat in table(folder, "tuples"):
        payloads[beat["frame"]] += beat["tdata"]
    frames = [row for row in table(folder, "rx") if EPOCHS[row["epoch"]]["mac"]]
    for row in frames:
        frame = bytes.fromhex(row["text"])
        face = face_of(EPOCHS[row["epoch"]], point)
        verdict, result = judge(frame, crc32(frame) != row["fcs"], face)
        assert row["verdict"] == verdict
        reply = None if row["reply"] is None else bytes.fromhex(row["reply"])
        assert result == (payloads[row["position"]] if verdict == "datagrams" else reply)
    assert len({row["verdict"] for row in frames}) == VERDICTS


def table(folder, name):
    """Returns the rows of a file, in order."""
    return parquet.read_table(folder / f"{name}.parquet").sort_by("position").to_pylist()
