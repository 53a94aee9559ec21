"""Requests to registers: those that are well formed are queued as a whole, the others counted."""

import random
import struct

from rtl.ethernet.register_requests import RegisterRequests
from tb.bench.unit import simulate
from tb.rtl.ethernet.pins import pieces
from tb.rtl.ethernet.requests import Requests, probe, request, steps_of

MAC, ADDRESS, PORT = 0x02_00_00_00_00_07, 0x0A_00_00_09, 51_234


def sender(k):
    """Returns the sender of datagram k: each datagram has a sender of its own."""
    return {"mac": MAC + (k << 40), "address": ADDRESS + (k << 8), "port": PORT + k}


def run(payloads, *, good=None, gaps=0.0, empty_end=False, late=False, seed=1):
    """Sends datagrams, pauses in a share ``gaps`` of the cycles, and takes the queued requests.

    Returns the names of the events in order, the heads, and the pieces. With ``empty_end`` each
    datagram ends with a piece without bytes, as the realignment of a frame may. With ``late`` no
    request is taken before all datagrams have come.
    """
    dut, rng = RegisterRequests(), random.Random(seed)
    sent = []
    for k, payload in enumerate(payloads):
        of_sender = sender(k)
        header = struct.pack(">HHHH", of_sender.pop("port"), 1234, 8 + len(payload), 0)
        cut = pieces(header + payload, **of_sender, udp=1, good=1, sum_right=1)
        if empty_end:
            cut[-1]["last"] = 0
            cut.append(cut[-1] | {"data": 0, "size": 0, "first": 0, "last": 1})
        sent += [(piece, good is None or good[k]) for piece in cut]
    names, heads, outputs = [], [], []

    async def bench(ctx):
        queue, ends_good, quiet = list(sent), False, 0
        while quiet < 20:
            accepts = not late or not (queue or ends_good)
            ctx.set(dut.head.ready, accepts)
            ctx.set(dut.o.ready, accepts)
            offers = bool(queue) and rng.random() >= gaps
            ctx.set(dut.i.valid, offers)
            ctx.set(dut.good, ends_good)
            ends_good = False
            if offers:
                piece, is_good = queue.pop(0)
                ctx.set(dut.i.p, piece)
                ends_good = bool(piece["last"] and is_good)
            sampled = [dut.events.as_value(), dut.head.valid, dut.head.p, dut.o.valid, dut.o.p]
            _, _, events, has_head, head, has_piece, piece = await ctx.tick().sample(*sampled)
            for place, (name, _) in enumerate(dut.events.shape()):
                names.extend([name] if events >> place & 1 else [])
            if has_head and accepts:
                heads.append({name: head[name] for name in ("mac", "address", "port", "probe")})
            if has_piece and accepts:
                outputs.append(piece.to_bytes(8, "little"))
            quiet = 0 if queue or events or (accepts and has_piece) else quiet + 1

    simulate(dut, bench)
    return names, heads, outputs


def check(payloads, **options):
    names, heads, outputs = run(payloads, **options)
    actual = [steps_of(payload) for payload in payloads]
    assert names == ["bad_request" if steps is None else "requests" for steps in actual]
    numbers = [k for k, steps in enumerate(actual) if steps is not None]
    good = [payloads[k] for k in numbers]
    probes = [payload[2] & 1 for payload in good]
    assert heads == [
        sender(k) | {"probe": is_probe} for k, is_probe in zip(numbers, probes, strict=True)
    ]
    queued = [p[:8] if is_probe else p for p, is_probe in zip(good, probes, strict=True)]
    assert b"".join(outputs) == b"".join(p + bytes(-len(p) % 8) for p in queued)
    return names


