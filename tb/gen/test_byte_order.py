"""Compares bytes packed by the manifest alone with the bytes of the bench and the host class.

The manifest says of each field where it lies and in which order its bytes are. The packing in this
test uses only the manifest.
"""

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from gen.design.build import resolve
from gen.directory.design_files import design_files
from gen.simulate.input_beats import input_beats
from golden.tuples import Tuples
from host.description import Description
from host.packing import unpack
from host.tuples import packed, raw_columns

SCHEMA = "CREATE INPUT STREAM S (a string(1), b string(4), v int(20), c string(9), d string(16));"
QUERIES = {
    "group-by": "SELECT c, count(*), sum(v) FROM S WHERE a = 'x' AND b = 'UBSN' AND d > 'A' "
    "GROUP BY c;",
    "streamzip": "SELECT c, sum(v) FROM S [PARTITION BY c ROWS 2 SLIDE 1] WHERE a = 'x' AND "
    "b = 'UBSN' AND d > 'A';",
}
TABLE = {
    "a": ["x", "", "z"],
    "b": ["UBSN", "ab", "über"[:3]],
    "v": [1, -2, (1 << 19) - 1],
    "c": ["a", "nine byte", "nine byt"],
    "d": ["0123456789abcdef", "", "x"],
}


def by_manifest(fields, row):
    """Returns the bytes of one tuple, packed by the manifest's description of its fields."""
    out = bytearray(sum(-(-field["width"] // 8) for field in fields))
    for field in fields:
        size, at, value = -(-field["width"] // 8), field["offset"] // 8, row[field["name"]]
        if field["byte_order"] == "first byte highest":
            data = value.encode() + bytes(size - len(value.encode()))
            for k, byte in enumerate(data):
                out[at + size - 1 - k] = byte
        else:
            assert field["byte_order"] == "lowest byte first"
            out[at : at + size] = value.to_bytes(size, "little", signed=field["signed"])
    return bytes(out)


@pytest.fixture(scope="module")
def build_of(tmp_path_factory):
    """Returns a function from an engine to a build, the directory of its manifest, and its files.

    The Verilog among the files is empty, because no test reads it.
    """

    def make(engine):
        directory = tmp_path_factory.mktemp("texts")
        query = directory / "texts.cql"
        query.write_text(f"{SCHEMA}\n{QUERIES[engine]}\n")
        build = resolve(query, engine=engine)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("gen.directory.design_files.verilog_of", lambda *_: "")
            files = design_files(build, directory)
        (directory / "manifest.json").write_text(files["manifest.json"])
        return build, directory, files

    return make


@pytest.mark.parametrize("engine", QUERIES)
def test_a_tuple_is_packed_by_the_manifest_alone(engine, build_of):
    build, directory, files = build_of(engine)
    fields = json.loads(files["manifest.json"])["streams"]["s_axis"]["tuple"]["fields"]
    table = pa.table({name: TABLE[name] for name in build.query.schema.names})
    order = range(3)
    if engine == "group-by":  # it takes its tuples sorted by their key
        order = sorted(order, key=lambda k: TABLE["c"][k].encode().ljust(9, b"\0"))
    rows = [{name: TABLE[name][k] for name in TABLE} for k in order]
    expected = b"".join(by_manifest(fields, row) for row in rows)
    beats = input_beats(build.design, Tuples(schema=build.query.schema, table=table))
    (stream,) = beats.streams(len(expected) // 3)
    assert stream.tobytes() == expected
    description = Description.read(directory)
    assert packed(description, raw_columns(description, table)).tobytes() == expected
    assert by_manifest(fields, rows[0])[1:5] != b"UBSN"


@pytest.mark.parametrize("engine", QUERIES)
def test_rows_and_keys_that_were_thrown_out_are_read_so(engine, build_of):
    """A text in a row lies like a text in a tuple, and the manifest says so for each stream."""
    _, directory, files = build_of(engine)
    streams = json.loads(files["manifest.json"])["streams"]
    described = {
        (name, field["name"]): field["byte_order"]
        for name, stream in streams.items()
        for field in (stream.get("tuple") or stream["row"])["fields"]
    }
    texts = {place for place, order in described.items() if order == "first byte highest"}
    expected = {("s_axis", name) for name in "abcd"} | {("m_axis", "c")}
    assert texts == expected | ({("m_axis_evicted", "key")} if engine == "streamzip" else set())
    stream = Description.read(directory).rows
    ((place, field),) = ((k, f) for k, f in enumerate(stream.fields) if f.name == "c")
    row = np.zeros((1, stream.bytes), np.uint8)
    row[0, field.offset // 8 : field.offset // 8 + 9] = list(b"\0\0\0\0\0\0\0ba")
    assert int(unpack(row, stream)[place][0]).to_bytes(9, "big") == b"ab".ljust(9, b"\0")


@pytest.mark.parametrize("engine", QUERIES)
def test_the_readme_has_the_same_example(engine, build_of):
    _, _, files = build_of(engine)
    fields = json.loads(files["manifest.json"])["streams"]["s_axis"]["tuple"]["fields"]
    matches = re.findall(r'"(\w+)" in `(\w+)` is ([\da-f ]+), from', files["README.md"])
    ((text, name, hex_bytes),) = matches
    (field,) = (field for field in fields if field["name"] == name)
    assert by_manifest([field | {"offset": 0}], {name: text}) == bytes.fromhex(hex_bytes)


@pytest.mark.parametrize("document", ["bus", "network", "host"])
def test_documents_have_an_example_in_bytes(document):
    """The example is the text "ab" in a field of four bytes."""
    text = (Path(__file__).parents[2] / "docs" / f"{document}.md").read_text(encoding="utf-8")
    assert re.search(r'"ab"[^.]*`string\(4\)`[^.]*00 00 62 61', text.replace("\n", " "))
    field = {"name": "t", "offset": 0, "width": 32, "byte_order": "first byte highest"}
    assert by_manifest([field], {"t": "ab"}) == bytes.fromhex("00 00 62 61")
