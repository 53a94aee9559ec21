"""Checks that the pane gate and the window modules never swallow streams at the same time."""

import random
from math import gcd

import pytest
from amaranth.hdl import Module, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

from rtl.aggregate.count import Count
from rtl.window.panes import PaneGate
from rtl.window.punctuation import Punctuator
from rtl.window.window_id import WindowModules
from tb.bench.unit import run_streams
from tb.rtl.window.times import Event, Settings, arrivals

WIDTH, PANES, MODULES = 8, 8, 3
TIME = unsigned(WIDTH)
NOTES = data.StructLayout({"overrun": 16, "bad_setting": 16, "both": 16})

# Settings that both parts accept; with too many panes, or not allowed; with more open panes than
# there are modules.
GOOD = [Settings(12, 4, 4), Settings(9, 9, 5), Settings(24, 9, 0), Settings(32, 4, 8)]
NO_PANES = [Settings(36, 4, 0), Settings(7, 0, 0), Settings(4, 5, 0), Settings(25, 24, 0)]
NO_MODULES = [Settings(12, 4, 9), Settings(24, 12, 25), Settings(16, 6, 1)]


class Front(wiring.Component):
    """Connects punctuator, pane gate and window modules as the pane engine does, and counts notes.

    A note is a pulse of ``overrun`` or ``bad_setting``. ``notes.both`` counts cycles in which gate
    and modules send the same note, or swallow at the same time.
    """

    def __init__(self):
        sizes = {"operator": Count(7), "tuples": 127, "modules": MODULES, "width": WIDTH + 1}
        self.punctuator = Punctuator(unsigned(1), TIME, generate=True)
        self.gate = PaneGate(row=unsigned(1), width=WIDTH, panes_max=PANES)
        self.modules = WindowModules(row=unsigned(1), **sizes)
        members = self.punctuator.signature.members, self.modules.signature.members
        notes = Out(stream.Signature(NOTES, always_valid=True))
        super().__init__({"i": members[0]["i"], "o": members[1]["o"], "notes": notes})

    def elaborate(self, platform):
        m = Module()
        m.submodules.punctuator = punctuator = self.punctuator
        m.submodules.gate = gate = self.gate
        m.submodules.modules = modules = self.modules
        wiring.connect(m, wiring.flipped(self.i), punctuator.i)
        wiring.connect(m, punctuator.o, gate.i)
        wiring.connect(m, gate.o, modules.i)
        wiring.connect(m, modules.o, wiring.flipped(self.o))
        m.d.comb += [
            punctuator.swallowed.eq(gate.swallows | modules.swallows),
            gate.stream_done.eq(
                (self.o.valid & self.o.ready & self.o.p.last) | modules.bad_setting
            ),
        ]
        both = 0
        for name in ("overrun", "bad_setting", "swallows"):
            gate_note, modules_note = getattr(gate, name), getattr(modules, name)
            both |= gate_note & modules_note
            if name in NOTES.members:
                m.d.sync += self.notes.p[name].eq(self.notes.p[name] + gate_note + modules_note)
        m.d.sync += self.notes.p.both.eq(self.notes.p.both + both)
        return m


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.5, "stall_out": {"o": 0.5}}])
@pytest.mark.parametrize("seed", range(4))
def test_gate_and_modules_never_swallow_at_the_same_time(seed, stalls):
    """The engine ORs the notes, so one note would be lost if both parts sent it in one cycle. The
    streams are short, and come in random order."""
    rng = random.Random(f"{seed} {stalls}")
    streams, bad, panes, overrun = [], 0, 0, 0
    for _ in range(60):
        kind = rng.choice([GOOD, NO_PANES, NO_MODULES])
        settings = rng.choice(kind)
        times = sorted(rng.randrange(60) for _ in range(rng.choice([0, 0, 1, 1, 2, 6])))
        for _ in range(rng.choice([1, 1, 2])):
            streams.append((settings, [Event(time, 1) for time in times]))
            bad += kind is not GOOD
            overrun += len(times) if kind is not GOOD else 0
            panes += panes_of(settings, times) if kind is GOOD else 0
    # An empty stream at the end, so that the run includes swallowed streams before it.
    inputs = arrivals([*streams, (Settings(1, 1), [])], 0, separate_end=rng.random() < 0.5)
    outputs = {"o": panes + 1, "notes": None}
    runs = run_streams(Front(), {"i": inputs}, outputs, seed=seed, **stalls)
    assert len(runs["o"]) == panes + 1
    notes = {"overrun": overrun, "bad_setting": bad, "both": 0}
    assert runs["notes"].payloads[-1] == notes


def panes_of(settings, times):
    """Returns the number of panes of a stream; at least 1, the item that ends the stream."""
    pane = gcd(settings.range, settings.slide)
    return (times[-1] + settings.range) // pane if times else 1
