"""Builds the ``ddr3`` back end of the compiled runner: LiteDRAM's controller, once per port count.

Each AXI4 master of the top has its own port of 512 bits, except a master for an SRAM, which has an
ideal memory. For a master of another width the bench collects the data of a burst into whole lines,
and forwards a write to the controller once all data have arrived. The bench adds some cycles of
latency between the top and the controller; the rates are the controller's.

Lines of 64 bytes per cycle, measured over 40,000 cycles with bursts at random addresses in 1 GiB
and 4 to 8 bursts in flight on each port:

    ============================================  ===================  ===================
    bursts of                                     1 port               4 ports
    ============================================  ===================  ===================
    reads of 64, 8, 2, 1 lines                    .854 .433 .159 .085  .964 .828 .423 .223
    writes of 4, 2, 1 lines                       .260 .150 .081       .625 .397 .211
    read-modify-writes of a line                  .032                 .072
    reads of 64 lines, a write for each 64 lines  .652                 .819
    reads of 8 lines, a write for each 64 lines   .376                 .673
    reads of 8 lines, a write for each 8 lines    .191                 .425
    ============================================  ===================  ===================

Addresses from 1 GiB on are answered by ``decerr``. The contents of the memory are undefined at the
beginning, and can be neither preset nor read back.
"""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from caching.entries import build_once, content_key
from sim import verilator
from sim.errors import BuildError, ToolMissingError
from sim.logged import last_lines

NAME = "litedram_ddr3"
PORTS = (1, 2, 4)
BYTES = 1 << 30  # of the memory
CONTROLLER = Path(__file__).with_name("ddr3_controller.py")
SOURCES = Path(__file__).with_name("compiled")
HEADERS = [SOURCES / "ddr3_library.cpp", SOURCES / "ddr3_port.h"]


def library(masters, cache):
    """Returns the path of the controller's library, and the number of its ports.

    Raises ValueError for more masters than ports, ToolMissingError, BuildError.
    """
    if len(masters) > PORTS[-1]:
        raise ValueError(f"ddr3 must have at most {PORTS[-1]} masters, not {len(masters)}")
    ports = next(n for n in PORTS if n >= len(masters))
    text = verilog(ports, cache)
    port_list = " ".join(f"X({k})" for k in range(ports))
    glue = f'#define DDR3_PORTS(X) {port_list}\n#include "ddr3_library.cpp"\n'
    path = verilator.shared_library(
        text, NAME, glue, cache, headers=HEADERS, prefix="Vddr3", level="-O1"
    )
    return path, ports


def verilog(ports, cache):
    """Returns the controller's Verilog, generated once for each number of ports and version."""
    try:
        versions = [version(package) for package in ("litedram", "litex", "migen")]
    except PackageNotFoundError as missing:
        raise ToolMissingError(missing.name) from None

    def generate(directory):
        command = [sys.executable, str(CONTROLLER), str(ports)]
        completed = subprocess.run(command, capture_output=True, text=True, cwd=directory)
        if completed.returncode:
            raise BuildError(f"{CONTROLLER.name} failed:\n{last_lines(completed.stderr)}")
        # The comments around the modules contain the date, so the text would differ on each day.
        text = completed.stdout
        end = text.rindex("endmodule") + len("endmodule\n")
        (directory / "ddr3.v").write_text(text[text.index("`timescale") : end])

    key = content_key(versions, CONTROLLER.read_bytes(), Path(__file__).read_bytes(), ports)
    return (build_once(cache, f"ddr3-{key}", generate) / "ddr3.v").read_text()
