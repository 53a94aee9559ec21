"""Frames that are too short, too long, or cut by a reset."""

import numpy as np
import pytest
from amaranth.hdl import ResetInserter, Signal

from rtl.ethernet.frame_check import FrameCheck
from sim.wire.run import beats
from tb.bench.unit import simulate
from tb.rtl.ethernet.pins import drive
from tb.rtl.ethernet.received import by_hand


@pytest.mark.parametrize(("shortest", "longest"), [(20, 40), (24, 39), (17, 17), (60, 1518)])
def test_lengths(shortest, longest):
    sizes = [*range(shortest - 10, shortest + 10), *range(longest - 10, longest + 20)]
    frames = [bytes(range(1, 256)) * 7 for _ in sizes]
    frames = [frame[:size] for frame, size in zip(frames, sizes, strict=True)]
    dut = FrameCheck(shortest=shortest, longest=longest)
    _, counted, accepted = drive(dut, frames, out=None)
    assert accepted == list(range(sum(-(-size // 8) for size in sizes)))
    expected = ["giant" if s > longest else "runt" for s in sizes if not shortest <= s <= longest]
    assert [name for _, name in counted] == expected


@pytest.mark.parametrize("keep", [0x00, 0x3F])
def test_keep_counts_in_the_last_beat_only(keep):
    """A MAC may show anything in ``tkeep`` before the last beat."""
    frames = [bytes(range(100)), bytes(range(64)), bytes(range(20)), bytes(range(77))]
    dut, sizes, events = FrameCheck(shortest=60, longest=90), [], []
    sent = beats(frames)
    sent["keep"] = np.where(sent["last"], sent["keep"], keep)

    async def testbench(ctx):
        for cycle in range(len(sent) + 8):
            beat = sent[cycle] if cycle < len(sent) else None
            ctx.set(dut.bus.tvalid, beat is not None)
            for name in ("data", "keep", "last") if beat is not None else ():
                ctx.set(getattr(dut.bus, f"t{name}"), int(beat[name]))
            ports = dut.events.as_value(), dut.o.valid, dut.o.p.last, dut.o.p.good, dut.o.p.size
            _, _, event, valid, last, good, size = await ctx.tick().sample(*ports)
            events.extend([cycle] if event else [])
            sizes.extend([(size, good)] if valid and last else [(size, None)] if valid else [])

    simulate(dut, testbench)
    piece_sizes = [[8] * ((len(frame) - 1) // 8) + [(len(frame) - 1) % 8 + 1] for frame in frames]
    good = [60 <= len(frame) <= 90 for frame in frames]
    assert [size for size, _ in sizes] == [size for frame in piece_sizes for size in frame]
    assert [bool(is_good) for _, is_good in sizes if is_good is not None] == good
    assert len(events) == good.count(False)


@pytest.mark.parametrize("cycles", [1, 2, 5])
def test_the_rest_of_a_frame_behind_a_reset_is_no_frame(cycles):
    """The MAC is not reset: it continues a frame that contains a good frame, from any beat on.

    The outer frame may end before the reset is over, or be followed by other frames.
    """
    inner = next(frame for name, frame in by_hand() if name == "datagrams")
    for at in range(14):
        reset, dut, reports = Signal(), FrameCheck(), []
        frames = [bytes(8 * (at + cycles)) + inner, inner, bytes(100)[:40], inner]
        sent = beats(frames)

        async def testbench(ctx, dut=dut, reset=reset, reports=reports, sent=sent, at=at):
            for cycle in range(len(sent) + 8):
                beat = sent[cycle] if cycle < len(sent) else None
                ctx.set(reset, at <= cycle < at + cycles)
                ctx.set(dut.bus.tvalid, beat is not None)
                for name in ("data", "keep", "last") if beat is not None else ():
                    ctx.set(getattr(dut.bus, f"t{name}"), int(beat[name]))
                ports = (
                    dut.events.as_value(),
                    dut.o.valid,
                    dut.o.p.first,
                    dut.o.p.last,
                    dut.o.p.good,
                )
                _, _, events, valid, first, last, good = await ctx.tick().sample(*ports)
                reports.extend(["runt"] if events else [])
                reports.extend(["begin"] if valid and first and cycle > at + cycles else [])
                reports.extend(["good"] if valid and last and good else [])

        simulate(ResetInserter(reset)(dut), testbench)
        assert reports == ["begin", "good", "begin", "runt", "begin", "good"]


def test_frames_that_begin_within_a_reset_are_gone():
    """Ends and beginnings of frames are followed through the reset; the first frame after it is
    complete."""
    inner = next(frame for name, frame in by_hand() if name == "datagrams")
    sent, reset, dut, good = beats([inner] * 4), Signal(), FrameCheck(), []
    size = len(sent) // 4

    async def testbench(ctx):
        for cycle in range(len(sent) + 8):
            ctx.set(reset, 3 <= cycle < size + 3)
            ctx.set(dut.bus.tvalid, cycle < len(sent))
            for name in ("data", "keep", "last") if cycle < len(sent) else ():
                ctx.set(getattr(dut.bus, f"t{name}"), int(sent[cycle][name]))
            ports = dut.o.valid, dut.o.p.last, dut.o.p.good
            _, _, valid, last, is_good = await ctx.tick().sample(*ports)
            good.extend([cycle] if valid and last and is_good else [])

    simulate(ResetInserter(reset)(dut), testbench)
    assert good == [k * size - 1 + FrameCheck.latency for k in (3, 4)]


@pytest.mark.parametrize(
    ("cycles", "own_beats", "pause", "good"),
    [
        *((1, 1, 0, 1), (3, 3, 0, 1)),  # no pause
        (1, 0, 0, 1),  # in the first cycle of the reset, so the MAC may have paused by itself
        *((1, 1, 1, 2), (1, 0, 1, 2)),  # directly after the reset
        *((2, 1, 0, 2), (3, 1, 0, 2), (3, 2, 0, 2)),
    ],
)
def test_a_late_pause_means_that_the_mac_was_reset_too(cycles, own_beats, pause, good):
    """The reset cuts a frame, and two good frames follow ``pause`` cycles after it.

    In the reset ``own_beats`` beats of the cut frame come, and then none. If the MAC was not reset,
    the first of the two frames is taken for the rest of the cut one.
    """
    inner = next(frame for name, frame in by_hand() if name == "datagrams")
    cut = list(beats([bytes(200)])[: 4 + own_beats])
    sent = [*cut, *[None] * (cycles - own_beats + pause), *beats([inner, inner])]
    reset, dut, ends = Signal(), FrameCheck(), []

    async def testbench(ctx):
        for cycle in range(len(sent) + 8):
            beat = sent[cycle] if cycle < len(sent) else None
            ctx.set(reset, 4 <= cycle < 4 + cycles)
            ctx.set(dut.bus.tvalid, beat is not None)
            for name in ("data", "keep", "last") if beat is not None else ():
                ctx.set(getattr(dut.bus, f"t{name}"), int(beat[name]))
            ports = dut.o.valid, dut.o.p.last, dut.o.p.good
            _, _, valid, last, is_good = await ctx.tick().sample(*ports)
            ends.extend([is_good] if valid and last else [])

    simulate(ResetInserter(reset)(dut), testbench)
    assert ends == [1] * good


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FrameCheck(shortest=13), r"shortest must be an integer of at least 14, not 13"),
        (lambda: FrameCheck(longest=59), r"longest must be 60 to 65535, not 59"),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
