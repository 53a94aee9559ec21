"""Checks the figures in docs: their predictions are today's, and near the measured values."""

import pytest

from tb.day import daily
from tb.figures.__main__ import main, measure_missing, predict_again
from tb.figures.capacity import FIGURE as CAPACITY
from tb.figures.capacity import overflows
from tb.figures.figure import FOLDER, figures
from tb.figures.figure2 import FIGURE as FIGURE2
from tb.figures.figure18 import DESIGNS, WINDOWS
from tb.figures.figure18 import FIGURE as FIGURE18
from tb.figures.figure19 import DESIGNS as CACHES
from tb.figures.figure19 import FIGURE as FIGURE19
from tb.figures.key_rates import MEGAHERTZ, KeyRates
from tb.figures.noise import FIGURE as NOISE
from tb.figures.noise import LEAST_SHARE
from tb.figures.seed_query import FIGURE as SEED_QUERY
from tb.figures.seed_query import MEASURED
from tb.figures.table2 import COLUMNS
from tb.figures.table2 import FIGURE as TABLE2
from tb.rtl.engine.seed_sizes import SIZES

NEAR = 0.1
LATENCIES = [n for n, figure in figures().items() if "measured us" in figure.read()[0]]
MEASURED_RATES = [name for name, of in figures().items() if "measured MT/s" in of.read()[0]]
RATES = [name for name, figure in figures().items() if isinstance(figure, KeyRates)]
TEXTS = ("WA (tuples)", "throughput (MT/s)", "latency (microseconds)", "seed 000: line rate")
RATIO_TEXTS = ("WS (tuples)", "compression ratio", "made, of windows", "seed 000")
CACHE_TEXTS = ("one key, WA = 1", "throughput (MT/s)", "cached_keys=1, measured", "seed 000")
SIZE_TEXTS = ("16,384 keys", "ALMs", "seed ALMs", "base-delta", "min")
QUERY_TEXTS = ("WA (tuples)", "gain over dram-only", "latency (microseconds)", "up to 23")
CAPACITY_TEXTS = ("WS (tuples)", "keys", "noise", "sz, expected_ratio=21", "23 times as many")
WIDTH_TEXTS = ("WS (tuples)", "throughput (MT/s)", "2 bits, measured", "up to 28 times 64 bits")
NOISE_TEXTS = ("WS (tuples)", "as a share of that without a codec", "sz, measured", "bar: 0.95")
GAIN_TEXTS = ("gain over dram-only, WA = 1", "throughput (MT/s)", "xor, measured", "up to 5.7")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure99"], "there is no figure figure99, only "),
        (["--mising", "capacity"], "unrecognized arguments: --mising"),
        (["--missing", "--predictions"], "not allowed with argument --missing"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message, capsys, monkeypatch):
    monkeypatch.setattr("tb.figures.figure.Figure.write", lambda self, rows: pytest.fail("written"))
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", figures())
def test_the_tables_have_the_predictions(name):
    """If a difference is intended, run `make figures`."""
    rows = figures()[name].read()
    predicted = figures()[name].predicted()
    assert [
        {column: row[column] for column in new} for row, new in zip(rows, predicted, strict=True)
    ] == predicted


def rates_far_from_the_predictions(rows):
    """Returns the rows whose measured and predicted rates differ by more than 10 %."""
    measured = [row for row in rows if row["measured MT/s"]]
    assert measured
    pairs = [sorted((row["measured MT/s"], row["predicted MT/s"])) for row in measured]
    return [
        row for row, (low, high) in zip(measured, pairs, strict=True) if low < (1 - NEAR) * high
    ]


@pytest.mark.parametrize("name", MEASURED_RATES)
def test_every_measured_rate_is_near_its_prediction(name):
    assert rates_far_from_the_predictions(figures()[name].read()) == []


def latency_rows(quick):
    """Returns (figure, design, ws, wa) of the rows with latencies.

    ``quick`` selects windows of up to 256 tuples, whose prediction takes about 2 seconds; otherwise
    the rows are those of longer windows.
    """
    rows = [(name, row) for name in LATENCIES for row in figures()[name].read()]
    return [
        (name, row.get("design") or row["memory"], int(row["ws"]), int(row["wa"]))
        for name, row in rows
        if (row["ws"] <= 256) == quick
    ]


@pytest.mark.parametrize(
    ("name", "design", "ws", "wa"),
    [
        *daily(latency_rows(quick=True), 2),
        *(pytest.param(*one, marks=pytest.mark.regress) for one in latency_rows(quick=False)),
    ],
)
def test_the_tables_have_the_predicted_latencies(name, design, ws, wa):
    """If a difference is intended, run `make figures`."""
    figure = figures()[name]
    (row,) = (
        row
        for row in figure.read()
        if (row.get("design") or row["memory"], row["ws"], row["wa"]) == (design, ws, wa)
    )
    point_row = row | {"ws": ws, "wa": wa}
    predicted = {column: row[column] for column in figure.stream_columns}
    assert figure.stream_prediction(point_row) == predicted


