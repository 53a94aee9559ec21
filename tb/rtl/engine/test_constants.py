"""Constants of WHERE that each stream may have set anew: in two engines as shipped Verilog."""

import random

import pytest

from query.parser import parse
from rtl.engine import ENGINES
from tb.rtl.engine import swag_bench
from tb.rtl.engine.bench import HALF, design, point, streams_of
from tb.rtl.engine.model import group_rows, known, rank
from tb.rtl.engine.time_bench import writes

hdl = pytest.mark.hdl

NAN = 0x7FC00001
WHERE = "WHERE g != 3 AND (y < -5 OR x >= 1.5)"  # where0 of 4 bits, where1 of 7, where2 a float
FLOATS = [0x3FC00000, 0xBFC00000, 0, 0x80000000, 0x7F800000, 0xFF800000, NAN]
SETTINGS = {"constants": "run-time", "lanes": 2}
SELECT = "min(x), max(x), count(*)"
POINTS = {
    "group-by": point("uint(4)", "float", SELECT, WHERE, **SETTINGS),
    "swag": swag_bench.point(
        "uint(4)", "float", SELECT, WHERE, capacity=4, window_max=16, **SETTINGS
    ),
}
UNFIT = [
    *({"where0": value} for value in (16, 31, 255, 1 << 31)),
    *({"where1": value} for value in (64, 127, -65, 1 << 20, -(1 << 31))),
]


def constants(rng):
    """Any that fit, the least and the greatest among them."""
    return {
        "where0": rng.choice([0, 15, rng.randrange(16)]),
        "where1": rng.choice([-64, 63, rng.randrange(-64, 64)]),
        "where2": rng.choice(FLOATS),
    }


def passes(parameters, values, tuple_):
    x = next(column.type for column in parameters.query.columns if column.name == "x")
    great = rank(x, tuple_["x"]) >= rank(x, values["where2"])
    return tuple_["g"] != values["where0"] and (tuple_["y"] < values["where1"] or great)


def kept_of(parameters, stream, values):
    return [t for t in known(parameters.query, stream) if passes(parameters, values, t)]


