"""Checks arguments of the library: paths, caches, starts, stalls, seeds, names, options."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import typer

from caching.place import default_folder
from gen.commands.arguments import master as parsed_master
from gen.design.first_window import start_of
from gen.files.paths import cache_folder, checked_path
from gen.jobs.progress import Silent
from query.errors import UserError
from query.query import Query
from sim.memory import MOST_STALLS


def path_of(path: str | PathLike[str]) -> Path:
    """Returns a path; raises UserError for another type, and if no file can have the name."""
    text = _text_of(path, "a path")
    try:
        return checked_path(text)
    except typer.BadParameter as error:
        raise UserError(str(error)) from None


def cache_of(cache: str | PathLike[str] | None) -> Path:
    """Returns the folder of a cache, the user's for None; raises UserError if it cannot be used."""
    if cache is None:
        return default_folder()
    text = _text_of(cache, "cache")
    try:
        return cache_folder(text)
    except typer.BadParameter as error:
        raise UserError(f"cache: {error}") from None


def _text_of(path, argument):
    """Returns the text of a path; raises UserError for another type."""
    text = fspath(path) if isinstance(path, str | PathLike) else None
    if not isinstance(text, str):
        raise UserError(f"{argument} must be a str or a path, not {type(path).__name__}")
    return text


def check_master(master: Any) -> None:
    """Raises UserError unless ``master`` is the text of a Spark master, as in a command."""
    check_names(master=master)
    try:
        parsed_master(str(master))  # None is refused as an unknown name
    except typer.BadParameter as error:
        raise UserError(f"master {error}") from None


def begin_of(query: Query, start: str | int | None) -> int | None:
    """Returns the raw time at which the first window begins; None if the first tuple decides it.

    Warns of a unit that the schema does not declare. Raises UserError for a start that is no time
    of the query.
    """
    begin, warning = start_of(query, None if start is None else str(start), "start")
    if warning is not None:
        Silent().warn(warning)
    return begin


def check_stalls(stalls: Sequence[float]) -> None:
    """Raises UserError unless ``stalls`` are two probabilities that a simulation can use."""
    if not isinstance(stalls, Sequence) or isinstance(stalls, str) or len(stalls) != 2:
        raise UserError(f"stalls must be two numbers, of the input and the output, not {stalls!r}")
    for place, share in zip(("input", "output"), stalls, strict=True):
        if not isinstance(share, int | float) or not 0 <= share <= MOST_STALLS:
            raise UserError(f"stalls: {place} must be between 0 and {MOST_STALLS}, not {share!r}")


def check_seed(seed: Any) -> None:
    """Raises UserError unless ``seed`` is a whole number from 0 to 2^63 - 1, as in a command."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) < 1 << 63:
        raise UserError(f"seed must be a whole number from 0 to 2^63 - 1, not {seed!r}")


def check_names(**names: Any) -> None:
    """Raises UserError unless each name, such as an engine's, is a str or None."""
    for argument, name in names.items():
        if name is not None and not isinstance(name, str):
            raise UserError(f"{argument} must be a str, not {type(name).__name__}")


def check_options(options: Any) -> None:
    """Raises UserError unless ``options`` is a mapping whose keys are str."""
    check_mapping(options, "options")


def check_mapping(values: Any, argument: str) -> None:
    """Raises UserError unless ``values`` is a mapping whose keys are str."""
    if not isinstance(values, Mapping):
        raise UserError(
            f"{argument} must be a dict from names to values, not {type(values).__name__}"
        )
    for name in values:
        if not isinstance(name, str):
            raise UserError(f"{argument}: a name must be a str, not {name!r}")
