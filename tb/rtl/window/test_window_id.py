"""Checks the window modules after a punctuator against plain loops over lists."""

import random
from itertools import pairwise

import pytest
from amaranth.back import rtlil
from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from query.parser import parse
from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Operator, Product
from rtl.engine import ENGINES
from rtl.window.punctuation import Punctuator
from rtl.window.window_id import WindowModules
from tb.bench.elaborated import elaborated
from tb.bench.unit import run_streams
from tb.rtl.window.times import (
    Event,
    Noted,
    Settings,
    arrivals,
    every_window,
    random_events,
    random_settings,
    windows,
)

ROW = data.StructLayout({"x": signed(5)})
END = (Settings(1, 1), [])
WARM = [Event()] * 9  # gaps while the ring is set up, before a measurement
STALLS = [{}, {"stall_in": 0.5, "stall_out": {"o": 0.5}}]


class Ends(Operator):
    """The first and the last x: the result depends on the order of tuples; not invertible."""

    def state(self, tuples):
        return data.StructLayout({"first": signed(5), "last": signed(5)})

    def lift(self, tuple_, context):
        return {"first": tuple_.row["x"], "last": tuple_.row["x"]}

    def combine(self, left, right, context):
        return {"first": left["first"], "last": right["last"]}

    @property
    def result(self):
        return self.state(1)

    def lower(self, state, quotients, context):
        return state


OPERATOR = Product(n=Count(7), least=Min("x", signed(5)), ends=Ends())


def answer(rows):
    """Returns the expected state of a window with these rows."""
    xs = [row["x"] for row in rows]
    return {
        "n": {"value": len(xs)},
        "least": {"value": min(xs, default=0)},
        "ends": {"first": xs[0] if xs else 0, "last": xs[-1] if xs else 0},
    }


def engine(shape, modules, generate, operator=OPERATOR):
    return Noted(
        Punctuator(ROW, shape, generate=generate),
        WindowModules(operator=operator, tuples=127, modules=modules, row=ROW, width=shape.width),
    )


def run(shape, modules, streams, generate, expected=None, **options):
    """Runs the streams through both components, and checks rows and notes against the model."""
    # An empty stream at the end, so that the run includes swallowed streams before it.
    models = [windows(*stream, generate, modules) for stream in [*streams, END]]
    expected = [*expected, []] if expected else [model.rows for model in models]
    runs = run_streams(
        engine(shape, modules, generate),
        {"i": arrivals([*streams, END], {"x": 0})},
        {"o": sum(model.items for model in models), "notes": None},
        **options,
    )
    actual = streams_of(runs["o"].payloads)
    assert actual == [
        [(end, bool(members), answer(members)) for end, members in rows]
        for rows in expected
        if rows is not None
    ]
    assert runs["notes"].payloads[-1] == {
        "late": sum(model.late for model in models),
        "overrun": sum(model.overrun for model in models),
        "bad_setting": sum(model.rows is None for model in models),
    }
    return runs


def streams_of(payloads):
    """Returns (end, nonempty, state) of the rows of each stream."""
    streams, rows = [], []
    for item in payloads:
        if item["valid"]:
            rows.append((item["end"], item["nonempty"], item["state"]))
        else:
            assert item["last"]
        if item["last"]:
            # The last row ends a stream; or an item without a row, if the end closes no window.
            streams.append(rows)
            rows = []
    assert not rows
    return streams


def row(rng):
    return {"x": rng.randrange(-16, 16)}


def random_streams(rng, shape, modules, count, punctuations):
    """Returns streams of random lengths; most change the settings, and some settings do not fit."""
    streams = []
    for _ in range(count):
        settings = random_settings(rng, shape, modules + rng.choice([0, 0, 0, 2]))
        if rng.random() < 0.1:
            settings = rng.choice(
                [Settings(9, 0), Settings(0, 0), Settings(0, 5), Settings(8, 9), Settings(0, 0, 3)]
            )
        for _ in range(rng.choice([1, 1, 2])):
            size = rng.choice([0, 1, 2, 15, 25])
            often = rng.choice([0, punctuations])
            events = random_events(rng, shape, settings, size, row, punctuations=often)
            streams.append((settings, events))
    return streams


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("modules", [1, 2, 3, 6])
@pytest.mark.parametrize("generate", [True, False])
def test_random_streams(generate, modules, stalls):
    rng = random.Random(f"{generate} {modules} {stalls}")
    for shape in (unsigned(8), signed(6), signed(10)):
        streams = random_streams(rng, shape, modules, 10, 0.0 if generate else 0.3)
        run(shape, modules, streams, generate, seed=rng.getrandbits(32), **stalls)


