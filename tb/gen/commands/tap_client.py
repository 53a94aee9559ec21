"""A machine with a TAP device: pings a served design, sends it datagrams, and writes what came.

The program runs in a network namespace of its own, where its user may make devices:

    unshare -rn python -m tb.gen.commands.tap_client JOB

JOB is a folder with ``job.pickle``: arguments of `sluice serve`, sizes of pings, the directory, the
table, and True for a design with a host link, which the host class opens. The results go to
``results.pickle`` there.
"""

import os
import pickle
import socket
import struct
import sys
from pathlib import Path

from host import Engine
from host.datagrams import DatagramLink
from sim.wire.frames import checksum
from tb.gen.commands.serving import served

_ECHO, _REPLY = 8, 0
#: Bytes of the IPv4 header that a raw socket receives.
_IPV4 = 20


def main(folder):
    job = pickle.loads((folder / "job.pickle").read_bytes())
    arguments, sizes, directory, table, is_linked = job
    with served(*arguments, "--tap", "sluice0") as process:
        line = process.line()
        answered = [ping("10.0.0.1", number, os.urandom(size)) for number, size in enumerate(sizes)]
        rows = (by_the_host_class if is_linked else by_datagrams)(directory, table)
        end = process.interrupt()
    (folder / "results.pickle").write_bytes(pickle.dumps((line, answered, rows, end)))


def by_the_host_class(directory, table):
    with Engine.open(directory, at="udp://10.0.0.1") as engine:
        return engine.run(table, raw=True)


def by_datagrams(directory, table):
    ends = {"engine": ("10.0.0.1", 4001), "here": ("10.0.0.2", 4002)}
    with DatagramLink(directory, **ends, tuples_per_second=1e5) as wire:
        return wire.run(table, raw=True)


def ping(address, number, payload):
    """Returns True if an echo request is answered within two seconds by the same bytes."""
    request = struct.pack("!BBHHH", _ECHO, 0, 0, os.getpid() & 0xFFFF, number) + payload
    summed = checksum(request)
    request = request[:2] + summed.to_bytes(2, "big") + request[4:]
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
        raw.settimeout(2)
        raw.sendto(request, (address, 0))
        try:
            while (message := raw.recv(1 << 16)[_IPV4:])[0] != _REPLY:
                pass
        except TimeoutError:
            return False
    return checksum(message) == 0 and message[4:] == request[4:]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
