"""Bytes from transfers of one width to transfers of another: order, ends, gaps, and the rate."""

import random

import pytest

from rtl.bus.gearbox import Gearbox
from tb.bench.unit import run_stream, simulate

#: Narrower, wider, dividing and not, more than twice as wide; the last two pairs are coprime.
WIDTHS = [(4, 12), (12, 4), (16, 12), (12, 16), (4, 16), (16, 4), (20, 8), (8, 20), (5, 3), (3, 7)]

#: Widths of the two sides, and the number of bytes of which every transfer is a multiple.
SHORT = [(12, 12, 4), (12, 4, 4), (8, 12, 2), (12, 8, 4), (6, 9, 3), (9, 2, 3)]


def cut(packet, width, lengths=None):
    """Returns a packet as transfers, each the bytes with ``tkeep``: all full but the last, or of
    ``lengths``."""
    start, transfers = 0, []
    while start < len(packet) or not transfers:
        length = width if lengths is None else next(lengths)
        transfers.append(packet[start : start + length])
        start += length
    return transfers


def as_payloads(packets, rng, width):
    """Returns packets of transfers as payloads; bytes without ``tkeep`` are random."""
    payloads = []
    for number, packet in enumerate(packets):
        for k, content in enumerate(packet):
            rubbish = rng.randbytes(width - len(content))
            payloads.append(
                {
                    "tdata": int.from_bytes(content + rubbish, "little"),
                    "tkeep": (1 << len(content)) - 1,
                    "tlast": int(k == len(packet) - 1),
                    "number": number % 8,
                }
            )
    return payloads


def seen(payloads, width):
    """Returns (bytes, tlast, number) of each transfer that came out; checks that tkeep
    has no gap."""
    transfers = []
    for payload in payloads:
        length = payload["tkeep"].bit_count()
        assert payload["tkeep"] == (1 << length) - 1
        content = payload["tdata"].to_bytes(width, "little")[:length]
        transfers.append((content, payload["tlast"], payload["number"]))
    return transfers


def expected_transfers(packets, width):
    """Returns the expected transfers of packets of bytes, by cutting them anew."""
    return [
        (content, int(k == len(transfers) - 1), number % 8)
        for number, transfers in enumerate(cut(packet, width) for packet in packets)
        for k, content in enumerate(transfers)
    ]


def random_packets(rng, count, longest):
    """Returns packets of any number of bytes; many are short, and some have none."""
    return [rng.randbytes(rng.choice((0, rng.randint(1, 6), longest))) for _ in range(count)]


def run_and_check(dut, packets, rng, into, out, **stalls):
    """Runs the gearbox and checks its output; returns the run, and the numbers of transfers in and
    out."""
    payloads = as_payloads(packets, rng, into)
    joined = [b"".join(transfers) for transfers in packets]
    answer = expected_transfers(joined, out)
    run = run_stream(dut, payloads, expected=len(answer), **stalls)
    assert seen(run.payloads, out) == answer
    return run, len(payloads), len(answer)


STALLS = [(0.0, 0.0), (0.5, 0.2), (0.1, 0.6)]


@pytest.mark.in_turn
@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize(("into", "out"), WIDTHS)
def test_packets_of_any_length(into, out, stall_in, stall_out):
    """Every byte counts, also where a packet ends with a part of a unit."""
    rng = random.Random(f"{into} {out} {stall_in}")
    packets = [cut(p, into) for p in random_packets(rng, 60, 5 * max(into, out) - 1)]
    stalls = {"stall_in": stall_in, "stall_out": stall_out, "seed": into}
    run_and_check(Gearbox(into, out, number=3), packets, rng, into, out, **stalls)


