"""Checks that mistakes of a user and failures of a board raise one error with a way out.

After each error the engine answers as before.
"""

import json
import pickle
import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from host import (
    DeviceError,
    Engine,
    HangError,
    HostError,
    SettingError,
    TableError,
    errors,
)
from host.description import Description
from sim.host_simulation import CompiledSimulation
from tb.host.row_lists import lists_of
from tb.host.stand_in import Module

pytestmark = pytest.mark.hdl

GOOD = {"g": [1, 1, 2], "x": [3, 4, 5], "y": [0, 1, 2]}


def errors_of_the_host():
    """Yields the classes of errors of the host class."""
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, HostError):
            yield kind


@pytest.fixture
def group_by(generated):
    """Returns the design and directory of a group-by over g uint(4), x int(6) and y."""
    return generated("group-by")


@pytest.fixture
def engine(group_by, cache):
    with Engine.open(group_by[1], "simulation", cache=cache / "bench") as opened:
        yield opened


def columns(engine, **changed):
    """Returns a valid table with some columns changed, or removed (None)."""
    names = [field.name for field in engine.description.tuples.fields]
    table = {name: np.array([1, 1, 2]) for name in names} | changed
    return {name: column for name, column in table.items() if column is not None}


def test_tables_that_are_wrong(engine):
    """The message names column, row and value, and the engine receives no tuple."""
    good = columns(engine)
    rows_before = lists_of(engine.run(good))
    g, x, *_ = good
    sent = engine.counters()["tuples"]
    cases = [
        (columns(engine, **{x: None}), f"it lacks {x}"),
        (columns(engine, **{x: [1, 2]}), "of one length"),
        (columns(engine, **{x: [1, 99, 2]}), f"column {x}, row 1: must fit int(6), not 99"),
        (columns(engine, **{x: [1.0, 2.0, 2.5]}), f"column {x}, row 2: must be a whole number"),
        (columns(engine, **{x: [1.0, float("nan"), 2]}), f"column {x}, row 1"),
        (columns(engine, **{g: [1, -1, 2]}), f"column {g}, row 1: must fit uint(4), not -1"),
        (columns(engine, **{g: [1, 16, 2]}), f"column {g}, row 1: must fit uint(4), not 16"),
        (
            columns(engine, **{x: ["1", "b", "2"]}),
            f"column {x}, row 1: must be a number for int(6), not 'b'",
        ),
        (columns(engine, **{x: np.ones((3, 2))}), f"column {x} must have one dimension"),
        (columns(engine, **{x: "12"}), f"column {x} must have one dimension"),
        (columns(engine, **{x: [["1"], ["2"]]}), f"column {x} must have one dimension"),
        (
            columns(engine, **{x: pa.array([1, None, 2])}),
            f"column {x} must have no nulls; it has 1",
        ),
        (columns(engine, **{x: np.ma.masked_array([1, 2, 3], [0, 1, 0])}), "no nulls"),
        ([1, 2, 3], "table must be an Arrow table"),
    ]
    for table, message in cases:
        with pytest.raises(TableError, match=message.replace("(", r"\(").replace(")", r"\)")):
            engine.run(table)
    assert engine.counters()["tuples"] == sent
    assert lists_of(engine.run(good)) == rows_before


def test_one_table_in_many_kinds(engine):
    """Rows are a table of the same kind as the input, with the same values for all kinds."""
    good = columns(engine)
    rows = engine.run(good)
    arrow = engine.run(pa.table({name: pa.array(c) for name, c in good.items()}))
    assert isinstance(arrow, pa.Table)
    assert {name: c.tolist() for name, c in rows.items()} == arrow.to_pydict()
    kinds = [(name, np.int64) for name in good]
    structured = np.array(list(zip(*good.values(), strict=True)), kinds)
    assert lists_of(engine.run(structured)) == lists_of(rows)
    reversed_columns = dict(reversed(good.items())) | {"more": [0, 0, 0]}
    assert lists_of(engine.run(reversed_columns)) == lists_of(rows)


def test_settings_that_are_wrong(generated, cache):
    """If one of several settings is refused, the next run uses all old settings."""
    _, directory = generated("two-stacks")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        table = {f.name: np.arange(20) % 7 for f in engine.description.tuples.fields}
        rows_before = lists_of(engine.configure(ws=4, wa=2).run(table))
        for settings, message in (
            ({"ws": 3, "wa": 0}, "wa must be from 1"),
            ({"wa": 1, "ws": 1 << 40}, "ws must be from 1"),
            ({"wa": 1.5}, "wa must be a whole number"),
            ({"wa": "2"}, "wa must be a whole number"),
            ({"wa": None}, "wa must be a whole number"),
            ({"width": 3}, "width is no setting"),
        ):
            with pytest.raises(SettingError, match=message):
                engine.configure(**settings)
        assert lists_of(engine.run(table)) == rows_before


