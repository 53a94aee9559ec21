"""What README and docs say to type is right: queries parse, links lead somewhere, targets exist."""

import re
import tomllib
from pathlib import Path

import pytest

from query.design import KEYS
from query.parser import parse

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


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
    points = [tomllib.loads(text) for _, text in blocks("toml")]
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
