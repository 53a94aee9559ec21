"""A host that meddles in any cycle of a stream: settings and soft resets, through boards' faces."""

import random

import pytest

from boards import BOARDS
from golden.comparison import first_difference
from host import DeviceError, Engine, HostError
from host.description import Description
from sim.host_simulation import CompiledSimulation
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.engine.points import DESIGNS

pytestmark = pytest.mark.hdl

#: Numbers that the windows of a design may have.
NUMBERS = {
    "group-by": ({},),
    "swag": ({}, {"size": 8, "slide": 4}),
    "two-stacks": ({}, {"size": 5, "slide": 2}),
    "window-id": ({}, {"slack": 3}),
    "pane": ({}, {"slack": 3}),
    "streamzip": ({}, {"size": 4, "slide": 2}),
    "streamzip, base-delta": ({}, {"size": 6, "slide": 3}),
}
FACES = {
    **{name: None for name in BOARDS if name != "generic"},  # the board's own for the design
    "packets": {"bus_bits": 64, "packets": "beats:5", "end_marker": True},
}
DAILY = [("two-stacks", "ultra96-v2", 8)]
#: Not where a window of swag has a row of each group, which packets cut anywhere do not show.
ALL = [
    (name, face, 100) for name in NUMBERS for face in FACES if (name, face) != ("swag", "packets")
]


class Meddled(CompiledSimulation):
    """Stops in the middle of a stream, some cycles behind a beat of it, and calls ``meddle``.

    The first beat is always taken before: with that a stream has its settings.
    """

    rng, meddle = random.Random(), None

    def _feed(self, beats):
        if self.meddle is None:
            return super()._feed(beats)
        cut = self.rng.randrange(1, len(beats) + 1)
        self._run({"s_axis": beats[:cut]}, drain=self.rng.choice((0, 1, 5, 40)))
        meddle, self.meddle = self.meddle, None
        meddle()
        super()._feed(beats[cut:])


class Moments:
    """Tables, and golden's rows of them, for each of the numbers."""

    def __init__(self, design, name, cache):
        self.known = []
        own = {number: design.settings.values[number] for number in NUMBERS[name][-1]}
        for seed, given in enumerate(own | given for given in NUMBERS[name]):
            tuples = random_tuples(design, 90 + 7 * seed, seed)
            rows = expected(design, tuples, design.settings.values | given, cache).rows
            self.known.append((given, tuples, rows))

    def ask(self, engine, known):
        """What is wrong with the rows of a run, if anything is."""
        _, tuples, rows = known
        return first_difference(rows, same_kinds(engine.run(tuples.table, raw=True), rows))


@pytest.mark.parametrize(
    ("name", "face", "seeds"),
    [*DAILY, *(pytest.param(*one, marks=pytest.mark.regress) for one in ALL)],
    ids=str,
)
def test_the_next_run_is_right(generated, cache, name, face, seeds):
    """New settings hold from the next stream on, and the one under way keeps its own; a soft reset
    cuts it, which the host is told, and the rest of it is dropped and counted."""
    own = FACES[face] or BOARDS[face].face_for(DESIGNS[name].rows).values()
    design, directory = generated(name, **own)
    moments, told = Moments(design, name, cache), 0
    for stall in (0, 0.4):
        backend = Meddled(
            Description.read(directory), cache / "bench", stall_input=stall, stall_output=stall
        )
        with Engine.open(directory, backend) as engine:
            for seed in range(seeds // 2):
                rng = backend.rng = random.Random(f"{name} {face} {stall} {seed}")
                now, following = rng.choice(moments.known), rng.choice(moments.known)
                engine.configure(**now[0])
                if rng.random() < 0.5:
                    backend.meddle = lambda to=following: engine.configure(**to[0])
                    assert moments.ask(engine, now) is None
                else:
                    # Not `reset`, which waits until nothing is busy, and so for the stream's end.
                    backend.meddle = lambda: engine.control.write("control", 1)
                    try:
                        assert moments.ask(engine, now) is None
                    except (DeviceError, HostError):
                        told += 1
                    engine.reset()
                    engine.configure(**following[0])
                assert moments.ask(engine, following) is None
    assert told > seeds // 5
