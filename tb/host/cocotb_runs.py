"""The cocotb test that runs an engine through the host class; see :mod:`tb.host.test_backends`."""

import pickle
from pathlib import Path

import cocotb
import numpy as np
import pytest
from cocotb.clock import Clock
from cocotb.task import bridge

from host import Engine
from host.description import Description
from host.errors import HangError
from sim.pins.axi import PERIOD_NS
from sim.pins.host_cocotb import CocotbPins


@cocotb.test()
async def run(dut):
    directory, runs = pickle.loads(Path(cocotb.plusargs["job"]).read_bytes())
    Clock(dut.aclk, PERIOD_NS, "ns").start()
    description = Description.read(directory)
    pins = CocotbPins(dut, description, cycles=400)
    await pins.reset()
    rows = await bridge(_rows)(directory, pins, runs)
    rows.append(await bridge(_row_after_a_hang)(directory, pins, runs[-1]))
    await bridge(_wait_for_ever)(pins, description.tuples.bytes)
    Path(cocotb.plusargs["outcome"]).write_bytes(pickle.dumps(rows))


def _wait_for_ever(pins, size):
    """Checks that a transfer of an empty stream ends, although the engine never becomes empty."""
    with pytest.raises(HangError, match="the engine is not empty"):
        pins.transfer(np.empty((0, size), np.uint8), finished=lambda: False)


def _row_after_a_hang(directory, pins, run):
    """Returns the rows of a run after a transfer that took all its tuples, and did not end."""
    settings, table = run
    with Engine.open(directory, pins) as engine:
        engine.configure(**settings)
        transfer = pins.transfer
        pins.transfer = lambda tuples, finished, *rest: transfer(tuples, lambda: False, *rest)
        with pytest.raises(HangError, match="the engine is not empty"):
            engine.run(table)
        del pins.transfer
        engine.reset()
        return engine.run(table, raw=True)


def _rows(directory, pins, runs):
    with Engine.open(directory, pins) as engine:
        return [engine.configure(**settings).run(table, raw=True) for settings, table in runs]
