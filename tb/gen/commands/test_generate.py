"""Tests that `sluice generate` writes all files, and the same bytes in each run."""

import hashlib
import json
from types import SimpleNamespace

import pytest

from boards.ports import Ports
from gen.commands.generate import packets_line
from gen.design.build import engine_for, resolve
from gen.directory.manifest import manifest
from query.parser import parse
from rtl.bus.ports import buses_of
from rtl.bus.top import SKID_LATENCY
from rtl.bus.top_registers import registers_of
from tb.rtl.bus.many_buses import many_buses

QUERY = "CREATE INPUT STREAM S (g uint(12), v int(9), w int);\nSELECT g, sum(v) FROM S GROUP BY g;"


@pytest.fixture
def query(tmp_path):
    path = tmp_path / "small-one.cql"
    path.write_text(QUERY)
    return path


def test_files_and_manifest(sluice, query, tmp_path):
    created = tmp_path / "made"
    code, out, _ = sluice(
        "generate", query, "--board", "de5-net", "--lanes", 2, "-o", created, "--json"
    )
    assert code == 0
    manifest = json.loads((created / "manifest.json").read_text())
    assert json.loads(out) == {"directory": str(created), "warnings": []} | manifest
    assert manifest["name"] == manifest["top"] == "sluice_small_one"
    assert manifest["configuration"]["parameters"]["lanes"] == 2
    paths = {str(p.relative_to(created)) for p in created.rglob("*") if p.is_file()}
    assert paths == {"manifest.json", *manifest["files"]}
    for path, digest in manifest["files"].items():
        assert hashlib.sha256((created / path).read_bytes()).hexdigest() == digest
    assert (
        f"module {manifest['top']}(clk, reset_n, " in (created / "sluice_small_one.v").read_text()
    )


def test_layout_of_tuples_and_rows(sluice, query, tmp_path):
    """12 bits take two bytes, 9 take two; the unused column w is not on the bus."""
    code, out, _ = sluice("generate", query, "--lanes", 2, "-o", tmp_path / "made", "--json")
    assert code == 0
    output = json.loads(out)
    stream = output["streams"]["s_axis"]
    assert (stream["lanes"], stream["lane_bits"]) == (2, 32)
    order = {"byte_order": "lowest byte first"}
    assert stream["tuple"]["fields"] == [
        {"name": "g", "offset": 0, "width": 12, "signed": False} | order,
        {"name": "v", "offset": 16, "width": 9, "signed": True} | order,
    ]
    ports = {port["name"]: port for port in output["ports"]}
    assert ports["s_axis_tdata"] == {"name": "s_axis_tdata", "direction": "input", "width": 64}
    assert ports["s_axis_tkeep"]["width"] == 8
    assert (output["registers"]["magic"], output["registers"]["tuples_low"]) == ("0x000", "0x400")


def test_what_rows_say_and_when_they_come(sluice, query, tmp_path):
    """Rows of groups by the end of the stream; windows of time have an end, and may be empty."""
    created = tmp_path / "made"
    code, out, _ = sluice("generate", query, "--lanes", 2, "-o", created, "--json")
    output = json.loads(out)
    assert code == 0
    assert output["rows"] == {
        "packet": "stream",
        "order": "windows",
        "fields": [{"name": "g", "role": "key"}, {"name": "sum(v)", "role": "value"}],
    }
    (latency,) = output["latencies"]
    assert (latency["from"], latency["to"]) == ("last beat of a stream", "its last row")
    assert (
        latency["cycles"]
        == engine_for(parse(QUERY))(query=parse(QUERY), lanes=2).prediction.cycles + SKID_LATENCY
    )
    assert output["memories"] == {}
    over_time = tmp_path / "time.cql"
    over_time.write_text(
        "CREATE INPUT STREAM S (t int, v int(9)); "
        "SELECT count(*), min(v) FROM S [RANGE 4 SLIDE 2 WATTR t];"
    )
    code, out, _ = sluice("generate", over_time, "--engine", "window-id", "-o", created, "--json")
    output = json.loads(out)
    assert (code, output["rows"]["packet"]) == (0, "window")
    assert output["rows"]["fields"] == [
        {"name": "window_end", "role": "window end"},
        {"name": "count(*)", "role": "value"},
        {"name": "valid(min(v))", "role": "valid", "of": "min(v)"},
        {"name": "min(v)", "role": "value"},
    ]


