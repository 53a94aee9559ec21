"""Checks the link by datagrams against a socket that stands in for the engine."""

import re
import socket
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

from host import datagrams
from host.datagrams import DatagramLink
from host.description import Description
from host.errors import HangError, HostError


def test_rows_that_come_too_late_are_not_those_of_the_next_stream(generated):
    """The engine answers the first stream only after the link has given up."""
    _, directory = generated("two-stacks", network=True)
    engine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    engine.bind(("127.0.0.1", 0))
    engine.settimeout(10)
    gave_up, answered = threading.Event(), threading.Event()

    def answer():
        for number in (1, 2):
            while True:
                payload, source = engine.recvfrom(1 << 16)
                if not payload:
                    break
            if number == 1:
                gave_up.wait(10)
            engine.sendto(bytes([number]) * size, source)
            engine.sendto(b"", source)
            answered.set()

    place = engine.getsockname()
    with DatagramLink(directory, engine=place, here=("127.0.0.1", 0), seconds=0.3) as link:
        size = link.description.rows.bytes
        thread = threading.Thread(target=answer)
        thread.start()
        tuples = np.zeros((3, link.description.tuples.bytes), np.uint8)
        with pytest.raises(HangError):
            link.exchange(tuples)
        gave_up.set()
        assert answered.wait(10)
        packets = link.exchange(tuples)
    thread.join()
    engine.close()
    assert [packet.tolist() for packet in packets] == [[[2] * size]]


def packets_and_size(directory, engine, host, answer, seconds=5):
    """Sends three tuples to the socket ``engine``; returns the packets of rows, as lists.

    The bytes of a row are returned, too. ``answer`` is the engine's part, a function of the bytes
    of a row, ``host`` is the name of both ends, and ``seconds`` the link's time limit.
    """
    place = host, engine.getsockname()[1]
    with DatagramLink(directory, engine=place, here=(host, 0), seconds=seconds) as link:
        size = link.description.rows.bytes
        thread = threading.Thread(target=answer, args=(size,))
        thread.start()
        packets = link.exchange(np.zeros((3, link.description.tuples.bytes), np.uint8))
    thread.join()
    return [packet.tolist() for packet in packets], size


def sender_of_a_stream(engine):
    """Receives the datagrams of a stream up to the empty one; returns the address of the sender."""
    payload = None
    while payload != b"":
        payload, source = engine.recvfrom(1 << 16)
    return source


def test_datagrams_of_another_sender_are_no_rows(generated):
    _, directory = generated("two-stacks", network=True)
    engine, stranger = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    engine.bind(("127.0.0.1", 0))
    engine.settimeout(10)

    def answer(size):
        source = sender_of_a_stream(engine)
        for sender, value in ((stranger, 9), (engine, 1), (stranger, 9)):
            sender.sendto(bytes([value]) * size, source)
        stranger.sendto(b"", source)
        engine.sendto(b"", source)

    packets, size = packets_and_size(directory, engine, "127.0.0.1", answer)
    engine.close()
    stranger.close()
    assert packets == [[[1] * size]]


def test_datagrams_leave_at_the_chosen_rate(generated):
    """Three datagrams of tuples, and the end of the stream, at 10 datagrams in a second."""
    _, directory = generated("two-stacks", network=True)
    engine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    engine.bind(("127.0.0.1", 0))
    description = Description.read(directory)
    count = description.network["datagram_bytes"] // description.tuples.bytes
    with DatagramLink(
        directory, engine=engine.getsockname(), here=("127.0.0.1", 0), seconds=0.1,
        tuples_per_second=10 * count,
    ) as link:  # fmt: skip
        started = time.monotonic()
        with pytest.raises(HangError):
            link.exchange(np.zeros((3 * count, description.tuples.bytes), np.uint8))
        assert time.monotonic() - started >= 0.3
    engine.setblocking(False)
    size = count * description.tuples.bytes
    assert [len(engine.recv(1 << 16)) for _ in range(4)] == [size, size, size, 0]
    with pytest.raises(BlockingIOError):
        engine.recv(1 << 16)
    engine.close()


def test_a_wait_without_an_end(generated, monkeypatch):
    """The rows come after several waits of the socket, none of which may be endless."""
    monkeypatch.setattr(datagrams, "_LONGEST_WAIT", 0.05)
    _, directory = generated("two-stacks", network=True)
    engine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    engine.bind(("127.0.0.1", 0))
    engine.settimeout(10)

    def answer(size):
        source = sender_of_a_stream(engine)
        time.sleep(0.2)
        engine.sendto(bytes(size), source)
        engine.sendto(b"", source)

    try:
        packets, size = packets_and_size(directory, engine, "127.0.0.1", answer, float("inf"))
    except OverflowError as error:
        pytest.fail(f"the socket refuses the wait: {error}")
    finally:
        engine.close()
    assert packets == [[[0] * size]]


@pytest.mark.parametrize(
    ("engine", "here", "message"),
    [
        (("127.0.0.1", 70_000), ("127.0.0.1", 0), "engine must be an address and a port from 0 to"),
        ("127.0.0.1:4001", ("127.0.0.1", 0), "engine must be an address and a port from 0 to"),
        (("127.0.0.1", 4001), ("127.0.0.1", "x"), "here must be an address and a port from 0 to"),
        (("", 1, 2), ("127.0.0.1", 0), "engine must be an address and a port from 0 to"),
        (("256.1.1.1", 4001), ("127.0.0.1", 0), "engine: 256.1.1.1 is no known address: "),
        (("127.0.0.1", 4001), ("192.0.2.1", 4002), "192.0.2.1:4002 must be of this machine: "),
    ],
)
def test_addresses_that_cannot_be_used(generated, engine, here, message):
    _, directory = generated("two-stacks", network=True)
    with pytest.raises(HostError, match=re.escape(message)):
        DatagramLink(directory, engine=engine, here=here)


@pytest.mark.parametrize("wrong", [0, -5.0, float("nan"), "5", True])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tuples_per_second", "tuples_per_second must be a number above 0, not "),
        ("seconds", "seconds must be a number above 0, not "),
    ],
)
def test_rates_and_times_that_cannot_be_used(generated, name, message, wrong):
    _, directory = generated("two-stacks", network=True)
    with pytest.raises(HostError, match=message):
        DatagramLink(directory, engine=("127.0.0.1", 4001), here=("127.0.0.1", 0), **{name: wrong})


@pytest.mark.parametrize("seconds", [5, Fraction(11, 2), np.float32(5)])
def test_a_name_in_place_of_an_address(generated, seconds):
    """Datagrams come back from the address of the name. The time limit may be of any real type."""
    _, directory = generated("two-stacks", network=True)
    engine = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    engine.bind(("127.0.0.1", 0))
    engine.settimeout(10)

    def answer(size):
        while True:
            payload, source = engine.recvfrom(1 << 16)
            if not payload:
                break
        engine.sendto(bytes(size), source)
        engine.sendto(b"", source)

    packets, size = packets_and_size(directory, engine, "localhost", answer, seconds)
    engine.close()
    assert packets == [[[0] * size]]