def test_settings_that_do_not_go_together(generated, cache):
    """Settings that break a rule together (wa above ws) are not written."""
    _, directory = generated("two-stacks")
    words = (
        r"slide must be at most size; size \(ws\) is 2, slide \(wa\) is 3: the engine would drop"
    )
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        table = {f.name: np.arange(20) % 7 for f in engine.description.tuples.fields}
        rows_before = lists_of(engine.configure(ws=4, wa=2).run(table))
        for settings in ({"ws": 2, "wa": 3}, {"wa": 3, "ws": 2}, {"size": 2, "slide": 3}):
            with pytest.raises(SettingError, match=words):
                engine.configure(**settings)
        with pytest.raises(SettingError, match=r"size \(ws\) is 4, slide \(wa\) is 5"):
            engine.configure(wa=5)  # with the ws of before
        with pytest.raises(SettingError, match=r"it has two names, ws and size"):
            engine.configure(ws=3, size=3)
        registers = [engine.control.read(name) for name in ("size", "slide")]
        assert (registers, engine.errors()) == ([4, 2], {})
        assert lists_of(engine.run(table)) == rows_before
        assert lists_of(engine.configure(wa=5, ws=5).run(table)) != rows_before
        engine.control.set("size", 2)  # past configure: run says the same, before anything is sent
        sent = engine.counters()["tuples"]
        with pytest.raises(SettingError, match=words.replace("is 3", "is 5")):
            engine.run(table)
        assert engine.counters()["tuples"] == sent


def test_a_refused_configure_leaves_the_querys_settings(generated, cache):
    """A valid setting before a refused one is not written, and keeps the query's number."""
    design, directory = generated("two-stacks")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        slide_before = engine.control.read("slide")
        assert slide_before == design.settings.values["slide"] != 1
        with pytest.raises(SettingError, match="ws must be from 1"):
            engine.configure(wa=1, ws=0)
        assert engine.control.read("slide") == slide_before


def test_hardware_refuses_settings_that_no_host_has_checked(generated, cache):
    """The engine drops the stream if wa above ws is written to the registers directly."""
    _, directory = generated("two-stacks")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        table = {f.name: np.arange(20) % 7 for f in engine.description.tuples.fields}
        rows_before = lists_of(engine.configure(ws=4, wa=2).run(table))
        engine.control.write("slide", 5)
        with pytest.raises(DeviceError, match=r"bad_setting.*call reset"):
            engine.run(table)
        with pytest.raises(DeviceError, match=r"call reset.. before the next run"):
            engine.configure(ws=4, wa=2).run(table)
        assert lists_of(engine.reset().run(table)) == rows_before


def test_a_closed_engine(generated, cache):
    """Every call that reads or writes raises HostError; closing again does nothing."""
    _, directory = generated("two-stacks")
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        table = {f.name: np.arange(20) % 7 for f in engine.description.tuples.fields}
        engine.run(table)
        tuples = engine.last.tuples
    engine.close()
    calls = (
        lambda: engine.run(table),
        lambda: engine.configure(ws=4),
        engine.configure,
        engine.counters,
        engine.errors,
        engine.reset,
        lambda: engine.control.read("status"),
        lambda: engine.control.write("size", 1),
        lambda: engine.control.set("size", 1),
        lambda: engine.control.busy,
        engine.__enter__,
    )
    for call in calls:
        with pytest.raises(
            HostError, match=r"the engine \w+ is closed: open it again with Engine.open"
        ):
            call()
    assert engine.last.tuples == tuples == 20


def test_directories_that_are_none(tmp_path, group_by, cache):
    _, directory = group_by
    for text, message in (
        (None, "cannot be read"),
        ("{", "is no manifest"),
        ("[" * 100_000, "is no manifest; "),
        ("{}", "newer"),
        ('{"unit": "prefix-scan"}', "describes a block of `sluice generate --unit`"),
        ('{"host": {}}', "is no manifest of this version; generate the design anew"),
        ('{"host": {"settings": [1]}}', "is no manifest of this version"),
    ):
        if text is not None:
            (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(HostError, match=message):
            Engine.open(tmp_path)
    with pytest.raises(HostError, match="backend must be one of simulation, pynq"):
        Engine.open(directory, "fpga")
    for options, message in (
        (
            {"seconds": 1},
            "simulation has no option seconds, only: cache, stall_input,",
        ),
        (
            {"stall_input": 2},
            "simulation: stall_input must be between 0 and 0.99, not 2",
        ),
        ({"stall_output": "x"}, "stall_output must be between 0 and 0.99, not 'x'"),
        ({"seed": "a"}, "the back end simulation: seed must be a whole number, not 'a'"),
    ):
        with pytest.raises(HostError, match=message):
            Engine.open(directory, "simulation", **options)
    (verilog,) = directory.glob("*.v")
    verilog.rename(tmp_path / "moved.v")
    try:
        with pytest.raises(HostError, match=r"no simulation: .*No such file"):
            Engine.open(directory, "simulation")
    finally:
        (tmp_path / "moved.v").rename(verilog)


def test_another_design_answers(group_by, cache):
    """The manifest has another configuration than the Verilog."""
    _, directory = group_by
    path = directory / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"configuration_hash": "0x12345678"}))
    with pytest.raises(DeviceError, match=r"another design answers.*load its bitstream"):
        Engine.open(directory, "simulation", cache=cache / "bench")


