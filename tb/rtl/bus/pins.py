"""The top of a design at its pins, in amaranth's simulator, which is quick because nothing is
compiled."""

from types import SimpleNamespace

from amaranth.hdl import ClockDomain, ClockSignal, Module

from rtl.bus.registers import BUSY
from rtl.bus.top import AxiTop
from rtl.bus.top_registers import registers_of
from tb.rtl.bus.host import Host, run_with_background


class Pins:
    """A top, a clock, and agents at its buses.

    Parameters
    ----------
    design : Design

    Attributes
    ----------
    top : AxiTop
    cycle : int
        Cycles since the start.
    """

    def __init__(self, design):
        self.top, self.cycle = AxiTop(design), 0
        self._addresses = {name: r.address for name, r in registers_of(design).items()}

    def bus(self, name):
        """Returns the ports of a bus by their roles."""
        ports = self.top.signature.members
        roles = {port[len(name) + 1 :]: port for port in ports if port.startswith(f"{name}_")}
        return SimpleNamespace(**{role: getattr(self.top, port) for role, port in roles.items()})

    def host(self, ctx):
        """Returns a host that reads and writes registers by their names."""
        return Registers(Host(ctx, self.bus("s_axil"), 0.0, 0), self)

    async def feed(self, ctx, beats, pause=0):
        """Sends beats, pairs (bytes, last), and waits ``pause`` cycles after each."""
        bus, size = self.bus("s_axis"), len(self.top.s_axis_tkeep)
        for data, last in beats:
            ctx.set(bus.tdata, int.from_bytes(data, "little"))
            ctx.set(bus.tkeep, (1 << min(size, len(data))) - 1)
            ctx.set(bus.tlast, last)
            ctx.set(bus.tvalid, 1)
            ready = 0
            while not ready:
                _, _, ready = await ctx.tick().sample(bus.tready)
            ctx.set(bus.tvalid, 0)
            for _ in range(pause):
                await ctx.tick()

    def simulate(self, *testbenches, background=()):
        """Runs testbenches until all have returned, with the background processes."""
        m = Module()
        m.domains.bench = ClockDomain()
        m.submodules.top = self.top
        m.d.comb += [self.top.aclk.eq(ClockSignal("bench")), self.top.aresetn.eq(1)]

        async def count(ctx):
            while True:
                await ctx.tick()
                self.cycle += 1

        run_with_background(m, "bench", (count, *background), testbenches)


class Registers:
    """A host that addresses registers by their names."""

    def __init__(self, host, pins):
        self._host, self._pins = host, pins

    async def write(self, name, value):
        await self._host.write(self._pins._addresses[name], value)

    async def read(self, name):
        return await self._host.read(self._pins._addresses[name])

    async def count(self, name):
        """Returns the value of a counter."""
        low, high = [await self.read(f"{name}_{half}") for half in ("low", "high")]
        return low | high << 32

    async def busy(self):
        return bool(await self.read("status") >> BUSY.low)
