"""Checks the monitor of a channel with signals by hand, edge by edge."""

from types import SimpleNamespace

import pytest
from cocotb.types import Logic, LogicArray

from sim.pins import monitor as module


class Edge:
    """An edge of the clock: an awaitable that waits for the next call of ``send``."""

    def __init__(self, clock):
        pass

    def __await__(self):
        yield


def monitored(monkeypatch, edges):
    """Returns the monitor after edges of (aresetn, valid, ready, payload)."""
    monkeypatch.setattr(module, "RisingEdge", Edge)
    dut = SimpleNamespace(aclk=None, aresetn=SimpleNamespace())
    valid, ready, payload = (SimpleNamespace() for _ in range(3))
    monitor = module.ChannelMonitor(dut, "m_axis", valid, ready, [payload])
    run = monitor.run()
    run.send(None)
    for reset, valid_bit, ready_bit, bits in edges:
        dut.aresetn.value, valid.value, ready.value = map(Logic, (reset, valid_bit, ready_bit))
        payload.value = LogicArray(bits)
        run.send(None)
    run.close()
    return monitor


def test_transfers_and_stalls_are_counted_from_the_reset_on(monkeypatch):
    edges = ["0011", "1001", "1101", "1111", "1010", "1110"]
    monitor = monitored(monkeypatch, [(*edge[:3], f"101{edge[3]}") for edge in edges])
    assert (monitor.cycle, monitor.stalled) == (5, 1)
    assert monitor.transfers == [(2, (11,)), (4, (10,))]
    assert not monitor.violations


@pytest.mark.parametrize(
    ("edges", "text"),
    [
        ([("1", "1", "0", "01"), ("1", "0", "0", "01")], "valid withdrawn before ready (cycle 1)"),
        ([("1", "1", "0", "01"), ("1", "1", "1", "11")], "payload changed before ready (cycle 1)"),
        ([("1", "0", "0", "00"), ("1", "1", "1", "X1")], "payload has an X (cycle 1)"),
        ([("1", "X", "0", "00")], "valid or ready is X (cycle 0)"),
        ([("1", "0", "X", "00")], "valid or ready is X (cycle 0)"),
        ([("0", "X", "0", "00"), ("0", "X", "0", "00")], "valid during reset (cycle 0)"),
    ],
)
def test_a_broken_rule_is_reported_once(monkeypatch, edges, text):
    assert monitored(monkeypatch, edges).violations == [f"m_axis: {text}"]


def test_valid_may_be_high_at_the_first_edge_of_each_reset(monkeypatch):
    reset = [("0", "1", "0", "00"), ("0", "0", "0", "00")]
    run = [("1", "1", "0", "00")]
    assert not monitored(monkeypatch, reset + run + reset + run).violations
