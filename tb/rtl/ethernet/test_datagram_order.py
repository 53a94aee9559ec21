"""Checks the order of numbered datagrams by hand, and with a plain model."""

import random

import pytest

from rtl.ethernet.datagram_order import PUNCTUATIONS, SKIP, DatagramOrder
from tb.bench.unit import simulate
from tb.rtl.ethernet.pins import pieces


def run(datagrams, numbered=True):
    """Sends datagrams, (number, flags, True to offer it as good); takes each that is in order.

    Returns (verdict, missing, received) after each.
    """
    dut, seen = DatagramOrder(), []

    async def bench(ctx):
        ctx.set(dut.numbered, numbered)
        for number, flags, good in datagrams:
            body = bytes(8) + number.to_bytes(4, "little") + bytes([flags]) + bytes(3)
            cut = pieces(body + bytes(16 * (number % 2)))
            for piece in cut:
                names = {name: piece[name] for name in ("data", "size", "first", "last")}
                ctx.set(dut.i.p, names | dict.fromkeys(("good", "udp", "sum_right"), 1))
                ctx.set(dut.i.valid, 1)
                _, _, is_number = await ctx.tick().sample(dut.is_number)
                assert is_number == (numbered and piece is cut[1])
            ctx.set(dut.i.valid, 0)
            repeated, ahead = ctx.get(dut.repeated), ctx.get(dut.ahead)
            is_taken = good and not repeated and not ahead
            ctx.set(dut.taken, is_taken)
            missing = ctx.get(dut.missing)
            await ctx.tick()
            ctx.set(dut.taken, 0)
            verdict = (
                "repeated" if repeated else "ahead" if ahead else "taken" if is_taken else None
            )
            seen.append((verdict, missing, ctx.get(dut.received)))

    simulate(dut, bench)
    return seen


def test_by_hand():
    assert run(
        [
            (0, 0, True),
            (1, 0, True),
            (1, 0, True),  # doubled
            (3, 0, True),  # the 2 is missing
            (2, 0, False),  # its checksum was wrong
            (2, 0, True),
            (5, SKIP, True),  # 3 and 4 are given up
            (4, SKIP, True),  # too late
            (6, SKIP | 0x80, True),  # other flags are ignored
            (6 + 2**31, SKIP, True),  # as far ahead as can be
            (0xFFFF_FFFF, SKIP, True),
            (0, 0, True),
            (2**31 + 1, SKIP, True),  # half of all numbers away: behind
        ]
    ) == [
        ("taken", 0, 1),
        ("taken", 0, 2),
        ("repeated", 0, 2),
        ("ahead", 0, 2),
        (None, 0, 2),
        ("taken", 0, 3),
        ("taken", 2, 6),
        ("repeated", 0, 6),
        ("taken", 0, 7),
        ("taken", 2**31 - 1, 7 + 2**31),
        ("taken", 2**31 - 8, 0),
        ("taken", 0, 1),
        ("repeated", 0, 1),
    ]


def test_the_flag_of_punctuations():
    """``has_punctuations`` is the flag of the datagram in progress, from the cycle after the number
    on; it is 0 before the number, and in a datagram without a number."""
    dut, seen = DatagramOrder(punctuations=True), []
    flags = [0, PUNCTUATIONS, 0, PUNCTUATIONS | SKIP, SKIP, 0xFF ^ PUNCTUATIONS, PUNCTUATIONS]

    async def bench(ctx):
        ctx.set(dut.numbered, 1)
        for number, flag in enumerate(flags):
            if number == len(flags) - 1:
                ctx.set(dut.numbered, 0)
            for piece in pieces(bytes(8) + bytes([number, 0, 0, 0, flag, 0, 0, 0]) + bytes(16)):
                names = {name: piece[name] for name in ("data", "size", "first", "last")}
                ctx.set(dut.i.p, names | dict.fromkeys(("good", "udp", "sum_right"), 1))
                ctx.set(dut.i.valid, 1)
                await ctx.tick()
                seen.append(ctx.get(dut.has_punctuations))

    simulate(dut, bench)
    expected = [(0, has, has, has) for has in (bool(flag & PUNCTUATIONS) for flag in flags[:-1])]
    assert seen == [int(bit) for bits in [*expected, (0, 0, 0, 0)] for bit in bits]


def test_without_numbers():
    """Nothing is read from the datagrams, and the next number stays 0."""
    assert run([(7, 0, True), (7, 0, True)], numbered=False) == [("taken", 0, 0)] * 2


@pytest.mark.parametrize("number", [7, 0xFFFF_FFFF])
def test_a_datagram_without_a_number_is_in_order(number):
    """The datagram before has a number that is not in order: 7 is ahead of 0, 2**32 - 1 behind."""
    dut, seen = DatagramOrder(), []

    async def bench(ctx):
        for numbered in (1, 0):
            ctx.set(dut.numbered, numbered)
            for piece in pieces(bytes(8) + number.to_bytes(4, "little") + bytes(20)):
                names = {name: piece[name] for name in ("data", "size", "first", "last")}
                ctx.set(dut.i.p, names | dict.fromkeys(("good", "udp", "sum_right"), 1))
                ctx.set(dut.i.valid, 1)
                await ctx.tick()
            ctx.set(dut.i.valid, 0)
            seen.append((ctx.get(dut.repeated), ctx.get(dut.ahead)))

    simulate(dut, bench)
    assert seen == [(number != 7, number == 7), (0, 0)]


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_are_switched_in_the_middle_of_a_datagram(first):
    """The setting at the first piece decides for the datagram, also when it is accepted."""
    dut, seen = DatagramOrder(), []

    async def bench(ctx):
        # Of each datagram its number, ``numbered`` at the first piece and later, and ``taken``.
        for number, begin, later, is_accepted in ((0, 1, 1, 1), (9, first, 1 - first, 1 - first)):
            for place, piece in enumerate(pieces(bytes(8) + bytes([number, *bytes(23)]))):
                ctx.set(dut.numbered, later if place else begin)
                names = {name: piece[name] for name in ("data", "size", "first", "last")}
                ctx.set(dut.i.p, names | dict.fromkeys(("good", "udp", "sum_right"), 1))
                ctx.set(dut.i.valid, 1)
                _, _, is_number = await ctx.tick().sample(dut.is_number)
                assert is_number == (begin and place == 1)
            ctx.set(dut.i.valid, 0)
            ctx.set(dut.taken, is_accepted)
            await ctx.tick()
            ctx.set(dut.taken, 0)
            seen.append(ctx.get(dut.received))

    simulate(dut, bench)
    assert seen == [1, 0]


def test_random_numbers():
    rng, received, expected, datagrams = random.Random(3), 0, [], []
    for _ in range(300):
        number = (received + rng.choice([0, 0, 0, -1, 1, 2, 5, -7, 2**31 - 1, 2**31])) % 2**32
        flags, good = rng.choice([0, 0, SKIP]), rng.random() < 0.9
        datagrams.append((number, flags, good))
        distance = (number - received) % 2**32
        if distance >= 2**31:
            expected.append(("repeated", 0, received))
        elif distance and not flags & SKIP:
            expected.append(("ahead", 0, received))
        elif good:
            received = (number + 1) % 2**32
            expected.append(("taken", distance, received))
        else:
            expected.append((None, 0, received))
    assert run(datagrams) == expected
