"""Terasic's DE5-Net: a Stratix V, the board of seeds 000 and 001."""

from dataclasses import dataclass

from boards.board import Board, Ports
from boards.quartus import quartus_commands, quartus_core, quartus_files

FAMILY = "Stratix V"


@dataclass(frozen=True, kw_only=True)
class De5Net(Board):
    """The engine is compiled alone; a PLL makes its clock from one of the 50 MHz oscillators."""

    name: str = "de5-net"
    title: str = "DE5-Net (Stratix V GX A7)"
    part: str = "5SGXEA7N2F45C2"
    clock_mhz: float = 200.0
    target: str = "alm"

    def files(self, ports: Ports):
        return quartus_files(self, ports, family=FAMILY)

    def commands(self, ports: Ports):
        return quartus_commands(ports)

    def core_build(self, ports: Ports):
        return quartus_core(self, ports, family=FAMILY)
