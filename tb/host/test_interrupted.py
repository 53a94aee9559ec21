"""Checks that a run which was cut by Ctrl-C leaves no tuple behind in a later run."""

import random

import pytest

from golden.compare.tables import first_difference
from host import DeviceError, Engine, HangError, SettingError
from sim.compiled.runner import Simulation
from tb.host.tables import expected, random_tuples, same_kinds

pytestmark = pytest.mark.hdl

#: Cycles of the simulation after which Ctrl-C comes: before the table of keys is clear, while a
#: beat waits at the input, in the middle of the stream, and behind its last beat.
CUTS = (1, 7, 60, 150, 400)


class Interrupt:
    """Raises KeyboardInterrupt once, after some cycles of the next transfer of a stream."""

    def __init__(self, monkeypatch):
        self._run = Simulation.run
        self.cycles = None
        monkeypatch.setattr(Simulation, "run", lambda *places, **names: self._cut(*places, **names))

    def _cut(self, simulation, progress, chunk, **options):
        if self.cycles is None or not len(simulation.job.streams.get("s_axis", ())):
            return self._run(simulation, progress, chunk, **options)
        cycles, self.cycles = self.cycles, None

        def stop(*_):
            raise KeyboardInterrupt

        return self._run(simulation, stop, cycles, **options)


def rows_differ(engine, tuples, rows):
    return first_difference(rows, same_kinds(engine.run(tuples.table, raw=True), rows))


@pytest.mark.in_turn
@pytest.mark.parametrize("stall", [0, 0.4])
@pytest.mark.parametrize(
    "name", ["group-by", "swag", "two-stacks", "window-id", "pane", "streamzip"]
)
def test_no_tuple_of_a_run_that_was_interrupted(generated, cache, monkeypatch, name, stall):
    """The next run is refused until a reset, and then gives golden's rows."""
    design, directory = generated(name)
    first, second = (random_tuples(design, 120, seed) for seed in (1, 2))
    rows = expected(design, second, design.settings.values, cache).rows
    interrupt = Interrupt(monkeypatch)
    options = {"cache": cache / "bench", "stall_input": stall, "stall_output": stall}
    rng = random.Random(f"{name} {stall}")
    with Engine.open(directory, "simulation", **options) as engine:
        assert rows_differ(engine, second, rows) is None
        for cut in [*CUTS, *(rng.randrange(1, 500) for _ in range(20))]:
            for cycles in (cut, rng.randrange(1, 40)):  # the second is soon after a reset
                interrupt.cycles = cycles
                with pytest.raises(KeyboardInterrupt):
                    engine.run(first.table, raw=True)
                assert engine.last is None
                with pytest.raises(DeviceError, match=r"call reset\(\)"):
                    engine.run(second.table, raw=True)
                engine.reset()
                assert set(engine.counters().values()) == {0}
            assert rows_differ(engine, second, rows) is None, cut


def test_no_run_has_settings_of_two_calls(generated, cache, monkeypatch):
    """The link fails between the two settings of a call, so the engine has one old number."""
    design, directory = generated("two-stacks")
    table = random_tuples(design, 30, 1).table
    with Engine.open(directory, "simulation", cache=cache / "bench") as engine:
        rows = engine.configure(ws=8, wa=4).run(table, raw=True)
        write = engine.control.set_raw
        with monkeypatch.context() as patch:

            def fail(name, raw):
                if name == "slide":
                    raise HangError("no answer")
                write(name, raw)

            patch.setattr(engine.control, "set_raw", fail)
            with pytest.raises(HangError):
                engine.configure(ws=6, wa=3)
        message = "configure was interrupted: call it again, with"
        with pytest.raises(SettingError, match=f"^{message} size, slide$"):
            engine.run(table, raw=True)
        engine.configure(wa=2)
        with pytest.raises(SettingError, match=f"^{message} size$"):
            engine.run(table, raw=True)
        again = engine.configure(ws=8, wa=4).run(table, raw=True)
        assert again.equals(rows)
