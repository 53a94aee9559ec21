"""Parts of the network face in amaranth's simulator: frames at the pins, and pieces."""

import numpy as np

from sim.wire.run import beats, packets
from tb.bench.unit import simulate


def pieces(frame, **fields):
    """Returns a frame as pieces; ``fields`` are the same in all of them."""
    result = []
    for start in range(0, max(1, len(frame)), 8):
        part = frame[start : start + 8]
        result.append(
            {
                "data": int.from_bytes(part, "little"),
                "size": len(part),
                "first": start == 0,
                "last": start + 8 >= len(frame),
                **fields,
            }
        )
    return result


def joined(received):
    """Returns (bytes, last piece) of each frame in a sequence of pieces."""
    frames, current, in_frame = [], b"", False
    for piece in received:
        data = piece["data"].to_bytes(8, "little")
        assert piece["first"] == (not in_frame)
        assert data[piece["size"] :].strip(b"\0") == b""
        current, in_frame = current + data[: piece["size"]], not piece["last"]
        if piece["last"]:
            frames.append((current, piece))
            current = b""
    assert current == b""
    return frames


def drive(dut, frames, *, bus="bus", out="o", users=None, ports=(), tail=60):
    """Puts frames into the AXI4-Stream ``bus``, without a gap unless it waits.

    Returns
    -------
    (list of beats at ``out``, list of (cycle, event), list of the cycle of each beat taken)
    """
    sent = beats(frames, users)
    received, events, accepted = [], [], []

    async def testbench(ctx):
        for name, value in dict(ports).items():
            ctx.set(getattr(dut, name), value)
        side, to = getattr(dut, bus), getattr(dut, out) if out else None
        names = [name for name, _ in dut.events.shape()]
        if to is not None:
            ctx.set(to.tready, 1)
        index = cycle = quiet = 0
        while quiet < tail:
            offers = index < len(sent)
            ctx.set(side.tvalid, offers)
            if offers:
                for name in ("data", "keep", "last"):
                    ctx.set(getattr(side, f"t{name}"), int(sent[index][name]))
                if hasattr(side, "tuser"):
                    ctx.set(side.tuser, int(sent[index]["user"]))
            sampled = [side.tready, dut.events.as_value()]
            if to is not None:
                sampled += [to.tvalid, to.tdata, to.tkeep, to.tlast]
            _, _, ready, bits, *beat = await ctx.tick().sample(*sampled)
            quiet += 1
            if offers and ready:
                accepted.append(cycle)
                index, quiet = index + 1, 0
            if bits:
                events.extend((cycle, n) for k, n in enumerate(names) if bits >> k & 1)
                quiet = 0
            if beat and beat[0]:
                received.append((cycle, *beat[1:]))
                quiet = 0
            cycle += 1

    simulate(dut, testbench)
    return received, events, accepted


def packets_of(received):
    """Returns packets of the beats that :func:`drive` received, and the bytes after the last
    packet."""
    columns = [("cycle", "<u8"), ("data", "<u8"), ("keep", "u1"), ("last", "u1")]
    return packets(np.array(received, np.dtype(columns)))


def frames_of(sent):
    """Returns frames from pieces to be sent."""
    return packets_of([(0, p["data"], p["keep"], p["last"]) for p in sent])
