"""`sluice trace`: the streams that the project makes itself."""

from pathlib import Path
from typing import Annotated

import typer

from gen.arguments import Json, Seed, known
from gen.console import Output
from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.generate.disorder import disorder

TRACES = {"cluster": cluster, "disorder": disorder}


def trace(
    name: Annotated[str, typer.Argument(help="cluster (task events) or disorder (trades).")],
    output: Annotated[Path, typer.Option("-o", "--output", help="A .csv or .csv.gz file.")],
    tuples: Annotated[int, typer.Option(min=0, help="How many.")] = 16384,
    seed: Seed = 1,
    json: Json = False,
):
    """Make one of the project's own traces: the same bytes for the same seed."""
    out = Output(json)
    make = TRACES[known("trace", name, TRACES)]
    with out.step(f"making {tuples:,} tuples"):
        write_csv(make(tuples, seed), output)
    values = {"trace": name, "tuples": tuples, "seed": seed, "file": str(output)}
    out.result(values, f"{tuples:,} tuples in {output}")