def stream_rows(quick):
    """Returns (figure, number of the row) of the rates that are predicted tuple by tuple.

    If ``quick`` is true they are those of windows of up to 1,024 tuples.
    """
    return [
        (figure.name, number)
        for figure in (FIGURE2, NOISE)
        for number, row in enumerate(figure.read())
        if (row["ws"] <= 1024) == quick
    ]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *daily(stream_rows(quick=True), 2),
        *(pytest.param(*one, marks=pytest.mark.regress) for one in stream_rows(quick=False)),
    ],
)
def test_the_tables_have_the_rates_predicted_from_tuples(name, number):
    """If a difference is intended, run `make figures`."""
    figure = figures()[name]
    row = figure.read()[number]
    row |= {"ws": int(row["ws"])}
    assert figure.stream_prediction(row) == {"predicted MT/s": row["predicted MT/s"]}


@pytest.mark.parametrize("name", LATENCIES)
def test_every_measured_latency_is_near_its_prediction(name):
    rows = [row for row in figures()[name].read() if row["measured us"]]
    assert rows
    pairs = [sorted((row["measured us"], row["predicted us"])) for row in rows]
    near = [low >= (1 - NEAR) * high for low, high in pairs]  # False for NaN
    far = [row for row, is_near in zip(rows, near, strict=True) if not is_near]
    assert not far


def test_all_figures_with_rates_have_measured_rates():
    assert LATENCIES == ["figure16", "figure17", "seed_query"]
    cached_and_small = ["figure18", "figure19", "figure2", "noise"]
    assert ["figure16", "figure17", *cached_and_small, "seed_query"] == MEASURED_RATES


def test_a_rate_far_from_its_prediction_is_found():
    near = {"predicted MT/s": 10.0, "measured MT/s": 9.1}
    far = [near | {"measured MT/s": rate} for rate in (8.9, 11.2)]
    assert rates_far_from_the_predictions([near, *far, near | {"measured MT/s": None}]) == far


@pytest.mark.parametrize("name", RATES)
def test_curves_are_measured_at_both_ends(name):
    """Each curve has at least four measured points."""
    measured = [row for row in figures()[name].read() if row["measured MT/s"]]
    curves = {}
    for row in measured:
        curves.setdefault((row["memory"], row["ws"]), []).append(row["wa"])
    assert len(curves) == 4
    for (_, ws), slides in curves.items():
        assert len(slides) >= 4
        assert (slides[0], slides[-1]) == (1, ws)


def test_measured_gains_are_the_seeds():
    """Each codec's best gain is at least the seed's.

    SZ's best gain is 22.6 instead of 23: a window of 4,096 values has 22.2 blocks in DRAM and one
    block on the chip, each of which takes a cycle of the data collector, and dram-only reads 513
    lines.
    """
    rows = [row for row in FIGURE18.read() if row["measured MT/s"]]
    rates = {(row["design"], row["ws"], row["wa"]): row["measured MT/s"] for row in rows}
    assert len(rates) == len(rows) == 3 * len(DESIGNS) * len(WINDOWS)
    for name, (*_, seed, _) in DESIGNS.items():
        gains = [rates[name, ws, 1] / rates["dram-only", ws, 1] for ws in WINDOWS]
        assert max(gains) >= (22.5 if name == "sz" else seed or 1)


def test_measured_rates_of_the_cache():
    """A cache returns a window of 128 in each cycle, and triples the rate of windows of 1,024."""
    rows = [row for row in FIGURE19.read() if row["measured MT/s"]]
    rates = {(row["design"], row["ws"]): row["measured MT/s"] for row in rows}
    without, *cached = CACHES
    for name in cached:
        assert rates[name, 128] >= 0.95 * MEGAHERTZ
        assert rates[name, 1024] >= 3 * rates[without, 1024]


def test_small_values_give_a_high_rate():
    """Values of 2 bits have a 32nd of the data, and at least 20 times the rate of 64 bits."""
    rows = FIGURE2.read()
    rates = {(row["bits of a value"], row["ws"]): row["measured MT/s"] for row in rows}
    assert rates[2, 4096] >= 20 * rates[64, 4096]
    for ws in (64, 256, 1024, 4096):
        by_size = [rates[bits, ws] for bits in (64, 32, 16, 8, 4, 2)]
        assert by_size == sorted(by_size)


def test_noise_costs_little():
    """White noise costs at most 5 % of the rate, and of the memory, with each codec."""
    rows = NOISE.read()
    base = {row["ws"]: row["measured MT/s"] for row in rows if row["codec"] == "none"}
    assert len(base) == 3
    for row in rows:
        assert row["measured MT/s"] >= LEAST_SHARE * base[row["ws"]]
        assert row["memory over none"] <= 2 - LEAST_SHARE


def test_measured_rates_of_the_seeds_query():
    """Many points have predictions only. Each codec has at least the seed's gain."""
    rows = SEED_QUERY.read()
    measured = [row for row in rows if row["measured MT/s"]]
    for row in rows:
        cells = [row[column] for column in MEASURED]
        assert None not in cells if row in measured else cells == [None] * len(MEASURED)
    rates = {(row["design"], row["ws"], row["wa"]): row["measured MT/s"] for row in measured}
    for name, ws, min_gain in (("base-delta", 256, 5.7), ("xor", 256, 6), ("sz", 4096, 23)):
        assert rates[name, ws, 1] / rates["dram-only", ws, 1] >= min_gain


