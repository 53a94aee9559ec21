"""The receiver of the UART: edges at any time, baud errors, noise, stop bits, lost bytes."""

import random

import pytest
from amaranth.sim import Simulator

from rtl.serial.bit_time import BitTime
from rtl.serial.receiver import UartReceiver
from tb.rtl.serial.uart_line import driver, levels_of

CLOCK = 25e6


def received(levels, baud, error=0.0, phase=0.0, ready=lambda cycle: True, cycles_of=None):
    """Returns (byte, error) of the bytes that the receiver gives for levels of the line.

    ``cycles_of`` is a list that gets the cycle of each byte.
    """
    dut = UartReceiver(BitTime(CLOCK, baud))
    result = []
    cycles = int((sum(bits for _, bits in levels) / (1 + error) + 40) * CLOCK / baud)

    async def testbench(ctx):
        for cycle in range(cycles):
            ctx.set(dut.o.ready, ready(cycle))
            _, _, valid, is_ready, item = await ctx.tick().sample(
                dut.o.valid, dut.o.ready, dut.o.payload
            )
            if valid and is_ready:
                result.append((item["data"], bool(item["error"])))
                if cycles_of is not None:
                    cycles_of.append(cycle)

    simulator = Simulator(dut)
    simulator.add_clock(1 / CLOCK)
    simulator.add_testbench(testbench)
    simulator.add_process(driver(dut.rxd, levels, 1 / baud / (1 + error), phase))
    simulator.run()
    return result


@pytest.mark.in_turn
@pytest.mark.parametrize("error", [-0.02, 0.0, 0.02, -0.035, 0.035])
@pytest.mark.parametrize("baud", [3_125_000, 3_000_000, 1_152_000])
def test_bytes_at_a_wrong_baud_rate(baud, error):
    """Bytes without a pause, at the receiver's rate, and at 2 % and 3.5 % more and less.

    The stop bit is sampled 9.5 bits after the edge of the start bit, up to a cycle (1/8 bit) late
    or early. So a sender may be 3.9 % too fast: 9.625 bits of the receiver are 10 bits of this
    sender.

    A bit takes 8, 8 1/3 or 21.7 cycles. A byte takes no whole number of cycles, so the phase
    between edges and clock changes from byte to byte; only 8 cycles without an error keep the
    random phase of the first byte.
    """
    rng = random.Random(int(baud * (1 + error)))
    line = bytes([0x00, 0xFF, 0x55, 0xAA, *rng.randbytes(30)])
    levels = levels_of(line)
    assert received(levels, baud, error, rng.random()) == [(byte, False) for byte in line]


def test_an_edge_of_noise_is_no_byte():
    levels = [*levels_of(b"a"), (0, 0.3), (1, 3), *levels_of(b"b")]
    assert received(levels, 3e6) == [(ord("a"), False), (ord("b"), False)]


def test_a_byte_without_a_stop_bit_has_an_error():
    line = b"abc"
    assert received(levels_of(line, {1}), 3e6) == [
        (byte, place == 1) for place, byte in enumerate(line)
    ]


def test_a_line_that_stays_low_is_one_byte():
    """A break, or a cable that has been pulled out, gives one byte with an error."""
    levels = [*levels_of(b"a"), (0, 40), (1, 2), *levels_of(b"b")]
    assert received(levels, 3e6) == [(ord("a"), False), (0, True), (ord("b"), False)]


def test_a_lost_byte_marks_the_next_one():
    """``o`` is stalled while bytes 2 to 4 come: the first of them waits, the others are lost."""
    bit = CLOCK / 3e6
    first, last = (20 + 15) * bit, (20 + 45) * bit
    result = received(levels_of(b"abcdef"), 3e6, ready=lambda cycle: not first < cycle < last)
    assert result == [(97, False), (98, False), (101, True), (102, False)]


def test_a_byte_may_be_taken_in_any_cycle_around_the_end_of_the_next():
    """``o`` is stalled from before the end of the first byte on, until around that of the second.

    The second byte is there if the first is taken no later than in the cycle in which it ends;
    otherwise it is lost, and the third is marked.
    """
    bit, results, cycles = CLOCK / 3e6, [], []
    received(levels_of(b"abc"), 3e6, cycles_of=cycles)
    second_ends = cycles[1] - 1  # a byte is at ``o`` in the cycle after its end
    ends = range(second_ends - 5, second_ends + 6)
    for end in ends:
        stalled = range(int(25 * bit), end)
        results.append(
            received(levels_of(b"abc"), 3e6, ready=lambda at, stalled=stalled: at not in stalled)
        )
    complete, cut = [(97, False), (98, False), (99, False)], [(97, False), (99, True)]
    assert results == [complete if end <= second_ends else cut for end in ends]
