"""Runs `sluice engines`: lists the engines and their options, or with `--units` the units."""

from typing import Annotated

import typer

from gen.commands.arguments import Json
from gen.terminal.console import Output, table
from gen.units.registry import UNITS
from rtl.contract.options import option_fields
from rtl.engine import ENGINES


def engines(
    units: Annotated[
        bool, typer.Option("--units", help="The blocks of `generate --unit` and `report --unit`.")
    ] = False,
    json: Json = False,
) -> None:
    """The engines and their parameters, with defaults and ranges."""
    if units:
        _list_units(Output(json))
        return
    listed = [_engine(engine) for engine in ENGINES.values()]
    tables = [
        table(
            f"{engine['name']}: {engine['about']}",
            ["parameter", "default", "values", "meaning"],
            [[p["name"], _default(p), _values(p), p["doc"]] for p in engine["parameters"]],
        )
        for engine in listed
    ]
    Output(json).result({"engines": listed}, *tables)


def _list_units(out):
    """Prints the units, with their parameters."""
    listed = [
        {"name": name, "about": unit.about, "parameters": unit.settings}
        for name, unit in UNITS.items()
    ]
    rows = [
        [unit["name"], ", ".join(f"{k}={v}" for k, v in unit["parameters"].items()), unit["about"]]
        for unit in listed
    ]
    out.result({"units": listed}, table("units", ["name", "parameters", "meaning"], rows))


def _engine(engine):
    """Returns the entry of an engine in JSON: name, description and options."""
    parameters = [_option(field) for field in option_fields(engine.options)]
    return {"name": engine.name, "about": engine.about, "parameters": parameters}


def _option(field):
    """Returns the entry of an option in JSON.

    ``range``, ``choices``, ``unit`` and ``absent`` are missing where the option declares none.
    ``exponent`` of streamzip has a range and choices: it is a number or a word.
    """
    metadata = field.metadata
    limits = {key: list(metadata[key]) for key in ("range", "choices") if key in metadata}
    notes = {key: metadata[key] for key in ("unit", "absent") if metadata[key] is not None}
    return {"name": field.name, "default": field.default, **limits, **notes, "doc": metadata["doc"]}


def _default(parameter):
    """Returns the text of the default, or the words for a default that depends on the query.

    For instance "4" for ``lanes``, and "as the query needs" for ``window_max`` of two-stacks.
    """
    default = parameter["default"]
    return parameter["absent"] if default is None else str(default)


def _values(parameter):
    """Returns the text of the allowed values, such as "2 to 1048576" or "all, select"."""
    choices = [str(choice) for choice in parameter.get("choices", ())]
    if "range" in parameter:
        choices = ["{} to {}".format(*parameter["range"]), *choices]
    return ", ".join(choices)