def test_passes_of_the_seeds_query():
    """Only first windows of keys take several passes if SLIDE is at most ``neighbours``."""
    for row in SEED_QUERY.read():
        if (measured := row["passes per window"]) is not None:
            assert row["predicted passes"] == pytest.approx(measured, rel=0.03)
        if row["wa"] <= row["neighbours"] and row["ws"] <= 1024:
            assert row["predicted passes"] <= 1.5


def test_capacity_grows_nearly_as_the_ratio():
    """The bars are those of windows of 4,096; no window of the trace or of noise overflows."""
    rows = [row for row in CAPACITY.read() if row["ws"] == 4096]
    for row in rows:
        noise, codec = row["data"] == "noise", row["codec"]
        min_gain = {"none": 1, "sz": 18}.get(codec, 4.5)
        assert row["gain"] >= (1 / 1.05 if noise else min_gain)
    assert {row["overflowed windows"] for row in CAPACITY.read()} == {None, 0}


def test_windows_that_do_not_fit():
    """Windows of 4 values, in blocks of 2, need two closed blocks if their first number is odd."""
    assert overflows([[2] * 5], 4, 2) == 3  # windows from 1, 3 and 5 on
    assert overflows([[2] * 5, [4, 3]], 4, 3) == 0


def test_missing_numbers_are_measured_and_others_stay(tmp_path, monkeypatch):
    """A number stays only if the prediction of its row is the same."""
    monkeypatch.setattr("tb.figures.figure.FOLDER", tmp_path)
    calls = []

    class Three(type(CAPACITY)):
        def stream_prediction(self, row):
            calls.append(-row["n"])
            return {"s": 100 * row["n"]}

        def measured(self, row):
            calls.append(row["n"])
            return {"m": 10 * row["n"]}

    figure = Three(name="three", stream_columns=("s",))
    predicted = [{"n": n, "p": n} for n in (1, 2, 3)]
    others = [{"s": 5, "m": 7}, {"s": 6, "m": None}, {"s": 8, "m": 9}]
    figure.write([row | more for row, more in zip(predicted, others, strict=True)])
    measure_missing(figure, [*predicted[:2], {"n": 3, "p": 4}])
    assert calls == [2, -3, 3]
    assert [(row["s"], row["m"]) for row in figure.read()] == [(5, 7), (6, 20), (300, 30)]


def test_predictions_are_computed_again_and_measured_numbers_stay(tmp_path, monkeypatch):
    monkeypatch.setattr("tb.figures.figure.FOLDER", tmp_path)

    class Two(type(CAPACITY)):
        def stream_prediction(self, row):
            return {"s": 100 * row["n"]}

    figure = Two(name="two", stream_columns=("s",))
    figure.write([{"n": 1, "p": 1, "s": 5, "m": 7}, {"n": 2, "p": 2, "s": 6, "m": None}])
    predict_again(figure, [{"n": 1, "p": 3}, {"n": 2, "p": 4}])
    assert [list(row.items()) for row in figure.read()] == [
        [("n", 1), ("p", 3), ("s", 100), ("m", 7)],
        [("n", 2), ("p", 4), ("s", 200), ("m", None)],
    ]


def test_designs_are_smaller_than_the_seeds():
    """Designs with the seed's kernels are smaller; XOR and grid need less than half."""
    sizes = {row["design"]: row for row in TABLE2.read()}
    for name in SIZES:
        min_alms, max_alms = (sizes[name][column] for column in COLUMNS)
        part = 0.5 if name in ("xor", "grid") else 1
        assert 0 < min_alms < max_alms < part * sizes[name]["seed ALMs"]


def test_pivots_are_smaller_than_the_sorter():
    """Designs with pivots are smaller than the seed's, and than the same kernels with a sorter."""
    sizes = {row["design"]: row for row in TABLE2.read()}
    for name in SIZES:
        pivot = sizes[f"{name}, pivot"]
        assert pivot["most ALMs"] < pivot["seed ALMs"]
        if pivot["kernels"] == sizes[name]["kernels"]:
            assert all(0 < pivot[column] < sizes[name][column] for column in COLUMNS)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", figures())
def test_pictures_are_drawn_the_same_each_time(name, tmp_path):
    figure = figures()[name]
    drawn = []
    for _ in range(2):
        figure.draw(figure.read(), tmp_path)
        drawn.append((tmp_path / f"{name}.svg").read_bytes())
    assert drawn[0] == drawn[1]
    committed = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    texts = {"ratios": RATIO_TEXTS, "figure18": GAIN_TEXTS, "figure19": CACHE_TEXTS}
    texts |= {"figure2": WIDTH_TEXTS, "noise": NOISE_TEXTS}
    texts |= {"table2": SIZE_TEXTS, "seed_query": QUERY_TEXTS, "capacity": CAPACITY_TEXTS}
    for text in texts.get(name, TEXTS):
        assert text in committed
        assert text in drawn[0].decode()
