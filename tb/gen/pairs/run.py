"""Runs a row of the table through the command line, and checks the results."""

import json
import shutil
import subprocess

from sim.errors import ToolMissingError
from tb.gen.pairs.call import (
    TUPLES,
    design_arguments,
    parameters_of,
    run_arguments,
    write_files,
)


class Commands:
    """Runs the commands of a row in a directory.

    Parameters
    ----------
    sluice : callable
        From arguments to (exit code, standard output, standard error).
    directory : pathlib.Path
    """

    def __init__(self, sluice, directory):
        self._sluice, self.directory = sluice, directory

    def json(self, *arguments):
        """Returns the object that a command prints; fails unless the exit code is 0."""
        code, out, err = self._sluice(*arguments, "--json")
        assert code == 0, f"exit code {code}: {err[-500:]}"
        return json.loads(out)

    def simulate(self, row, seed):
        """Runs `sluice simulate`: the hardware's rows equal PySpark's, no check fails."""
        query, data = write_files(row, seed, self.directory)
        rows, evicted = self.directory / "rows.csv", self.directory / "evicted.csv"
        extra_options = ["--rows", rows]
        if row["engine"] == "streamzip":
            extra_options += ["--evicted", evicted]
        if row["evictions"] != "-":
            extra_options += ["--allow-evictions"]
        output = self.json(
            *("simulate", query, "--input", data),
            *design_arguments(row),
            *run_arguments(row, seed),
            *extra_options,
        )
        assert (output["problems"], output["mismatches"]) == ([], 0)
        assert output["tuples"] >= TUPLES[0]
        assert output["rows"] == output["rows_expected"] > 0
        assert output["engine"] == row["engine"]
        built = {name: str(value) for name, value in output["parameters"].items()}
        requested = {name: str(value) for name, value in parameters_of(row).items()}
        assert {name: requested[name] for name in requested.keys() & built} == {
            name: built[name] for name in requested.keys() & built
        }
        assert bool(output["dropped"].get("collision")) == (row["evictions"] != "-")
        if row["memory"] != "-":
            assert output["memory"]["back_end"] == row["memory"]
        return output

    def golden(self, row):
        """Runs `sluice golden`: the rows equal the hardware's rows in the file of `simulate`.

        With ``codec=sz`` values differ within the bound. Then `simulate` compares aggregates of
        the values that the codec stores, and this method compares only windows and keys.
        """
        query, data = self.directory / "query.cql", self.directory / f"data.{row['file']}"
        golden_file = self.directory / "golden.csv"
        extra_options = (
            [] if row["evictions"] == "-" else ["--evicted", self.directory / "evicted.csv"]
        )
        self.json("golden", query, "--input", data, "-o", golden_file, *extra_options)
        heads = len(_heads(golden_file)) if row["codec"] == "sz" else None
        assert _columns(self.directory / "rows.csv", heads) == _columns(golden_file, heads)

    def generate(self, row):
        """Runs `sluice generate`, and in Icarus the first bench of the directory."""
        if shutil.which("iverilog") is None:
            raise ToolMissingError("iverilog")
        created = self.directory / "made"
        query = self.directory / "query.cql"
        described = self.json("generate", query, "-o", created, *design_arguments(row))
        name = described["name"]
        sources = [f"{name}.v", f"sim/{name}_tb.sv"]
        view = f"sim/{name}_axi.v"
        sources += [view] if (created / view).exists() else []
        command = ["iverilog", "-g2012", "-o", "first", *sources]
        process = subprocess.run(command, cwd=created, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
        process = subprocess.run(
            ["vvp", "-n", "first"], cwd=created, capture_output=True, text=True
        )
        assert process.returncode == 0, process.stdout
        assert f"PASS: {name}\n" in process.stdout


def _heads(path):
    """Returns the names of the columns before the aggregates in a file of rows."""
    names = path.read_text().partition("\n")[0].split(",")
    return [name for name in names if name in ("window", "window_end", "k")]


def _columns(path, count):
    """Returns the first ``count`` columns of a file of rows; all columns if ``count`` is None."""
    return [line.split(",")[:count] for line in path.read_text().splitlines()]
