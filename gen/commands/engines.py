"""Runs `sluice engines`: lists the engines and their parameters."""

from gen.commands.arguments import Json
from gen.terminal.console import Output, table
from rtl.contract.options import option_fields
from rtl.engine import ENGINES


def engines(json: Json = False) -> None:
    """The engines and their parameters, with defaults and ranges."""
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


def _engine(engine):
    parameters = [_option(field) for field in option_fields(engine.options)]
    return {"name": engine.name, "about": engine.about, "parameters": parameters}


def _option(field):
    metadata = field.metadata
    limits = {key: list(metadata[key]) for key in ("range", "choices") if key in metadata}
    notes = {key: metadata[key] for key in ("unit", "absent") if metadata[key] is not None}
    return {"name": field.name, "default": field.default, **limits, **notes, "doc": metadata["doc"]}


def _default(parameter):
    """Returns the text of the default; an option without one has a text for its absence."""
    default = parameter["default"]
    return parameter["absent"] if default is None else str(default)


def _values(parameter):
    if "choices" in parameter:
        return ", ".join(map(str, parameter["choices"]))
    return "{} to {}".format(*parameter["range"]) if "range" in parameter else ""
