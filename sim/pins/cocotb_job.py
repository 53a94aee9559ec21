"""The cocotb test that a simulator runs: one job in, one outcome out.

The plusargs ``+job=FILE`` and ``+outcome=FILE`` name them; see :mod:`sim.simulators`.
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
