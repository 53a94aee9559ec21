"""The cocotb test that runs one job in a simulator, and writes the outcome.

The plusargs ``+job=FILE`` and ``+outcome=FILE`` name the files; see :mod:`sim.simulators`.
"""

import pickle
from pathlib import Path

import cocotb

from sim.pins.axi import AxiBench


@cocotb.test()
async def run_job(dut):
    job, memories = pickle.loads(Path(cocotb.plusargs["job"]).read_bytes())
    outcome = await AxiBench(dut, job, memories).run()
    Path(cocotb.plusargs["outcome"]).write_bytes(pickle.dumps(outcome))
