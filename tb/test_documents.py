"""What README and docs say to type is right: queries parse, links lead somewhere, targets exist."""

import re
import tomllib
from pathlib import Path

import pytest

from gen.app import app
from query.design import KEYS
from query.parser import parse
from rtl.bus.registers import COUNTERS, END, SETTINGS, VERSION
from rtl.bus.top import registers_of
from rtl.contract.face import Face
from rtl.contract.options import option_fields
from rtl.engine import ENGINES

ROOT = Path(__file__).parents[1]
ROOTS = ("README.md", "CONTRIBUTING.md")
DOCUMENTS = [*(ROOT / name for name in ROOTS), *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language):
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for found in re.finditer(rf"^( *)```{language}\n(.*?)```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 2
            yield f"{document.relative_to(ROOT)}:{line}", found[2].replace("\n" + found[1], "\n")


QUERIES = [block for block in blocks("sql") if "CREATE" in block[1]]


@pytest.mark.parametrize(("place", "text"), QUERIES)
def test_queries_parse(place, text):
    assert parse(text, place).items


def test_both_documents_hold_a_query():
    assert {place.partition(":")[0] for place, _ in QUERIES} >= {
        "README.md",
        "docs/query-language.md",
    }


def test_first_query_and_its_data_fit():
    (query,) = (parse(text, place) for place, text in QUERIES if place.startswith("README"))
    (data,) = (text for place, text in blocks("csv") if place.startswith("README"))
    header, *rows = (line.strip().split(",") for line in data.strip().splitlines())
    assert tuple(header) == query.schema.names
    for row in rows:
        for column, field in zip(query.schema.columns, row, strict=True):
            column.type.parse(field)


def test_design_points_use_keys_that_exist():
    tables = [tomllib.loads(text) for _, text in blocks("toml")]
    points = [table for table in tables if "mutant" not in table]
    assert points
    assert all(set(point) <= set(KEYS) for point in points)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = re.findall(
        r"(?:`|^ {4})make ([a-z-]+)", document.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(named) <= targets


def test_addresses_of_registers():
    """In tables of address and name; a swag design with a network has all that they tell."""
    query = "SELECT g, min(v) FROM S [ROWS 8 SLIDE 4] GROUP BY g;"
    asked = parse(f"CREATE INPUT STREAM S (g int, v int); {query}")
    registers = registers_of(ENGINES["swag"](query=asked).faced(Face(network=True)))
    told = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        told += re.findall(r"^\| (0x[0-9A-F]+) \| `(\w+)` \|", text, re.MULTILINE)
    assert {name: int(address, 16) for address, name in told} == {
        name: registers[name].address for _, name in told
    }
    names = {name for _, name in told}
    assert {"magic", "version", "control", "status", "function", "size", "slide"} <= names
    assert {"mac_low", "mac_high", "address", "port", "to_mac_high", "to_port"} <= names


def test_the_register_map_is_told_as_it_is():
    text = (ROOT / "docs" / "registers.md").read_text(encoding="utf-8")
    major, minor = VERSION >> 16, VERSION & 0xFFFF
    assert text.startswith(f"# The register map, version {major}.{minor}\n")
    assert f"| 0x{SETTINGS:03X} ... 0x{COUNTERS - 4:03X} | host settings |" in text
    assert f"| 0x{COUNTERS:03X} ... 0x{END - 4:03X} | counters |" in text


def test_commands_and_options_exist():
    commands = {command.callback.__name__ for command in app.registered_commands}
    having = (Face, *(engine.options for engine in ENGINES.values()))
    options = {field.name for options in having for field in option_fields(options)}
    seen = set()
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        named = re.findall(r"(?:`|^ {4,})sluice ([a-z]+)", text, re.MULTILINE)
        given = re.findall(r"--set (?!name=value)(\w+)=\w", text)
        seen |= {("command", name) for name in named} | {("option", name) for name in given}
    known = {("command", name) for name in commands} | {("option", name) for name in options}
    assert seen - known == set()
    assert {("command", "simulate"), ("option", "lanes")} <= seen
