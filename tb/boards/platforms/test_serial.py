"""Simulates the top of ulx3s-85 between the pins of its serial port and an engine that returns
frames."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from boards import BOARDS
from boards.ports import Ports
from gen.design.build import resolve
from gen.verilog.yosys import run
from sim.errors import ToolMissingError
from tb.rtl.serial.lines import frame, frames_of, line_of

MODEL_FOLDER = Path(__file__).parent
MODELS = [MODEL_FOLDER / name for name in ("ecp5_cells.v", "ecp5_buffers.v", "echo_engine.v")]
WRITES = ((0x020, 64), (0x024, 16))


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Returns a function from the bytes on the line to the bytes of the top and its printed
    lines."""
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    folder = tmp_path_factory.mktemp("serial")
    design = resolve("examples/cluster_groupby.toml", options=["network=true"]).design
    ports = Ports.of_design("sluice_echo", design)
    files = BOARDS["ulx3s-85"].files(Ports(top=ports.top, buses=ports.buses, writes=WRITES))
    script = "read_rtlil top.il; proc; opt_clean; write_verilog -noattr top.v"
    inputs = {"top.il": files["project/top.il"]}
    (folder / "top.v").write_text(run(script, inputs, ["top.v"])["top.v"])
    sources = [MODEL_FOLDER / "serial_bench.v", *MODELS, folder / "top.v"]
    command = ["iverilog", "-g2012", "-o", folder / "bench", "-s", "bench", *sources]
    subprocess.run(command, check=True, capture_output=True)

    def play(line, idle):
        (folder / "bytes").write_text("".join(f"{byte:02x}\n" for byte in line))
        arguments = [f"+count={len(line)}", f"+idle={idle}", "+bytes=bytes", "+sent=sent"]
        completed = subprocess.run(
            ["vvp", "-n", "bench", *arguments],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
            timeout=300,
        )
        sent = bytes.fromhex((folder / "sent").read_text().replace("\n", ""))
        return sent, completed.stdout.splitlines()

    return play


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "sizes",
    [
        [60, 61],
        pytest.param([*range(60, 77), 1518, 300, 1514, 60], marks=pytest.mark.regress),
    ],
    ids=["short", "long"],
)
def test_frames_come_back(bench, sizes):
    """Noise, and a frame with a flipped bit, are marked for the engine, and their neighbours are
    not."""
    rng = random.Random(37)
    frames = [frame(rng, size) for size in sizes]
    damaged = bytearray(line_of(frames[0]))
    damaged[30] ^= 1 << 6 if damaged[30] != 1 << 6 else 1
    line = bytes(damaged) + b"noise" + b"".join(map(line_of, frames))
    sent, printed = bench(line, 12 * sum(sizes) + 2000)
    assert frames_of(sent) == [(body, False) for body in frames]
    assert sent == b"".join(map(line_of, frames))
    assert printed.count("bad frame") == 2
    assert "short beat" not in printed


def test_registers_are_written_at_power_up(bench):
    _, printed = bench(b"\0", 500)
    writes = [*WRITES, *BOARDS["ulx3s-85"].link.writes()]
    assert printed == [f"write {address:03x} {value:08x}" for address, value in writes]
