"""A model of the port of the registers in plain Python: requests, and their effect on registers."""

import struct

WORD = struct.Struct(">I")


def request(*, writes=(), first=0, reads=(), number=0):
    """Returns the bytes of a request with one record.

    ``first`` is the address of the first of the written values, ``reads`` are addresses, and
    ``number`` comes back in the answer.
    """
    record = struct.pack(">BBBB", 0, 0x0F, len(writes), len(reads))
    if writes:
        record += b"".join(map(WORD.pack, (first, *writes)))
    if reads:
        record += b"".join(map(WORD.pack, (number, *reads)))
    return bytes.fromhex("4e6f104400000000") + record


def probe(number=0):
    return bytes.fromhex("4e6f1144") + WORD.pack(number)


def steps_of(payload):
    """Returns the accesses of a request, (address, value or None for a read), and the first bytes
    of its answer, b"" without an answer; None for bytes that are no request."""
    if len(payload) < 8 or payload[:2] != b"\x4e\x6f" or payload[2] >> 4 != 1 or payload[2] & 2:
        return None
    if payload[2] & 1:
        return [], bytes.fromhex("4e6f1244") + payload[4:8]
    if payload[3] != 0x44 or len(payload) < 12:
        return None
    flags, enable, writes, reads = payload[8:12]
    if flags & ~0x18 or enable != 0x0F or not writes + reads:
        return None
    words = [word for (word,) in WORD.iter_unpack(payload[12 : len(payload) // 4 * 4])]
    counts = (writes + 1 if writes else 0), (reads + 1 if reads else 0)
    if len(payload) != 12 + 4 * sum(counts):
        return None
    written, read = words[: counts[0]], words[counts[0] :]
    steps = [((written[0] + 4 * k) % 2**32, value) for k, value in enumerate(written[1:])]
    steps += [(address, None) for address in read[1:]]
    if not reads:
        return steps, b""
    head = bytes.fromhex("4e6f144400000000000f") + bytes([reads, 0]) + WORD.pack(read[0])
    return steps, head


def carry_out(payload, write, read):
    """Carries out a request by ``write(address, value)`` and ``read(address)``; returns its answer,
    b"" without an answer, or None for bytes that are no request."""
    actual = steps_of(payload)
    if actual is None:
        return None
    steps, answer = actual
    for address, value in steps:
        if value is None:
            answer += WORD.pack(read(address))
        else:
            write(address, value)
    return answer


class Requests:
    """Makes random requests, good and malformed, from one generator of random numbers.

    Parameters
    ----------
    rng : random.Random
    reads, firsts : sequence of int
        Addresses that most requests read, and first addresses of most writes.
    """

    def __init__(self, rng, reads, firsts=None):
        self.rng, self.reads, self.firsts = rng, reads, reads if firsts is None else firsts

    def address(self, usual):
        if self.rng.random() < 0.1:
            return self.rng.choice([1, 2, 3, 0x1000, 0x1018, 0x80000018, self.rng.getrandbits(32)])
        return self.rng.choice(usual)

    def good(self, most=4):
        """Returns a request of at most ``most`` writes and ``most`` reads, at times a probe."""
        if self.rng.random() < 0.05:
            return probe(self.rng.getrandbits(32)) + self.rng.randbytes(self.rng.choice([0, 4, 9]))
        writes = [self.value() for _ in range(self.rng.randrange(most + 1))]
        reads = [self.address(self.reads) for _ in range(self.rng.randrange(not writes, most + 1))]
        number = self.rng.getrandbits(32)
        datagram = request(
            writes=writes, first=self.address(self.firsts), reads=reads, number=number
        )
        flags = self.rng.choice([0, 0, 0x08, 0x10])
        return datagram[:8] + bytes([flags]) + datagram[9:]

    def value(self):
        """Returns a value, often small, because most settings are."""
        return self.rng.getrandbits(self.rng.choice([2, 5, 16, 32]))

    def malformed(self, most=4):
        """Returns bytes that are no request: a request with one fault."""
        while True:
            datagram = bytearray(self.good(most))
            fault = self.rng.choice(["bit", "cut", "longer", "count", "random"])
            if fault == "bit":
                place = self.rng.choice([k for k in (0, 1, 2, 3, 8, 9) if k < len(datagram)])
                datagram[place] ^= 1 << self.rng.randrange(8)
            elif fault == "cut":
                del datagram[self.rng.randrange(len(datagram)) :]
            elif fault == "longer":
                datagram += self.rng.randbytes(self.rng.randrange(1, 9))
            elif fault == "count" and len(datagram) > 11:
                datagram[self.rng.choice([10, 11])] = self.rng.randrange(256)
            elif fault == "random":
                datagram = bytearray(self.rng.randbytes(self.rng.randrange(60)))
            if steps_of(bytes(datagram)) is None:
                return bytes(datagram)
