"""LiteX's own client reads and writes the registers of a top."""

import socket
from types import SimpleNamespace

import pytest
from litex.tools.remote import comm_udp
from litex.tools.remote.etherbone import EtherbonePacket, EtherboneReads, EtherboneRecord

from rtl.bus.registers import MAGIC, WITH_LINK
from rtl.bus.top_registers import registers_of
from sim.wire.frames import frame_of
from tb.rtl.bus.link_top import (
    DESIGN,
    HOST,
    OURS,
    REGISTERS_PORT,
    answers_of,
    link_top,
    rx,
    settings,
    to_registers,
)
from tb.rtl.ethernet.requests import request

pytestmark = pytest.mark.hdl

ADDRESS = {name: register.address for name, register in registers_of(DESIGN).items()}


class SimulatedSocket:
    """A socket whose peer is the top.

    For each answer the top is simulated anew, with all datagrams that were sent so far.
    """

    #: Frames of all sockets, in order, and the number of answers that were received.
    frames, received = [], 0

    def __init__(self, *_):
        self.timeout = None

    def bind(self, address):
        assert address == ("", REGISTERS_PORT)

    def settimeout(self, seconds):
        self.timeout = seconds

    def sendto(self, payload, to):
        assert to == (OURS_IP, REGISTERS_PORT)
        # The client has bound a port with the engine's number, and sends from this port.
        self.frames.append(to_registers(bytes(payload), CLIENT))

    def recvfrom(self, _):
        outcome, _ = link_top().run(
            {"s_axis_rx": rx([(frame, False) for frame in self.frames], pause=300)},
            {0: settings()},
            packets="any",
            drain=500,
        )
        type(self).received += 1
        return answers_of(outcome, [CLIENT] * self.received)[-1], (OURS_IP, REGISTERS_PORT)

    def close(self):
        pass


OURS_IP = ".".join(str(byte) for byte in OURS.address.to_bytes(4, "big"))
CLIENT = type(HOST)(mac=HOST.mac, address=HOST.address, port=REGISTERS_PORT)


def test_litex_client(monkeypatch):
    """Probe, magic, a burst of registers, a written setting, and a counter."""
    simulated = SimpleNamespace(
        socket=SimulatedSocket,
        AF_INET=socket.AF_INET,
        SOCK_DGRAM=socket.SOCK_DGRAM,
        timeout=socket.timeout,
    )
    monkeypatch.setattr(comm_udp, "socket", simulated)
    client = comm_udp.CommUDP(server=OURS_IP, port=REGISTERS_PORT)
    client.open()
    assert client.read(ADDRESS["magic"]) == MAGIC
    assert client.read(0, length=2) == [MAGIC, WITH_LINK]
    client.write(ADDRESS["size"], [11, 3])
    assert client.read(ADDRESS["size"], length=2) == [11, 3]
    SimulatedSocket.frames += [frame_of(part, HOST, OURS) for part in (bytes(37), b"")]
    assert client.read(ADDRESS["tuples_low"]) == 37
    client.close()


def test_a_request_has_the_bytes_of_the_client():
    """The model's requests and LiteX's packets are the same bytes."""
    record = EtherboneRecord()
    record.reads = EtherboneReads(addrs=[0, 4, 0x1234], base_ret_addr=9)
    packet = EtherbonePacket()
    packet.records = [record]
    packet.encode()
    assert bytes(packet.bytes) == request(reads=[0, 4, 0x1234], number=9)
