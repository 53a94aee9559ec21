"""Checks that `sluice simulate` predicts the rate that it measures."""

import json
import random

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

SCHEMA = "CREATE INPUT STREAM S (t int(16), y uint(4)); SELECT min(y), count(*) FROM S"


@pytest.mark.parametrize(
    ("engine", "text", "by_hand"),
    [
        ("pane", "[RANGE 10 SLIDE 3 WATTR t]", 3 / 5),
        ("window-id", "[RANGE 10 SLIDE 3 WATTR t]", 1),
        ("two-stacks", "[ROWS 8 SLIDE 2] WHERE y = 1", 1),  # passes one in 5
    ],
)
def test_what_the_input_takes_is_predicted(engine, text, by_hand, sluice, tmp_path):
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(f"{SCHEMA} {text};")
    data.write_text("t,y\n" + "".join(f"{k},{k % 5}\n" for k in range(900)))
    code, out, _ = sluice("simulate", query, "--input", data, "--engine", engine, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"]) == (0, 0)
    measured = output["sustained_tuples_per_cycle"]
    assert measured == pytest.approx(by_hand, rel=0.01)
    assert measured == pytest.approx(output["predicted_tuples_per_cycle"], rel=0.01)


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["ideal", "restless", "ddr3"])
def test_windows_of_keys_are_predicted_for_the_keys_and_the_memory(memory, sluice, tmp_path):
    """Thirty-two keys at random, half of whose tuples WHERE lets pass.

    A window is read for every 4 tuples that pass, so every 8 that are taken: 7.5 lines on average,
    and one more that the kernels take, so 8.5 cycles for 8 tuples, once windows are full; no window
    closes with the first 13 % of the tuples, and these pass in a cycle each. On the DRAM rows are
    opened and lines written beside; the restless memory moves 3 beats in 4 cycles, and a burst
    takes up to 60 cycles more.
    """
    query, data = tmp_path / "q.cql", tmp_path / "d.csv"
    query.write_text(
        "CREATE INPUT STREAM S (k uint(16), x int(64), y uint(4)); SELECT k, sum(x), count(*) "
        "FROM S [PARTITION BY k ROWS 64 SLIDE 4] WHERE y > 7;"
    )
    rng = random.Random(3)
    lines = [f"{rng.randrange(32)},{rng.randrange(99)},{rng.randrange(16)}" for _ in range(30_000)]
    data.write_text("\n".join(["k,x,y", *lines, ""]))
    options = ("--memory", memory, "--set", "entries=64", "--json")
    code, out, _ = sluice("simulate", query, "--input", data, *options)
    output = json.loads(out)
    assert (code, output["mismatches"]) == (0, 0)
    predicted, measured = output["predicted_tuples_per_cycle"], output["sustained_tuples_per_cycle"]
    full = 1 - 32 * 63 / 15_000
    by_hand = {"ideal": 1 / (1 - full + full * 8.5 / 8)}
    if memory in by_hand:
        assert measured == pytest.approx(by_hand[memory], rel=0.05)
    assert predicted == pytest.approx(measured, rel=0.1)
