"""Checks how rows are cut out of the bytes of packets."""

from types import SimpleNamespace

import numpy as np
import pytest

from host import HangError
from host.backend import packets_of


def described(packet):
    """Returns a description with rows of 3 bytes in ``m_axis`` and of 2 bytes in another stream."""
    streams = {"m_axis": SimpleNamespace(bytes=3), "m_axis_evicted": SimpleNamespace(bytes=2)}
    return SimpleNamespace(streams=streams, packet=packet)


def content(*values):
    return np.array(values, np.uint8)


def rows(packets):
    return [packet.tolist() for packet in packets]


@pytest.mark.parametrize("packet", ["window", "stream"])
def test_each_packet_has_whole_rows(packet):
    contents = [content(1, 2, 3, 4, 5, 6), content(), content(7, 8, 9)]
    received = rows(packets_of(described(packet), "m_axis", contents))
    assert received == [[[1, 2, 3], [4, 5, 6]], [], [[7, 8, 9]]]
    with pytest.raises(HangError, match="m_axis: a packet has 4 bytes, no whole "):
        packets_of(described(packet), "m_axis", [content(1, 2, 3), content(4, 5, 6, 7)])


def test_packets_of_transfers_may_end_within_a_row():
    description = described("beats:2")
    contents = [content(1, 2, 3, 4), content(5, 6, 7, 8), content(9)]
    assert rows(packets_of(description, "m_axis", contents)) == [[[1, 2, 3], [4, 5, 6], [7, 8, 9]]]
    assert rows(packets_of(description, "m_axis", [])) == [[]]
    assert rows(packets_of(description, "m_axis_evicted", [content(1, 2)])) == [[[1, 2]]]
    with pytest.raises(HangError, match="a packet has 2 bytes"):
        packets_of(description, "m_axis", [content(1), content(2)])
