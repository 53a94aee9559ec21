"""The cocotb test that runs an engine through the host class; see :mod:`tb.host.test_backends`."""

import pickle
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.task import bridge

from host import Engine
from host.description import Description
from sim.pins.axi import PERIOD_NS
from sim.pins.host_cocotb import CocotbPins


@cocotb.test()
async def run(dut):
    directory, runs = pickle.loads(Path(cocotb.plusargs["job"]).read_bytes())
    Clock(dut.aclk, PERIOD_NS, "ns").start()
    pins = CocotbPins(dut, Description.read(directory))
    await pins.reset()
    rows = await bridge(_rows)(directory, pins, runs)
    Path(cocotb.plusargs["outcome"]).write_bytes(pickle.dumps(rows))


def _rows(directory, pins, runs):
    with Engine.open(directory, pins) as engine:
        return [engine.configure(**settings).run(table, raw=True) for settings, table in runs]
