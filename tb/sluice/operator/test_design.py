"""An operator finds its query in the manifest, with the numbers and constants of its settings."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sluice
from gen.design.build import Build
from gen.directory.manifest import MANIFEST, manifest
from host.description import Description
from query.design import DesignPoint
from query.errors import UserError
from query.parser import parse
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from rtl.engine import ENGINES
from sluice.operator.design import OperatorDesign
from tb.rtl.engine.points import DESIGNS

PORTS = SimpleNamespace(top="top", clock="aclk", reset="aresetn", ports=[])
BASIS = (
    "CREATE INPUT STREAM S (k uint(6), x fixed(6,2), t fixed(8,4) seconds);SELECT k, sum(x) FROM S "
)


def read(folder, design, settings=None):
    """Returns the operator's design of a directory that has only a manifest."""
    file = Path("some.cql")
    point = DesignPoint(query=design.query, query_file=file, file=file, engine=design.engine)
    build = Build(point=point, design=design, board=None)
    text = json.dumps(manifest(build, registers_of(design), PORTS, {}))
    (folder / MANIFEST).write_text(text)
    return OperatorDesign.read(
        folder, settings or {}, backend=None, options={}, allow_evictions=False
    )


@pytest.mark.parametrize("name", DESIGNS)
def test_the_query_is_that_of_the_design(tmp_path, name):
    design = DESIGNS[name]
    if name.endswith(", stream"):
        with pytest.raises(UserError, match="expects punctuations in its stream"):
            read(tmp_path, design)
        return
    operator = read(tmp_path, design)
    if name != "swag, select":
        assert operator.query == design.query
    assert operator.query.row_names == design.query.row_names
    operator.check_query(design.query)
    longest = 67_108_863 // Description.read(tmp_path).tuples.bytes  # in bytes that a DMA sends
    assert operator.longest == min(longest, design.stream_max or longest)


def test_settings_replace_the_numbers_of_the_query(tmp_path):
    """SLACK of streamzip is no setting, and stays the query's."""
    text = "[PARTITION BY k RANGE 4 SLIDE 2 WATTR t SLACK 1.5] WHERE x > 3;"
    design = ENGINES["streamzip"](query=parse(BASIS + text), constants="run-time", window_max=64)
    operator = read(tmp_path, design, {"range": 6, "slide": 3, "where0": -2})
    other = "[PARTITION BY k RANGE 6 SLIDE 3 WATTR t SLACK 1.5] WHERE x > -0.5;"
    assert operator.query == parse(BASIS + other)
    with pytest.raises(UserError, match="the directory is of another query: its engine answers"):
        operator.check_query(design.query)


@pytest.mark.parametrize(
    "settings", [{"ws": 6}, {"size": 6}, {"size": np.int64(6)}, {"ws": 6.0}, {"ws": 6, "wa": 2}]
)
def test_spellings_of_a_setting_are_one_setting(tmp_path, settings):
    """Each spelling gives the same numbers, which a checkpoint compares after a restart."""
    design = ENGINES["streamzip"](query=parse(f"{BASIS}[PARTITION BY k ROWS 8 SLIDE 2];"))
    assert read(tmp_path, design, settings).numbers == {"size": 6, "slide": 2}


def test_a_column_with_the_name_of_a_keyword(tmp_path):
    """The settings of percentiles stand behind the schema."""
    text = "CREATE INPUT STREAM S (g int, WHERE int, FROM int); SELECT g, median(FROM) AS SELECT "
    query = parse(f"{text}FROM S [ROWS 8 SLIDE 4] GROUP BY g;")
    design = ENGINES["swag"](query=query, percentiles="run-time", window_max=64, capacity=16)
    read(tmp_path, design).check_query(query)


def test_fractions_of_percentiles(tmp_path):
    """Another fraction makes another query, whether it is compiled or a setting."""
    text = "CREATE INPUT STREAM S (k uint(6), s string(20)); SELECT percentile(k, 0.5), s "
    text += "FROM S [ROWS 8 SLIDE 4] WHERE s = 'percentile(k, none)' GROUP BY s;"
    query, other = parse(text), parse(text.replace("0.5", "0.25"))
    refused = "the directory is of another query: its engine answers"
    for kind in ("compiled", "run-time"):
        design = ENGINES["swag"](query=query, percentiles=kind, window_max=64, capacity=16)
        operator = read(tmp_path, design)
        operator.check_query(query)
        with pytest.raises(UserError, match=refused):
            operator.check_query(other)
    operator = read(tmp_path, design, {"percentile0": 1 << 14})
    with pytest.raises(UserError, match=rf"{refused} .* SELECT s, percentile\(k, 0\.25\) AS"):
        operator.check_query(query)
    named = replace(
        other, items=(replace(other.items[0], name="percentile(k, 0.5)"), *other.items[1:])
    )
    operator.check_query(named)


def test_settings_that_are_refused(tmp_path):
    design = DESIGNS["streamzip"]
    for settings, text in (
        ({"size": 0}, "size must be from 1 to"),
        ({"ws": 2, "wa": 3}, "slide must be at most size"),
        ({"ws": 8, "size": 4}, "size must be set once: ws sets the same"),
        ({"base_0": 4096}, "base_0 is where the memory lies"),
        ({"rows": 3}, "rows is no setting of"),
    ):
        with pytest.raises(UserError, match=text):
            read(tmp_path, design, settings)
    with pytest.raises(UserError, match="start is an argument of windows, not a setting"):
        read(tmp_path, DESIGNS["pane"], {"start": 3})


def test_a_design_with_datagrams_needs_a_link_for_its_registers(tmp_path):
    design = DESIGNS["two-stacks"].with_face(Face(network=True))
    with pytest.raises(UserError, match="its registers are not: generate it with host_link=true"):
        read(tmp_path, design)
    linked = DESIGNS["two-stacks"].with_face(Face(network=True, host_link=True))
    assert read(tmp_path, linked).query == design.query


def test_a_file_that_is_no_manifest(tmp_path):
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(sluice.UserError, match="is no manifest"):
        OperatorDesign.read(tmp_path, {}, backend=None, options={}, allow_evictions=False)