@pytest.mark.in_turn
@pytest.mark.parametrize(("stall_in", "stall_out"), STALLS)
@pytest.mark.parametrize(("into", "out", "short"), SHORT)
def test_transfers_that_are_short_anywhere(into, out, short, stall_in, stall_out):
    """Transfers of whole rows, also without rows, also as the end of a packet."""
    rng = random.Random(f"{into} {out} {stall_in}")

    def lengths():
        while True:
            yield short * rng.randint(0, into // short)

    packets = [cut(rng.randbytes(short * rng.randrange(20)), into, lengths()) for _ in range(50)]
    packets += [[*packet, b""] for packet in packets[:10]]
    stalls = {"stall_in": stall_in, "stall_out": stall_out, "seed": into}
    dut = Gearbox(into, out, short=short, number=3)
    # An end without bytes is a transfer of its own if the bytes before it filled the last one.
    payloads = as_payloads(packets, rng, into)
    answer = []
    for number, packet in enumerate(packets):
        joined = b"".join(packet)
        transfers = cut(joined, out)
        if joined and not packet[-1] and len(joined) % out == 0:
            transfers.append(b"")
        last = len(transfers) - 1
        answer += [(content, int(k == last), number % 8) for k, content in enumerate(transfers)]
    run = run_stream(dut, payloads, expected=len(answer), **stalls)
    assert seen(run.payloads, out) == answer


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("into", "out"), WIDTHS)
@pytest.mark.parametrize("length", ["long", "single", "one and a half"])
def test_full_rate(into, out, length):
    """A cycle for each transfer of the side that has more, wherever packets end."""
    rng, wide = random.Random(1), max(into, out)
    size = {"long": 40 * wide, "single": min(into, out), "one and a half": wide * 3 // 2}[length]
    packets = [cut(rng.randbytes(size), into) for _ in range(max(1, 40 * wide // size))]
    run, sent, received = run_and_check(Gearbox(into, out, number=3), packets, rng, into, out)
    assert run.cycles[-1] + 1 <= max(sent, received) + 6


def test_latency():
    """The latency counts from the transfer that fills a row, or ends the row early."""
    rng = random.Random(2)
    for into, out, size, filled in ((4, 12, 12, 3), (12, 4, 12, 1), (4, 12, 5, 2), (8, 8, 8, 1)):
        run, _, _ = run_and_check(
            Gearbox(into, out, number=3), [cut(bytes(size), into)], rng, into, out
        )
        assert run.cycles[0] == filled - 1 + Gearbox.latency


@pytest.mark.parametrize(("into", "out"), [(4, 12), (12, 8), (16, 4)])
def test_a_gap_stays_in_its_place(into, out):
    """The gearbox moves no byte into a place whose ``tkeep`` is 0; a later block sees the gap."""
    rng = random.Random(3)
    keep_values = [0b0011, (1 << into) - 1, 0, (1 << into) - 1 & ~2]
    payloads = [
        {"tdata": rng.getrandbits(8 * into), "tkeep": keep, "tlast": int(k == 3)}
        for k, keep in enumerate(keep_values)
    ]
    count = -(-4 * into // out)
    received = run_stream(Gearbox(into, out), payloads, expected=count).payloads
    mask = sum(keep << into * k for k, keep in enumerate(keep_values))
    data = sum(payload["tdata"] << 8 * into * k for k, payload in enumerate(payloads))
    for k, payload in enumerate(received):
        keep = mask >> out * k & (1 << out) - 1
        assert payload["tkeep"] == keep
        bits = sum(0xFF << 8 * b for b in range(out) if keep >> b & 1)
        assert payload["tdata"] & bits == data >> 8 * out * k & bits
        assert payload["tlast"] == (k == count - 1)


@pytest.mark.parametrize("name", ["into", "out"])
@pytest.mark.parametrize("width", [0, -4, 2.5])
def test_widths_that_are_none(name, width):
    with pytest.raises(ValueError, match=f"^{name} must be an integer of at least 1, not {width}$"):
        Gearbox(**{"into": 4, "out": 4, name: width})


def test_busy_as_long_as_a_byte_is_inside():
    """``busy`` includes the bytes of a row that is not full, until its end has come and gone."""
    dut, seen = Gearbox(4, 12), []
    begin, wait, end = (1, 0, 1), (0, 0, 1), (1, 1, 0)

    async def bench(ctx):
        for valid, last, ready in (begin, wait, wait, end, (0, 0, 0), (0, 0, 0), wait, wait):
            ctx.set(dut.i.valid, valid)
            ctx.set(dut.i.p, {"tdata": 5, "tkeep": 15, "tlast": last})
            ctx.set(dut.o.ready, ready)
            _, _, busy, offers = await ctx.tick().sample(dut.busy, dut.o.valid)
            seen.append((busy, offers))

    simulate(dut, bench)
    assert seen == [(0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0, 0)]
