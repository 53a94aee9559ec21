"""The transmitter of the UART: bits of the right length, no gap between bytes, a reset."""

import random

import pytest
from amaranth.hdl import ResetInserter, Signal
from amaranth.sim import Simulator

from rtl.serial.bit_time import BitTime
from rtl.serial.transmitter import UartTransmitter
from tb.bench.unit import put
from tb.rtl.serial.uart_line import bytes_of

CLOCK = 25e6


def sent(line, baud, stall=0.0):
    """Returns the levels of the line, one of each cycle, while bytes are sent."""
    dut = UartTransmitter(BitTime(CLOCK, baud))
    samples = []

    async def source(ctx):
        await put(ctx, dut.i, list(line), stall, random.Random(1))

    async def sink(ctx):
        pauses = 2 * len(line) / (1 - stall) if stall else 0
        for _ in range(int((len(line) * 10 + 12) * CLOCK / baud + pauses)):
            samples.append((await ctx.tick().sample(dut.txd))[2])

    simulator = Simulator(dut)
    simulator.add_clock(1 / CLOCK)
    simulator.add_testbench(source)
    simulator.add_testbench(sink)
    simulator.run()
    return samples


@pytest.mark.parametrize("baud", [3_125_000, 3_000_000, 1_152_000])
def test_bytes_without_a_gap(baud):
    """The whole line has the right length to half a cycle, so no bit is long or short for good.

    The first byte is offered in cycle 0, and its start bit comes after the latency.
    """
    line = bytes([0x00, 0xFF, 0x55, 0xAA, *random.Random(baud).randbytes(20), 0])
    samples = sent(line, baud)
    received, longest = bytes_of(samples, CLOCK / baud)
    assert received == line
    assert longest <= 0.13  # a cycle
    assert samples.index(0) == UartTransmitter.latency
    first, last = samples.index(0), len(samples) - 1 - samples[::-1].index(0)
    # The last byte is 0, so the last low sample is the end of its ninth bit.
    assert last + 1 - first == pytest.approx((10 * len(line) - 1) * CLOCK / baud, abs=1.5)


def test_a_slow_source():
    """The line is high between bytes."""
    line = random.Random(3).randbytes(6)
    received, longest = bytes_of(sent(line, 3e6, stall=0.995), CLOCK / 3e6)
    assert received == line
    assert longest > 2


@pytest.mark.parametrize("bit", range(9))
def test_a_reset_cuts_a_byte(bit):
    """The line is high from the next cycle on, and a later byte is whole."""
    baud, reset, samples = 1_152_000, Signal(), []
    dut = UartTransmitter(BitTime(CLOCK, baud))
    cycles = CLOCK / baud
    cut = int((bit + 0.5) * cycles)

    async def bench(ctx):
        ctx.set(dut.i.p, 0)
        ctx.set(dut.i.valid, 1)
        await ctx.tick().until(dut.i.ready)
        ctx.set(dut.i.valid, 0)
        for _ in range(cut):
            await ctx.tick()
        assert not ctx.get(dut.txd)
        ctx.set(reset, 1)
        await ctx.tick()
        ctx.set(reset, 0)
        for _ in range(int(10 * cycles)):
            assert ctx.get(dut.txd)
            await ctx.tick()
        ctx.set(dut.i.p, 0x5A)
        ctx.set(dut.i.valid, 1)
        await ctx.tick().until(dut.i.ready)
        ctx.set(dut.i.valid, 0)
        for _ in range(int(11 * cycles)):
            samples.append(ctx.get(dut.txd))
            await ctx.tick()

    simulator = Simulator(ResetInserter(reset)(dut))
    simulator.add_clock(1 / CLOCK)
    simulator.add_testbench(bench)
    simulator.run()
    assert bytes_of(samples, cycles)[0] == b"\x5a"