def test_by_hand():
    """Each field of a request is needed; the flags that end a cycle may have any value."""
    good = request(writes=[1], first=0x18, reads=[0, 4], number=7)
    assert good.hex() == ("4e6f104400000000000f01020000001800000001000000070000000000000004")

    def at(place, byte):
        return good[:place] + bytes([byte]) + good[place + 1 :]

    names = check(
        [
            *(good, request(reads=[0]), request(writes=[3]), probe(5), probe() + bytes(4)),
            *(at(8, 0x10), at(8, 0x08), at(2, 0x14), at(7, 0xFF)),
            *(at(0, 0x4F), at(1, 0x6E), at(2, 0x20), at(2, 0x12), at(3, 0x45), at(3, 0x88)),
            *(at(8, 0x01), at(8, 0x40), at(9, 0xFF), at(9, 0x07), at(9, 0)),
            *(at(10, 0), at(10, 2), at(11, 0), at(11, 1), at(11, 3), good[:-1], good[:-4]),
            *(good + b"\0", good + bytes(4), good[:12], request(), good[:11], good[:8], good[:3]),
            *(b"", probe()[:7], b"\x4e\x6f\x13\x44\0\0\0\0"),
        ]
    )
    assert names == ["requests"] * 9 + ["bad_request"] * 28


def test_random_requests():
    rng = random.Random(2)
    source = Requests(rng, [0x18, 0x20, 0xFC0])
    payloads = [source.malformed() if rng.random() < 0.5 else source.good() for _ in range(150)]
    names = check(payloads, gaps=0.3, seed=3)
    assert min(names.count("requests"), names.count("bad_request")) > 50
    check(payloads[:40], empty_end=True)


def test_longest_requests():
    """The counts reach 255: 1,036 bytes of reads; a frame has no room for more writes and reads."""
    reads, writes = [4 * k for k in range(255)], list(range(255))
    assert (
        check(
            [
                request(reads=reads),
                request(writes=writes),
                request(writes=writes[:180], reads=reads[:180]),
                request(reads=reads)[:-4],
                request(writes=writes) + bytes(4),
            ]
        )
        == ["requests"] * 3 + ["bad_request"] * 2
    )


def test_a_datagram_that_is_not_good_leaves_nothing():
    """A wrong checksum or another port: the datagram has no event here, and is not queued."""
    payloads = [request(reads=[k]) for k in range(6)]
    good = [True, False, True, True, False, False]
    names, heads, outputs = run(payloads, good=good)
    good_payloads = [payload for payload, is_good in zip(payloads, good, strict=True) if is_good]
    assert names == ["requests"] * 3
    assert heads == [sender(k) | {"probe": 0} for k, is_good in enumerate(good) if is_good]
    assert b"".join(outputs) == b"".join(p + bytes(-len(p) % 8) for p in good_payloads)


def check_room(payloads, fates):
    """Checks the events of requests that wait, and that exactly the queued ones are taken later."""
    names, heads, outputs = run(payloads, late=True)
    assert names == fates
    queued = [k for k, fate in enumerate(fates) if fate == "requests"]
    assert heads == [sender(k) | {"probe": 0} for k in queued]
    assert b"".join(outputs) == b"".join(payloads[k] + bytes(-len(payloads[k]) % 8) for k in queued)


def test_requests_without_room_are_counted():
    """Four requests wait; of long requests, as many as have 2,048 bytes in all."""
    check_room([request(reads=[k]) for k in range(6)], ["requests"] * 4 + ["request_overflow"] * 2)
    long = request(reads=list(range(255)))
    check_room([long] * 3, ["requests"] + ["request_overflow"] * 2)
    # 130 and 127 pieces fill the 256 places and the register at the output of the buffer. After a
    # request without room a shorter request has room.
    fits, other = (request(reads=list(range(count))) for count in (250, 251))
    check_room([long, fits], ["requests"] * 2)
    check_room([long, long, other, fits], ["requests", *["request_overflow"] * 2, "requests"])


def test_a_short_request_behind_an_empty_one():
    """The length that belongs to the counts is known only after the record: a record of another
    request must not decide."""
    empty, good = request(), request(reads=[0])
    assert check([empty, good[:12], good[:16], good]) == ["bad_request"] * 3 + ["requests"]
