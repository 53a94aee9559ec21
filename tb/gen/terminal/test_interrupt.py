"""Ctrl-C at any moment: one line, exit code 130, no program left, no file half written."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = "import sys; from gen.cli import main; main(sys.argv[1:])"
ENDLESS = """
import sys
import golden.cache
from gen.cli import main

def job(query, spark, *rest):
    spark.range(1 << 55).selectExpr("sum(id % 7)").collect()

golden.cache.full_answer = job
main(sys.argv[1:])
"""
LONG = "golden", "examples/cluster_groupby.cql", "--input", "examples/cluster_trace.csv.gz"


class Run:
    """Command line in a session; the session's number identifies all programs of the command."""

    def __init__(self, *arguments, program=PROGRAM):
        command = [sys.executable, "-c", program, *map(str, arguments)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip

    def programs(self):
        """Returns the command lines of the session's running processes, by process number."""
        result = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                if int(session) == self.process.pid and state not in "ZX":
                    result[int(entry.name)] = (entry / "cmdline").read_bytes()
            except OSError:
                continue
        return result

    def wait_for(self, word):
        """Waits until a program with ``word`` in the command line runs."""
        limit = time.monotonic() + 120
        while not any(word in line for line in self.programs().values()):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < limit
            time.sleep(0.02)

    def wait_for_handlers(self):
        """Waits until the command catches SIGTERM, which Python itself never does."""
        limit = time.monotonic() + 120
        status = Path(f"/proc/{self.process.pid}/status")
        while not int(status.read_text().partition("SigCgt:")[2].split()[0], 16) >> 14 & 1:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < limit
            time.sleep(0.02)

    def interrupt(self, number=signal.SIGINT, group=True):
        """Returns the exit code and the lines of standard error, after all programs have ended."""
        pid = self.process.pid
        (os.killpg if group else os.kill)(pid, number)
        out, err = self.process.communicate(timeout=60)
        assert self.programs() == {}
        assert out == ""
        return self.process.returncode, err.splitlines()


def progress(lines):
    """Returns the output without the progress lines before the signal."""
    return [line for line in lines if not line.endswith(" ...")]


@pytest.fixture
def golden(tmp_path):
    """Starts `sluice golden` by a program, with an empty cache."""
    runs = []

    def start(program):
        rows, cache = tmp_path / "out" / "rows.csv", tmp_path / "cache"
        rows.parent.mkdir()
        runs.append(Run(*LONG, "-o", rows, "--cache", cache, program=program))
        return runs[-1]

    yield start
    for run in runs:
        for pid in run.programs():
            os.kill(pid, signal.SIGKILL)


def left(tmp_path):
    """Returns the existing files, without locks."""
    return [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"]


MOMENTS = {"imports": (None, 0.4), "launcher": (b"java", 0), "start": (b"java", 0.3)}
MOMENTS |= {f"{seconds} s of java": (b"java", seconds) for seconds in (1.5, 2.5, 3.5, 5.0, 7.0)}


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    "moment", [pytest.param(m, marks=pytest.mark.regress) if m[0] in "25" else m for m in MOMENTS]
)
def test_golden_at(golden, tmp_path, moment):
    word, seconds = MOMENTS[moment]
    run = golden(ENDLESS if word else PROGRAM)
    if word:
        run.wait_for(word)
    else:
        run.wait_for_handlers()
    time.sleep(seconds)
    code, lines = run.interrupt()
    assert (code, progress(lines)) == (130, ["sluice: interrupted"])
    assert left(tmp_path) == []


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize("group", [True, False])
def test_sigterm(golden, tmp_path, group):
    run = golden(ENDLESS)
    run.wait_for(b"java")
    time.sleep(1)
    code, lines = run.interrupt(signal.SIGTERM, group)
    assert (code, progress(lines)) == (143, ["sluice: terminated"])
    assert left(tmp_path) == []


@pytest.mark.in_turn
@pytest.mark.spark
def test_while_rows_are_written(tmp_path):
    """Only this process gets the interrupt, in the middle of the file."""
    program = """
import sys, time
import golden.rows
from gen.cli import main

parts = golden.rows.parts_of

def slowly(table):
    for part in parts(table):
        yield part
        print("half", flush=True, file=sys.stderr)
        time.sleep(60)

golden.rows.parts_of = slowly
main(sys.argv[1:])
"""
    cache = ROOT / ".cache"
    run = Run(*LONG, "-o", tmp_path / "rows.csv", "--cache", cache, program=program)
    for line in run.process.stderr:
        if line == "half\n":
            break
    assert [path.name[:8] for path in left(tmp_path)] == [".sluice."]
    code, lines = run.interrupt(group=False)
    assert (code, progress(lines)) == (130, ["sluice: interrupted"])
    assert left(tmp_path) == []


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize("group", [True, False])
def test_a_model_that_is_built(tmp_path, group):
    """Verilator, make and the compilers under it are ended; the build leaves nothing half done."""
    program = """
import sys
from gen.terminal import interrupt

with interrupt.handled():
    from gen.design.build import resolve
    from gen.verilog.shipped_verilog import verilog_of
    from sim.bench import Bench

    build = resolve("examples/cluster_groupby.toml")
    text = verilog_of(build.design, build.name, sys.argv[1])
    Bench(top=build.name, streams=build.design.streams, verilog=text, cache=sys.argv[1]).build()
"""
    run = Run(tmp_path, program=program)
    run.wait_for(b"cc1plus")
    code, lines = run.interrupt(group=group)
    assert (code, lines) == (130, ["sluice: interrupted"])
    assert not list(tmp_path.rglob("*.cpp"))


def interrupted(program, group=True):
    """Interrupts a program after its line "ready"; returns the results of ``Run.interrupt``."""
    run = Run(program=program)
    assert run.process.stderr.readline() == "ready\n"
    return run.interrupt(group=group)


def test_a_program_that_has_lost_its_parent():
    """An interrupt also ends ``sleep``, whose parent, a shell, ended earlier."""
    program = """
import subprocess
import sys
import time
from gen.terminal import interrupt

with interrupt.handled():
    subprocess.run(["sh", "-c", "sleep 60 &"])
    print("ready", flush=True, file=sys.stderr)
    time.sleep(60)
"""
    assert interrupted(program, group=False) == (130, ["sluice: interrupted"])


def test_threads_that_start_one_program_after_the_other():
    """No program outlives the command, though threads start programs until it ends."""
    program = """
import subprocess
import sys
import threading
import time
from gen.terminal import interrupt

def start_programs():
    while True:
        subprocess.run(["sleep", "0.01"])
        subprocess.run(["sleep", "2"])

with interrupt.handled():
    threads = [threading.Thread(target=start_programs) for _ in range(16)]
    for thread in threads:
        thread.start()
    try:
        print("ready", flush=True, file=sys.stderr)
        while True:  # one long sleep could begin just after the signal
            time.sleep(0.05)
    finally:
        time.sleep(0.2)
        print(sum(thread.is_alive() for thread in threads), flush=True, file=sys.stderr)
"""
    assert interrupted(program, group=False) == (130, ["0", "sluice: interrupted"])


def test_an_interrupt_that_is_swallowed_ends_the_run_all_the_same():
    program = """
import time
from gen.terminal import interrupt

with interrupt.handled():
    print("ready", flush=True, file=__import__("sys").stderr)
    try:
        time.sleep(60)
    except BaseException:
        pass
"""
    assert interrupted(program) == (130, ["sluice: interrupted"])


@pytest.mark.in_turn
def test_a_program_that_ignores_sigterm_is_killed():
    program = """
import subprocess
import sys
from gen.terminal import interrupt

with interrupt.handled():
    script = "trap '' TERM; echo ready >&2; while :; do sleep 1; done"
    subprocess.run(["sh", "-c", script])
"""
    assert interrupted(program, group=False) == (130, ["sluice: interrupted"])


@pytest.mark.in_turn
def test_a_program_that_swallows_every_interrupt_is_ended():
    """The interrupt comes again after some seconds, and at last the process ends."""
    program = """
import sys
import time
from gen.terminal import interrupt

text = "ready\\n"
with interrupt.handled():
    while True:
        try:
            line, text = text, ""
            print(line, end="", flush=True, file=sys.stderr)
            time.sleep(60)
        except BaseException:
            pass
"""
    assert interrupted(program) == (130, ["sluice: interrupted"])
