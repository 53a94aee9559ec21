"""Runs `sluice trace`: makes a trace, and writes it to a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gen.commands.arguments import Json, Seed
from gen.files.paths import check_output, checked_path
from gen.terminal.console import Output
from gen.text.known_names import known
from golden.generate import write_csv
from golden.generate.cluster import cluster
from golden.generate.disorder import disorder
from query.errors import UserError

TUPLES_MAX = 100_000_000  # tuples; the whole trace is in memory
TRACES: dict[str, Any] = {"cluster": cluster, "disorder": disorder}


def trace(
    name: Annotated[str, typer.Argument(help="cluster (task events) or disorder (trades).")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", parser=checked_path, metavar="PATH", help="A .csv or .csv.gz file."
        ),
    ],
    tuples: Annotated[int, typer.Option(min=0, max=TUPLES_MAX, help="Number of tuples.")] = 16384,
    seed: Seed = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="cluster: number of jobs; one for each 64 tuples, and one more, if not given."
        ),
    ] = None,
    changes: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="cluster: this share of a job's tuples, 0 to 1, asks for more or less cpu than "
            "the tuple before. With 0.15 it compresses as well as seed 000's trace. If not given, "
            "all tuples of a job ask for the same.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make one of the project's own traces: the same text for the same options and seed."""
    out = Output(json)
    make = TRACES[known("trace", name, TRACES)]
    cluster_options = {"jobs": jobs, "changes": changes}
    options = {option: value for option, value in cluster_options.items() if value is not None}
    if options and make is not cluster:
        option, value = next(iter(options.items()))
        raise UserError(f"--{option} {value} is for the trace cluster, not for {name}")
    check_output(output, (".csv", ".csv.gz"), "a trace")
    with out.step(f"making {tuples:,} tuples"):
        try:
            tuples_table = make(tuples, seed, **options)
        except ValueError as error:  # the message begins with the name of the option
            raise UserError(f"--{error}") from None
        write_csv(tuples_table, output)
    values = {"trace": name, "tuples": tuples, "seed": seed, "file": str(output)} | options
    out.result(values, f"{tuples:,} tuples in {output}")
