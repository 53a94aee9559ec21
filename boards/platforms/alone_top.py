"""Makes the top of a board without a link to the engine, to measure size and clock on the part."""

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
#: Inputs of each XOR of the tree: it is one LUT of ECP5.
_XOR_INPUTS = 4


class AloneTop(Elaboratable):
    """Places an engine between registers, so that all of it is built and its clock can be measured.

    A shift register gives each input of the engine a bit of a pseudo-random sequence, and a tree of
    XORs, with a register behind each level, joins all outputs to light 1. So no tool can remove a
    part of the engine because its inputs are constant or its outputs unused, and no path leads
    through a pin: the clock that the tools report is the engine's. The top computes nothing that a
    user wants.

    For instance 20 bits of outputs are joined to 5 bits, 2 bits and 1 bit in 3 cycles. Input bit k
    of all inputs, in the order of the ports, has the sequence's bit of k + 1 cycles before.

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
        inputs = {name: width for name, direction, width in ports.data if direction == "input"}
        outputs = {
            name: Signal(width) for name, direction, width in ports.data if direction == "output"
        }
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
        parity = self._parity(m, Cat(outputs.values()))
        m.submodules.lights = Lights(board.lights, (parity,))
        m.submodules.held = HeldPins(board.held)
        return m

    def _parity(self, m, bits):
        """Returns the XOR of all bits, behind a register for each level of the tree."""
        while len(bits) > 1:
            parts = [bits[k : k + _XOR_INPUTS].xor() for k in range(0, len(bits), _XOR_INPUTS)]
            level = Signal(len(parts))
            m.d.sync += level.eq(Cat(parts))
            bits = level
        return bits
