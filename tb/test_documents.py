"""Checks README and docs: queries parse, links lead to files, commands and targets exist."""

import re
import tomllib
from pathlib import Path

import pytest

from boards import BOARDS
from gen.app import COMMANDS
from gen.units.registry import UNITS
from query.design import KEYS
from query.parser import parse
from rtl.bus.registers import COUNTERS, END, SETTINGS, VERSION
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from rtl.contract.options import option_fields
from rtl.engine import ENGINES

ROOT = Path(__file__).parents[1]
ROOTS = ("README.md", "CONTRIBUTING.md")
DOCUMENTS = [*(ROOT / name for name in ROOTS), *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language):
    """Yields the place and the text of each code block in a language, in all documents."""
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for match in re.finditer(rf"^( *)```{language}\n(.*?)```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 2
            yield f"{document.relative_to(ROOT)}:{line}", match[2].replace("\n" + match[1], "\n")


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
def test_links_lead_to_headings(document):
    links = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", document.read_text(encoding="utf-8"))
    targets = [(document.parent / file if file else document, anchor) for file, anchor in links]
    broken_links = [(str(file), anchor) for file, anchor in targets if anchor not in anchors(file)]
    assert broken_links == []


def anchors(file):
    """Returns the anchors of a document's headings, as GitHub makes them.

    A line of a code block is no heading, even if it begins with a hash.
    """
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {
        f"{name}-{k}" if k else name
        for i, name in enumerate(plain)
        for k in [plain[:i].count(name)]
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = re.findall(
        r"(?:`|^ {4})make ([a-z-]+)", document.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(named) <= targets


def test_addresses_of_registers():
    """Tables of addresses agree with a swag design with a link, which has every register."""
    query = "SELECT g, min(v) FROM S [ROWS 8 SLIDE 4] GROUP BY g;"
    parsed = parse(f"CREATE INPUT STREAM S (g int, v int); {query}")
    face = Face(network=True, host_link=True)
    registers = registers_of(ENGINES["swag"](query=parsed).with_face(face))
    documented = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        documented += re.findall(r"^\| (0x[0-9A-F]+) \| `(\w+)` \|", text, re.MULTILINE)
    assert {(name, int(address, 16)) for address, name in documented} == {
        (name, registers[name].address) for _, name in documented
    }
    names = {name for _, name in documented}
    assert {"magic", "version", "control", "status", "function", "size", "slide"} <= names
    assert {"mac_low", "mac_high", "address", "port", "to_mac_high", "to_port"} <= names
    assert {"registers_port", "room"} <= names


def test_the_document_of_the_register_map_is_right():
    text = (ROOT / "docs" / "registers.md").read_text(encoding="utf-8")
    major, minor = VERSION >> 16, VERSION & 0xFFFF
    assert text.startswith(f"# The register map, version {major}.{minor}\n")
    assert f"| 0x{SETTINGS:03X} ... 0x{COUNTERS - 4:03X} | host settings |" in text
    assert f"| 0x{COUNTERS:03X} ... 0x{END - 4:03X} | counters |" in text


def test_the_table_of_blocks_is_complete():
    """Every block has a row, and every bench in cocotb is linked from a row."""
    text = (ROOT / "docs" / "verification.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if "](../tb/cocotb/" in line]
    rows = [row for row in rows if row[0].startswith("| ") and len(row) > 3]
    named = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row[0])]
    assert sorted(named) == sorted(UNITS)
    linked = {Path(link).name for row in rows for link in re.findall(r"\(([^)]+)\)", row[1])}
    benches = {path.name for path in (ROOT / "tb" / "cocotb").glob("*/test_*.py")}
    assert linked == benches - {"test_frames_by_scapy.py"}


def test_commands_and_options_exist():
    classes = (Face, *(engine.options for engine in ENGINES.values()))
    options = {field.name for options in classes for field in option_fields(options)}
    # Options of a board, such as address, are set in the same way.
    options |= {name for board in BOARDS.values() for name in board.option_names}
    documented = set()
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        named = re.findall(r"(?:`|^ {4,})sluice ([a-z]+)", text, re.MULTILINE)
        set_options = re.findall(r"--set (?!name=value)(\w+)=\w", text)
        documented |= {("command", name) for name in named} | {
            ("option", name) for name in set_options
        }
    existing = {("command", name) for name in COMMANDS} | {("option", name) for name in options}
    assert documented - existing == set()
    assert {("command", "simulate"), ("option", "lanes")} <= documented
