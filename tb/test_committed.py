"""Checks that the committed Verilog equals the generated Verilog, byte for byte."""

import pytest

from tb.committed import PLACE, PRESETS, verilog


@pytest.mark.parametrize("preset", PRESETS)
def test_committed_verilog_equals_generated_verilog(preset, request):
    """If a difference is intended, run `make verilog` and review the difference."""
    file, text = verilog(preset, request.config.rootpath / ".cache")
    assert file.read_bytes() == text.encode()


def test_the_folder_has_no_other_files():
    assert len(list(PLACE.iterdir())) == len(PRESETS)
