"""The top of a board without a link to the engine: it measures size and clock on the part."""

from functools import reduce
from operator import xor

from amaranth.hdl import (
    Cat,
    ClockDomain,
    ClockSignal,
    Elaboratable,
    Instance,
    Module,
    ResetSignal,
    Signal,
)

from boards.platforms.clocking import Clocking
from boards.platforms.held_pins import HeldPins
from boards.platforms.lights import Lights

#: Taps of a maximal linear feedback shift register of 32 bits: x^32 + x^22 + x^2 + x + 1.
_TAPS = (31, 21, 1, 0)
_INPUTS_OF_A_LUT = 4


class AloneTop(Elaboratable):
    """Places an engine between registers: pseudo-random bits in, and a light for all outputs.

    A shift register gives each input of the engine a bit of a pseudo-random sequence, and a tree of
    XORs, with a register behind each level, joins all outputs to light 1. So no tool can remove a
    part of the engine, and no path leads through a pin: the clock is the engine's. The top computes
    nothing that a user wants.

    Parameters
    ----------
    board : boards.platforms.platform_board.PlatformBoard
    ports : boards.ports.Ports
        Ports of the engine, of any buses.
    """

    def __init__(self, board, ports):
        self._board = board
        self._ports = ports

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.domains.sync = ClockDomain()
        board, ports = self._board, self._ports
        m.submodules.clocking = Clocking(board.family.pll, board.clock_mhz)
        sequence = Signal(32, init=1)
        m.d.sync += sequence.eq(Cat(reduce(xor, (sequence[k] for k in _TAPS)), sequence))
        inputs = {name: width for name, way, width in ports.data if way == "input"}
        outputs = {name: Signal(width) for name, way, width in ports.data if way == "output"}
        chain = Signal(sum(inputs.values()))
        m.d.sync += chain.eq(Cat(sequence[-1], chain))
        connections, begin = {}, 0
        for name, width in inputs.items():
            connections[f"i_{name}"] = chain[begin : begin + width]
            begin += width
        m.submodules.engine = Instance(
            ports.top,
            **{f"i_{ports.clock}": ClockSignal(), f"i_{ports.reset}": ~ResetSignal()},
            **connections,
            **{f"o_{name}": signal for name, signal in outputs.items()},
        )
        joined = self._joined(m, Cat(outputs.values()))
        m.submodules.lights = Lights(board.lights, (joined,))
        m.submodules.held = HeldPins(board.held)
        return m

    def _joined(self, m, bits):
        """Returns the XOR of all bits, behind a register for each level of the tree."""
        size = _INPUTS_OF_A_LUT
        while len(bits) > 1:
            parts = [bits[k : k + size].xor() for k in range(0, len(bits), size)]
            level = Signal(len(parts))
            m.d.sync += level.eq(Cat(parts))
            bits = level
        return bits