def window(parameters, rng):
    """Size and slide, where the engine has windows."""
    if parameters.engine == "group-by":
        return {}
    size = 2 * rng.randint(1, 8)
    return {"size": size, "slide": 2 * rng.randint(1, size // 2)}


def run(parameters, streams, values, bad, **options):
    """The rows of each packet, what they must be, and the counters with the status."""
    dut = design(parameters)
    wanted = []
    for stream, set_, unfit in zip(streams, values, bad, strict=True):
        kept = kept_of(parameters, stream, set_)
        if unfit:
            continue
        if parameters.engine == "group-by":
            wanted.append(group_rows(parameters.query, kept))
        else:
            wanted += swag_bench.expected(parameters, [kept], [set_])[0]
    names = ("nan_low", "filtered_low", "overrun_low", "status")
    result, packets = dut.run(
        streams,
        writes={k: writes(dut.top, set_) for k, set_ in enumerate(values)},
        reads=[dut.top.registers[name].address for name in names],
        packets=len(wanted),
        drain=500,
        **options,
    )
    return packets, wanted, result.reads


def some_streams(parameters, rng, counts):
    bench = streams_of if parameters.engine == "group-by" else swag_bench.streams_of
    streams = bench(parameters, rng, counts)
    for tuple_ in (tuple_ for stream in streams for tuple_ in stream):
        tuple_["x"] = rng.choice([tuple_["x"], tuple_["x"], *FLOATS])
    return streams


@hdl
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("seed", range(3))
def test_each_stream_has_its_own(name, seed, stalls):
    """Where one does not fit nothing comes of the stream; those around are answered all the same.

    What such a constant makes of WHERE is not said: so a tuple of it is filtered or an overrun.
    """
    parameters, rng = POINTS[name], random.Random(f"{name} {seed} {stalls}")
    streams = some_streams(parameters, rng, [40, 0, 7, 1, 90, 0, 33, 2, 120, 60])
    bad = [rng.random() < 0.3 for _ in streams]
    values = [
        window(parameters, rng) | constants(rng) | (rng.choice(UNFIT) if unfit else {})
        for unfit in bad
    ]
    packets, wanted, reads = run(parameters, streams, values, bad, seed=seed, **stalls)
    assert packets == wanted
    sane = [len(known(parameters.query, stream)) for stream in streams]
    answered = [
        len(kept_of(parameters, stream, set_))
        for stream, set_, unfit in zip(streams, values, bad, strict=True)
        if not unfit
    ]
    nan, filtered, overrun, status = reads
    assert nan == sum(map(len, streams)) - sum(sane)
    assert filtered + overrun == sum(sane) - sum(answered)
    assert overrun <= sum(count for count, unfit in zip(sane, bad, strict=True) if unfit)
    assert status == (8 if any(bad) else 0)


@hdl
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("unfit", UNFIT, ids=str)
def test_one_that_does_not_fit_swallows_the_stream(name, unfit):
    """Every tuple passes, whatever the constant: g is none that fits it, or x is great enough."""
    parameters = POINTS[name]
    stream = [{"g": g, "x": 0x3FC00000, "y": 0} for g in range(1, 11)]
    good = {"where0": 0, "where1": -64, "where2": 0}
    if parameters.engine == "swag":
        good |= {"size": 4, "slide": 2}
    values, bad = [good, good | unfit, good], [False, True, False]
    packets, wanted, reads = run(parameters, [stream] * 3, values, bad)
    assert packets == wanted
    assert [len(rows) for rows in wanted] == ([10] * 2 if name == "group-by" else [4] * 8)
    assert reads == (0, 0, 10, 8)


@hdl
@pytest.mark.parametrize("name", POINTS)
def test_a_write_that_does_not_fit_is_told_at_once(name):
    """And forgotten when a good one follows before the stream: that is answered."""
    parameters, rng = POINTS[name], random.Random(5)
    (stream,) = some_streams(parameters, rng, [30])
    good = window(parameters, rng) | constants(rng)
    dut = design(parameters)
    kept = kept_of(parameters, stream, good)
    wanted = [group_rows(parameters.query, kept)]
    if parameters.engine == "swag":
        (wanted,) = swag_bench.expected(parameters, [kept], [good])
    reads = [dut.top.registers[name].address for name in ("overrun_low", "status")]
    pairs = writes(dut.top, good | {"where0": 16}) + writes(dut.top, good)
    result, packets = dut.run([stream], writes={0: pairs}, reads=reads, packets=len(wanted))
    assert packets == wanted
    assert result.reads == (0, 8)


TEXTS = {
    "group-by": "FROM S {} GROUP BY g",
    "swag": "FROM S [ROWS 8 SLIDE 4] {} GROUP BY g",
    "window-id": "FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {}",
    "pane": "FROM S [RANGE 40 SLIDE 10 WATTR t SLACK 10] {}",
    "two-stacks": "FROM S [ROWS 8 SLIDE 4] {}",
}


def made(engine, where, constants="run-time"):
    schema = "CREATE INPUT STREAM S (g uint(4), x int(7), s string(9), e string(8), f float, t int)"
    text = f"{schema}; SELECT count(*), min(x) {TEXTS[engine].format(where)};"
    return ENGINES[engine](query=parse(text), constants=constants)


@pytest.mark.parametrize("engine", TEXTS)
def test_hardware_depends_on_those_built_in_only(engine):
    first, other = "WHERE g < 3 OR x = -7", "WHERE g < 15 OR x = 12"
    one, two = (made(engine, where) for where in (first, other))
    assert one.asked == two.asked
    assert one.configuration_hash == two.configuration_hash
    one_built, two_built = (made(engine, where, "compiled") for where in (first, other))
    assert one_built.asked != two_built.asked
    hashes = {one.configuration_hash, one_built.configuration_hash, two_built.configuration_hash}
    assert len(hashes) == 3
    # What is compared, and how, is hardware in any case.
    for where in ("WHERE g <= 3 OR x = -7", "WHERE g < 3 AND x = -7", "WHERE g < 3 OR g = 7"):
        assert made(engine, where).asked != one.asked
        assert made(engine, where).configuration_hash not in hashes


@pytest.mark.parametrize("engine", TEXTS)
def test_a_register_for_each_comparison(engine):
    """As wide as its column, and a bit to tell what does not fit; in the order of the text."""
    where = 'WHERE (f > 1.5 OR x = -7) AND e >= "ab" AND x != 9 AND g < 3'
    parameters, plain = made(engine, where), made(engine, "")
    found = parameters.run_time[len(plain.run_time) :]
    assert parameters.run_time[: len(plain.run_time)] == plain.run_time
    assert [(n.name, n.width, n.signed, n.words) for n in found] == [
        ("where0", 32, False, 1),
        ("where1", 8, True, 1),
        ("where2", 64, False, 2),
        ("where3", 8, True, 1),
        ("where4", 5, False, 1),
    ]
    assert [number.doc.rpartition("is ")[2] for number in found] == [
        *("f > 1.5", "x = -7", 'e >= "ab"', "x != 9", "g < 3")
    ]
    values = parameters.run_time_values
    raws = [0x3FC00000, -7, int.from_bytes(b"ab".ljust(8, b"\0"), "big"), 9, 3]
    assert {name: values[name] for name in values if name.startswith("where")} == {
        f"where{k}": raw for k, raw in enumerate(raws)
    }
    built = made(engine, where, "compiled")
    assert built.run_time == plain.run_time
    assert built.run_time_values == plain.run_time_values


@pytest.mark.parametrize("engine", TEXTS)
def test_constants_of_more_than_64_bits_have_no_register(engine):
    where = 'WHERE g < 3 AND s = "abc"'
    with pytest.raises(ValueError, match="must be compiled") as caught:
        made(engine, where)
    assert str(caught.value) == (
        "constants must be compiled for columns of more than 64 bits, not run-time for s string(9)"
    )
    assert made(engine, where, "compiled").constant_numbers == ()
    with pytest.raises(ValueError, match="must be one of") as caught:
        made(engine, where, "late")
    assert str(caught.value) == "constants must be one of compiled, run-time, not 'late'"


def test_the_group_by_engine_has_an_overrun_only_with_registers():
    assert made("group-by", "WHERE g < 3").dropped == ("nan", "filtered", "overrun")
    assert made("group-by", "WHERE g < 3", "compiled").dropped == ("nan", "filtered")
    assert made("group-by", "").dropped == ()
    one, other = made("group-by", "WHERE g < 3"), made("group-by", "WHERE g < 3", "compiled")
    assert one.latency == other.latency + 1
