"""Reads and writes registers over AXI4-Lite, for benches in amaranth's simulator."""

import random

from amaranth.hdl import ClockDomain, Module
from amaranth.sim import Simulator

from rtl.bus.registers import END


class Host:
    """Acts as an AXI4-Lite master, and asserts that the answers of the slave obey the rules.

    ``stall`` is the probability that a ``valid`` or ``ready`` of the master is late by a cycle. An
    answer must remain until its transfer, and report no error.
    """

    def __init__(self, ctx, bus, stall, seed):
        self.ctx, self.bus, self.stall = ctx, bus, stall
        self.rng = random.Random(seed)

    def late(self):
        """Returns True with the probability ``stall``."""
        return self.rng.random() < self.stall

    async def _answer(self, valid, ready, *signals):
        """Waits for an answer of the slave; returns the values of ``signals`` at its transfer."""
        accepted = None
        offered = None
        while accepted is None:
            willing = not self.late()
            self.ctx.set(ready, willing)
            _, _, is_valid, *values = await self.ctx.tick().sample(valid, *signals)
            assert offered is None or (is_valid and values == offered)
            offered = values if is_valid else None
            accepted = values if is_valid and willing else None
        self.ctx.set(ready, 0)
        return accepted

    async def read(self, address):
        """Returns the 32 bits at ``address``."""
        bus, ctx = self.bus, self.ctx
        while self.late():
            await ctx.tick()
        ctx.set(bus.araddr, address)
        ctx.set(bus.arvalid, 1)
        ready = 0
        while not ready:
            _, _, ready = await ctx.tick().sample(bus.arready)
        ctx.set(bus.arvalid, 0)
        ctx.set(bus.araddr, self.rng.randrange(END))
        data, response = await self._answer(bus.rvalid, bus.rready, bus.rdata, bus.rresp)
        assert response == 0
        return data

    async def write(self, address, data, strobe=0xF):
        """Writes ``data``; address and data may transfer in any order."""
        bus, ctx = self.bus, self.ctx
        wait = {"aw": True, "w": True}
        offered = dict.fromkeys(wait, False)
        ctx.set(bus.awaddr, address)
        ctx.set(bus.wdata, data)
        ctx.set(bus.wstrb, strobe)
        while any(wait.values()):
            for channel in wait:
                offered[channel] = wait[channel] and (offered[channel] or not self.late())
                ctx.set(getattr(bus, f"{channel}valid"), offered[channel])
            _, _, *ready = await ctx.tick().sample(bus.awready, bus.wready)
            for channel, is_ready in zip(wait, ready, strict=True):
                if offered[channel] and is_ready:
                    wait[channel] = offered[channel] = False
        for channel in wait:
            ctx.set(getattr(bus, f"{channel}valid"), 0)
        (response,) = await self._answer(bus.bvalid, bus.bready, bus.bresp)
        assert response == 0


def simulate_with_background(dut, background, *testbenches):
    """Runs testbenches on a component, together with processes that need not end."""
    m = Module()
    m.domains.sync = ClockDomain("sync")
    m.submodules.dut = dut
    run_with_background(m, "sync", background, testbenches)


def run_with_background(m, domain, background, testbenches):
    """Runs testbenches and background processes on a module that defines the clock ``domain``."""
    simulator = Simulator(m)
    simulator.add_clock(1e-6, domain=domain)
    for process in background:
        simulator.add_testbench(process, background=True)
    for testbench in testbenches:
        simulator.add_testbench(testbench)
    simulator.run()
