"""The top around an engine alone: every input moves, and every output reaches the light."""

import pytest
from amaranth.hdl import Cat, Fragment, Module, Signal, Value
from amaranth.sim import Simulator

from boards import BOARDS
from boards.platforms import alone_top
from boards.platforms.alone_top import AloneTop
from boards.ports import Ports
from rtl.bus.ports import buses_of
from tb.rtl.bus.many_buses import many_buses

PORTS = Ports(top="engine", buses=buses_of(many_buses()))


@pytest.fixture
def top(monkeypatch):
    """Returns the simulated fragment, the engine's connections by port, and the light's bit."""
    connections, lights = {}, []

    def clocking(pll, clock_mhz):
        return Module()

    def instance(type_, **ports):
        connections.update({name: Value.cast(value) for name, value in ports.items()})
        m = Module()
        reset = connections["i_aresetn"]
        connections["i_aresetn"] = Signal(name="aresetn")
        m.d.comb += connections["i_aresetn"].eq(reset)
        return m

    def record_events(places, events):
        lights.extend(events)
        return Module()

    for name, replacement in (
        ("Clocking", clocking),
        ("Instance", instance),
        ("Lights", record_events),
        ("HeldPins", lambda pins: Module()),
    ):
        monkeypatch.setattr(alone_top, name, replacement)
    fragment = Fragment.get(AloneTop(BOARDS["ulx3s-85"], PORTS), None)
    (light,) = lights
    return fragment, connections, light


@pytest.mark.parametrize(("prefix", "way"), [("i_", "input"), ("o_", "output")])
def test_every_port_of_the_engine_is_connected(top, prefix, way):
    _, connections, _ = top
    widths = {name[2:]: len(v) for name, v in connections.items() if name.startswith(prefix)}
    assert widths == {name: width for name, direction, width in PORTS.ports if direction == way}


def test_every_input_gets_both_values_and_each_output_turns_the_light(top):
    """A single 1 among the outputs changes the parity of all, some cycles later.

    The inputs are one shift register, so no two bits of them are the same in each cycle.
    """
    fragment, connections, light = top
    shared = ("i_aclk", "i_aresetn")
    inputs = [v for name, v in connections.items() if name[:2] == "i_" and name not in shared]
    outputs = [v for name, v in connections.items() if name[:2] == "o_"]
    assert all(isinstance(value, Signal) for value in outputs)
    ones = [0] * len(inputs)
    zeros = [0] * len(inputs)
    lit = []
    chain = Cat(inputs)

    async def bench(ctx):
        assert ctx.get(connections["i_aresetn"]) == 1
        for _ in range(len(chain) + 200):
            previous_bits = ctx.get(chain)
            await ctx.tick()
            assert ctx.get(chain) >> 1 == previous_bits & (1 << len(chain) - 1) - 1
            for k, value in enumerate(inputs):
                bits = ctx.get(value)
                ones[k] |= bits
                zeros[k] |= ~bits
        for value in outputs:
            for bit in {0, len(value) // 2, len(value) - 1}:
                ctx.set(value, 1 << bit)
                await ctx.tick().repeat(8)
                lit.append(ctx.get(light))
                ctx.set(value, 0)
                await ctx.tick().repeat(8)
                assert ctx.get(light) == 0
        ends = outputs[0][0], outputs[-1][-1]
        for bit in ends:
            ctx.set(bit, 1)
        await ctx.tick().repeat(8)
        assert ctx.get(light) == 0  # two 1s have the parity of none

    simulator = Simulator(fragment)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    masks = [(1 << len(value)) - 1 for value in inputs]
    assert ones == masks
    assert [z & mask for z, mask in zip(zeros, masks, strict=True)] == masks
    assert lit == [1] * len(lit)
    assert len(lit) > len(outputs)
