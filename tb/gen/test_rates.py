"""Compares the predicted and the measured rate of `sluice simulate`."""

import json
import random

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

SCHEMA = "CREATE INPUT STREAM S (t int(16), y uint(4)); SELECT min(y), count(*) FROM S"


def _simulate(sluice, query, data, *options):
    """Returns the JSON of `sluice simulate`, whose rows must all be right."""
    code, out, _ = sluice("simulate", query, "--input", data, *options, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"]) == (0, 0)
    return output


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("engine", "text", "by_hand"),
    [
        # A slide has 3 tuples, and takes 2 cycles more for its other panes of one unit of time.
        ("pane", "[RANGE 10 SLIDE 3 WATTR t]", 3 / 5),
        ("window-id", "[RANGE 10 SLIDE 3 WATTR t]", 1),
        ("two-stacks", "[ROWS 8 SLIDE 2] WHERE y = 1", 1),  # passes one in 5
    ],
)
def test_what_the_input_takes_is_predicted(engine, text, by_hand, sluice, tmp_path):
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(f"{SCHEMA} {text};")
    data.write_text("t,y\n" + "".join(f"{k},{k % 5}\n" for k in range(900)))
    output = _simulate(sluice, query, data, "--engine", engine)
    measured = output["sustained_tuples_per_cycle"]
    assert measured == pytest.approx(by_hand, rel=0.01)
    assert measured == pytest.approx(output["predicted_tuples_per_cycle"], rel=0.01)


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["ideal", "restless", "ddr3"])
def test_windows_of_keys_are_predicted_for_the_keys_and_the_memory(memory, sluice, tmp_path):
    """Thirty-two random keys, of whose tuples WHERE passes half.

    A window is read for every 4 passing tuples, which are 8 tuples of the input: 7.5 lines on
    average, and one more line in the kernels. So full windows take 8.5 cycles for 8 tuples. The
    first 13 % of the tuples close no window, and take a cycle each. The DRAM also opens rows and
    writes lines. The restless memory transfers 3 beats in 4 cycles, and a burst takes up to 60
    cycles more.
    """
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (k uint(16), x int(64), y uint(4)); SELECT k, sum(x), count(*) "
        "FROM S [PARTITION BY k ROWS 64 SLIDE 4] WHERE y > 7;"
    )
    rng = random.Random(3)
    lines = [f"{rng.randrange(32)},{rng.randrange(99)},{rng.randrange(16)}" for _ in range(30_000)]
    data.write_text("\n".join(["k,x,y", *lines, ""]))
    output = _simulate(sluice, query, data, "--memory", memory, "--set", "entries=64")
    predicted, measured = output["predicted_tuples_per_cycle"], output["sustained_tuples_per_cycle"]
    full = 1 - 32 * 63 / 15_000
    by_hand = {"ideal": 1 / (1 - full + full * 8.5 / 8)}
    if memory in by_hand:
        assert measured == pytest.approx(by_hand[memory], rel=0.05)
    assert predicted == pytest.approx(measured, rel=0.1)


@pytest.mark.regress
def test_words_outside_of_the_chip_are_read_for_each_window_of_a_tuple(sluice, tmp_path):
    """The words of 300 random keys have lost their slots when their key closes windows.

    A tuple comes some 300 times after the tuple before of its key, so it closes 3 windows on
    average, and each of them reads the words of the line anew, and the four of the line before.
    """
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (t uint(32), k uint(32), x int(64)); SELECT k, sum(x), max(x) "
        "FROM S [PARTITION BY k RANGE 1200 SLIDE 100 WATTR t];"
    )
    rng = random.Random(4)
    lines = [f"{t},{rng.randrange(300)},{rng.randrange(-999, 999)}" for t in range(6000)]
    data.write_text("\n".join(["t,k,x", *lines, ""]))
    settings = ("entries=1024", "m2_kind=external", "m2_lines=2", "window_max=64")
    options = [text for setting in settings for text in ("--set", setting)]
    output = _simulate(sluice, query, data, *options)
    assert output["evicted_keys"] == 0
    assert output["predicted_tuples_per_cycle"] == pytest.approx(
        output["sustained_tuples_per_cycle"], rel=0.03
    )
