"""The Verilog that lies in the tree is what is generated today, byte for byte."""

import pytest

from tb.committed import PLACE, PRESETS, verilog


@pytest.mark.parametrize("preset", PRESETS)
def test_committed_verilog_is_that_of_today(preset, request):
    """If it is meant to differ: `make verilog`, and look at the difference."""
    file, text = verilog(preset, request.config.rootpath / ".cache")
    assert file.read_bytes() == text.encode()


def test_nothing_else_lies_there():
    assert len(list(PLACE.iterdir())) == len(PRESETS)
