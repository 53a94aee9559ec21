"""Checks the pins that a board holds at a constant."""

import pytest

from gen.design.build import resolve

QUERY = "examples/cluster_groupby.toml"


@pytest.mark.parametrize("options", [[], ["network=false"]], ids=["link", "alone"])
def test_the_esp32_of_the_ulx3s_does_not_load_the_fpga(options):
    """The FPGA drives a 1 to pin L2, the ESP32's GPIO0. The other pins of the ESP32 stay open."""
    build = resolve(QUERY, board="ulx3s-85", options=options)
    files = build.board.files(build.ports)
    constraints = files["project/top.lpf"]
    assert 'LOCATE COMP "esp32_0__gpio0__io" SITE "L2";' in constraints
    assert constraints.count("esp32_0__") == constraints.count("esp32_0__gpio0__")
    text = files["project/top.il"]
    module = text[text.index("module \\top.held\n") :].partition("\nend\n")[0]
    assert "connect \\o 1'1\n" in module
