"""`sluice trace`: the streams that the project makes itself."""

from pathlib import Path
from typing import Annotated

import typer

from gen.arguments import Json, Seed, known
from gen.console import Output
from gen.paths import check_output, named
from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.generate.disorder import disorder

MOST = 100_000_000  # tuples; they are made in memory
TRACES = {"cluster": cluster, "disorder": disorder}


def trace(
    name: Annotated[str, typer.Argument(help="cluster (task events) or disorder (trades).")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", parser=named, metavar="PATH", help="A .csv or .csv.gz file."
        ),
    ],
    tuples: Annotated[int, typer.Option(min=0, max=MOST, help="How many.")] = 16384,
    seed: Seed = 1,
    json: Json = False,
):
    """Make one of the project's own traces: the same bytes for the same seed."""
    out = Output(json)
    make = TRACES[known("trace", name, TRACES)]
    check_output(output, (".csv", ".csv.gz"), "a trace")
    with out.step(f"making {tuples:,} tuples"):
        write_csv(make(tuples, seed), output)
    values = {"trace": name, "tuples": tuples, "seed": seed, "file": str(output)}
    out.result(values, f"{tuples:,} tuples in {output}")
