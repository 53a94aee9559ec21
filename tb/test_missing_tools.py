"""Checks that a missing tool skips a test, or fails it in continuous integration."""

import pytest
from _pytest.outcomes import Failed, Skipped

from sim.errors import ToolMissingError
from tb.missing_tools import end


@pytest.mark.parametrize(
    ("value", "outcome"), [(None, Skipped), ("", Skipped), ("false", Skipped), ("true", Failed)]
)
def test_outcome(monkeypatch, value, outcome):
    if value is None:
        monkeypatch.delenv("CI", raising=False)
    else:
        monkeypatch.setenv("CI", value)
    with pytest.raises(outcome, match="verilator"):
        end(ToolMissingError("verilator is not there"))