@pytest.mark.parametrize(
    ("example", "board", "options", "end"),
    [
        ("cluster_groupby", "ultra96-v2", ["packets=stream"], "all rows of a stream"),
        (
            *("rows_trades", "de5-net", []),
            "all rows of a stream; --set packets=window makes one of each window",
        ),
        ("rows_trades", "ultra96-v2", ["packets=window"], "the rows of one window"),
        ("rows_trades", "de10-nano", [], None),  # a packet is no transfer of its DMA
        ("rows_trades", None, [], None),
        ("rows_trades", "versa-ecp5", [], None),  # rows go into the network
    ],
)
def test_the_line_about_packets(examples, example, board, options, end):
    """The line names the other kind of packets only where the design can have both kinds."""
    build = resolve(examples / f"{example}.cql", board=board, options=options)
    line = f"a packet of rows, which is a transfer of the board's DMA, is {end}"
    assert list(packets_line(build)) == ([] if end is None else [line])


def test_a_manifest_has_every_stream_and_memory():
    """The design has more than two streams."""
    design = many_buses()
    build = SimpleNamespace(name="sluice_many", design=design, board=None)
    ports = Ports(top="sluice_many", buses=buses_of(design))
    described = manifest(build, registers_of(design), ports, {"a.txt": "a"})
    assert json.loads(json.dumps(described)) == described
    assert list(described["streams"]) == ["s_axis", "m_axis", "s_axis_updates", "m_axis_evicted"]
    evicted, updates = (described["streams"][name] for name in ("m_axis_evicted", "s_axis_updates"))
    assert (evicted["lanes"], evicted["lane_bits"]) == (2, 16)
    assert evicted["row"] == updates["tuple"]
    assert [field["name"] for field in evicted["row"]["fields"]] == ["k", "y"]
    assert described["memories"] == {
        "m_axi": {"data_width": 64, "address_width": 20, "id_width": 4, "sram": False}
    }
    assert described["registers"]["stall_out_evicted_high"] == "0x45c"
    assert described["latencies"][0]["cycles"] == 1 + SKID_LATENCY
    assert (described["settings"], described["host_sets"]) == ({"plus": 3}, [])
    assert {port["name"]: port["width"] for port in described["ports"]}["m_axi_wdata"] == 64


@pytest.mark.in_turn(5)
def test_another_board_and_another_name_in_its_place(sluice, query, tmp_path):
    """No file of the earlier design stays, and a file of the user stays."""
    created = tmp_path / "made"
    assert sluice("generate", query, "--board", "de5-net", "-o", created)[0] == 0
    (created / "notes.txt").write_text("mine")
    other = query.with_name("other.cql")
    other.write_text(QUERY)
    code, out, _ = sluice("generate", other, "--board", "ultra96-v2", "-o", created, "--json")
    paths = {str(path) for path in contents(created)}
    assert code == 0
    assert paths == {"manifest.json", "notes.txt", *json.loads(out)["files"]}
    assert not (created / "quartus").exists()
    assert not any("small_one" in path for path in paths)


@pytest.mark.in_turn(5)
def test_a_changed_file_is_in_the_way(sluice, query, tmp_path):
    created = tmp_path / "made"
    assert sluice("generate", query, "--board", "de5-net", "-o", created)[0] == 0
    changed = created / "quartus" / "sluice_small_one.sdc"
    changed.write_text("create_clock -period 4")
    earlier = contents(created)
    code, out, err = sluice("generate", query, "--board", "ultra96-v2", "-o", created)
    assert (code, out) == (2, "")
    assert str(changed) in err.splitlines()[-1]
    assert "in the way" in err.splitlines()[-1]
    assert contents(created) == earlier


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


@pytest.mark.in_turn
@pytest.mark.parametrize("has_link", [True, pytest.param(False, marks=pytest.mark.regress)])
def test_a_board_with_a_serial_port(sluice, query, tmp_path, has_link):
    """The manifest has the baud rate for the host class, and README has the program for it."""
    created = tmp_path / "made"
    options = ["--set", "baud=115200", *([] if has_link else ["--set", "host_link=false"])]
    assert sluice("generate", query, "--board", "ulx3s-85", *options, "-o", created)[0] == 0
    network = json.loads((created / "manifest.json").read_text())["network"]
    assert network["serial"] == {"baud": 115_200}
    text = (created / "README.md").read_text()
    program = 'with Engine.open(".", at="serial:///dev/ttyUSB0") as engine:'
    assert (program in text) == has_link
    assert ("generate the design with `--set host_link=true`" in text) != has_link
    assert "on its serial port, at 115,200 baud" in text
    assert "DatagramLink" not in text
    assert "_udp_open" not in text