@pytest.fixture
def board(group_by, cache, monkeypatch):
    """Returns a function that installs a faulty stand-in of `pynq` and returns the directory."""
    opened = []

    def put(**fault):
        description = Description.read(group_by[1])
        opened.append(CompiledSimulation(description, cache=cache / "bench"))
        monkeypatch.setitem(sys.modules, "pynq", Module(opened[-1], description.streams, **fault))
        return group_by[1]

    yield put
    for simulation in opened:
        simulation.close()


def test_registers_that_are_not_plugged_in(board):
    """Addresses without a register read as ones or as zeros."""
    for magic in (0, 0xFFFF_FFFF):
        with pytest.raises(DeviceError, match=r"no engine answers.*load the bitstream"):
            Engine.open(board(magic=magic), "pynq")


def test_parts_that_the_overlay_has_not(board):
    with pytest.raises(HostError, match="'engine2' is none"):
        Engine.open(board(), "pynq", registers="engine2")
    with pytest.raises(HostError, match="dma must name a DMA for m_axis"):
        Engine.open(board(), "pynq", dma={"s_axis": "dma"})


def test_rows_that_get_lost_on_the_way(board):
    with (
        Engine.open(board(lose=True), "pynq", seconds=0.2) as engine,
        pytest.raises(DeviceError, match="0 of 2 rows have come out"),
    ):
        engine.run(columns(engine))


def test_a_dma_that_moves_nothing(board):
    """The error comes after the time limit, and says what to check."""
    with (
        Engine.open(board(late=1 << 40), "pynq", seconds=0.2) as engine,
        pytest.raises(HangError, match=r"no packet came in 0.2 s, and the engine is not empty; c"),
    ):
        engine.run(columns(engine))


def test_an_empty_table(board, engine):
    """An empty table has no rows in a group-by, and cannot be sent by a DMA."""
    empty = {name: np.array([], np.int64) for name in columns(engine)}
    assert all(len(column) == 0 for column in engine.run(empty).values())
    with Engine.open(board(), "pynq") as other, pytest.raises(TableError, match="empty stream"):
        other.run(empty)


def test_a_packet_that_is_too_long(board):
    with (
        Engine.open(board(), "pynq", packet_bytes=4) as engine,
        pytest.raises(DeviceError, match="longer than packet_bytes, 4"),
    ):
        engine.run(columns(engine))


@pytest.mark.parametrize("seconds", [2, Fraction(2), np.float32(2), np.int64(2)])
def test_a_time_limit_is_a_float(seconds):
    """Sockets refuse fractions and NumPy's small floats."""
    limit = errors.time_limit(seconds)
    assert (type(limit), limit) == (float, 2.0)


@pytest.mark.parametrize("seconds", [True, 0, -1, float("nan"), "2", None, 10**400])
def test_what_is_no_time_limit(seconds):
    with pytest.raises(errors.HostError, match=r"^seconds must be a number above 0, not "):
        errors.time_limit(seconds)


@pytest.mark.parametrize("kind", [*errors_of_the_host()], ids=lambda kind: kind.__name__)
def test_errors_reach_another_process(kind):
    """A pool of processes pickles an error in the worker, and makes it anew from its arguments."""
    error = kind("text")
    for name in ("rows", "datagrams"):
        if hasattr(error, name):
            setattr(error, name, 7)
    other = pickle.loads(pickle.dumps(error))
    assert (type(other), str(other), vars(other)) == (kind, "text", vars(error))


def test_a_refused_run_leaves_no_counts_of_the_run_before(engine):
    engine.run(columns(engine))
    assert engine.last is not None
    with pytest.raises(TableError):
        engine.run({})
    assert engine.last is None


@pytest.mark.parametrize(
    ("last", "role", "is_filtered", "is_refused"),
    [
        (5 + 999_999_999, "window", False, False),  # the last time of window 99,999,999
        (5 + 1_000_000_000, "window", False, True),
        (5 + 1_000_000_000, "window", True, False),  # WHERE may drop the tuple
        (5 + 1_000_000_000, "key", False, False),  # windows of keys without a tuple have no row
    ],
)
def test_a_time_far_behind_all_others(last, role, is_filtered, is_refused):
    """An engine over the whole stream would send a row for each window between the two tuples."""
    engine = Engine.__new__(Engine)
    engine.description = SimpleNamespace(
        host={"window": {"kind": "range", "time": "t", "slide": 10}, "filtered": is_filtered},
        rows=SimpleNamespace(fields=[SimpleNamespace(role=role)]),
        tuples=SimpleNamespace(fields=[SimpleNamespace(name="t", type="int(64)")]),
    )
    engine.control = SimpleNamespace(values={"start": 5})
    columns = {"t": np.array([last, 5])}
    if not is_refused:
        engine._check_span(columns)
        return
    with pytest.raises(TableError, match=r"^column t has times up to 100,000,001 windows after "):
        engine._check_span(columns)
