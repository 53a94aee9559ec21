"""Checks settings and soft resets that a host writes in the middle of a stream, for many faces."""

import random

import pytest

from boards import BOARDS
from golden.compare.tables import first_difference
from host import DeviceError, Engine, HostError
from host.description import Description
from sim.host_simulation import CompiledSimulation
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.engine.points import DESIGNS

pytestmark = pytest.mark.hdl

#: Settings of each design that the test chooses from.
NUMBERS = {
    "group-by": ({},),
    "swag": ({}, {"size": 8, "slide": 4}),
    "two-stacks": ({}, {"size": 5, "slide": 2}),
    "window-id": ({}, {"slack": 3}),
    "pane": ({}, {"slack": 3}),
    "streamzip": ({}, {"size": 4, "slide": 2}),
    "streamzip, base-delta": ({}, {"size": 6, "slide": 3}),
}
#: Names of faces and their options; None is the board's own face for the design. Boards whose face
#: has a network are left out, because their streams come in datagrams: see `test_udp_verilog.py`.
FACES = {
    **{
        name: None
        for name, board in BOARDS.items()
        if name != "generic" and "network" not in board.face_for(DESIGNS["group-by"].rows).values()
    },
    "packets": {"bus_bits": 64, "packets": "beats:5", "end_marker": True},
}
DAILY = [("two-stacks", "ultra96-v2", 8)]
#: Without swag in packets of 5 beats: a window of swag has a row for each group, so such packets do
#: not show where a window ends.
ALL_CASES = [
    (name, face, 100) for name in NUMBERS for face in FACES if (name, face) != ("swag", "packets")
]


class Meddled(CompiledSimulation):
    """Calls ``meddle`` in the middle of a stream, some cycles after a random beat.

    The engine has always accepted the first beat by then, and with it sampled the settings.
    """

    rng = random.Random()
    meddle = None

    def _feed(self, beats):
        if self.meddle is None:
            return super()._feed(beats)
        cut = self.rng.randrange(1, len(beats) + 1)
        self._run({"s_axis": beats[:cut]}, drain=self.rng.choice((0, 1, 5, 40)))
        meddle, self.meddle = self.meddle, None
        meddle()
        super()._feed(beats[cut:])


class Moments:
    """Tables with golden's rows, for each of the design's settings in ``NUMBERS``."""

    def __init__(self, design, name, cache):
        self.cases = []
        query_settings = {number: design.settings.values[number] for number in NUMBERS[name][-1]}
        for seed, settings in enumerate(query_settings | changes for changes in NUMBERS[name]):
            tuples = random_tuples(design, 90 + 7 * seed, seed)
            rows = expected(design, tuples, design.settings.values | settings, cache).rows
            self.cases.append((settings, tuples, rows))

    def difference(self, engine, case):
        """Runs a case, and returns the first difference from golden's rows, or None."""
        _, tuples, rows = case
        return first_difference(rows, same_kinds(engine.run(tuples.table, raw=True), rows))


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("name", "face", "seeds"),
    [*DAILY, *(pytest.param(*one, marks=pytest.mark.regress) for one in ALL_CASES)],
    ids=str,
)
def test_the_next_run_is_right(generated, cache, name, face, seeds):
    """New settings affect the next stream only; a soft reset cuts the stream with an error.

    The engine drops and counts the rest of the cut stream.
    """
    face_options = FACES[face] or BOARDS[face].face_for(DESIGNS[name].rows).values()
    design, directory = generated(name, **face_options)
    moments = Moments(design, name, cache)
    error_count = 0
    for stall in (0, 0.4):
        backend = Meddled(
            Description.read(directory), cache / "bench", stall_input=stall, stall_output=stall
        )
        with Engine.open(directory, backend) as engine:
            for seed in range(seeds // 2):
                rng = backend.rng = random.Random(f"{name} {face} {stall} {seed}")
                current = rng.choice(moments.cases)
                following = rng.choice(moments.cases)
                engine.configure(**current[0])
                if rng.random() < 0.5:
                    backend.meddle = lambda case=following: engine.configure(**case[0])
                    assert moments.difference(engine, current) is None
                else:
                    # Not `reset`, which would wait for the end of the stream.
                    backend.meddle = lambda: engine.control.write("control", 1)
                    try:
                        assert moments.difference(engine, current) is None
                    except (DeviceError, HostError):
                        error_count += 1
                    engine.reset()
                    engine.configure(**following[0])
                assert moments.difference(engine, following) is None
    assert error_count > seeds // 5
