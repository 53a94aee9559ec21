"""Signals of a stream of frames between a board's MAC and an engine."""

from amaranth.hdl import Signal

#: Bytes of a beat.
BYTES = 8


def frame_signals(side: str, *, user: bool) -> dict[str, Signal]:
    """Returns the signals of an AXI4-Stream of 64 bits by their AXI role.

    ``side`` begins their names. With ``user`` the stream has ``tuser``, which marks a damaged frame
    with its last beat.
    """
    widths = {"tvalid": 1, "tready": 1, "tdata": 8 * BYTES, "tkeep": BYTES, "tlast": 1}
    widths |= {"tuser": 1} if user else {}
    return {role: Signal(bits, name=f"{side}_{role}") for role, bits in widths.items()}
