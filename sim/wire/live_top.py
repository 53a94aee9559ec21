"""Simulates the top of a generated directory between its MAC and its engine, frame by frame."""

from dataclasses import replace

import numpy as np

from query.errors import UserError
from sim.beats import Beats
from sim.directory_bench import bench_of
from sim.session import Session
from sim.wire.frames import FRAME_GAP, BadFrame

_BYTES = 8
#: Cycles without a beat after which the frames of one call count as answered.
_DRAIN = 64
#: Cycles without any transfer that count as a hang: more than any call waits for.
_IDLE = 1 << 40


class LiveTop:
    """A compiled model of a top with a network face, which takes frames and returns frames.

    The model advances only during calls, and keeps its state between them. Frames enter back to
    back, with the gap of Ethernet between them: 10 Gb/s at 156.25 MHz. Nothing makes them wait, as
    on a wire. The MAC behind ``m_axis_tx`` accepts a beat in every cycle.

    Parameters
    ----------
    description : host.description.Description
        Of a directory with a network face.
    cache : path-like or None
        Folder of the compiled models, see :func:`sim.directory_bench.bench_of`.
    seed : int
        Seed of the pauses of register accesses.
    level : str or None
        Optimisation level of the model's compiler, see :class:`~sim.bench.Bench`.

    Raises UserError if the directory lacks its Verilog or has no network face.

    Example: an ARP request enters as 60 bytes, in 8 cycles; the reply leaves within the
    64 quiet cycles at the end of the call.
    """

    def __init__(self, description, cache=None, seed=0, level=None):
        network = description.network
        if network is None:
            raise UserError(
                "this design has no network face: generate it with --set network=true",
                file=description.directory,
            )
        try:
            bench = bench_of(description, cache, level)
        except OSError as error:
            file = error.filename or description.directory
            raise UserError(f"cannot be read: {error.strerror}", file=file) from None
        self._rx, self._tx = network["rx"], network["tx"]
        self._session = Session(bench, seed=seed, idle_timeout=_IDLE)
        self._partial = []  # beats of a frame that has begun to leave
        self.cycle = 0

    def write(self, accesses):
        """Writes registers through ``s_axil``: pairs of address and value, in order.

        Frames that leave meanwhile are lost, so this is for the time before the first frame.
        """
        self._run(writes=accesses)

    def read(self, address):
        """Returns the value of a register through ``s_axil``; for the time before frames, too."""
        return self._run(reads=[address]).reads[0]

    def exchange(self, frames=(), drain=_DRAIN):
        """Sends frames to the top, and runs until no beat has moved for ``drain`` cycles.

        Parameters
        ----------
        frames : sequence of bytes
            From the destination's MAC on, without FCS. A frame of fewer than 60 bytes is a runt. A
            :class:`~sim.wire.frames.BadFrame` is marked as such, as a MAC does.
        drain : int

        Returns
        -------
        received, sent : list of (int, bytes)
            The frames that entered and that left, each with the cycle of its last beat.
        """
        marks = [isinstance(frame, BadFrame) for frame in frames]
        frames = [bytes(frame) for frame in frames]
        beats = {self._rx: _beats(frames, marks)} if frames else {}
        outcome = self._run(beats, drain=drain)
        received = []
        if frames:
            ends = outcome.inputs[self._rx].beat_cycles[beats[self._rx].last]
            received = list(zip(ends.tolist(), frames, strict=True))
        return received, self._frames(outcome.outputs[self._tx])

    def close(self):
        """Ends the simulation."""
        self._session.close()

    def _run(self, streams=(), **options):
        outcome = self._session.run(streams, **options).checked()
        self.cycle = outcome.cycles
        return outcome

    def _frames(self, stream):
        """Returns the complete frames of ``m_axis_tx``; keeps the beats of an incomplete one."""
        data, keep = stream.beats.data, stream.beats.keep
        frames = []
        start = 0
        for end in stream.beats.ends.tolist():
            first = b"".join(self._partial)
            self._partial = []
            size = _BYTES * (end - start) + int(keep[end].sum())
            frames.append(
                (int(stream.beat_cycles[end]), first + data[start : end + 1].tobytes()[:size])
            )
            start = end + 1
        if start < len(data):
            self._partial.append(data[start:].tobytes())
        return frames


def _beats(frames, marks):
    """Returns the beats of frames, with the gap of Ethernet before each frame.

    ``marks`` has True for each frame with a wrong FCS.
    """
    streams = [np.frombuffer(frame, np.uint8).reshape(-1, 1) for frame in frames]
    beats = Beats.from_streams(streams, _BYTES)
    pause = np.zeros(len(beats), np.uint32)
    pause[beats.starts] = FRAME_GAP
    user = np.zeros(len(beats), np.bool_)
    user[beats.last] = marks
    return replace(beats, user=user, pause=pause)
