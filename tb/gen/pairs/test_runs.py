"""Makes the runs of the table by the command line; in each the hardware's rows equal PySpark's."""

import subprocess
import sys

import pytest

from sim.errors import ToolMissingError
from tb.day import day_of_head
from tb.gen.pairs.run import Commands
from tb.gen.pairs.table import design_of, of_the_day, read

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

ROWS = read()
DESIGNS = {design: number for number, design in enumerate(dict.fromkeys(map(design_of, ROWS)))}
PROGRAM = "import sys; from gen.cli import main; main(sys.argv[1:])"
#: One run in 20 is started as by a user, in a new process.
OWN_PROCESS = 20


def cases(numbers):
    """Returns (number of the design, number of the row) for each number of a row."""
    return [(DESIGNS[design_of(ROWS[n])], n) for n in numbers]


def numbers_of_the_day():
    """Returns the rows of the commit's day: 2 of 250, so a row comes every 125 days."""
    try:
        return of_the_day(ROWS, day_of_head())
    except ToolMissingError:
        return of_the_day(ROWS)


@pytest.fixture
def run(sluice, cache, tmp_path):
    """Runs a row by its number: simulate, golden, generate and the first bench."""

    def in_a_process(*arguments):
        command = [sys.executable, "-c", PROGRAM, *map(str, arguments), "--cache", str(cache)]
        process = subprocess.run(command, capture_output=True, text=True)
        return process.returncode, process.stdout, process.stderr

    def every_command(number):
        row = ROWS[number]
        commands = Commands(in_a_process if number % OWN_PROCESS == 0 else sluice, tmp_path)
        commands.simulate(row, number)
        commands.golden(row)
        if number == 0 or design_of(row) != design_of(ROWS[number - 1]):
            commands.generate(row)

    return every_command


@pytest.mark.long("design")
@pytest.mark.parametrize(("design", "number"), cases(numbers_of_the_day()))
def test_runs_of_the_day(design, number, run):
    run(number)


@pytest.mark.regress
@pytest.mark.long("design")
@pytest.mark.parametrize(("design", "number"), cases(range(len(ROWS))))
def test_every_run(design, number, run):
    run(number)
