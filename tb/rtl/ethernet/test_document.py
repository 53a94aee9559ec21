"""Facts in docs/network.md: the counters in their order, and the sizes."""

import re
from pathlib import Path

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.receive import Receive
from rtl.ethernet.transmit import Transmit

DOCUMENT = Path(__file__).parents[3] / "docs" / "network.md"
PARTS = {
    "receive": lambda: Receive(16),
    "transmit": lambda: Transmit(16),
    "both": lambda: NetworkFace(16, 16),
}


@pytest.mark.regress
@pytest.mark.parametrize("name", PARTS)
def test_size(name, request):
    """The table of docs/network.md is right to 3 %; memories and depth exactly."""
    cache = request.config.rootpath / ".cache"
    report = synthesise(to_rtlil(PARTS[name]()), "xcup", cache)
    (row,) = re.findall(
        rf"^\| {name} ((?:\| *[\d,]+ )+)\|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    lut, lutram, ff, bram36, depth = (
        int(text.replace(",", "")) for text in re.findall(r"[\d,]+", row)
    )
    assert (report.bram36, report.depth) == (bram36, depth)
    assert depth <= 8
    assert report.depth_io <= 8
    for documented, real in ((lut, report.lut), (lutram, report.lutram), (ff, report.ff)):
        assert abs(documented - real) <= 0.03 * real


def test_counters():
    """The document lists the counters in their order of precedence, which is the order of
    ``events``."""
    _, _, text = DOCUMENT.read_text(encoding="utf-8").partition("## Counters")
    rows = re.findall(r"^\| (`.*?) \|", text.partition("##")[0], re.MULTILINE)
    documented = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert [*documented, "sent"] == [counter.name for counter in NetworkFace.counters_of(True)]
