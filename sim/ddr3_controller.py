"""Writes the Verilog of a real DDR3 controller, LiteDRAM (BSD-2), with a model of the memory.

    python -m sim.ddr3_controller 4        writes the text for four ports

The memory is 1 GiB of DDR3, 64 bits wide. The controller runs at 156.25 MHz, and the memory at four
times this clock: 1,250 million transfers per second on each pin, with LiteDRAM's timings of the
speed grade 1333 of the module. So in a cycle of the controller 64 * 8 bits pass, and a line of 64
bytes is one native access. The controller obeys tRCD, tRP, tRAS, tRC, tFAW and tWTR and refreshes
the memory, so its rates are those of a real memory. The design has no processor and no
initialisation: the controller drives the memory's model directly, by its DFI (DDR PHY interface).

Port k has AXI pins ``sK_awvalid``, ``sK_awaddr`` (a byte address), ``sK_wdata``, ...: 512 bits of
data, ids of 4 bits, INCR bursts. Each port answers in order and uses one bank at a time, so random
single lines need several ports for a high rate.

The program runs in a process of its own, because it imports a second hardware language.
"""

import sys

from litedram.core.controller import ControllerSettings, LiteDRAMController
from litedram.core.crossbar import LiteDRAMCrossbar
from litedram.frontend.axi import LiteDRAMAXI2Native, LiteDRAMAXIPort
from litedram.modules import MT8JTF12864
from litedram.phy.model import SDRAMPHYModel
from litex.gen.fhdl.verilog import convert
from migen import ClockDomain, Module, Signal

NAME = "litedram_ddr3"
CLOCK = 156.25e6  # of the controller, in Hz

#: Name and bits of the pins of each channel. Those of aw, w and ar are inputs, those of b and
#: r outputs. Each channel also has ``valid``, and ``ready`` in the opposite direction.
ADDRESS = {"addr": 30, "len": 8, "size": 3, "burst": 2, "id": 4}
CHANNELS = {
    "aw": ADDRESS,
    "w": {"data": 512, "strb": 64, "last": 1},
    "b": {"resp": 2, "id": 4},
    "ar": ADDRESS,
    "r": {"data": 512, "resp": 2, "id": 4, "last": 1},
}


class Controller(Module):
    """Contains the controller, its memory, and ``ports`` AXI4 ports.

    Every pin has an explicit name, because Migen's automatic names change from run to run.
    """

    def __init__(self, ports):
        self.clock_domains.cd_sys = ClockDomain("sys")
        module = MT8JTF12864(CLOCK, "1:4")
        self.submodules.phy = phy = SDRAMPHYModel(
            module, data_width=64, clk_freq=CLOCK, address_mapping="ROW_BANK_COL"
        )
        self.submodules.controller = controller = LiteDRAMController(
            phy.settings,
            module.geom_settings,
            module.timing_settings,
            CLOCK,
            ControllerSettings(cmd_buffer_depth=16),
        )
        self.comb += controller.dfi.connect(phy.dfi)
        self.submodules.crossbar = crossbar = LiteDRAMCrossbar(controller.interface)
        self.pins = {self.cd_sys.clk, self.cd_sys.rst}
        for k in range(ports):
            axi = LiteDRAMAXIPort(data_width=512, address_width=30, id_width=4)
            self.submodules += LiteDRAMAXI2Native(
                axi, crossbar.get_port(), w_buffer_depth=16, r_buffer_depth=64
            )
            for channel, pins in CHANNELS.items():
                self._connect(f"s{k}_{channel}", getattr(axi, channel), pins)

    def _connect(self, prefix, record, pins):
        """Connects a channel of a port to pins; ``pins`` has the name and the bits of each pin."""
        is_input = prefix.endswith(("aw", "w", "ar"))
        for name, bits in ({"valid": 1} | pins).items():
            pin, inner = Signal(bits, name=prefix + name), getattr(record, name)
            self.comb += inner.eq(pin) if is_input else pin.eq(inner)
            self.pins.add(pin)
        ready = Signal(name=prefix + "ready")
        self.comb += ready.eq(record.ready) if is_input else record.ready.eq(ready)
        self.pins.add(ready)
        if prefix.endswith(("aw", "ar")):
            self.comb += [record.first.eq(1), record.last.eq(1)]


if __name__ == "__main__":
    controller = Controller(int(sys.argv[1]))
    print(convert(controller, controller.pins, name=NAME))
