"""Drives the lights of a board: light 0 blinks with the clock, and the others show events."""

from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib import io

#: Bits of the counter of the blinking light, and of the counters that stretch events. At 62.5 MHz
#: the light blinks every 1.1 s, and an event is visible for a fifteenth of a second.
BLINK_BITS, FLASH_BITS = 26, 22


class Lights(Elaboratable):
    """Shows bits on the lights of a board; each event is visible for 2^`FLASH_BITS` cycles.

    Light 0 is off for 2^25 cycles, then on for 2^25 cycles: the engine's clock runs. Light k shows
    ``events[k - 1]``. A board with fewer lights shows the first events only. Nothing depends on the
    frequency of the clock, so designs for different clocks differ in the PLL only.

    Parameters
    ----------
    places : sequence of tuple
        Name and number of each light in the platform, and for a light of three colours the colour.
    events : sequence of Value
        Bits of the domain ``sync``.
    blink_bits, flash_bits : int
    """

    def __init__(self, places, events, blink_bits=BLINK_BITS, flash_bits=FLASH_BITS):
        self._places = tuple(places)
        self._events = tuple(events)
        self._blink_bits = blink_bits
        self._flash_bits = flash_bits

    def elaborate(self, platform: object) -> Module:
        m = Module()
        blink = Signal(self._blink_bits)
        m.d.sync += blink.eq(blink + 1)
        lights = [blink[-1], *(self._stretched(m, event) for event in self._events)]
        for k, (place, light) in enumerate(zip(self._places, lights, strict=False)):
            m.submodules[f"light{k}"] = buffer = io.Buffer("o", _pin(platform, *place))
            m.d.comb += buffer.o.eq(light)
        return m

    def _stretched(self, m, event):
        cycles = 1 << self._flash_bits
        remaining = Signal(range(cycles + 1))
        with m.If(event):
            m.d.sync += remaining.eq(cycles)
        with m.Elif(remaining != 0):
            m.d.sync += remaining.eq(remaining - 1)
        return remaining != 0


def _pin(platform, name, number, colour=None):
    if colour is None:
        return platform.request(name, number, dir="-")
    group = platform.request(name, number, dir=dict.fromkeys("rgb", "-"))
    return getattr(group, colour)
