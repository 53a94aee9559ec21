"""Lights in simulation: the blinking one, stretched events, and fewer lights than events."""

from amaranth.hdl import Fragment, Signal
from amaranth.lib import io
from amaranth.sim import Simulator

from boards.platforms.lights import Lights

CYCLES = 64  # of a period of the blinking light in the test


class FakePlatform:
    """Platform whose lights are simulation ports, stored by name and number."""

    def __init__(self):
        self.ports = {}

    def request(self, name, number, dir):
        if isinstance(dir, dict):
            return type("Group", (), {c: self._port((name, number, c)) for c in dir})
        return self._port((name, number))

    def _port(self, place):
        return self.ports.setdefault(place, io.SimulationPort("o", 1))


def trace(places, events, cycles, pulses):
    """Returns the state of each light in each cycle; ``pulses`` are the cycles of each event."""
    platform = FakePlatform()
    dut = Lights(places, events, blink_bits=6, flash_bits=3)
    fragment = Fragment.get(dut, platform)
    lights = [platform.ports[place].o for place in places]
    seen = []

    async def bench(ctx):
        for cycle in range(cycles):
            for event, at in zip(events, pulses, strict=True):
                ctx.set(event, cycle in at)
            _, _, *values = await ctx.tick().sample(*lights)
            seen.append(values)

    simulator = Simulator(fragment)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    return list(zip(*seen, strict=True))


def test_lights():
    """Light 0 is off for half a period, and on for half; an event is seen for eight cycles."""
    event = Signal()
    blinking, flash = trace([("led", 0), ("rgb", 3, "g")], [event], 2 * CYCLES, [{10, 14}])
    half = CYCLES // 2
    assert blinking == (0,) * half + (1,) * half + (0,) * half + (1,) * half
    lit = [cycle for cycle, light in enumerate(flash) if light]
    assert lit == list(range(11, 15 + 8))


def test_fewer_lights_than_events():
    """The lights show the first events, in their order."""
    places, pulses = [("led", 0), ("led", 1), ("rgb", 0, "r")], [{5}, {20}, {40}]
    blinking, *flashes = trace(places, [Signal() for _ in pulses], CYCLES, pulses)
    assert sum(blinking) == CYCLES // 2
    assert [flash.index(1) for flash in flashes] == [6, 21]
    (only,) = trace([("led", 0)], [Signal(), Signal()], CYCLES, [set(), set()])
    assert sum(only) == CYCLES // 2
