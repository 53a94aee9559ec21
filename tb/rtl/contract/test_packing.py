"""Positions of fields on a bus."""

from amaranth.hdl import signed, unsigned

from rtl.contract.packing import Packing


def test_by_hand():
    packing = Packing((("a", signed(9)), ("b", unsigned(8)), ("c", unsigned(1)), ("d", signed(40))))
    assert packing.bytes == 2 + 1 + 1 + 5
    assert packing.names == ("a", "b", "c", "d")
    assert [(f.offset, f.bytes, f.width, f.signed) for f in packing.fields] == [
        (0, 2, 9, True),
        (16, 1, 8, False),
        (24, 1, 1, False),
        (32, 5, 40, True),
    ]
    assert packing["c"].offset == 24
    assert packing.describe()["bytes"] == 9
    assert packing.describe()["fields"][3] == {
        "name": "d",
        "offset": 32,
        "width": 40,
        "signed": True,
    }


def test_no_fields():
    assert Packing(()).bytes == 0
