"""Simulates the top of versa-ecp5 between the PHY's pins and an engine that returns frames."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from boards import BOARDS
from boards.platforms.ethernet import mac_verilog
from boards.ports import Ports
from gen.design.build import resolve
from gen.verilog.yosys import run
from sim.errors import ToolMissingError
from tb.boards.platforms.rgmii import cycles_of, frames_of

MODEL_FOLDER = Path(__file__).parent
MODELS = [MODEL_FOLDER / name for name in ("ecp5_cells.v", "ecp5_buffers.v", "echo_engine.v")]
WRITES = ((0x020, 64), (0x024, 16))
RANDOM_SIZES = (1337, 61, 743, 90, 1024, 511)
REGRESS = pytest.mark.regress


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Returns a function from input cycles to the frames of the top and its printed lines."""
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    folder = tmp_path_factory.mktemp("rgmii")
    design = resolve("examples/cluster_groupby.toml", options=["network=true"]).design
    ports = Ports.of_design("sluice_echo", design)
    files = BOARDS["versa-ecp5"].files(Ports(top=ports.top, buses=ports.buses, writes=WRITES))
    # Yosys writes the MAC anew, as Icarus loops forever in the combinational blocks of LiteX.
    script = "read_rtlil top.il; read_verilog mac.v; proc; opt_clean; write_verilog -noattr top.v"
    inputs = {"top.il": files["project/top.il"], "mac.v": files["project/liteeth_mac.v"]}
    (folder / "top.v").write_text(run(script, inputs, ["top.v"])["top.v"])
    sources = [MODEL_FOLDER / "rgmii_bench.v", *MODELS, folder / "top.v"]
    command = ["iverilog", "-g2012", "-o", folder / "bench", "-s", "bench", *sources]
    subprocess.run(command, check=True, capture_output=True)

    def play(cycles):
        (folder / "cycles").write_text("".join(f"{cycle:03x}\n" for cycle in cycles))
        command = ["vvp", "-n", "bench", f"+count={len(cycles)}", "+cycles=cycles", "+sent=sent"]
        completed = subprocess.run(
            command, cwd=folder, check=True, capture_output=True, text=True, timeout=120
        )
        sent = [int(line, 16) for line in (folder / "sent").read_text().split()]
        return frames_of(sent), completed.stdout.splitlines()

    return play


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("sizes", "bad"),
    [
        ([*range(60, 69), 1514, 300, 60], {3, 10}),
        pytest.param([*range(60, 77), 1514, *RANDOM_SIZES, 60], {3, 17, 20}, marks=REGRESS),
    ],
    ids=["short", "long"],
)
def test_frames_of_every_length_come_back(bench, sizes, bad):
    """Frames with a wrong FCS are marked for the engine, and their neighbours are not.

    Nine lengths in a row end at every byte of a beat of 8 bytes. The bench's PHY receives only
    while its reset is released.
    """
    rng = random.Random(37)
    frames = [rng.randbytes(size) for size in sizes]
    received, printed = bench(cycles_of(frames, bad) + [0] * 4000)
    assert received == [frame for k, frame in enumerate(frames) if k not in bad]
    assert printed.count("bad frame") == len(bad)
    assert "short beat" not in printed


def test_registers_are_written_at_power_up(bench):
    _, printed = bench([0] * 500)
    board = BOARDS["versa-ecp5"]
    expected = [f"write {address:03x} {value:08x}" for address, value in WRITES]
    expected += [f"write {address:03x} {value:08x}" for address, value in board.link.writes()]
    assert printed == expected
    assert expected[-2:] == ["write fc0 4c434501", "write fc4 00000253"]


@pytest.mark.parametrize(
    "name", ["versa-ecp5", pytest.param("ecpix5-85", marks=REGRESS), "arty-a7"]
)
def test_verilog_of_the_mac_is_the_same_in_each_run(name):
    """Neither the date nor the order of sets changes the text."""
    ethernet = BOARDS[name].ethernet
    text = mac_verilog(ethernet)
    mac_verilog.cache_clear()
    assert mac_verilog(ethernet) == text
    assert "BSD-2-Clause" in text.splitlines()[0]
    assert "Date" not in text


def test_rates_of_the_wire():
    megabits = {name: BOARDS[name].ethernet.megabits for name in ("versa-ecp5", "arty-a7")}
    assert megabits == {"versa-ecp5": 1000, "arty-a7": 100}
