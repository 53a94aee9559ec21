"""Checks the link by datagrams against a socket that stands in for the engine."""

import socket
import threading

import numpy as np
import pytest

from host.datagrams import DatagramLink
from host.errors import HangError


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