@pytest.mark.parametrize("modules", [2, 5])
def test_the_whole_answer(modules):
    """With generated punctuations and fitting settings, no tuple is an overrun."""
    rng = random.Random(modules)
    shape, streams = signed(8), []
    for _ in range(20):
        settings = random_settings(rng, shape, modules)
        streams.append((settings, random_events(rng, shape, settings, 15, row)))
    run(shape, modules, streams, True, [every_window(*stream) for stream in streams])


def test_by_hand():
    """The window of seed 002, in minutes: RANGE 10, SLIDE 1 and SLACK 1 need 11 modules."""
    events = [Event(t, {"x": 1}) for t in (0, 2, 1, 11, 10, 12)]
    runs = run(unsigned(8), 11, [(Settings(range=10, slide=1, slack=1), events)], True)
    items = runs["o"].payloads
    counts = [item["state"]["n"]["value"] for item in items]
    # From [0, 10) to [12, 22), and the end of the empty stream.
    assert counts == [3] * 11 + [2, 1, 0]
    assert [item["end"] for item in items if item["valid"]] == list(range(10, 23))
    assert [item["last"] for item in items] == [0] * 12 + [1, 1]


def test_an_overrun_is_dropped_whole():
    """Two modules hold [0, 8) and [4, 12): a tuple at 8 is too early for [8, 16)."""
    p = Event(4, punctuation=True), Event(8, punctuation=True)
    events = [Event(8, {"x": 1}), Event(7, {"x": 2}), *p, Event(8, {"x": 3}), Event(12, {"x": 4})]
    runs = run(unsigned(8), 2, [(Settings(8, 4), events)], False)
    assert runs["notes"].payloads[-1]["overrun"] == 2
    counts = [item["state"]["n"]["value"] for item in runs["o"].payloads]
    assert counts == [1, 2, 1, 0, 0]  # the dropped tuple at 12 also moves the end of the data


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "settings",
    [
        Settings(0, 0),
        Settings(0, 0, 9),
        Settings(9, 0),
        Settings(0, 9),
        Settings(8, 9),
        Settings(13, 4),
        Settings(12, 4, 1),
        Settings(4, 4, 9),
        Settings(255, 1, 255),
        Settings(1, 1, 255),
    ],
)
def test_settings_that_do_not_fit(settings):
    """The stream has no row, all of its tuples are counted, and the next stream is answered."""
    modules, good = 3, Settings(12, 4)
    assert not (settings.required_modules() and settings.required_modules() <= modules)
    events = [Event(t, {"x": t}) for t in (0, 3, 9)]
    streams = [(settings, events), (good, events), (settings, events), (settings, []), (good, [])]
    for generate in (True, False):
        runs = run(unsigned(8), modules, streams, generate)
        notes = runs["notes"].payloads[-1]
        assert (notes["overrun"], notes["bad_setting"]) == (6, 3)


def test_settings_of_the_whole_width():
    """Windows would begin after the greatest time; 7 modules suffice for the settings."""
    for settings in (Settings(255, 255), Settings(255, 255, 255), Settings(255, 128, 1)):
        events = [Event(t, {"x": 1}) for t in (0, 255, 254, 127, 128)]
        run(unsigned(8), 7, [(settings, events), (settings, events[:2])], True)
        run(unsigned(8), 7, [(settings, events), (settings, events[:2])], False)


@pytest.mark.parametrize("shape", [unsigned(32), signed(32)], ids=repr)
@pytest.mark.parametrize("generate", [True, False])
def test_times_of_32_bits(generate, shape):
    """Times from the least to the greatest, with punctuation steps of all sizes."""
    rng = random.Random(f"{generate} {shape}")
    streams = []
    for modules in (3, 3, 5, 3) * 4:
        settings = random_settings(rng, shape, modules)
        events = random_events(rng, shape, settings, 15, row, punctuations=0.0 if generate else 0.3)
        streams.append((settings, events))
    run(shape, 3, streams, generate)


