"""Declares the arguments that several commands share, as types of parameters."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from caching import place
from gen.files.paths import cache_folder, checked_path
from query.errors import UserError, brief

_MASTER = re.compile(
    r"local(\[(\*|[1-9][0-9]{0,2})(, *[1-9][0-9]{0,2})?\])?"
    r"|local-cluster\[[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*\]"
    r"|spark://[^\s/:]+:[0-9]+(,[^\s/:]+:[0-9]+)*|k8s://\S+|yarn"
)


def master(text: str) -> str:
    """Returns the text of a Spark master; raises BadParameter if Spark cannot read the text."""
    if not _MASTER.fullmatch(text):
        forms = (
            "local, local[N] up to 999, local[*], local-cluster[N,C,M], spark://H:P, k8s:// or yarn"
        )
        raise typer.BadParameter(f"must be {forms}, not {brief(text)}")
    return text


Query = Annotated[
    Path,
    typer.Argument(parser=checked_path, help="A .cql query or a .toml design point."),
]
OptionalQuery = Annotated[
    Path | None,
    typer.Argument(parser=checked_path, help="A .cql query or a .toml design point."),
]
Engine = Annotated[
    str | None, typer.Option(help="Engine; the first that can run the query if not given.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter of the engine, or an option of the bus; repeatable.",
    ),
]
BoardName = Annotated[str | None, typer.Option(help="Board to build for.")]
Lanes = Annotated[
    int | None,
    typer.Option(help="Tuples that may enter the engine in a cycle; short for --set lanes=P."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Input = Annotated[
    Path,
    typer.Option(
        "--input",
        parser=checked_path,
        metavar="PATH",
        help="CSV or Parquet, or a trace with --format.",
    ),
]
Format = Annotated[str | None, typer.Option(help="Layout of the data; by its suffix if not given.")]
Start = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Where the first window of RANGE begins; by the first tuple if not given.",
    ),
]
BoardStart = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="Where the first window of RANGE begins, for a board with a link; 0 if not given.",
    ),
]
AllowEvictions = Annotated[
    bool,
    typer.Option(
        "--allow-evictions",
        help="Evicted keys are no failure: compare with PySpark's answer for them.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of all that is random.")]
Cache = Annotated[
    Path,
    typer.Option(
        parser=cache_folder,
        metavar="PATH",
        envvar=place.VARIABLE,
        show_default="sluice in the user's cache directory",
        help="Folder of the results that later runs use again.",
    ),
]
Master = Annotated[
    str, typer.Option(parser=master, help="Spark master that computes the golden rows.")
]

CACHE: Any = place.default_folder  # typer calls it when the command line is read
MASTER = "local[*]"


def refuse_options_of_engines(options: Mapping[str, object]) -> None:
    """Raises UserError for the first option that is set, because a unit has no such options.

    An option with the value None or False is not set.
    """
    for name, value in options.items():
        if value is not None and value is not False:
            raise UserError(f"--{name} is for engines, not for --unit")


def refuse_evictions_without_keys(
    partition: object, is_set: bool, option: str = "--allow-evictions"
) -> None:
    """Raises UserError if an option of evictions is set, and the query has no PARTITION BY."""
    if is_set and partition is None:
        raise UserError(f"{option}: only keys of PARTITION BY are evicted, and the query has none")
