"""Checks that the manifest's rules between settings agree with the hardware's checks."""

from itertools import product
from math import gcd

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator

from gen.host.table_view import host_view
from host.rules import broken_rule, settings_of
from rtl.window.pane_measure import PaneMeasure
from rtl.window.turn import RingTurn
from tb.rtl.engine.points import DESIGNS
from tb.rtl.engine.setting_verdicts import good_settings, verdicts


def rules_of(name):
    """Returns the rules in a design's manifest, and the design's options."""
    design = DESIGNS[name]
    return host_view(design)["rules"], design.options.resolved


def test_terms():
    rule = {"smaller": ["/", ["+", "a", 1], ["gcd", "b", 6]], "greater": ["*", "c", 2], "says": "x"}
    assert settings_of(rule) == {"a", "b", "c"}
    # (a + 1) / gcd(b, 6), rounded up: 8 / 3 is 3, and 7 / 3, too
    assert broken_rule([rule], {"a": 7, "b": 9, "c": 1}) is rule
    assert broken_rule([rule], {"a": 7, "b": 9, "c": 2}) is None
    assert broken_rule([rule], {"a": 5, "b": 9, "c": 1}) is None
    assert broken_rule([rule], {"a": 7, "b": 9}) is None  # skipped, because c is missing


@pytest.mark.parametrize("name", ["swag", "two-stacks", "streamzip"])
def test_rules_of_windows_by_rows(name):
    """The rule and the hardware refuse the same pairs of size and slide."""
    design = DESIGNS[name]
    rules, _ = rules_of(name)
    assert [rule["says"] for rule in rules] == ["slide must be at most size"]
    pairs = [
        good_settings(design) | {"size": a, "slide": b} for a, b in product(range(1, 9), repeat=2)
    ]
    refused = [bad for _, bad, _ in verdicts(design.settings, pairs)]
    assert refused == [broken_rule(rules, values) is not None for values in pairs]
    assert 0 < sum(refused) < len(pairs)


def test_rules_of_windows_by_time_of_each_key():
    design = DESIGNS["streamzip, time"]
    rules, built = rules_of("streamzip, time")
    pairs = [
        good_settings(design) | {"range": a, "slide": b}
        for a, b in product(range(4 * built.overlap), range(5))
    ]
    refused = [bad for _, bad, _ in verdicts(design.settings, pairs)]
    assert refused == [broken_rule(rules, values) is not None for values in pairs]
    assert 0 < sum(refused) < len(pairs)


def test_rules_of_the_ring_of_windows():
    """The rules and RingTurn accept the same settings, with the design's number of modules."""
    rules, built = rules_of("window-id")
    cases = [(r, s, x) for r in range(0, 14, 3) for s in range(5) for x in (0, 1, 4, 9)]
    expected = [
        broken_rule(rules, dict(zip(("range", "slide", "slack"), case, strict=True))) is None
        for case in cases
    ]
    assert ring_fits(built.modules, cases) == expected
    assert 0 < sum(expected) < len(cases)


def test_rules_of_panes():
    """The rules accept the settings that both PaneMeasure and the ring of panes accept."""
    rules, built = rules_of("pane")
    cases = [
        (r, s, x) for r in (0, 1, 4, 6, 9, 24, 64) for s in (0, 1, 2, 4, 6, 9) for x in (0, 3, 9)
    ]
    expected = [
        broken_rule(rules, dict(zip(("range", "slide", "slack"), case, strict=True))) is None
        for case in cases
    ]
    measured = panes_fit(built.panes, [(r, s) for r, s, _ in cases])
    measurable = [k for k, fits in enumerate(measured) if fits]
    inner = [
        (gcd(r, s), gcd(r, s), x + s - gcd(r, s)) for r, s, x in (cases[k] for k in measurable)
    ]
    ring = dict(zip(measurable, ring_fits(built.modules, inner), strict=True))
    assert [ring.get(k, False) for k in range(len(cases))] == expected
    assert 0 < sum(expected) < len(cases)


def panes_fit(panes, cases):
    """Returns PaneMeasure's verdict on each (range, slide)."""
    component = PaneMeasure(panes, 8)
    accepted = []

    async def bench(ctx):
        for range_, slide in cases:
            ctx.set(component.range, range_)
            ctx.set(component.slide, slide)
            ctx.set(component.start, 1)
            await ctx.tick()
            ctx.set(component.start, 0)
            while ctx.get(component.busy):
                await ctx.tick()
            accepted.append(bool(ctx.get(component.fits)))

    simulate(component, bench)
    return accepted


def ring_fits(modules, cases):
    """Returns RingTurn's verdict on each (range, slide, slack), with a register for ``begin``."""
    m = Module()
    accepted = []
    m.submodules.turn = turn = RingTurn(modules, 8)
    begin = Signal(9)
    m.d.comb += turn.begin.eq(begin)
    with m.If(turn.load):
        m.d.sync += begin.eq(begin + turn.slide)
    with m.If(turn.rewind):
        m.d.sync += begin.eq(0)

    async def bench(ctx):
        ctx.set(turn.valid, 1)
        for case in cases:
            for name, value in zip(("range", "slide", "slack"), case, strict=True):
                ctx.set(getattr(turn, name), value)
            ctx.set(turn.changed, 1)
            await ctx.tick()
            while not ctx.get(turn.ready):
                await ctx.tick()
            accepted.append(bool(ctx.get(turn.fits)))
            ctx.set(turn.end_transfers, 1)
            await ctx.tick()
            ctx.set(turn.end_transfers, 0)

    simulate(m, bench)
    return accepted


def simulate(component, bench):
    simulator = Simulator(component)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
