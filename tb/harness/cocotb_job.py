"""The cocotb test that a simulator runs: one job in, one result out.

The plusargs ``+job=FILE`` and ``+result=FILE`` name them; see :mod:`tb.harness.simulators`.
"""

import cocotb

from tb.harness.axi import AxiBench
from tb.harness.exchange import load, save_result


@cocotb.test()
async def run_job(dut):
    beats, options, _ = load(cocotb.plusargs["job"])
    stalls = {name: options.pop(name) for name in ("stall_input", "stall_output", "seed")}
    writes = {int(stream): pairs for stream, pairs in options.pop("writes").items()}
    result = await AxiBench(dut, **stalls).run_streams(beats, writes=writes, **options)
    save_result(cocotb.plusargs["result"], result)
