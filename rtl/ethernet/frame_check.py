"""Turns the pins of a MAC into pieces, and checks the size and the FCS of each frame."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.contract.counters import Counter, events
from rtl.ethernet.piece import BYTES, count_first, flow, lowest_bytes, piece
from rtl.stream.axi_stream import axi_stream_members

#: Bytes of an Ethernet header without the tag of a VLAN.
HEADER = 14


class FrameCheck(wiring.Component):
    """Turns every beat of a MAC into a piece, without a stall, and marks bad frames.

    At ``bus`` a frame has no preamble and no FCS. It begins with its destination, and its first
    byte is the lowest. ``tuser`` with ``tlast`` says that the FCS was wrong. ``tkeep`` counts with
    ``tlast`` only, and has its ones lowest. All pieces of a bad frame leave; its last piece has
    ``good`` 0.

    A reset within a frame drops the frame, uncounted. The register that follows the ends of frames
    survives the reset, so that the rest of a frame is never taken for a frame: it may contain
    another frame. There is one exception. A cycle without a beat in the second or a later cycle of
    a reset, or directly after the reset, means that the MAC was reset, too. Then the MAC does not
    send the rest, and the next beat begins a frame.

    Latency 2 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    shortest, longest : int
        Minimum and maximum number of bytes of a frame. The FCS does not count; a VLAN's tag of 4
        bytes counts. Ethernet requires at least 60; some virtual links carry shorter frames.

    Members
    -------
    bus : Out(the ports of :func:`axi_stream_members`)
        ``tready`` is always high.
    o : Out(flow(piece(good=1)))
        A stream; ``good`` holds with ``last``.
    events : Out(events(FrameCheck.counters))
        For each frame, the first event that applies.
    """

    latency = 2
    initiation_interval = 1

    counters = (
        Counter(name="bad_fcs", doc="frames with a wrong check sequence, according to the MAC"),
        Counter(name="giant", doc="frames above the maximum length"),
        Counter(name="runt", doc="frames below the minimum length"),
    )

    def __init__(self, *, shortest=60, longest=1518):
        if not isinstance(shortest, int) or shortest < HEADER:
            raise ValueError(f"shortest must be an integer of at least {HEADER}, not {shortest!r}")
        if not isinstance(longest, int) or not shortest <= longest < 1 << 16:
            raise ValueError(f"longest must be {shortest} to 65535, not {longest!r}")
        self._shortest = shortest
        self._longest = longest
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_stream_members(BYTES, In, user=1))),
                "o": Out(flow(piece(good=1))),
                "events": Out(events(self.counters)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        piece_limit = self._longest // BYTES + 1  # the count saturates here: a giant
        piece_count = Signal(bits_for(piece_limit))  # pieces before this one
        between_frames = Signal(init=1, reset_less=True)
        awake = Signal()  # a cycle has passed since the reset
        frame_begun = Signal()  # a frame has begun since the reset
        input_piece = Signal(piece(bad_fcs=1), reset_less=True)
        frame_bytes = Signal(range(BYTES * (piece_limit + 1) + 1))
        valid = Signal()
        size = Signal(input_piece.size.shape())
        bus = self.bus
        m.d.comb += [
            bus.tready.eq(1),
            size.eq(Mux(bus.tlast, sum(bus.tkeep[k] for k in range(BYTES)), BYTES)),
        ]
        m.d.sync += [valid.eq(bus.tvalid & (between_frames | frame_begun)), awake.eq(1)]
        with m.If(~bus.tvalid & ~awake):
            m.d.sync += between_frames.eq(1)
        with m.If(bus.tvalid):
            m.d.sync += [
                input_piece.data.eq(bus.tdata),
                input_piece.size.eq(size),
                input_piece.first.eq(between_frames),
                input_piece.last.eq(bus.tlast),
                input_piece.bad_fcs.eq(bus.tuser),
                frame_bytes.eq(piece_count * BYTES + size),
                between_frames.eq(bus.tlast),
                frame_begun.eq(between_frames | frame_begun),
                piece_count.eq(
                    Mux(bus.tlast, 0, Mux(piece_count == piece_limit, piece_limit, piece_count + 1))
                ),
            ]
        counted = Signal(self.events.shape())
        good = count_first(
            m,
            counted,
            valid & input_piece.last,
            [
                ("bad_fcs", input_piece.bad_fcs),
                ("giant", frame_bytes > self._longest),
                ("runt", frame_bytes < self._shortest),
            ],
        )
        out = Signal(self.o.p.shape(), reset_less=True)
        out_valid = Signal()
        m.d.sync += [
            out_valid.eq(valid),
            out.data.eq(lowest_bytes(input_piece.data, input_piece.size)),
            *(out[name].eq(input_piece[name]) for name in ("size", "first", "last")),
            out.good.eq(good),
        ]
        m.d.sync += self.events.eq(counted)
        m.d.comb += [self.o.valid.eq(out_valid), self.o.p.eq(out)]
        return m
