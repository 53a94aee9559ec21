"""The MAC of a serial line between its two wires and the beats of frames."""

import random

import pytest
from amaranth.hdl import ClockDomain, Module, ResetSignal, Signal
from amaranth.sim import Simulator

from rtl.serial.bit_time import BitTime
from rtl.serial.mac import SerialMac
from sim.wire.run import beats
from tb.rtl.ethernet.pins import packets_of
from tb.rtl.serial.lines import frame, frames_of, line_of
from tb.rtl.serial.uart_line import bytes_of, driver, levels_of

#: The serial clock, and two of the engine: a little slower and much faster.
SERIAL, SLOW, FAST = 25e6, 19e6, 91e6
BAUD = 3.125e6
#: Seconds of a reset: longer than a byte, so that a byte that is cut ends before the next one.
RESET = 12 / BAUD
REGRESS = pytest.mark.regress


class Bench:
    """A MAC with clocks and a reset; records the frames of ``rx`` and the levels of ``txd``.

    Parameters
    ----------
    engine : float
        Frequency of the domain ``sync``.
    byte_count : int
        Bytes on the line after which the simulation ends.
    is_stalled : callable
        Tells for a number of cycles of ``sync`` whether ``rx`` is stalled.
    pauses : callable
        Tells for the same whether ``tx`` offers no new beat.
    """

    def __init__(self, engine, byte_count, is_stalled=None, pauses=None):
        self.mac = SerialMac(BitTime(SERIAL, BAUD))
        self.reset = Signal()
        module = Module()
        for name in ("sync", "serial"):
            module.domains += ClockDomain(name)
            module.d.comb += ResetSignal(name).eq(self.reset)
        module.submodules.mac = self.mac
        self._cycles = int((10 * byte_count + 60) / BAUD * engine)
        self._is_stalled = is_stalled or (lambda cycle: False)
        self._pauses = pauses or (lambda cycle: False)
        self._beats, self._samples = [], []
        self._simulator = Simulator(module)
        self._simulator.add_clock(1 / engine)
        self._simulator.add_clock(1 / SERIAL, domain="serial")

    def run(self, levels=(), frames=(), reset=None, error=0.0):
        """Drives the line with ``levels``, sends ``frames``, and resets after so many seconds."""

        async def send(ctx):
            await self._send(ctx, frames)

        async def cut(ctx):
            await ctx.delay(reset)
            ctx.set(self.reset, 1)
            await ctx.delay(RESET)
            ctx.set(self.reset, 0)

        simulator = self._simulator
        simulator.add_testbench(self._receive)
        simulator.add_testbench(self._sample, background=True)
        simulator.add_testbench(send, background=True)
        simulator.add_process(driver(self.mac.rxd, levels, 1 / BAUD / (1 + error)))
        if reset is not None:
            simulator.add_testbench(cut, background=True)
        simulator.run()
        return self

    @property
    def frames(self):
        """The frames of ``rx``, each with its damage."""
        packets, partial_packet = packets_of([beat[:4] for beat in self._beats])
        assert partial_packet == b""
        marks = [bool(user) for *_, last, user in self._beats if last]
        return list(zip(packets, marks, strict=True))

    @property
    def line(self):
        """Bytes that were sent, and the longest pause between two in bits."""
        return bytes_of(self._samples, SERIAL / BAUD)

    async def _receive(self, ctx):
        rx = self.mac.rx
        for cycle in range(self._cycles):
            ctx.set(rx.tready, not self._is_stalled(cycle))
            _, reset, valid, ready, *beat = await ctx.tick().sample(
                rx.tvalid, rx.tready, rx.tdata, rx.tkeep, rx.tlast, rx.tuser
            )
            if valid and ready:
                self._beats.append((0, *beat))
            while reset and self._beats and not self._beats[-1][3]:
                self._beats.pop()  # the network face forgets a frame that a reset cuts

    async def _sample(self, ctx):
        while True:
            self._samples.append((await ctx.tick("serial").sample(self.mac.txd))[2])

    async def _send(self, ctx, frames):
        """Offers frames; a reset ends a frame, as it resets the network face, too."""
        tx = self.mac.tx
        cycle = 0
        for body in frames:
            for beat in beats([body]):
                while self._pauses(cycle):
                    await ctx.tick()
                    cycle += 1
                ctx.set(tx.tvalid, 1)
                for name in ("data", "keep", "last"):
                    ctx.set(getattr(tx, f"t{name}"), int(beat[name]))
                ready = reset = False
                while not (ready or reset):
                    _, reset, ready = await ctx.tick().sample(tx.tready)
                    cycle += 1
                ctx.set(tx.tvalid, 0)
                if reset:
                    while reset:
                        _, reset = await ctx.tick()
                    break


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("sizes", "engine", "stall", "error"),
    [
        ([60, 61], SLOW, 0.3, 0.02),
        pytest.param([64], FAST, 0.0, -0.02, marks=REGRESS),
        pytest.param([*range(60, 69), 300, 1518, 60], SLOW, 0.3, 0.02, marks=REGRESS),
        pytest.param([600, 60], FAST, 0.1, -0.02, marks=REGRESS),
    ],
)
def test_both_directions(sizes, engine, stall, error):
    """Frames back to back, in both directions at once, at a wrong baud rate, with stalls."""
    rng = random.Random(len(sizes))
    inward, outward = ([frame(rng, size) for size in sizes] for _ in range(2))
    line = b"".join(map(line_of, inward))

    def stalls(cycle):
        return stall and rng.random() < stall

    bench = Bench(engine, int(1.03 * len(line)) + 20, stalls, stalls)
    bench.run(levels_of(line), outward, error=error)
    assert bench.frames == [(body, False) for body in inward]
    sent, longest = bench.line
    assert sent == b"".join(map(line_of, outward))
    assert longest <= 0.2  # no pause, not even between frames


