"""No board in particular: the design, and what every tool flow reads."""

from dataclasses import dataclass

from boards.board import Board, Ports


@dataclass(frozen=True, kw_only=True)
class Generic(Board):
    name: str = "generic"
    title: str = "no board in particular"
    part: str | None = None
    clock_mhz: float = 100.0
    target: str = "ecp5"

    def files(self, ports: Ports):
        return {}
