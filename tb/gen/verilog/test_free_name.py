"""Checks names that a text does not use yet."""

import pytest

from gen.verilog.free_name import free_name


@pytest.mark.parametrize(
    ("used", "name"),
    [((), "read"), (("read",), "read_2"), (("read", "read_2", "read_4"), "read_3")],
)
def test_free_name(used, name):
    assert free_name("read", set(used)) == name
