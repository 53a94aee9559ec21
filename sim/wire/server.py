"""Runs a simulated top behind a wire of this machine: frames in, frames out."""

from sim.wire.pcap import HEADER, records

#: Frames at most that enter the simulation in one step.
_STEP_FRAMES = 32
#: Cycles of a step without a frame: few while frames may come soon, so that a frame waits briefly.
_AWAKE_STEP, _ASLEEP_STEP = 500, 5_000
#: Cycles without a frame after which the simulation slows down, so that it takes little power.
_AWAKE_CYCLES = 200_000
#: Seconds between two steps of a simulation that has slowed down, unless a frame comes earlier.
_PAUSE = 0.05


class Server:
    """Moves frames between a wire and a simulated top.

    The clock of the top advances while frames move, and for ``_AWAKE_CYCLES`` more. Then the clock
    advances by ``_ASLEEP_STEP`` cycles every ``_PAUSE`` seconds, so a timer of the design still
    expires when no frame comes.

    Parameters
    ----------
    top : LiveTop
    wire : TapDevice, LoopbackPorts or PseudoTerminal
        An object with ``receive(seconds, most)`` and ``send(frames)``.
    capture : binary file or None
        Receives all frames in the format pcap, as they pass; its times are those of the simulated
        clock, at 156.25 MHz.
    """

    def __init__(self, top, wire, capture=None):
        self._top = top
        self._wire = wire
        self._capture = capture
        self._quiet_cycles = 0
        if capture is not None:
            capture.write(HEADER)
            capture.flush()

    def run(self):
        """Serves for ever."""
        while True:
            self.step()

    def step(self):
        """Serves the frames that have come; waits for a frame if none has moved for a while."""
        is_awake = self._quiet_cycles < _AWAKE_CYCLES
        frames = self._wire.receive(0 if is_awake else _PAUSE, _STEP_FRAMES)
        step_cycles = _AWAKE_STEP if is_awake else _ASLEEP_STEP
        drain = {} if frames else {"drain": step_cycles}
        received, sent = self._top.exchange(frames, **drain)
        if self._capture is not None and (received or sent):
            # Before the frames leave: Ctrl-C may follow as soon as the host has its rows.
            self._capture.write(records([*received, *sent]))
            self._capture.flush()
        self._wire.send(frame for _, frame in sent)
        self._quiet_cycles = 0 if received or sent else self._quiet_cycles + step_cycles