def damaged_lines(body, rng):
    """Yields the bytes of a frame on the line with each kind of damage, then noise."""
    line = line_of(body)
    place = rng.randrange(2, len(line) - 2)
    for change in (
        bytes([line[place] % 255 + 1]),
        b"",
        line[place : place + 1] * 2,
        b"\0",
    ):
        yield line[:place] + change + line[place + 1 :]
    yield b"\x91\x03"
    yield b"\xff"


@pytest.mark.in_turn
def test_damage_is_told_and_damages_no_other_frame():
    """A wrong, a lost, a doubled byte, a 0, noise: the plain model agrees, and no more is bad."""
    rng = random.Random(4)
    good, other = (frame(rng, 16) for _ in range(2))
    line = b"".join(line_of(good) + damaged for damaged in damaged_lines(other, rng))
    line += line_of(good)
    bench = Bench(SLOW, len(line)).run(levels_of(line))
    assert bench.frames == frames_of(line)
    assert [body for body, is_bad in bench.frames if not is_bad] == [good] * 7
    assert sum(is_bad for _, is_bad in bench.frames) == 7  # the 0 makes two of a frame
    assert bench.line == (b"", 0.0)


def test_a_byte_without_a_stop_bit():
    rng = random.Random(5)
    bodies = [frame(rng, 16) for _ in range(2)]
    line = b"".join(map(line_of, bodies))
    bench = Bench(SLOW, len(line)).run(levels_of(line, {10}))
    assert [is_bad for _, is_bad in bench.frames] == [True, False]
    assert bench.frames[1] == (bodies[1], False)


def test_a_long_stall_damages_one_frame():
    """``rx`` is stalled for 35 bytes of the first frame."""
    rng = random.Random(6)
    bodies = [frame(rng, 50) for _ in range(2)]
    line = b"".join(map(line_of, bodies))
    byte_cycles = 10 / BAUD * SLOW
    bench = Bench(SLOW, len(line), lambda cycle: 15 < cycle / byte_cycles < 50)
    bench.run(levels_of(line))
    assert [is_bad for _, is_bad in bench.frames] == [True, False]
    assert bench.frames[1] == (bodies[1], False)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("place", [1, *(pytest.param(place, marks=REGRESS) for place in (13, 26))])
def test_a_reset_in_a_frame(place):
    """The reset comes with byte ``place`` of the first frame, in both directions.

    The rest of the received frame is ignored, and the next frame is right. One sent frame is cut,
    frames that waited behind it are lost, and all others are right.
    """
    rng = random.Random(place)
    inward = [frame(rng, 24) for _ in range(2)]
    outward = [frame(rng, 24) for _ in range(4)]
    line = b"".join(map(line_of, inward))
    bench = Bench(SLOW, len(line) + 80)
    bench.run(levels_of(line), outward, reset=(20 + 10 * place + 4) / BAUD)
    assert bench.frames == [(inward[1], False)]
    sent = frames_of(bench.line[0])
    cut = [is_bad for _, is_bad in sent].index(True)
    assert [body for body, _ in sent[:cut]] == outward[:cut]
    later_frames = sent[cut + 1 :]
    assert later_frames
    assert later_frames == [(body, False) for body in outward[-len(later_frames) :]]


def test_a_frame_right_after_a_reset():
    """The engine is much faster than the UART, which leaves the reset some cycles later."""
    rng = random.Random(8)
    outward = [frame(rng, 20) for _ in range(2)]
    bench = Bench(FAST, 32).run((), outward, reset=1e-9)
    assert bench.line[0] == line_of(outward[1])