@pytest.mark.in_turn(5)
def test_a_far_punctuation():
    """A punctuation closes thousands of windows, one in each cycle."""
    events = [Event(0, {"x": 1}), Event(3000, punctuation=True), Event(3001, {"x": 2})]
    runs = run(unsigned(12), 2, [(Settings(2, 1), events)], False)
    rows = runs["o"].cycles[:-1]
    assert rows[2998] - rows[0] == 2998
    jump = [Event(0, {"x": 1}), Event(3001, {"x": 2})]
    assert len(run(unsigned(12), 2, [(Settings(2, 1), jump)], True)["o"]) == 3002 + 1


@pytest.mark.parametrize("modules", [2, 5])
def test_latency_and_rate(modules):
    """An item that closes at most one window takes a cycle; the row leaves 4 cycles later."""
    settings = Settings(modules * 4, 4)
    ends = [Event(settings.range + 4 * k, punctuation=True) for k in range(6)]
    pairs = [(end, Event(end.time, {"x": 1})) for end in ends]
    events = [event for pair in pairs for event in pair]
    runs = run(unsigned(8), modules, [(settings, [*WARM, *events])], False)
    input_cycles, rows = runs["i"].cycles[len(WARM) : -1], runs["o"].cycles
    assert input_cycles == list(range(input_cycles[0], input_cycles[0] + len(events)))
    assert [b - a for a, b in zip(input_cycles[::2], rows, strict=False)] == [4] * 6
    assert elaborated(engine(unsigned(8), modules, False)).latency == 4
    assert WindowModules.initiation_interval == 1


def test_made_punctuations_do_not_slow_the_input():
    """A row leaves 4 cycles after the tuple that closes the window."""
    settings = Settings(8, 4, 2)
    events = [Event(t, {"x": 1}) for t in range(0, 100, 2)]
    runs = run(unsigned(8), 3, [(settings, [*WARM, *events])], True)
    input_cycles, rows = runs["i"].cycles[len(WARM) : -1], runs["o"].cycles
    assert input_cycles == list(range(input_cycles[0], input_cycles[0] + len(events)))
    # [0, 8) is closed by t = 10, the fifth tuple after the first, and so on every other tuple.
    assert [cycle - input_cycles[0] for cycle in rows[:22]] == [5 + 4 + 2 * k for k in range(22)]


@pytest.mark.parametrize("modules", [1, 2, 6])
def test_the_gap_between_streams(modules):
    """The end of each stream takes modules + 1 cycles, the turn of the ring."""
    repeated = (Settings(4, 4), [])
    other = (Settings(8, 8), [])
    runs = run(unsigned(8), modules, [repeated, repeated, repeated, other, other], False)
    ends = runs["o"].cycles
    turn = modules + 1
    assert [b - a for a, b in pairwise(ends)] == [
        turn,
        turn,
        turn + modules + 2,
        turn,
        turn + modules + 2,
    ]


@pytest.mark.parametrize(
    ("name", "value"), [("tuples", 0), ("modules", 0), ("modules", 2.0), ("width", 0)]
)
def test_sizes_must_be_positive(name, value):
    sizes = {"operator": Count(4), "tuples": 3, "modules": 2, "row": ROW, "width": 8}
    with pytest.raises(ValueError, match=f"^{name} must be an integer of at least 1, not {value}$"):
        WindowModules(**sizes | {name: value})


def test_an_operator_with_a_context_is_refused():
    with pytest.raises(ValueError, match=r"^operator must have no context, not one of 2 bits$"):
        WindowModules(operator=Steered(), tuples=3, modules=2, row=ROW, width=8)


class Steered(Ends):
    context = 2


@pytest.mark.parametrize("modules", [400, pytest.param(1024, marks=pytest.mark.regress)])
def test_many_modules_can_be_converted(modules):
    """A chain of one OR for each module would be deeper than Python's stack."""
    text = "CREATE INPUT STREAM S (t uint(8), x int(4));SELECT count(*) FROM S "
    query = parse(f"{text}[RANGE 1 SLIDE 1 WATTR t];")
    core = ENGINES["window-id"](query=query, modules=modules, count_width=4).create()
    assert f"aggregate{modules - 1}" in rtlil.convert(core)
