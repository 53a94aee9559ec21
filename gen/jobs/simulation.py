"""Runs the hardware of a design on tuples in a simulator, and compares its rows with golden's."""

from pathlib import Path

from gen.design.build import Build
from gen.design.network import check_results
from gen.jobs.expected_rows import golden_with_evictions
from gen.jobs.progress import Progress
from gen.prediction.codec_model import lossy_codec
from gen.simulate.run import MEMORIES, SIMULATORS, simulate
from gen.simulate.run_result import Simulation
from gen.text.known_names import known
from golden.answer import Answer
from golden.tuples import Tuples
from query.errors import UserError
from rtl.contract.design import Design
from sim import ddr3


def check_simulator(design: Design, simulator: str, memory: str | None) -> str:
    """Returns the memory behind the memory masters: ``memory``, or without it ``ideal``.

    Raises UserError if the simulator or the memory cannot run the design.
    """
    known("simulator", simulator, SIMULATORS)
    if design.face.network and simulator != "verilator":
        raise UserError(f"network=true is simulated by verilator only, not {simulator}")
    if design.face.network:
        check_results(design)
    if memory is None:
        return "ideal"
    known("memory", memory, MEMORIES)
    if all(bus.sram for bus in design.memories):
        raise UserError(
            f"--memory is for engines with a DRAM outside of the chip, and {design.engine} has none"
        )
    if memory != "ideal" and simulator != "verilator":
        raise UserError(f"--memory {memory} is simulated by verilator only, not {simulator}")
    if memory == "ddr3":
        _check_ddr3(design)
    return memory


def _check_ddr3(design):
    """Raises UserError if the keys of a design need more memory than the model of DDR3 has.

    The areas of the masters lie one after the other, with some KiB between them.
    """
    srams = {bus.name for bus in design.memories if bus.sram}
    ends = [
        number.value + number.area
        for number in design.settings.numbers
        if number.area is not None and number.name.replace("base", "m_axi") not in srams
    ]
    if max(ends, default=0) > ddr3.BYTES:
        raise UserError(
            f"the memory of --memory ddr3 has {ddr3.BYTES:,} bytes, and the keys of this design "
            f"take {max(ends):,}: set fewer entries"
        )


def simulate_and_compare(
    out: Progress,
    build: Build,
    tuples: Tuples,
    expected: Answer,
    *,
    simulator: str,
    memory: str | None,
    stalls: tuple[float, float],
    seed: int,
    allow_evictions: bool,
    master: str,
    cache: Path,
    verilog: str | None = None,
) -> Simulation:
    """Returns the result of a run; `gen.simulate.run.simulate` describes the arguments.

    Warns if golden has no row, at first or for the evictions of the run, and if the rate cannot be
    predicted. ``master`` computes golden's rows again if keys are evicted, and the evictions are
    allowed.
    Raises UserError, also for what `check_simulator` refuses, and for a stream with more tuples
    than the design counts.
    """
    longest = build.design.stream_max
    if longest is not None and len(tuples) > longest:
        raise UserError(
            f"there are {len(tuples):,} tuples, and the design takes at most {longest:,} in a "
            "stream"
        )
    if not expected.rows.num_rows:
        out.warn(
            f"golden has no row for {len(tuples):,} tuples, so little is compared: give tuples "
            "that fill a window and pass WHERE"
        )
    codec = lossy_codec(build.design)
    simulation = simulate(
        build,
        tuples,
        expected,
        simulator=simulator,
        cache=cache,
        stalls=stalls,
        seed=seed,
        step=out.step,
        answer_with_evictions=golden_with_evictions(
            out, build.query, tuples, expected, master, cache, codec
        ),
        verilog=verilog,
        memory=check_simulator(build.design, simulator, memory),
        allow_evictions=allow_evictions,
    )
    if expected.rows.num_rows and not simulation.expected.num_rows:
        out.warn(
            f"golden has no row for {len(tuples):,} tuples and the evicted keys of this run, so "
            "little is compared: give the table more entries"
        )
    if simulation.unpredicted is not None:
        out.warn(f"the rate is not predicted: {simulation.unpredicted}")
    return simulation
