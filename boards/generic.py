"""The board `generic`, for a design without a particular board: no build files are written."""

from dataclasses import dataclass

from boards.board import Board
from boards.ports import Ports


@dataclass(frozen=True, kw_only=True)
class Generic(Board):
    """No board in particular."""

    name: str = "generic"
    title: str = "no board in particular"
    part: str | None = None
    clock_mhz: float = 100.0
    target: str = "ecp5"

    def files(self, ports: Ports) -> dict[str, str]:
        return {}
