"""The cocotb test that a simulator runs: one job in, one outcome out.

The plusargs ``+job=FILE`` and ``+outcome=FILE`` name them; see :mod:`tb.harness.simulators`.
"""

import pickle
from pathlib import Path

import cocotb

from tb.harness.axi import AxiBench


@cocotb.test()
async def run_job(dut):
    job, memories = pickle.loads(Path(cocotb.plusargs["job"]).read_bytes())
    outcome = await AxiBench(dut, job, memories).run()
    Path(cocotb.plusargs["outcome"]).write_bytes(pickle.dumps(outcome))
