"""`sluice generate`: what is written, that it is whole, and the same bytes every time."""

import hashlib
import json

import pytest

from gen.files import write_directory
from query.errors import UserError

QUERY = "CREATE INPUT STREAM S (g uint(12), v int(9), w int);\nSELECT g, sum(v) FROM S GROUP BY g;"


@pytest.fixture
def query(tmp_path):
    path = tmp_path / "small-one.cql"
    path.write_text(QUERY)
    return path


def test_files_and_manifest(sluice, query, tmp_path):
    made = tmp_path / "made"
    code, out, _ = sluice(
        "generate", query, "--board", "de5-net", "--lanes", 2, "-o", made, "--json"
    )
    assert code == 0
    manifest = json.loads((made / "manifest.json").read_text())
    assert json.loads(out) == {"directory": str(made)} | manifest
    assert manifest["name"] == manifest["top"] == "sluice_small_one"
    assert manifest["configuration"]["parameters"]["lanes"] == 2
    paths = {str(p.relative_to(made)) for p in made.rglob("*") if p.is_file()}
    assert paths == {"manifest.json", *manifest["files"]}
    for path, digest in manifest["files"].items():
        assert hashlib.sha256((made / path).read_bytes()).hexdigest() == digest
    assert f"module {manifest['top']}(aclk, aresetn, " in (made / "sluice_small_one.v").read_text()


def test_layout_of_tuples_and_rows(sluice, query, tmp_path):
    """12 bits take two bytes, 9 take two; the unused column w is not on the bus."""
    code, out, _ = sluice("generate", query, "--lanes", 2, "-o", tmp_path / "made", "--json")
    assert code == 0
    found = json.loads(out)
    stream = found["streams"]["s_axis"]
    assert (stream["lanes"], stream["lane_bits"]) == (2, 32)
    assert stream["tuple"]["fields"] == [
        {"name": "g", "offset": 0, "width": 12, "signed": False},
        {"name": "v", "offset": 16, "width": 9, "signed": True},
    ]
    ports = {port["name"]: port for port in found["ports"]}
    assert ports["s_axis_tdata"] == {"name": "s_axis_tdata", "direction": "input", "width": 64}
    assert ports["s_axis_tkeep"]["width"] == 8
    assert found["registers"]["magic"] == "0x00"


def contents(directory):
    paths = [path for path in directory.rglob("*") if path.is_file()]
    return {path.relative_to(directory): path.read_bytes() for path in paths}


def test_the_same_bytes_again(sluice, query, tmp_path):
    for name in ("a", "b"):
        board = ("--board", "ultra96-v2", "--docs")
        assert sluice("generate", query, *board, "-o", tmp_path / name)[0] == 0
    a, b = (contents(tmp_path / name) for name in ("a", "b"))
    assert a == b
    assert any(path.parts[:2] == ("registers", "html") for path in a)


def test_a_directory_keeps_what_is_not_ours(tmp_path):
    made = tmp_path / "made"
    write_directory(made, {"a/b.txt": "1"})
    (made / "mine.txt").write_text("mine")
    write_directory(made, {"a/b.txt": "2", "c.bin": b"\xff"})
    assert (made / "a/b.txt").read_text() == "2"
    assert (made / "c.bin").read_bytes() == b"\xff"
    assert (made / "mine.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_nothing_is_written_half(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_directory(tmp_path / "file" / "made", {"a": "1"})
    with pytest.raises(TypeError):
        write_directory(tmp_path / "made", {"a": "1", "b": None})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
