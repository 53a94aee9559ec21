"""Parts of the face in amaranth's simulator: frames at the pins, and pieces."""

import numpy as np

from sim.wire.run import beats, packets
from tb.bench.unit import simulate


def pieces(frame, **more):
    """A frame as pieces; ``more`` goes along with all of them."""
    made = []
    for start in range(0, max(1, len(frame)), 8):
        part = frame[start : start + 8]
        made.append(
            {
                "data": int.from_bytes(part, "little"),
                "size": len(part),
                "first": start == 0,
                "last": start + 8 >= len(frame),
                **more,
            }
        )
    return made


def joined(found):
    """The bytes of pieces, frame by frame, each with its last piece."""
    whole, begun, inside = [], b"", False
    for piece in found:
        data = piece["data"].to_bytes(8, "little")
        assert piece["first"] == (not inside)
        assert data[piece["size"] :].strip(b"\0") == b""
        begun, inside = begun + data[: piece["size"]], not piece["last"]
        if piece["last"]:
            whole.append((begun, piece))
            begun = b""
    assert begun == b""
    return whole


def drive(dut, frames, *, bus="bus", out="o", users=None, ports=(), tail=60):
    """Puts frames into the AXI4-Stream ``bus``, without a gap unless it waits.

    Returns
    -------
    (list of beats at ``out``, list of (cycle, event), list of the cycle of each beat taken)
    """
    given = beats(frames, users)
    found, counted, taken = [], [], []

    async def testbench(ctx):
        for name, value in dict(ports).items():
            ctx.set(getattr(dut, name), value)
        side, to = getattr(dut, bus), getattr(dut, out) if out else None
        names = [name for name, _ in dut.events.shape()]
        if to is not None:
            ctx.set(to.tready, 1)
        at = cycle = quiet = 0
        while quiet < tail:
            more = at < len(given)
            ctx.set(side.tvalid, more)
            if more:
                for name in ("data", "keep", "last"):
                    ctx.set(getattr(side, f"t{name}"), int(given[at][name]))
                if hasattr(side, "tuser"):
                    ctx.set(side.tuser, int(given[at]["user"]))
            sampled = [side.tready, dut.events.as_value()]
            if to is not None:
                sampled += [to.tvalid, to.tdata, to.tkeep, to.tlast]
            _, _, ready, bits, *beat = await ctx.tick().sample(*sampled)
            quiet += 1
            if more and ready:
                taken.append(cycle)
                at, quiet = at + 1, 0
            if bits:
                counted.extend((cycle, n) for k, n in enumerate(names) if bits >> k & 1)
                quiet = 0
            if beat and beat[0]:
                found.append((cycle, *beat[1:]))
                quiet = 0
            cycle += 1

    simulate(dut, testbench)
    return found, counted, taken


def packets_of(found):
    """Packets of what :func:`drive` saw, and what is behind the last."""
    kinds = [("cycle", "<u8"), ("data", "<u8"), ("keep", "u1"), ("last", "u1")]
    return packets(np.array(found, np.dtype(kinds)))
